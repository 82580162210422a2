//! Information about a raster file, as printed by `headwater info`.

use serde::Serialize;
use std::fmt;

/// File format of heights.
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

/// Sample type of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Sample {
    /// Unsigned, 8 bits.
    U8,
    /// Unsigned, 16 bits.
    U16,
    /// Signed, 16 bits.
    I16,
    /// Signed, 32 bits.
    I32,
    /// Floating point, 32 bits.
    F32,
    /// Floating point, 64 bits.
    F64,
    /// Decimal text.
    Text,
}

impl Sample {
    /// Returns the number of bits of a value; `None` for text.
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

/// Information about a raster file. Resampling does not change it.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Info {
    /// File format.
    pub format: Format,
    /// Number of columns.
    pub width: usize,
    /// Number of rows.
    pub height: usize,
    /// Sample type.
    pub sample_type: Sample,
    /// Bits of one value; `None` for text.
    pub bits: Option<usize>,
    /// Compression, for formats with a choice.
    pub compression: Option<&'static str>,
    /// Width and height of a cell in the file, in `cell_unit`.
    pub cell_size: Option<[f64; 2]>,
    /// Unit of `cell_size`.
    pub cell_unit: Option<&'static str>,
    /// True if the raster is in longitude and latitude.
    pub geographic: bool,
    /// Width and height of a cell (m).
    pub cell_metres: Option<[f64; 2]>,
    /// West, south, east and north in the coordinates of the file, in `cell_unit`, if the file
    /// gives its position and is not rotated.
    pub bounds: Option<[f64; 4]>,
    /// EPSG code of these coordinates, if the file names one.
    pub epsg: Option<u16>,
    /// No-data value in the file.
    pub no_data_value: Option<f64>,
    /// Number of cells without data.
    pub no_data_cells: usize,
    /// Metres per unit of the file's values.
    pub scale: f64,
    /// Height of the file's value 0 (m).
    pub offset: f64,
    /// Minimum height (m), excluding no-data cells.
    pub min_height: f32,
    /// Maximum height (m), excluding no-data cells.
    pub max_height: f32,
}
