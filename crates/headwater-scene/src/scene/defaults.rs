//! Default values and size limits of scenes.

/// Maximum number of cells of a world that is entirely in memory: 2²⁶, such as 8192 × 8192.
pub const MAX_CELLS: usize = 1 << 26;

/// Maximum number of cells of a `flow` world that is only partly in memory: 2³⁰, such as 32768 ×
/// 32768.
pub const MAX_CELLS_IN_BLOCKS: usize = 1 << 30;

/// Default number of columns and rows if neither the scene nor a terrain file gives the size.
pub(crate) const DEFAULT_CELLS: usize = 256;

/// Default cell size (m) if neither the scene nor a terrain file gives one.
pub(crate) const DEFAULT_CELL: f64 = 4.0;

/// Returns the default seed of random numbers.
pub(crate) fn default_seed() -> u32 {
    1
}
