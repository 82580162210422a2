//! Options of stepping on the GPU.

/// Size of a tile and of its workgroup.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tile {
    /// Cells of a tile from west to east; 32 by default, the subgroup width of most devices.
    pub x: u32,
    /// Cells of a tile from north to south.
    pub y: u32,
    /// Invocations of a workgroup.
    pub threads: u32,
}

/// Partition of the grid into tiles. It does not change results on a given device.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Sweep {
    /// Chooses the tile size: 32 × 16 cells, or fewer if the device has too little workgroup memory
    /// or the world has few rows.
    #[default]
    Tile,
    /// A tile size chosen by the caller.
    CustomTile(Tile),
}

/// Options of stepping on the GPU.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// Partition of the grid into tiles.
    pub sweep: Sweep,
    /// Largest number of steps per submission, at least 1; 64 by default. Larger batches need more
    /// memory for the schedule and increase latency.
    pub batch: usize,
}

impl Default for Options {
    fn default() -> Self {
        Self { sweep: Sweep::Tile, batch: 64 }
    }
}
