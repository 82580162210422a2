//! Sources of water: rain on the map, and rivers that enter the map.

use crate::field::Field;
use crate::hydrology::state::grid::Grid;
use crate::hydrology::state::random::Stream;
use crate::ids::IdList;
use crate::region::Point;
use serde::{Deserialize, Serialize};

/// Largest rain on a cell, divided by the mean rain. It limits the cost of rejection sampling.
pub(in crate::hydrology) const MAX_RELATIVE_RAIN: f32 = 64.0;

/// A river that enters the map at a position.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Inflow {
    /// Position at which the river enters (m from the top-left corner).
    pub position: Point,
    /// Catchment area outside the map (m², above 0). Its rain is the mean rain of the map.
    pub catchment: f64,
}

impl Inflow {
    pub(in crate::hydrology) fn cell(&self, grid: Grid, size: f64) -> [usize; 2] {
        let place = |metres: f64, n: usize| ((metres / size).max(0.0) as usize).min(n - 1);
        [place(self.position[0], grid.nx), place(self.position[1], grid.ny)]
    }
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(in crate::hydrology) struct Rain {
    /// Rain on each cell relative to the maximum. `None` if rain is uniform.
    pub(in crate::hydrology) map: Option<Field<f32>>,
    pub(in crate::hydrology) inflows: IdList<Inflow>,
}

impl Rain {
    /// Returns the total catchment area, including rivers that enter the map, in cells of mean
    /// rain.
    pub(in crate::hydrology) fn effective_cells(&self, grid: Grid, cell_area: f64) -> f64 {
        let outside: f64 = self.inflows.iter().map(|inflow| inflow.catchment).sum();
        grid.cells() as f64 + outside / cell_area
    }

    pub(in crate::hydrology) fn relative_rain(&self, grid: Grid) -> Vec<f64> {
        let Some(map) = &self.map else { return vec![1.0; grid.cells()] };
        let mean = map.sum() / grid.cells() as f64;
        map.as_slice().iter().map(|&rain| f64::from(rain) / mean).collect()
    }

    /// Returns a random start of a drop (column, row), and whether the drop enters with a river.
    pub(in crate::hydrology) fn sample_start(
        &self,
        grid: Grid,
        size: f64,
        random: &mut Stream,
    ) -> ([f32; 2], bool) {
        if !self.inflows.is_empty() {
            let cells = grid.cells() as f64;
            let all = self.effective_cells(grid, size * size);
            let mut at = (random.next() >> 11) as f64 / (1_u64 << 53) as f64 * all - cells;
            for inflow in &self.inflows {
                if at < 0.0 {
                    break;
                }
                at -= inflow.catchment / (size * size);
                if at < 0.0 {
                    return (inflow.cell(grid, size).map(|n| n as f32 + 0.5), true);
                }
            }
        }
        let mut cell = random.below(grid.cells());
        if let Some(map) = &self.map {
            while random.uniform() >= map.as_slice()[cell] {
                cell = random.below(grid.cells());
            }
        }
        let (x, y) = grid.at(cell);
        // A random position within the cell, so that drops do not move in lockstep.
        let within = |n: usize, part: f32| n as f32 + 0.01 + 0.98 * part;
        ([within(x, random.uniform()), within(y, random.uniform())], false)
    }
}
