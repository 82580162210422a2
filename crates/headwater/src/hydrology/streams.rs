//! Streams of the land as it stands: where they run, their discharge and slope, from every cell's
//! rain by D8 routing.

use super::fixed;
use super::hierarchy::NONE;
use super::report::routing::Routing;
use super::walk::State;
use super::world::Hydrology;
use crate::field::Field;

/// Steps downstream over which a stream's slope is taken, so that one block in its bed does not count.
const REACH: usize = 8;

/// The rain (drops per cell) within which a depression that fills counts as one that runs over.
const SOON: f64 = 0.1;

/// The streams of a land. Rain counts in cells: 1 is what falls on a cell with the map's mean rain.
#[derive(Clone, Debug, PartialEq)]
pub struct Streams {
    /// Rain that comes down each cell.
    pub discharge: Field<f32>,
    /// Whether the cell is a stream's: neither under a lake nor under the sea.
    pub stream: Field<bool>,
    /// Rain where it comes to a stream, standing water or the map's edge; 0 on slopes. Its sum is
    /// that of all rain and rivers from outside.
    pub gathered: Field<f32>,
    /// How much a stream falls on a metre, over its next eight steps (m per m); 0 beside streams.
    pub slope: Field<f32>,
    /// The cell that each drains to; `None` where water leaves or ends.
    pub receiver: Field<Option<(usize, usize)>>,
}

impl Hydrology {
    /// Streams with at least `least` cells of mean rain upstream. Depressions that run over, or
    /// soon would, pass water on; others keep it.
    pub fn streams(&self, least: f32) -> Streams {
        let land = &self.land;
        let (grid, terrain) = (land.grid(), land.terrain());
        let map = |value: &dyn Fn(usize) -> f32| {
            Field::from_fn(grid.nx, grid.ny, |x, y| value(y * grid.nx + x))
        };
        let wet = |i: usize| self.waters.level_over(terrain, i).is_some();
        // What comes fills those up before it has rained that much, and what they lose to the air meanwhile.
        let (soon, dry) = (SOON * land.drop() as f64, land.dry(SOON));
        let runs_over = |node: u32, held: i64| {
            let node = &self.waters.hierarchy.nodes[node as usize];
            let through = if node.outside == NONE { node.inside } else { node.outside };
            let Some(&area) = land.area.get(through as usize) else { return false };
            let room = node.capacity().saturating_add(node.dries(dry)).saturating_sub(held);
            room as f64 <= soon * f64::from(area)
        };
        // Depressions that are not full keep what comes: under their lake, or where one would begin.
        let ends = |i: usize| {
            let water = self.waters.leaf(i as u32);
            let pit = self.waters.hierarchy.nodes[water.node as usize].pit as usize;
            let keeps = || water.state != State::Full && !runs_over(water.node, water.held);
            terrain.way_out(i).is_some() || (wet(i) || pit == i) && keeps()
        };
        let outlet = Field::from_fn(grid.nx, grid.ny, |x, y| ends(y * grid.nx + x));
        // Down to the level of the water, where there is any.
        let surface = map(&|i| {
            let level = self.waters.level_over(terrain, i);
            fixed::metres_f32(level.unwrap_or(land.bed[i]))
        });
        let routing = Routing::new(&surface, &outlet);

        let mut rain = land.rain.by_cell(grid);
        for inflow in &land.rain.inflows {
            let [x, y] = inflow.cell(grid, land.lattice.dx());
            rain[y * grid.nx + x] += inflow.catchment / land.lattice.cell_area();
        }
        // What slopes carry, until it has come down to where it is gathered.
        let (mut discharge, mut gathered) = (rain.clone(), rain);
        for i in routing.order.iter().rev().map(|&cell| cell as usize) {
            let to = routing.receiver(i);
            let keeps = to.is_none() || wet(i) || discharge[i] >= f64::from(least);
            if let Some(to) = to {
                discharge[to] += discharge[i];
                if !keeps {
                    gathered[to] += std::mem::take(&mut gathered[i]);
                }
            }
        }
        let is_stream = |i: usize| discharge[i] >= f64::from(least) && !wet(i);
        let slope = |i: usize| {
            let (mut end, mut length) = (i, 0.0);
            for _ in 0..REACH {
                let Some(to) = routing.receiver(end) else { break };
                length += grid.distance(end, to);
                end = to;
            }
            let fall = routing.filled[i] - routing.filled[end];
            if length > 0.0 { fall.max(0.0) / (length * land.lattice.dx() as f32) } else { 0.0 }
        };
        let cell = |x: usize, y: usize| y * grid.nx + x;
        Streams {
            stream: Field::from_fn(grid.nx, grid.ny, |x, y| is_stream(cell(x, y))),
            slope: map(&|i| if is_stream(i) { slope(i) } else { 0.0 }),
            receiver: Field::from_fn(grid.nx, grid.ny, |x, y| {
                routing.receiver(cell(x, y)).map(|to| grid.at(to))
            }),
            discharge: map(&|i| discharge[i] as f32),
            gathered: map(&|i| gathered[i] as f32),
        }
    }
}
