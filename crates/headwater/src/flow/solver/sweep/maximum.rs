//! Maximum of a quantity over all cells, computed without visiting the tiles at rest.

use super::rows::ColumnRun;
use super::tiles::{TILE_SIZE, Tiles};
use crate::field::Field;
use crate::parallel::map_rows;
use crate::scratch::ScratchPool;
use multiversion::multiversion;
use std::ops::Range;

impl Tiles {
    /// Returns the maximum of a non-negative quantity over all cells, and the column and row of the
    /// first cell in which it occurs. `fill(row, columns, values)` writes the quantity to `values`
    /// for a range of columns in a row. For a tile at rest, `at_rest(depth)` returns the maximum of
    /// the quantity from the largest depth in the tile; this function must not decrease with the
    /// depth.
    pub(in crate::flow) fn max_over_cells(
        &self,
        scratch: &ScratchPool,
        depth: &Field<f32>,
        at_rest: impl Fn(f32) -> f32,
        fill: impl Fn(usize, Range<usize>, &mut [f32]) + Sync,
    ) -> (f32, (usize, usize)) {
        let (nx, ny) = (depth.nx(), depth.ny());
        let whole = [ColumnRun { from: 0, to: nx }];
        let (mut stepped, mut ends) = (scratch.take_vec(), scratch.take_vec());
        self.append_stepped_runs(&mut stepped, &mut ends);
        let included_rows = self.included_rows(0..ny);
        let runs = |y: usize| match (y / TILE_SIZE, &ends[..]) {
            _ if !included_rows.contains(&y) => &[],
            (_, []) => &whole[..],
            (0, ends) => &stepped[..ends[0]],
            (tile, ends) => &stepped[ends[tile - 1]..ends[tile]],
        };
        let rows = map_rows(scratch, ny, nx, |y, row| {
            runs(y).iter().fold(0, |max, run| {
                let part = &mut row[..run.to - run.from];
                fill(y, run.cells(), part);
                max_ordered_bits(part).max(max)
            })
        });
        let resting = self.skipped_tiles().map(|(columns, rows, deepest)| {
            (columns, rows, ordered_bits(at_rest(deepest)), deepest)
        });
        let resting = scratch.take_collected(resting);
        let max = rows.iter().copied().chain(resting.iter().map(|tile| tile.2)).max().unwrap_or(0);

        let mut row = scratch.take_filled(nx, 0.0);
        let moving = rows.iter().position(|&row| row == max).and_then(|y| {
            runs(y).iter().find_map(|run| {
                let part = &mut row[..run.to - run.from];
                fill(y, run.cells(), part);
                let x = part.iter().position(|&value| ordered_bits(value) == max)?;
                Some((y, run.from + x))
            })
        });
        let resting = resting.iter().filter(|tile| tile.2 == max);
        let resting = resting.filter_map(|(columns, rows, _, deepest)| {
            rows.clone().find_map(|y| {
                let x = columns.clone().find(|&x| depth[(x, y)] == *deepest)?;
                Some((y, x))
            })
        });
        let (y, x) = moving.into_iter().chain(resting).min().unwrap_or((0, 0));
        (f32::from_bits(max.cast_unsigned()), (x, y))
    }
}

/// Returns the bits of a non-negative float as an integer. These integers have the same order as
/// the floats, and SIMD instructions for their maximum exist.
#[inline(always)]
fn ordered_bits(value: f32) -> i32 {
    value.to_bits().cast_signed()
}

#[multiversion(targets = "simd")]
fn max_ordered_bits(row: &[f32]) -> i32 {
    row.iter().fold(0, |max, &value| ordered_bits(value).max(max))
}
