//! Information about a raster file, as printed by `headwater info`.

use serde::Serialize;
use std::fmt;

/// File format of an elevation raster.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub enum Format {
    /// Grey PNG of 8 or 16 bits, optionally with an alpha channel.
    #[serde(rename = "PNG")]
    Png,
    /// TIFF, with or without GeoTIFF and GDAL tags.
    #[serde(rename = "GeoTIFF")]
    GeoTiff,
    /// ESRI ASCII grid (`.asc`).
    #[serde(rename = "ESRI ASCII grid")]
    EsriAscii,
    /// NumPy array file (`.npy`).
    #[serde(rename = "NPY")]
    Npy,
    /// Little-endian 16-bit values without a header (`.r16`, `.raw`).
    #[serde(rename = "raw R16")]
    R16,
    /// Folder with a chunked array, Zarr version 2 or 3.
    #[serde(rename = "Zarr")]
    Zarr,
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.serialize(f)
    }
}

/// Type of the values in a raster file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Sample {
    /// Unsigned 8-bit integer.
    U8,
    /// Unsigned 16-bit integer.
    U16,
    /// Signed 16-bit integer.
    I16,
    /// Signed 32-bit integer.
    I32,
    /// 32-bit floating-point number.
    F32,
    /// 64-bit floating-point number.
    F64,
    /// Decimal number as text.
    Text,
}

impl Sample {
    /// Returns the number of bits per value; `None` for text.
    pub fn bits(self) -> Option<usize> {
        match self {
            Self::U8 => Some(8),
            Self::U16 | Self::I16 => Some(16),
            Self::I32 | Self::F32 => Some(32),
            Self::F64 => Some(64),
            Self::Text => None,
        }
    }

    /// Returns true if the type can represent negative numbers.
    pub(super) fn is_signed(self) -> bool {
        !matches!(self, Self::U8 | Self::U16)
    }
}

/// Information about a raster file. Resampling the raster does not change this information.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Info {
    /// File format.
    pub format: Format,
    /// Number of columns.
    pub width: usize,
    /// Number of rows.
    pub height: usize,
    /// Type of the values in the file.
    pub sample_type: Sample,
    /// Number of bits per value; `None` for text.
    pub bits: Option<usize>,
    /// Name of the compression, for formats with several compressions.
    pub compression: Option<&'static str>,
    /// Width and height of a cell as given in the file, in `cell_unit`.
    pub cell_size: Option<[f64; 2]>,
    /// Unit of `cell_size` and `bounds`.
    pub cell_unit: Option<&'static str>,
    /// Whether the coordinates are longitude and latitude.
    pub geographic: bool,
    /// Width and height of a cell in metres.
    pub cell_metres: Option<[f64; 2]>,
    /// West, south, east and north edge in the coordinates of the file, in `cell_unit`; `None` if
    /// the file gives no position or the raster is rotated.
    pub bounds: Option<[f64; 4]>,
    /// EPSG code of the coordinates of `bounds`, if the file names one.
    pub epsg: Option<u16>,
    /// Value in the file that marks cells without data.
    pub no_data_value: Option<f64>,
    /// Number of cells without data.
    pub no_data_cells: usize,
    /// Metres per unit of the values in the file.
    pub scale: f64,
    /// Height (m) that corresponds to the value 0 in the file.
    pub offset: f64,
    /// Minimum height (m), excluding no-data cells.
    pub min_height: f32,
    /// Maximum height (m), excluding no-data cells.
    pub max_height: f32,
}
