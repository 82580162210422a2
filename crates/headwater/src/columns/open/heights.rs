//! Heights in an open world, in quanta above the top of row 0.

use crate::columns::layout::HIGHEST;
use crate::error::InputError;
use crate::open::{Bounds, CHUNK, ChunkPos};

/// Quanta in the height of a cell. It is the same in all open worlds, so the water of a chunk does
/// not depend on the chunks around it.
pub(super) const PER_HEIGHT: i32 = 1 << 18;

/// Quanta in the height of a chunk.
pub(super) const TALL: i32 = CHUNK as i32 * PER_HEIGHT;

/// Cells of a board on each side of its chunks: one through which water may pass, and a wall.
const MARGIN: usize = 2;

/// Largest number of connected columns and rows of chunks.
const MOST: [usize; 2] = [256, (HIGHEST / PER_HEIGHT as usize - 2 * MARGIN) / CHUNK];

/// Height of the floor of a row.
fn floor_of_row(row: i64) -> i64 {
    -(row + 1) * i64::from(PER_HEIGHT)
}

/// Height of the bottom of a chunk.
pub(super) fn bottom(chunk: ChunkPos) -> i64 {
    floor_of_row(chunk.origin()[1] + CHUNK as i64 - 1)
}

/// The row whose cells lie right above a height.
pub(super) fn row_above(height: i64) -> i64 {
    -height.div_euclid(i64::from(PER_HEIGHT)) - 1
}

impl Bounds {
    /// The bounds of a board with at least one chunk.
    ///
    /// # Errors
    /// [`InputError`] if the chunks lie too far apart for a board.
    pub(super) fn of_board(chunks: impl IntoIterator<Item = ChunkPos>) -> Result<Self, InputError> {
        Self::around(chunks, MARGIN, MOST)
    }

    /// Height of the bottom of the board.
    pub(super) fn bottom(&self) -> i64 {
        floor_of_row(self.end_row() - 1)
    }

    /// Corner of the board (m) in a world with cells of this size (m).
    pub(super) fn corner(&self, cell_size: f64) -> [f64; 2] {
        self.first.map(|at| at as f64 * cell_size)
    }
}
