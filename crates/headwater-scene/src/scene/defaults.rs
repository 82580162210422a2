//! Default values of scenes and limits on the size of their grids.

/// Maximum number of cells of a world that is entirely in memory: 2²⁶, for example 8192 × 8192.
pub const MAX_CELLS: usize = 1 << 26;

/// Maximum number of cells of a `flow` world that is distributed over processes or partly stored on
/// disk: 2³⁰, for example 32768 × 32768.
pub const MAX_CELLS_IN_BLOCKS: usize = 1 << 30;

/// Default number of columns, and of rows, of a grid whose size is given neither by the scene nor
/// by a terrain file.
pub(crate) const DEFAULT_CELLS_PER_SIDE: usize = 256;

/// Cell size of a grid whose cell size is given neither by the scene nor by a terrain file (m).
pub(crate) const DEFAULT_CELL_SIZE: f64 = 4.0;

/// Returns the random seed of scenes without the key `seed`.
pub(crate) fn default_seed() -> u32 {
    1
}
