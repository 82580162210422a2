//! Elevation rasters: PNG, GeoTIFF, ESRI ASCII, NPY and raw R16 in; NPY, GeoTIFF and ESRI ASCII out.
//!
//! A file becomes heights in metres, a mask of the cells without data, and the cells' size on the
//! ground. Row 0 is the north. What the reader had to decide by itself stands in plain words in
//! [`Raster::notices`]. Nothing here knows projections, cuts out or moves rasters, or fills holes.
//!
//! ```
//! use headwater_scene::raster::{self, ReadOptions};
//! let text = "ncols 3\nnrows 2\nxllcorner 500\nyllcorner 900\ncellsize 10\nNODATA_value -1\n\
//!             7 8 9\n4 -1 6\n";
//! let dem = raster::read_bytes("hill.asc", text.as_bytes(), &ReadOptions::default())?;
//! assert_eq!(dem.heights[(2, 0)], 9.0);
//! assert!(dem.no_data[(1, 1)]);
//! assert_eq!(dem.cell, Some([10.0, 10.0]));
//! # Ok::<(), raster::RasterError>(())
//! ```

mod assemble;
pub mod cf;
mod error;
mod esri_ascii;
mod geographic;
mod geokeys;
mod georeference;
mod geotiff;
mod heights;
mod info;
mod lzw;
mod npy;
mod png;
mod r16;
mod resample;
mod tiff_directory;
mod write;
#[cfg(feature = "zarr")]
pub(crate) mod zarr;

pub use error::{Problem, RasterError};
pub use georeference::Georeference;
pub use heights::{Raster, ReadOptions};
pub use info::{Format, Info, Sample};
pub(crate) use resample::Part;
#[cfg(not(target_family = "wasm"))]
#[cfg(not(target_family = "wasm"))]
pub(crate) use write::{put_npy_values, write_npy_together};
pub use write::{to_npy, to_png16, write_asc, write_geotiff, write_npy, write_png16};

use crate::scene::Files;
use std::borrow::Cow;
use std::path::Path;

/// The longest that one value may be in a file, in bytes: text with 17 digits, an exponent and
/// separators, with room to spare.
const MAX_BYTES_PER_CELL: u64 = 40;
/// Room for a file's header, in bytes.
const MAX_HEADER_BYTES: u64 = 1 << 20;

/// Metres on the ground for a degree of longitude and of latitude (WGS 84), at a latitude up to 89° north or south.
///
/// # Errors
/// [`RasterError`] nearer to a pole.
pub fn metres_per_degree(latitude: f64) -> Result<[f64; 2], RasterError> {
    geographic::metres_per_degree(latitude)
        .map_err(|problem| RasterError::new("cells in degrees", problem))
}

/// Reads the raster in a file. The format is told by the file's first bytes, else by its extension.
///
/// # Errors
/// [`RasterError`] if the file cannot be read, is too large, damaged, of a kind that is not read, or
/// holds no height or an infinite one.
pub fn read(path: impl AsRef<Path>, options: &ReadOptions) -> Result<Raster, RasterError> {
    read_from(&Files::disk(), path.as_ref(), options)
}

/// The same, of a file that may be held in memory.
///
/// # Errors
/// As [`read`].
pub fn read_from(files: &Files, path: &Path, options: &ReadOptions) -> Result<Raster, RasterError> {
    let name = path.display().to_string();
    let content = load(files, path, options).map_err(|p| RasterError::new(&name, p))?;
    read_bytes(&name, &content, options)
}

/// Reads the raster in the content of a file called `name`.
///
/// # Errors
/// As [`read`].
pub fn read_bytes(name: &str, bytes: &[u8], options: &ReadOptions) -> Result<Raster, RasterError> {
    format_of(name, bytes)
        .and_then(|format| match format {
            Format::Png => png::read(bytes, options),
            Format::GeoTiff => geotiff::read(bytes, options),
            Format::EsriAscii => esri_ascii::read(bytes, options),
            Format::Npy => npy::read(bytes, options),
            Format::R16 => r16::read(bytes, options),
        })
        .map_err(|problem| RasterError::new(name, problem))
}

/// The whole content of a file, unless it is too long to be a raster of the allowed size.
fn load<'a>(
    files: &'a Files,
    path: &Path,
    options: &ReadOptions,
) -> Result<Cow<'a, [u8]>, Problem> {
    let max_cells = options.max_cells;
    let limit = (max_cells as u64).saturating_mul(MAX_BYTES_PER_CELL) + MAX_HEADER_BYTES;
    let content = files.read(path, limit.saturating_add(1)).map_err(Problem::Read)?;
    if content.len() as u64 > limit {
        return Err(Problem::FileLength { limit, max_cells });
    }
    Ok(content)
}

fn format_of(name: &str, bytes: &[u8]) -> Result<Format, Problem> {
    const SIGNATURES: [(&[u8], Format); 6] = [
        (b"\x89PNG\r\n\x1a\n", Format::Png),
        (b"II*\0", Format::GeoTiff),
        (b"MM\0*", Format::GeoTiff),
        (b"II+\0", Format::GeoTiff),
        (b"MM\0+", Format::GeoTiff),
        (b"\x93NUMPY", Format::Npy),
    ];
    if let Some((_, format)) = SIGNATURES.iter().find(|(start, _)| bytes.starts_with(start)) {
        return Ok(*format);
    }
    if esri_ascii::begins(bytes) {
        return Ok(Format::EsriAscii);
    }
    let extension = Path::new(name).extension().unwrap_or_default().to_string_lossy();
    match extension.to_ascii_lowercase().as_str() {
        "png" => Ok(Format::Png),
        "tif" | "tiff" => Ok(Format::GeoTiff),
        "asc" => Ok(Format::EsriAscii),
        "npy" => Ok(Format::Npy),
        "r16" | "raw" => Ok(Format::R16),
        _ => Err(Problem::UnknownFormat { extension: error::shorten(&extension, 40) }),
    }
}
