//! The beds of rivers that are wider than a cell.
//!
//! Drops carve one cell wide. Rivers widen with the root of their discharge (L. Leopold, T.
//! Maddock, 1953), so on fine cells the ground beside a river's middle is bed, and falls in where
//! it is higher.

use super::grid::{DIRECTIONS, Grid};
use crate::parallel;
use std::sync::atomic::{AtomicU32, Ordering};

/// The most cells to a side of its middle that a bed reaches.
const MOST: f32 = 16.0;
/// Cells of a row that are looked at together, and rows.
const SPAN: usize = 32;

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Bed {
    /// How much farther it reaches (cells); below ½ it ends here.
    reach: f32,
    middle: u32,
}

const NONE: Bed = Bed { reach: 0.0, middle: u32::MAX };

impl Bed {
    /// The height (quanta) down to which there are no banks, on ground of some heights; no limit off rivers.
    pub(super) fn level(self, heights: &[i64]) -> i64 {
        heights.get(self.middle as usize).copied().unwrap_or(i64::MAX)
    }

    fn wider(self, other: Self) -> Self {
        if other.reach > self.reach { other } else { self }
    }
}

#[derive(Debug, Default)]
pub(super) struct Banks {
    pub(super) beds: Vec<Bed>,
    next: Vec<Bed>,
}

impl Banks {
    /// Finds the beds of all rivers. `width` is that of a river with one cell upstream, in cells;
    /// `area` counts the cells that drain to each.
    pub(super) fn find(&mut self, grid: Grid, area: &[f32], width: f32) {
        // The bits of numbers that are not below 0 have their order.
        let most = AtomicU32::new(0);
        parallel::for_each_index(grid.ny.div_ceil(SPAN), |k| {
            let rows = k * SPAN * grid.nx..((k + 1) * SPAN).min(grid.ny) * grid.nx;
            let of_rows = area[rows].iter().fold(0.0_f32, |most, &area| most.max(area));
            most.fetch_max(of_rows.to_bits(), Ordering::Relaxed);
        });
        let widest = 0.5 * width * f32::from_bits(most.into_inner()).sqrt();
        if widest < 1.0 {
            self.beds.clear();
            return;
        }
        let of_river = |(cell, &area): (usize, &f32)| {
            let reach = (0.5 * width * area.sqrt()).min(MOST);
            if reach < 1.0 { NONE } else { Bed { reach, middle: cell as u32 } }
        };
        self.beds.resize(grid.cells(), NONE);
        parallel::for_each_row(&mut self.beds, grid.nx, |y, row| {
            let first = y * grid.nx;
            for (i, (bed, area)) in row.iter_mut().zip(&area[first..]).enumerate() {
                *bed = of_river((first + i, area));
            }
        });
        for _ in 0..widest.min(MOST) as usize {
            let from: &[Bed] = &self.beds;
            self.next.resize(grid.cells(), NONE);
            parallel::for_each_row(&mut self.next, grid.nx, |y, row| {
                for (k, to) in row.chunks_mut(SPAN).enumerate() {
                    spread_all(grid, from, (k * SPAN, y), to);
                }
            });
            std::mem::swap(&mut self.beds, &mut self.next);
        }
    }

    pub(super) fn memory(&self) -> usize {
        (self.beds.capacity() + self.next.capacity()) * size_of::<Bed>()
    }
}

/// The beds on cells of a row, from one on, after they have come over from their neighbours.
fn spread_all(grid: Grid, beds: &[Bed], (x, y): (usize, usize), to: &mut [Bed]) {
    let Grid { nx, ny } = grid;
    let near = x.saturating_sub(1)..(x + to.len() + 1).min(nx);
    let mut rows = (y.saturating_sub(1)..(y + 2).min(ny)).map(|y| &beds[y * nx..][near.clone()]);
    // Nothing reaches a neighbour where it does not reach a cell far.
    if rows.all(ends) {
        return to.copy_from_slice(&beds[y * nx + x..][..to.len()]);
    }
    for (i, to) in to.iter_mut().enumerate() {
        *to = spread(grid, beds, (x + i, y));
    }
}

fn ends(beds: &[Bed]) -> bool {
    beds.iter().fold(0.0, |most: f32, bed| most.max(bed.reach)) < 1.0
}

fn spread(grid: Grid, beds: &[Bed], (x, y): (usize, usize)) -> Bed {
    let own = beds[y * grid.nx + x];
    DIRECTIONS.iter().enumerate().fold(own, |bed, (k, &way)| {
        let Some(beside) = grid.beside((x, y), way) else { return bed };
        let from = beds[beside];
        let length = if k % 2 == 0 { 1.0 } else { std::f32::consts::SQRT_2 };
        let left = from.reach - length;
        if left < 0.0 { bed } else { bed.wider(Bed { reach: left.max(0.01), ..from }) }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn beds_spread_over_rows_as_over_cells() {
        let grid = Grid { nx: 3 * SPAN + 5, ny: 7 };
        let area = |i: usize| if i % 97 == 31 || i == SPAN { (i % 7 * 90) as f32 } else { 0.0 };
        let area: Vec<f32> = (0..grid.cells()).map(area).collect();
        let mut banks = Banks::default();
        banks.find(grid, &area, 0.5);
        assert!(banks.beds.iter().any(|bed| *bed != NONE));
        assert!(banks.beds.contains(&NONE));
        // As they are, they spread on.
        let mut row = vec![NONE; grid.nx];
        for y in 0..grid.ny {
            for (k, to) in row.chunks_mut(SPAN).enumerate() {
                spread_all(grid, &banks.beds, (k * SPAN, y), to);
            }
            for (x, &to) in row.iter().enumerate() {
                assert_eq!(to, spread(grid, &banks.beds, (x, y)), "{x} {y}");
            }
        }
    }
}
