//! Conversion of heights in an open world. Heights are in integer quanta above the top of row 0, so
//! heights below that row's top are negative.

use crate::columns::params::Params;
use crate::open::{Bounds, CHUNK, ChunkPos};

/// Number of height quanta per cell. The number is the same in all open worlds, so that the water
/// of a chunk does not depend on neighbouring chunks.
pub(super) const QUANTA_PER_CELL: i32 = 1 << 18;

/// Number of height quanta per chunk.
pub(super) const CHUNK_HEIGHT: i32 = CHUNK as i32 * QUANTA_PER_CELL;

/// Returns the height of the bottom of a chunk (in height quanta above the top of row 0; a quantum
/// is the integer unit of height).
pub(super) fn chunk_bottom(chunk: ChunkPos) -> i64 {
    -(chunk.origin()[1] + CHUNK as i64) * i64::from(QUANTA_PER_CELL)
}

/// Returns the height of the bottom of a group's grid (in height quanta above the top of row 0).
pub(super) fn grid_bottom(bounds: &Bounds) -> i64 {
    -bounds.end_row() * i64::from(QUANTA_PER_CELL)
}

/// Returns the row of cells directly above a height (in height quanta above the top of row 0).
pub(super) fn row_above(height: i64) -> i64 {
    -height.div_euclid(i64::from(QUANTA_PER_CELL)) - 1
}

/// Returns the volume of one height quantum of water in one column (m³ for a world 1 m thick).
pub(super) fn quantum_volume(params: &Params, cell_size: f64) -> f64 {
    let width = cell_size / f64::from(params.columns_per_cell);
    cell_size / f64::from(QUANTA_PER_CELL) * width
}
