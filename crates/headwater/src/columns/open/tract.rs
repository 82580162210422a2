//! [`Tract`]: the board on which chunks that hang together lie.

use super::place::{PER_HEIGHT, floor_of_row};
use crate::columns::layout::HIGHEST;
use crate::error::InputError;
use crate::open::{CHUNK, ChunkPos};
use std::ops::RangeInclusive;

/// Cells of a board beyond its chunks on each side: one by which water may pass, and a wall around all.
const MARGIN: usize = 2;

/// The most rows of chunks that fit above one another, and the most columns of them.
const MOST: [usize; 2] = [256, (HIGHEST / PER_HEIGHT as usize - 2 * MARGIN) / CHUNK];

/// A rectangle of cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Tract {
    /// The column and row of its first cell.
    first: [i64; 2],
    /// Columns and rows.
    pub(super) size: [usize; 2],
}

impl Tract {
    /// A tract for chunks, of which there is one at least.
    ///
    /// # Errors
    /// [`InputError`] if they lie so far apart that no board has them all.
    pub(super) fn around(chunks: impl Iterator<Item = ChunkPos>) -> Result<Self, InputError> {
        let mut ends: Option<[RangeInclusive<i64>; 2]> = None;
        for chunk in chunks {
            let [x, y] = [chunk.x, chunk.y].map(i64::from);
            let [xs, ys] = ends.unwrap_or([x..=x, y..=y]);
            let wider = |range: RangeInclusive<i64>, at: i64| {
                *range.start().min(&at)..=*range.end().max(&at)
            };
            ends = Some([wider(xs, x), wider(ys, y)]);
        }
        let [xs, ys] = ends.unwrap_or([0..=0, 0..=0]);
        let many = [&xs, &ys].map(|range| (range.end() - range.start() + 1) as usize);
        if many[0] > MOST[0] || many[1] > MOST[1] {
            let found = format!("{} × {}", many[0], many[1]);
            let allowed = format!("{} × {} at most", MOST[0], MOST[1]);
            return Err(InputError::new("chunks that hang together", found, allowed));
        }
        let first = [xs, ys].map(|range| range.start() * CHUNK as i64 - MARGIN as i64);
        Ok(Self { first, size: many.map(|chunks| chunks * CHUNK + 2 * MARGIN) })
    }

    /// The column and row of a cell on the board, given those in the world.
    pub(super) fn cell(&self, [x, y]: [i64; 2]) -> (usize, usize) {
        ((x - self.first[0]) as usize, (y - self.first[1]) as usize)
    }

    /// The column and row of a cell in the world, given those on the board.
    pub(super) fn cell_of(&self, x: usize, y: usize) -> [i64; 2] {
        [self.first[0] + x as i64, self.first[1] + y as i64]
    }

    /// How high (quanta above the top of row 0) the bottom of the board is.
    pub(super) fn bottom(&self) -> i64 {
        floor_of_row(self.first[1] + self.size[1] as i64 - 1)
    }

    /// The corner of the board (m) in a world of cells so large.
    pub(super) fn corner(&self, cell: f64) -> [f64; 2] {
        self.first.map(|at| at as f64 * cell)
    }
}
