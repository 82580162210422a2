//! [`Raster`], heights read from a file, and [`ReadOptions`], the settings for reading them.

use super::info::Info;
use headwater::Field;
use serde::{Deserialize, Serialize};

/// Heights, usually ground elevations, on a grid of cells, read from a file.
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
    /// Whether the values are lengths. If so, and if the file names a unit other than the metre,
    /// they are converted to metres. False for numbers such as classes, factors or rates.
    pub are_lengths: bool,
    /// Number of columns and rows of a raw file (R16 or R32), which does not contain its own size.
    /// If `None`, the raster must be square.
    pub size: Option<[usize; 2]>,
    /// Byte order of a raw file (R16 or R32).
    pub byte_order: ByteOrder,
    /// Encoding of heights in the colours of a PNG file. If `None`, the file must be gray.
    pub encoding: Option<HeightEncoding>,
    /// Maximum number of cells that may be read, which limits the memory use. The default is 2²⁶
    /// (8192 × 8192).
    pub max_cells: usize,
}

impl Default for ReadOptions {
    fn default() -> Self {
        Self {
            scale: None,
            offset: None,
            no_data: None,
            are_lengths: true,
            size: None,
            byte_order: ByteOrder::Little,
            encoding: None,
            max_cells: 1 << 26,
        }
    }
}

/// Byte order of the values in a raw file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ByteOrder {
    /// Least significant byte first ("Windows", "PC", "Intel").
    #[default]
    Little,
    /// Most significant byte first ("Mac", "Motorola").
    Big,
}

/// Encoding of heights in the red, green and blue values of a picture with 8 bits per channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum HeightEncoding {
    /// `−10000 + 0.1 (65536 red + 256 green + blue)` metres, as in tiles of Mapbox and MapTiler.
    TerrainRgb,
    /// `256 red + green + blue / 256 − 32768` metres, as in the terrain tiles of Mapzen.
    Terrarium,
}

impl HeightEncoding {
    /// Returns the two coefficients that convert the 24-bit number formed by the colours to a
    /// height: the number of metres per unit, and the height (m) for the number 0.
    pub(super) fn scale_and_offset(self) -> (f64, f64) {
        match self {
            Self::TerrainRgb => (0.1, -10_000.0),
            Self::Terrarium => (1.0 / 256.0, -32_768.0),
        }
    }
}
