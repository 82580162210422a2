//! The plain flood on a bed that stays as it is.

use super::super::fixed;
use super::super::grid::Grid;
use super::super::hierarchy::Terrain;
use super::super::params::Edges;
use crate::field::Field;
use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashSet};

/// Pools on a bed.
#[derive(Clone, Debug)]
pub struct Flood {
    grid: Grid,
    edges: Edges,
    sea: i64,
    bed: Vec<i64>,
    /// Where the water's surface is, or the bed where there is none (quanta).
    surface: Vec<f64>,
    gone: f64,
}

/// What a raised plane meets next: the height where it does, and the cell; `None` is the way off the map.
type Front = BinaryHeap<Reverse<(i64, u64, Option<usize>)>>;

impl Flood {
    /// A dry bed (m) with the sea where it can come in; heights are rounded to quanta, as in the
    /// model.
    pub fn new(bed: &Field<f32>, edges: Edges, sea: f64) -> Self {
        let grid = Grid { nx: bed.nx(), ny: bed.ny() };
        let bed: Vec<i64> = bed.as_slice().iter().map(|&z| fixed::quanta(z.into())).collect();
        let surface: Vec<f64> = bed.iter().map(|&z| z as f64).collect();
        let mut flood = Self { grid, edges, sea: fixed::quanta(sea), bed, surface, gone: 0.0 };
        flood.let_sea_in();
        flood
    }

    fn let_sea_in(&mut self) {
        let terrain =
            Terrain { grid: self.grid, bed: &self.bed, edges: &self.edges, sea: self.sea };
        let below = |cell: usize| self.bed[cell] <= self.sea;
        let beside = |&cell: &usize| terrain.way_out(cell).is_some_and(|(_, sea)| sea);
        let mut list: Vec<usize> =
            (0..self.grid.cells()).filter(|&cell| below(cell)).filter(beside).collect();
        let mut seen: HashSet<usize> = list.iter().copied().collect();
        let mut i = 0;
        while i < list.len() {
            let next = self.grid.neighbours(list[i]);
            list.extend(next.filter(|&cell| below(cell) && seen.insert(cell)));
            i += 1;
        }
        list.into_iter().for_each(|cell| self.surface[cell] = self.sea as f64);
    }

    /// Pours a depth (m) on one cell, and follows it until all of it stands or has left.
    ///
    /// # Panics
    /// Off the grid.
    pub fn pour(&mut self, x: usize, y: usize, depth: f64) {
        assert!(x < self.grid.nx && y < self.grid.ny, "a cell off the grid");
        let mut cell = y * self.grid.nx + x;
        let mut volume = fixed::quanta(depth) as f64;
        while volume > 0.0 {
            while let Some(lower) = self.grid.receiver(&self.bed, cell) {
                cell = lower;
            }
            match self.raise(cell, volume) {
                Some((beyond, rest)) => (cell, volume) = (beyond, rest),
                None => return,
            }
        }
    }

    /// Raises a plane from a pit until it holds the volume. Returns the lowest way out, if it meets
    /// one, and the overflow.
    fn raise(&mut self, pit: usize, volume: f64) -> Option<(usize, f64)> {
        let terrain =
            Terrain { grid: self.grid, bed: &self.bed, edges: &self.edges, sea: self.sea };
        let bits = |height: f64| (height.floor() as i64, (height.fract() * 2f64.powi(32)) as u64);
        let entry = |surface: &[f64], cell: usize| {
            let (whole, part) = bits(surface[cell]);
            Reverse((whole, part, Some(cell)))
        };
        let mut front: Front = BinaryHeap::from([entry(&self.surface, pit)]);
        let (mut seen, mut set) = (HashSet::from([pit]), Vec::new());
        let (mut held, mut floor, mut level) = (volume, 0.0, f64::NEG_INFINITY);
        while let Some(Reverse((whole, _, next))) = front.pop() {
            let height = next.map_or(whole as f64, |cell| self.surface[cell]);
            let count = set.len() as f64;
            if count * height - floor > held {
                break;
            }
            let lower = height < level;
            if lower || next.is_none() {
                level = level.max(height);
                let rest = held - (count * level - floor);
                set.iter().for_each(|&cell: &usize| self.surface[cell] = level);
                if next.is_none() {
                    self.gone += rest;
                    return None;
                }
                // From the saddle, which was the last to be flooded, water takes the steepest way.
                let saddle = *set.last()?;
                let beside = self.grid.neighbours(saddle).filter(|&i| self.surface[i] < level);
                return Some((beside.min_by_key(|&i| (self.bed[i], i))?, rest));
            }
            let Some(cell) = next else { break };
            level = height;
            held += self.surface[cell] - self.bed[cell] as f64;
            floor += self.bed[cell] as f64;
            set.push(cell);
            if let Some((out, _)) = terrain.way_out(cell) {
                front.push(Reverse((out, 0, None)));
            }
            for beside in self.grid.neighbours(cell) {
                if seen.insert(beside) {
                    front.push(entry(&self.surface, beside));
                }
            }
        }
        let level = (held + floor) / set.len() as f64;
        set.iter().for_each(|&cell| self.surface[cell] = level);
        None
    }

    /// Depth of the water (m).
    pub fn depth(&self) -> Field<f64> {
        let depth = |i: usize| (self.surface[i] - self.bed[i] as f64) / fixed::PER_METRE;
        Field::from_fn(self.grid.nx, self.grid.ny, |x, y| depth(y * self.grid.nx + x))
    }

    /// What has left the map (m on one cell).
    pub fn gone(&self) -> f64 {
        self.gone / fixed::PER_METRE
    }
}
