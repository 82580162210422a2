//! How a world is stepped on the GPU: what its owner chooses.

/// How large a tile is, and by how many invocations it is worked on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tile {
    /// Cells of a tile from west to east; 32 by default, as many as go together on most devices.
    pub x: u32,
    /// Cells of a tile from north to south.
    pub y: u32,
    /// Invocations of a workgroup.
    pub threads: u32,
}

/// How a step is laid out. What comes out is the same, to the last bit on one device.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Sweep {
    /// One dispatch, tile by tile: what it is made for. Tiles have 32 × 16 cells, or fewer where the device has not the
    /// workgroup memory for that, or where the world has but few rows.
    #[default]
    Tile,
    /// One dispatch, with tiles of a chosen size.
    TileOf(Tile),
}

/// How a world is stepped on the GPU.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// How a step is laid out.
    pub sweep: Sweep,
    /// Steps that are submitted at once, 1 or above; 64 by default. More cost memory for what changes in time, and
    /// make the device answer later.
    pub batch: usize,
}

impl Default for Options {
    fn default() -> Self {
        Self { sweep: Sweep::Tile, batch: 64 }
    }
}
