//! What a raster file says of itself, as `headwater info` prints it.

use serde::Serialize;
use std::fmt;

/// A file format for heights.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub enum Format {
    /// Grey PNG of 8 or 16 bits, perhaps with an alpha channel.
    #[serde(rename = "PNG")]
    Png,
    /// TIFF, with or without the tags of GeoTIFF and GDAL.
    #[serde(rename = "GeoTIFF")]
    GeoTiff,
    /// ESRI ASCII grid (`.asc`).
    #[serde(rename = "ESRI ASCII grid")]
    EsriAscii,
    /// NumPy's array file (`.npy`).
    #[serde(rename = "NPY")]
    Npy,
    /// Little-endian 16-bit values without a header (`.r16`, `.raw`).
    #[serde(rename = "raw R16")]
    R16,
    /// A folder with an array in chunks, of Zarr version 2 or 3.
    #[serde(rename = "Zarr")]
    Zarr,
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.serialize(f)
    }
}

/// How one value is kept in a file.
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
    /// Number of bits of a value; `None` for text.
    pub fn bits(self) -> Option<usize> {
        match self {
            Self::U8 => Some(8),
            Self::U16 | Self::I16 => Some(16),
            Self::I32 | Self::F32 => Some(32),
            Self::F64 => Some(64),
            Self::Text => None,
        }
    }

    /// True if the sample can hold a negative number.
    pub(super) fn is_signed(self) -> bool {
        !matches!(self, Self::U8 | Self::U16)
    }
}

/// What a raster file says of itself. Describes the file: resampling leaves it as it is.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Info {
    /// The file's format.
    pub format: Format,
    /// Number of columns.
    pub width: usize,
    /// Number of rows.
    pub height: usize,
    /// How one value is kept.
    pub sample_type: Sample,
    /// Bits of one value; `None` for text.
    pub bits: Option<usize>,
    /// How the values are compressed, where the format has a choice.
    pub compression: Option<&'static str>,
    /// Width and height of a cell as in the file, in `cell_unit`.
    pub cell_size: Option<[f64; 2]>,
    /// The unit of `cell_size`.
    pub cell_unit: Option<&'static str>,
    /// True if the raster is in longitude and latitude.
    pub geographic: bool,
    /// Width and height of a cell (m).
    pub cell_metres: Option<[f64; 2]>,
    /// West, south, east and north of the raster in the coordinates of the file, in `cell_unit`, if it says where it lies and is not turned.
    pub bounds: Option<[f64; 4]>,
    /// The EPSG code of those coordinates, if the file names one.
    pub epsg: Option<u16>,
    /// The value in the file that means no data.
    pub no_data_value: Option<f64>,
    /// Number of cells without data.
    pub no_data_cells: usize,
    /// Metres per unit of the file's values.
    pub scale: f64,
    /// Height of the file's value 0 (m).
    pub offset: f64,
    /// Lowest height (m), no-data cells aside.
    pub min_height: f32,
    /// Highest height (m), no-data cells aside.
    pub max_height: f32,
}
