//! Options for stepping a flow world on the GPU: tile size and number of steps per submission.

/// Size of a tile (the block of cells that one workgroup computes), and number of invocations of
/// the workgroup.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tile {
    /// Number of cells of a tile from west to east. The default is 32, the subgroup width of most
    /// devices.
    pub x: u32,
    /// Number of cells of a tile from north to south. Must be even.
    pub y: u32,
    /// Number of invocations (threads) of a workgroup, at least 8.
    pub threads: u32,
}

/// Partition of the grid into tiles. A tile is the block of cells that one workgroup computes. On a
/// given device, the partition does not change the results.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Tiling {
    /// Automatic tile size: 32 × 16 cells, or fewer if the device has too little workgroup memory
    /// or the world has few rows.
    #[default]
    Automatic,
    /// Tile size that the caller chooses.
    Custom(Tile),
}

/// Options for stepping a flow world on the GPU: tile size and number of steps per submission.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// Partition of the grid into tiles. One workgroup computes each tile.
    pub tiling: Tiling,
    /// Maximum number of steps in one submission, at least 1. The default is 64. Larger batches
    /// need more memory for the step parameters and increase latency.
    pub max_batch_steps: usize,
}

impl Default for Options {
    fn default() -> Self {
        Self { tiling: Tiling::Automatic, max_batch_steps: 64 }
    }
}
