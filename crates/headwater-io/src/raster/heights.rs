//! [`Raster`], heights read from a file, and [`ReadOptions`], the settings for reading them.

use super::info::Info;
use headwater::Field;

/// Heights on a grid of cells, read from a file.
#[derive(Clone, Debug, PartialEq)]
pub struct Raster {
    /// Heights (m). All heights are finite, and the height of cells without data is 0. Row 0 is the
    /// northernmost row.
    pub heights: Field<f32>,
    /// Whether each cell lacks data.
    pub no_data: Field<bool>,
    /// Width and height of a cell (m); `None` if the file does not give the cell size.
    pub cell: Option<[f64; 2]>,
    /// Information about the file from which the heights were read.
    pub info: Info,
    /// Assumptions that the reader made about the file, to be shown to the user. Each element is
    /// one sentence.
    pub notices: Vec<String>,
}

/// Options for reading a raster.
#[derive(Clone, Debug, PartialEq)]
pub struct ReadOptions {
    /// Number of metres per unit of the values in the file (not 0). If `None`, the scale declared
    /// in the file is used, or 1 if the file declares no scale.
    pub scale: Option<f64>,
    /// Height (m) that corresponds to the value 0 in the file. If `None`, the offset declared in
    /// the file is used, or 0 if the file declares no offset.
    pub offset: Option<f64>,
    /// Value in the file that marks cells without data, before scale and offset are applied. If
    /// `None`, the no-data value declared in the file is used.
    pub no_data: Option<f64>,
    /// Number of columns and rows of a raw R16 file, which does not contain its own size. If
    /// `None`, the raster must be square.
    pub size: Option<[usize; 2]>,
    /// Maximum number of cells that may be read, which limits the memory use. The default is 2²⁶
    /// (8192 × 8192).
    pub max_cells: usize,
}

impl Default for ReadOptions {
    fn default() -> Self {
        Self { scale: None, offset: None, no_data: None, size: None, max_cells: 1 << 26 }
    }
}
