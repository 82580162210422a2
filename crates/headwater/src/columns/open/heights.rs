//! Heights in an open world, in quanta above the top of row 0, and the volume of a quantum.

use crate::columns::params::Params;
use crate::open::{Bounds, CHUNK, ChunkPos};

/// Quanta per height of a cell. It is the same in all open worlds, so that the water of a chunk
/// does not depend on the chunks around it.
pub(super) const QUANTA_PER_CELL: i32 = 1 << 18;

/// Quanta per height of a chunk.
pub(super) const CHUNK_HEIGHT: i32 = CHUNK as i32 * QUANTA_PER_CELL;

/// Returns the height of the bottom of a chunk.
pub(super) fn bottom(chunk: ChunkPos) -> i64 {
    -(chunk.origin()[1] + CHUNK as i64) * i64::from(QUANTA_PER_CELL)
}

/// Returns the height of the bottom of a board.
pub(super) fn floor_of(bounds: &Bounds) -> i64 {
    -bounds.end_row() * i64::from(QUANTA_PER_CELL)
}

/// Returns the row of cells directly above a height.
pub(super) fn row_above(height: i64) -> i64 {
    -height.div_euclid(i64::from(QUANTA_PER_CELL)) - 1
}

/// Volume of a quantum (m³ for a world 1 m thick).
pub(super) fn quantum_volume(params: &Params, cell_size: f64) -> f64 {
    let width = cell_size / f64::from(params.columns_per_cell);
    cell_size / f64::from(QUANTA_PER_CELL) * width
}
