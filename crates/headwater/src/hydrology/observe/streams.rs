//! Streams of the current land: their location, discharge and slope. The rain on each cell is
//! routed along the steepest descent (D8).

use crate::field::Field;
use crate::hydrology::drops::descent::LakeState;
use crate::hydrology::lakes::hierarchy::NONE;
use crate::hydrology::report::routing::Routing;
use crate::hydrology::state::fixed;
use crate::hydrology::world::Hydrology;

/// Number of cells downstream over which the slope of a stream is averaged, so that a single
/// obstacle in the bed does not dominate.
const SLOPE_STEPS: usize = 8;

/// Depth of rain (drops per cell) by which it is predicted whether a depression fills soon. A
/// depression that this rain would fill counts as one that already spills.
const SOON_FULL_RAIN: f64 = 0.1;

/// Streams of a landscape, as fields with one value per cell. Discharge is measured as the upstream
/// area that receives mean rain (cells).
#[derive(Clone, Debug, PartialEq)]
pub struct Streams {
    /// Discharge of each cell, as the equivalent upstream area with mean rain (cells).
    pub discharge: Field<f32>,
    /// Whether each cell is part of a stream. Cells under a lake or the sea are not.
    pub stream: Field<bool>,
    /// Rain and river inflow that first reaches a stream, standing water or the edge of the map at
    /// each cell, given as the equivalent area with mean rain (cells). The value is 0 on slopes.
    /// The sum over all cells equals the total rain and river inflow.
    pub lateral_inflow: Field<f32>,
    /// Slope of the stream (m per m), averaged over the next eight cells downstream. 0 for cells
    /// that are not part of a stream.
    pub slope: Field<f32>,
    /// Column and row of the cell to which each cell drains. `None` where water leaves the map or
    /// is retained in a depression.
    pub receiver: Field<Option<(usize, usize)>>,
}

impl Hydrology {
    /// Returns all streams with a discharge of at least `min_discharge`. Discharge is measured as
    /// the equivalent upstream area with mean rain (cells). Depressions that are full, or that the
    /// next 0.1 drops of rain per cell will fill, pass their inflow on. All other depressions
    /// retain it.
    pub fn streams(&self, min_discharge: f32) -> Streams {
        let land = &self.land;
        let (grid, terrain) = (land.grid(), land.terrain());
        let map = |value: &dyn Fn(usize) -> f32| {
            Field::from_fn(grid.nx, grid.ny, |x, y| value(y * grid.nx + x))
        };
        let wet = |i: usize| self.waters.level_over(terrain, i).is_some();
        // The inflow must first fill the depression and compensate for evaporation.
        let (soon, evaporation) =
            (SOON_FULL_RAIN * land.drop_volume() as f64, land.evaporation_depth(SOON_FULL_RAIN));
        let runs_over = |node: u32, volume: i64| {
            let node = &self.waters.hierarchy.nodes[node as usize];
            let through = if node.far_cell == NONE { node.near_cell } else { node.far_cell };
            let Some(&area) = land.area.get(through as usize) else { return false };
            let free_volume = node
                .capacity()
                .saturating_add(node.evaporation_volume(evaporation))
                .saturating_sub(volume);
            free_volume as f64 <= soon * f64::from(area)
        };
        // Depressions that are not full retain their inflow: under their lake, or at their pit.
        let retains_water = |i: usize| {
            let water = self.waters.leaf_water_at(i as u32);
            let pit = self.waters.hierarchy.nodes[water.node as usize].pit as usize;
            let retains = || water.state != LakeState::Full && !runs_over(water.node, water.volume);
            terrain.outflow_height(i).is_some() || (wet(i) || pit == i) && retains()
        };
        let outlet = Field::from_fn(grid.nx, grid.ny, |x, y| retains_water(y * grid.nx + x));
        // Water level, or height of the ground on dry cells.
        let surface = map(&|i| {
            let level = self.waters.level_over(terrain, i);
            fixed::to_metres_f32(level.unwrap_or(land.bed[i]))
        });
        let routing = Routing::new(&surface, &outlet);

        let mut rain = land.rain.relative_rain(grid);
        for inflow in &land.rain.inflows {
            let [x, y] = inflow.cell(grid, land.lattice.dx());
            rain[y * grid.nx + x] += inflow.catchment / land.lattice.cell_area();
        }
        // Accumulate the runoff from slopes down to the first stream cell.
        let (mut discharge, mut lateral_inflow) = (rain.clone(), rain);
        for i in routing.order.iter().rev().map(|&cell| cell as usize) {
            let to = routing.receiver(i);
            let retains = to.is_none() || wet(i) || discharge[i] >= f64::from(min_discharge);
            if let Some(to) = to {
                discharge[to] += discharge[i];
                if !retains {
                    lateral_inflow[to] += std::mem::take(&mut lateral_inflow[i]);
                }
            }
        }
        let is_stream = |i: usize| discharge[i] >= f64::from(min_discharge) && !wet(i);
        let slope = |i: usize| {
            let (mut end, mut length) = (i, 0.0);
            for _ in 0..SLOPE_STEPS {
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
                routing.receiver(cell(x, y)).map(|to| grid.column_and_row(to))
            }),
            discharge: map(&|i| discharge[i] as f32),
            lateral_inflow: map(&|i| lateral_inflow[i] as f32),
        }
    }
}
