//! Information about a raster file, as printed by `headwater info`.

use super::Georeference;
use serde::Serialize;
use std::fmt;

/// File format of a raster of heights.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub enum Format {
    /// PNG that stores heights as gray levels, as palette colours, or packed into RGB channels.
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
    /// Unsigned 16-bit values without a header (`.r16`, `.raw`).
    #[serde(rename = "raw R16")]
    R16,
    /// 32-bit floating-point values without a header (`.r32`).
    #[serde(rename = "raw R32")]
    R32,
    /// Tile of the Shuttle Radar Topography Mission (`.hgt`).
    #[serde(rename = "SRTM HGT")]
    Hgt,
    /// Folder that contains a chunked array in Zarr format, version 2 or 3.
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
pub enum SampleType {
    /// Unsigned 8-bit integer.
    U8,
    /// Unsigned 16-bit integer.
    U16,
    /// Unsigned 32-bit integer.
    U32,
    /// Unsigned 64-bit integer.
    U64,
    /// Signed 8-bit integer.
    I8,
    /// Signed 16-bit integer.
    I16,
    /// Signed 32-bit integer.
    I32,
    /// Signed 64-bit integer.
    I64,
    /// 16-bit floating-point number.
    F16,
    /// 32-bit floating-point number.
    F32,
    /// 64-bit floating-point number.
    F64,
    /// Decimal number, written as text.
    Text,
}

impl SampleType {
    /// Returns the number of bits per value, or `None` for numbers written as text.
    pub fn bits(self) -> Option<usize> {
        match self {
            Self::U8 | Self::I8 => Some(8),
            Self::U16 | Self::I16 | Self::F16 => Some(16),
            Self::U32 | Self::I32 | Self::F32 => Some(32),
            Self::U64 | Self::I64 | Self::F64 => Some(64),
            Self::Text => None,
        }
    }

    /// Returns true if all numbers of the type are integers.
    pub(super) fn is_integer(self) -> bool {
        !matches!(self, Self::F16 | Self::F32 | Self::F64 | Self::Text)
    }

    /// Returns true if the type can represent negative numbers.
    pub(super) fn is_signed(self) -> bool {
        !matches!(self, Self::U8 | Self::U16 | Self::U32 | Self::U64)
    }
}

/// Information about a raster file. If a raster is resampled, the information still describes the
/// original file.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Info {
    /// File format.
    pub format: Format,
    /// Number of columns in the file.
    pub width: usize,
    /// Number of rows in the file.
    pub height: usize,
    /// Type of the values in the file.
    pub sample_type: SampleType,
    /// Number of bits per value; `None` for numbers written as text.
    pub bits: Option<usize>,
    /// Name of the compression method; `None` for formats that have only one.
    pub compression: Option<&'static str>,
    /// Width and height of a cell as given in the file, in the unit `cell_unit`.
    pub cell_size: Option<[f64; 2]>,
    /// Name of the unit of `cell_size` and `bounds`.
    pub cell_unit: Option<&'static str>,
    /// Whether the coordinates are longitude and latitude.
    pub geographic: bool,
    /// Width and height of a cell (m); `None` if the file does not give the cell size.
    pub cell_metres: Option<[f64; 2]>,
    /// West, south, east and north edge of the raster in the coordinates of the file, in the unit
    /// `cell_unit`. `None` if the file does not give a position.
    pub bounds: Option<[f64; 4]>,
    /// EPSG code of the coordinate system of `bounds`; `None` if the file does not name it.
    pub epsg: Option<u16>,
    /// Map position, as returned by [`georeference`](Self::georeference).
    #[serde(skip)]
    pub(super) georeference: Option<Georeference>,
    /// Value in the file that marks cells without data; `None` if no value does.
    pub no_data_value: Option<f64>,
    /// Number of cells without data.
    pub no_data_cells: usize,
    /// Number of metres per unit of the values in the file.
    pub scale: f64,
    /// Height (m) that corresponds to the value 0 in the file.
    pub offset: f64,
    /// Lowest height (m) of the cells with data.
    pub min_height: f32,
    /// Highest height (m) of the cells with data.
    pub max_height: f32,
}

impl Info {
    /// Returns the map position of the raster, or `None` if the file does not give a position. In a
    /// file without a coordinate system, a south-west corner at (0, 0) does not count as a
    /// position. It indicates local coordinates, as in rasters written by this crate.
    pub fn georeference(&self) -> Option<Georeference> {
        self.georeference.clone()
    }
}
