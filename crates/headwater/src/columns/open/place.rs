//! Where the cells, columns and heights of an open world are: counted from the corner of the cell `[0, 0]`, and in quanta above the
//! top of row 0.

use crate::open::{CHUNK, ChunkPos};

/// Quanta in the height of a cell: as many in all open worlds, so that a chunk's water is the same wherever it is put together
/// with others.
pub(super) const PER_HEIGHT: i32 = 1 << 18;

/// Quanta in the height of a chunk.
pub(super) const TALL: i32 = CHUNK as i32 * PER_HEIGHT;

/// How high (quanta above the top of row 0) the floor of a row is.
pub(super) fn floor_of_row(row: i64) -> i64 {
    -(row + 1) * i64::from(PER_HEIGHT)
}

/// How high the bottom of a chunk is.
pub(super) fn bottom(chunk: ChunkPos) -> i64 {
    floor_of_row(chunk.origin()[1] + CHUNK as i64 - 1)
}

/// The row whose cells lie right above a height.
pub(super) fn row_above(height: i64) -> i64 {
    -height.div_euclid(i64::from(PER_HEIGHT)) - 1
}
