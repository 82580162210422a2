//! Reference implementation of flooding on a bed that does not change.

use crate::field::Field;
use crate::hydrology::lakes::hierarchy::Terrain;
use crate::hydrology::params::Edges;
use crate::hydrology::state::fixed;
use crate::hydrology::state::grid::Grid;
use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashSet};

/// Standing water on a bed that does not change.
#[derive(Clone, Debug)]
pub struct FloodModel {
    grid: Grid,
    edges: Edges,
    sea: i64,
    bed: Vec<i64>,
    /// Height of the surface of each cell in quanta of 2⁻²⁰ m: the water level, or the height of
    /// the bed on dry cells.
    surface: Vec<f64>,
    outflow: f64,
}

/// Priority queue of the cells next to a rising water surface, lowest first. Each entry holds the
/// integer part and the fractional part of the cell's surface height, then the cell index. For an
/// outlet off the map, the index is `None`.
type Frontier = BinaryHeap<Reverse<(i64, u64, Option<usize>)>>;

impl FloodModel {
    /// Creates a model without water, except for the sea, which covers all cells that it can reach
    /// below the level `sea` (m). The heights in `bed` (m) are rounded to quanta of 2⁻²⁰ m, as in
    /// the hydrology model.
    pub fn new(bed: &Field<f32>, edges: Edges, sea: f64) -> Self {
        let grid = Grid { nx: bed.nx(), ny: bed.ny() };
        let bed: Vec<i64> = bed.as_slice().iter().map(|&z| fixed::to_quanta(z.into())).collect();
        let surface: Vec<f64> = bed.iter().map(|&z| z as f64).collect();
        let mut flood =
            Self { grid, edges, sea: fixed::to_quanta(sea), bed, surface, outflow: 0.0 };
        flood.fill_sea();
        flood
    }

    fn fill_sea(&mut self) {
        let terrain =
            Terrain { grid: self.grid, bed: &self.bed, edges: &self.edges, sea: self.sea };
        let below = |cell: usize| self.bed[cell] <= self.sea;
        let adjacent = |&cell: &usize| terrain.outflow_height(cell).is_some_and(|(_, sea)| sea);
        let mut list: Vec<usize> =
            (0..self.grid.cell_count()).filter(|&cell| below(cell)).filter(adjacent).collect();
        let mut visited: HashSet<usize> = list.iter().copied().collect();
        let mut i = 0;
        while i < list.len() {
            let next = self.grid.neighbours(list[i]);
            list.extend(next.filter(|&cell| below(cell) && visited.insert(cell)));
            i += 1;
        }
        list.into_iter().for_each(|cell| self.surface[cell] = self.sea as f64);
    }

    /// Adds a depth of water (m) to one cell, and moves the water until all of it stands still or
    /// has left the map.
    ///
    /// # Panics
    /// Panics if the cell is off the grid.
    pub fn pour(&mut self, x: usize, y: usize, depth: f64) {
        assert!(x < self.grid.nx && y < self.grid.ny, "a cell off the grid");
        let mut cell = y * self.grid.nx + x;
        let mut volume = fixed::to_quanta(depth) as f64;
        while volume > 0.0 {
            while let Some(lower) = self.grid.receiver(&self.bed, cell) {
                cell = lower;
            }
            match self.raise_water_level(cell, volume) {
                Some((beyond, rest)) => (cell, volume) = (beyond, rest),
                None => return,
            }
        }
    }

    /// Raises the water level from a pit until the volume is used up or the water reaches an
    /// outlet. If water spills at a saddle, returns the cell beyond it and the volume that flows
    /// there. If water leaves the map, adds it to the outflow. Returns `None` if no water is left
    /// on the map to distribute. Volumes are in quanta of 2⁻²⁰ m times the cell area.
    fn raise_water_level(&mut self, pit: usize, volume: f64) -> Option<(usize, f64)> {
        let terrain =
            Terrain { grid: self.grid, bed: &self.bed, edges: &self.edges, sea: self.sea };
        let bits = |height: f64| (height.floor() as i64, (height.fract() * 2f64.powi(32)) as u64);
        let entry = |surface: &[f64], cell: usize| {
            let (whole, part) = bits(surface[cell]);
            Reverse((whole, part, Some(cell)))
        };
        let mut frontier: Frontier = BinaryHeap::from([entry(&self.surface, pit)]);
        let (mut visited, mut flooded) = (HashSet::from([pit]), Vec::new());
        let (mut total, mut floor, mut level) = (volume, 0.0, f64::NEG_INFINITY);
        while let Some(Reverse((whole, _, next))) = frontier.pop() {
            let height = next.map_or(whole as f64, |cell| self.surface[cell]);
            let count = flooded.len() as f64;
            if count * height - floor > total {
                break;
            }
            let lower = height < level;
            if lower || next.is_none() {
                level = level.max(height);
                let rest = total - (count * level - floor);
                flooded.iter().for_each(|&cell: &usize| self.surface[cell] = level);
                if next.is_none() {
                    self.outflow += rest;
                    return None;
                }
                // From the saddle, which was flooded last, water flows to the lowest lower
                // neighbour.
                let saddle = *flooded.last()?;
                let adjacent = self.grid.neighbours(saddle).filter(|&i| self.surface[i] < level);
                return Some((adjacent.min_by_key(|&i| (self.bed[i], i))?, rest));
            }
            let Some(cell) = next else { break };
            level = height;
            total += self.surface[cell] - self.bed[cell] as f64;
            floor += self.bed[cell] as f64;
            flooded.push(cell);
            if let Some((out, _)) = terrain.outflow_height(cell) {
                frontier.push(Reverse((out, 0, None)));
            }
            for adjacent in self.grid.neighbours(cell) {
                if visited.insert(adjacent) {
                    frontier.push(entry(&self.surface, adjacent));
                }
            }
        }
        let level = (total + floor) / flooded.len() as f64;
        flooded.iter().for_each(|&cell| self.surface[cell] = level);
        None
    }

    /// Returns the depth of water in each cell (m).
    pub fn depth(&self) -> Field<f64> {
        let depth = |i: usize| (self.surface[i] - self.bed[i] as f64) / fixed::PER_METRE;
        Field::from_fn(self.grid.nx, self.grid.ny, |x, y| depth(y * self.grid.nx + x))
    }

    /// Returns the total outflow across the edges of the map, as a depth of water on one cell (m).
    pub fn outflow(&self) -> f64 {
        self.outflow / fixed::PER_METRE
    }
}
