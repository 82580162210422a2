//! Sources of water: rain, and rivers that enter the map from outside.

use crate::field::Field;
use crate::hydrology::state::grid::Grid;
use crate::hydrology::state::random::RandomStream;
use crate::ids::IdList;
use crate::region::Point;
use serde::{Deserialize, Serialize};

/// Largest ratio of the rain on a cell to the mean rain. The limit bounds the cost of rejection
/// sampling.
pub(in crate::hydrology) const MAX_RELATIVE_RAIN: f32 = 64.0;

/// River that enters the map at a position.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Inflow {
    /// Position at which the river enters (m from the top-left corner).
    pub position: Point,
    /// Area outside the map that the river drains (m², above 0). This area receives the mean rain
    /// of the map.
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
    /// Rain on each cell divided by the largest rain on any cell. `None` if the rain is uniform.
    pub(in crate::hydrology) map: Option<Field<f32>>,
    pub(in crate::hydrology) inflows: IdList<Inflow>,
}

impl Rain {
    /// Returns the total catchment area, counted in cells. It is the sum of the area of the map and
    /// of the catchments of the rivers that enter the map.
    pub(in crate::hydrology) fn catchment_in_cells(&self, grid: Grid, cell_area: f64) -> f64 {
        let outside: f64 = self.inflows.iter().map(|inflow| inflow.catchment).sum();
        grid.cell_count() as f64 + outside / cell_area
    }

    pub(in crate::hydrology) fn relative_rain(&self, grid: Grid) -> Vec<f64> {
        let Some(map) = &self.map else { return vec![1.0; grid.cell_count()] };
        let mean = map.sum() / grid.cell_count() as f64;
        map.as_slice().iter().map(|&rain| f64::from(rain) / mean).collect()
    }

    /// Returns a random start position of a drop (column and row, with fractions), and whether the
    /// drop enters the map with a river.
    pub(in crate::hydrology) fn sample_start(
        &self,
        grid: Grid,
        size: f64,
        random: &mut RandomStream,
    ) -> ([f32; 2], bool) {
        if !self.inflows.is_empty() {
            let cells = grid.cell_count() as f64;
            let all = self.catchment_in_cells(grid, size * size);
            let mut at = (random.next_u64() >> 11) as f64 / (1_u64 << 53) as f64 * all - cells;
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
        let mut cell = random.next_below(grid.cell_count());
        if let Some(map) = &self.map {
            while random.next_uniform() >= map.as_slice()[cell] {
                cell = random.next_below(grid.cell_count());
            }
        }
        let (x, y) = grid.column_and_row(cell);
        // Random positions within cells keep drops from moving in lockstep.
        let within = |n: usize, part: f32| n as f32 + 0.01 + 0.98 * part;
        ([within(x, random.next_uniform()), within(y, random.next_uniform())], false)
    }
}
