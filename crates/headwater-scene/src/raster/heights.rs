//! [`Raster`]: heights read from a file, and [`ReadOptions`].

use super::info::Info;
use headwater::Field;

/// Heights on a grid of cells, read from a file.
#[derive(Clone, Debug, PartialEq)]
pub struct Raster {
    /// Heights (m), finite everywhere and 0 in no-data cells. Row 0 is the north.
    pub heights: Field<f32>,
    /// True for cells without data.
    pub no_data: Field<bool>,
    /// Width and height of a cell (m), if the file gives them.
    pub cell: Option<[f64; 2]>,
    /// Information about the file.
    pub info: Info,
    /// Assumptions made by the reader, one sentence each.
    pub notices: Vec<String>,
}

/// Options for reading a raster.
#[derive(Clone, Debug, PartialEq)]
pub struct ReadOptions {
    /// Metres per unit of the file's values, not 0. Default: the file's scale, else 1.
    pub scale: Option<f64>,
    /// Height of the file's value 0 (m). Default: the file's offset, else 0.
    pub offset: Option<f64>,
    /// No-data value in the file, before scale and offset. Default: the file's no-data value.
    pub no_data: Option<f64>,
    /// Columns and rows of a raw R16 file; a square raster if omitted.
    pub size: Option<[usize; 2]>,
    /// Maximum number of cells, which bounds the memory use. Default: 2²⁶ (8192 × 8192).
    pub max_cells: usize,
}

impl Default for ReadOptions {
    fn default() -> Self {
        Self { scale: None, offset: None, no_data: None, size: None, max_cells: 1 << 26 }
    }
}
