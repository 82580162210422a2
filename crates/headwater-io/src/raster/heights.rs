//! [`Raster`]: heights read from a file, and [`ReadOptions`]: settings for reading.

use super::info::Info;
use headwater::Field;

/// Heights on a grid of cells, read from a file.
#[derive(Clone, Debug, PartialEq)]
pub struct Raster {
    /// Heights (m), finite everywhere and 0 in no-data cells. Row 0 is the north.
    pub heights: Field<f32>,
    /// Whether each cell lacks data.
    pub no_data: Field<bool>,
    /// Width and height of a cell (m), if the file gives them.
    pub cell: Option<[f64; 2]>,
    /// Information about the file from which the heights were read.
    pub info: Info,
    /// Assumptions that the reader made about the file, one sentence each.
    pub notices: Vec<String>,
}

/// Options for reading a raster.
#[derive(Clone, Debug, PartialEq)]
pub struct ReadOptions {
    /// Metres per unit of the file's values, not 0. Default: the scale declared in the file, else
    /// 1.
    pub scale: Option<f64>,
    /// Height (m) that corresponds to the value 0 in the file. Default: the offset declared in the
    /// file, else 0.
    pub offset: Option<f64>,
    /// Value in the file that marks cells without data, before scale and offset are applied.
    /// Default: the no-data value declared in the file.
    pub no_data: Option<f64>,
    /// Number of columns and rows of a raw R16 file, which does not contain its size. Default: a
    /// square raster.
    pub size: Option<[usize; 2]>,
    /// Maximum number of cells that may be read, which bounds the memory use. Default: 2²⁶ (8192 ×
    /// 8192).
    pub max_cells: usize,
}

impl Default for ReadOptions {
    fn default() -> Self {
        Self { scale: None, offset: None, no_data: None, size: None, max_cells: 1 << 26 }
    }
}
