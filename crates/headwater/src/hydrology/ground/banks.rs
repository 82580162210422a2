//! Beds of rivers that are wider than a cell.
//!
//! Simulated drops carve channels one cell wide. Natural rivers widen with the square root of their
//! discharge (L. Leopold, T. Maddock, 1953), so on fine grids a river bed spans several cells.
//! Ground inside the bed collapses where it is higher than the bed at the river's centre line.

use crate::hydrology::state::grid::{DIRECTIONS, Grid};
use crate::parallel;
use std::sync::atomic::{AtomicU32, Ordering};

/// Largest half-width of a river bed (cells). Wider rivers are clamped to this value.
const MAX_HALF_WIDTH: f32 = 16.0;
/// Number of cells of a row that are processed in one pass. It is also the number of rows per
/// parallel task.
const CELLS_PER_PASS: usize = 32;

#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::hydrology) struct RiverBed {
    /// Distance by which the river bed extends beyond this cell (cells). The bed reaches a
    /// neighbour only if this distance is at least the distance to the neighbour.
    reach: f32,
    centre: u32,
}

const NO_BED: RiverBed = RiverBed { reach: 0.0, centre: u32::MAX };

impl RiverBed {
    /// Returns the elevation above which the ground of this cell collapses into the river (quanta
    /// of 2⁻²⁰ m). It is the elevation of the bed at the river's centre line, looked up in
    /// `heights`. Returns `i64::MAX` if the cell is not part of a river bed.
    pub(in crate::hydrology) fn collapse_height(self, heights: &[i64]) -> i64 {
        heights.get(self.centre as usize).copied().unwrap_or(i64::MAX)
    }

    fn wider_of(self, other: Self) -> Self {
        if other.reach > self.reach { other } else { self }
    }
}

#[derive(Debug, Default)]
pub(in crate::hydrology) struct RiverBeds {
    pub(in crate::hydrology) beds: Vec<RiverBed>,
    next: Vec<RiverBed>,
}

impl RiverBeds {
    /// Finds the beds of all rivers and stores them in `beds`. `area` is the upstream area of each
    /// cell (cells). `width` is the width of a river with an upstream area of one cell (cells).
    pub(in crate::hydrology) fn find_beds(&mut self, grid: Grid, area: &[f32], width: f32) {
        // The bit patterns of nonnegative floats have the order of their values.
        let max = AtomicU32::new(0);
        parallel::for_each_index(grid.ny.div_ceil(CELLS_PER_PASS), |k| {
            let rows =
                k * CELLS_PER_PASS * grid.nx..((k + 1) * CELLS_PER_PASS).min(grid.ny) * grid.nx;
            let of_rows = area[rows].iter().fold(0.0_f32, |max, &area| max.max(area));
            max.fetch_max(of_rows.to_bits(), Ordering::Relaxed);
        });
        let widest = 0.5 * width * f32::from_bits(max.into_inner()).sqrt();
        if widest < 1.0 {
            self.beds.clear();
            return;
        }
        let bed_of = |(cell, &area): (usize, &f32)| {
            let reach = (0.5 * width * area.sqrt()).min(MAX_HALF_WIDTH);
            if reach < 1.0 { NO_BED } else { RiverBed { reach, centre: cell as u32 } }
        };
        self.beds.resize(grid.cell_count(), NO_BED);
        parallel::for_each_row(&mut self.beds, grid.nx, |y, row| {
            let first = y * grid.nx;
            for (i, (bed, area)) in row.iter_mut().zip(&area[first..]).enumerate() {
                *bed = bed_of((first + i, area));
            }
        });
        for _ in 0..widest.min(MAX_HALF_WIDTH) as usize {
            let from: &[RiverBed] = &self.beds;
            self.next.resize(grid.cell_count(), NO_BED);
            parallel::for_each_row(&mut self.next, grid.nx, |y, row| {
                for (k, output) in row.chunks_mut(CELLS_PER_PASS).enumerate() {
                    widen_span(grid, from, (k * CELLS_PER_PASS, y), output);
                }
            });
            std::mem::swap(&mut self.beds, &mut self.next);
        }
    }

    pub(in crate::hydrology) fn memory(&self) -> usize {
        (self.beds.capacity() + self.next.capacity()) * size_of::<RiverBed>()
    }
}

/// Computes the river beds of a span of cells in row `y`, starting at column `x`, after the beds
/// have widened by one cell. `beds` holds the beds of all cells before this widening, and `output`
/// receives the result.
fn widen_span(grid: Grid, beds: &[RiverBed], (x, y): (usize, usize), output: &mut [RiverBed]) {
    let Grid { nx, ny } = grid;
    let near = x.saturating_sub(1)..(x + output.len() + 1).min(nx);
    let mut rows = (y.saturating_sub(1)..(y + 2).min(ny)).map(|y| &beds[y * nx..][near.clone()]);
    // A bed that extends less than one cell further reaches no neighbour.
    if rows.all(has_finished_widening) {
        return output.copy_from_slice(&beds[y * nx + x..][..output.len()]);
    }
    for (i, output) in output.iter_mut().enumerate() {
        *output = widen_bed(grid, beds, (x + i, y));
    }
}

fn has_finished_widening(beds: &[RiverBed]) -> bool {
    beds.iter().fold(0.0, |max: f32, bed| max.max(bed.reach)) < 1.0
}

fn widen_bed(grid: Grid, beds: &[RiverBed], (x, y): (usize, usize)) -> RiverBed {
    let own = beds[y * grid.nx + x];
    DIRECTIONS.iter().enumerate().fold(own, |bed, (k, &offset)| {
        let Some(neighbour) = grid.neighbour((x, y), offset) else { return bed };
        let from = beds[neighbour];
        let length = if k % 2 == 0 { 1.0 } else { std::f32::consts::SQRT_2 };
        let left = from.reach - length;
        if left < 0.0 { bed } else { bed.wider_of(RiverBed { reach: left.max(0.01), ..from }) }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn row_spread_matches_cell_spread() {
        let grid = Grid { nx: 3 * CELLS_PER_PASS + 5, ny: 7 };
        let area =
            |i: usize| if i % 97 == 31 || i == CELLS_PER_PASS { (i % 7 * 90) as f32 } else { 0.0 };
        let area: Vec<f32> = (0..grid.cell_count()).map(area).collect();
        let mut banks = RiverBeds::default();
        banks.find_beds(grid, &area, 0.5);
        assert!(banks.beds.iter().any(|bed| *bed != NO_BED));
        assert!(banks.beds.contains(&NO_BED));
        // Spread the finished beds once more.
        let mut row = vec![NO_BED; grid.nx];
        for y in 0..grid.ny {
            for (k, output) in row.chunks_mut(CELLS_PER_PASS).enumerate() {
                widen_span(grid, &banks.beds, (k * CELLS_PER_PASS, y), output);
            }
            for (x, &output) in row.iter().enumerate() {
                assert_eq!(output, widen_bed(grid, &banks.beds, (x, y)), "{x} {y}");
            }
        }
    }
}
