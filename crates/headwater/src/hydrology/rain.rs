//! Where drops come from: rain, and rivers from outside.

use super::grid::Grid;
use super::random::Stream;
use crate::field::Field;
use crate::ids::IdList;
use crate::region::Point;
use serde::{Deserialize, Serialize};

/// How many times its mean the rain may be anywhere: drops are tried until one falls.
pub(super) const MOST: f32 = 64.0;

/// A river that enters the map.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Inflow {
    /// Where (m from the top-left corner).
    pub position: Point,
    /// The area it drains outside (m²), above 0, with as much rain on it as the map's mean.
    pub catchment: f64,
}

impl Inflow {
    pub(super) fn cell(&self, grid: Grid, size: f64) -> [usize; 2] {
        let place = |metres: f64, n: usize| ((metres / size).max(0.0) as usize).min(n - 1);
        [place(self.position[0], grid.nx), place(self.position[1], grid.ny)]
    }
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Rain {
    /// Rain on each cell, as a part of the most on any; everywhere the same if `None`.
    pub(super) map: Option<Field<f32>>,
    pub(super) inflows: IdList<Inflow>,
}

impl Rain {
    /// How many cells with a mean rain come together, rivers from outside included.
    pub(super) fn weight(&self, grid: Grid, cell_area: f64) -> f64 {
        let outside: f64 = self.inflows.iter().map(|inflow| inflow.catchment).sum();
        grid.cells() as f64 + outside / cell_area
    }

    pub(super) fn by_cell(&self, grid: Grid) -> Vec<f64> {
        let Some(map) = &self.map else { return vec![1.0; grid.cells()] };
        let mean = map.sum() / grid.cells() as f64;
        map.as_slice().iter().map(|&rain| f64::from(rain) / mean).collect()
    }

    /// Where a drop starts (columns, rows), and whether it comes from outside.
    pub(super) fn place(&self, grid: Grid, size: f64, random: &mut Stream) -> ([f32; 2], bool) {
        if !self.inflows.is_empty() {
            let cells = grid.cells() as f64;
            let all = self.weight(grid, size * size);
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
            while random.part() >= map.as_slice()[cell] {
                cell = random.below(grid.cells());
            }
        }
        let (x, y) = grid.at(cell);
        // Anywhere in the cell, so that drops do not walk in rank and file.
        let within = |n: usize, part: f32| n as f32 + 0.01 + 0.98 * part;
        ([within(x, random.part()), within(y, random.part())], false)
    }
}
