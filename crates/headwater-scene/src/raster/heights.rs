//! [`Raster`]: heights as they were read, and [`ReadOptions`], how to read them.

use super::info::Info;
use headwater::Field;

/// Heights on a grid of cells, as read from a file.
#[derive(Clone, Debug, PartialEq)]
pub struct Raster {
    /// Heights (m), finite everywhere, 0 where there are no data. Row 0 is the north.
    pub heights: Field<f32>,
    /// True where the file has no height.
    pub no_data: Field<bool>,
    /// Width and height of a cell (m), if the file says.
    pub cell: Option<[f64; 2]>,
    /// What the file says of itself.
    pub info: Info,
    /// What the reader decided by itself, one sentence each.
    pub notices: Vec<String>,
}

/// How to read a raster.
#[derive(Clone, Debug, PartialEq)]
pub struct ReadOptions {
    /// Metres per unit of the file's values, other than 0. Else what the file says, else 1.
    pub scale: Option<f64>,
    /// Height of the file's value 0 (m). Else what the file says, else 0.
    pub offset: Option<f64>,
    /// The value in the file, before scale and offset, that means no data. Else what the file says.
    pub no_data: Option<f64>,
    /// Columns and rows of a raw R16 file; without it the raster is taken to be square.
    pub size: Option<[usize; 2]>,
    /// The most cells to read; 2²⁶ (8192 × 8192) unless set. Bounds the memory taken.
    pub max_cells: usize,
}

impl Default for ReadOptions {
    fn default() -> Self {
        Self { scale: None, offset: None, no_data: None, size: None, max_cells: 1 << 26 }
    }
}
