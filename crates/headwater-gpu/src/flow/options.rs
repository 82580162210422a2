//! Options of stepping a flow world on the GPU: tile size and batch size.

/// Size of a tile, the block of cells that one workgroup computes, and of the workgroup.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tile {
    /// Number of cells of a tile from west to east; 32 by default, the subgroup width of most
    /// devices.
    pub x: u32,
    /// Number of cells of a tile from north to south.
    pub y: u32,
    /// Number of invocations (threads) of a workgroup.
    pub threads: u32,
}

/// Partition of the grid into tiles. The partition does not change results on a given device.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Sweep {
    /// Automatic tile size: 32 × 16 cells, or fewer if the device has too little workgroup memory
    /// or the world has few rows.
    #[default]
    Tile,
    /// Tile size chosen by the caller.
    CustomTile(Tile),
}

/// Options of stepping a flow world on the GPU: tile size and batch size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// Partition of the grid into tiles, one per workgroup.
    pub sweep: Sweep,
    /// Largest number of steps per submission, at least 1; 64 by default. Larger batches need more
    /// memory for the step parameters and increase latency.
    pub batch: usize,
}

impl Default for Options {
    fn default() -> Self {
        Self { sweep: Sweep::Tile, batch: 64 }
    }
}
