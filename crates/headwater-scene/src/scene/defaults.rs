//! What a scene has where it says nothing, and how much it may have.

/// The most cells a scene's grid may have: 2²⁶, an 8192 × 8192 grid.
pub const MAX_CELLS: usize = 1 << 26;

/// The most cells of a world of `flow` of which only some rows are in memory at a time: 2³⁰, a 32768 × 32768 grid.
pub const MAX_CELLS_IN_BANDS: usize = 1 << 30;

/// Columns and rows of a grid of which neither the scene nor a file says the size.
pub(crate) const DEFAULT_CELLS: usize = 256;

/// Size of a cell of which neither the scene nor a file says the size (m).
pub(crate) const DEFAULT_CELL: f64 = 4.0;

/// The seed of a scene that names none.
pub(crate) fn default_seed() -> u32 {
    1
}
