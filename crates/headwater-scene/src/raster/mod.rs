//! Elevation rasters: PNG, GeoTIFF, ESRI ASCII, NPY, raw R16 and Zarr stores in; NPY, GeoTIFF and ESRI ASCII out.
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
#[cfg(not(target_family = "wasm"))]
mod extent;
mod geographic;
mod geokeys;
mod georeference;
mod geotiff;
mod geotiff_rows;
mod heights;
mod info;
mod input;
mod lzw;
mod npy;
mod png;
mod r16;
mod resample;
mod tiff_directory;
mod tiff_tags;
mod write;
#[cfg(feature = "zarr")]
pub(crate) mod zarr;
#[cfg(feature = "zarr")]
mod zarr_rows;

pub use error::{Problem, RasterError};
#[cfg(not(target_family = "wasm"))]
pub(crate) use extent::Extent;
pub use georeference::Georeference;
pub use heights::{Raster, ReadOptions};
pub use info::{Format, Info, Sample};
#[cfg(not(target_family = "wasm"))]
pub(crate) use resample::Cells;
pub(crate) use resample::{Part, Resampling, commonest, mean};
#[cfg(not(target_family = "wasm"))]
pub(crate) use write::{put_npy_values, write_geotiff_together, write_npy_together};
pub use write::{
    to_npy, to_png16, write_asc, write_geotiff, write_geotiff_on, write_npy, write_png16,
};

use crate::scene::Files;
use assemble::Assembler;
use headwater::Field;
use input::{Input, Opened};
use std::io::{self, BufRead as _};
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
    opened(files, path, options)
        .and_then(|opened| whole(opened, options))
        .map_err(|problem| RasterError::new(path.display().to_string(), problem))
}

/// Reads the raster in the content of a file called `name`.
///
/// # Errors
/// As [`read`].
pub fn read_bytes(name: &str, bytes: &[u8], options: &ReadOptions) -> Result<Raster, RasterError> {
    open(name, Input::memory(bytes), options)
        .and_then(|opened| whole(opened, options))
        .map_err(|problem| RasterError::new(name, problem))
}

/// Whoever takes rows: heights (m), and where there are no data.
pub type Take<'a> = &'a mut dyn FnMut(&[f32], &[bool]) -> io::Result<()>;

/// Reads a raster row by row from the north, for those of which not all should be in memory: `with` takes them, with 0 m where there
/// are no data. What the file says of itself is known after the last, and what the reader decided by itself, in
/// words.
///
/// # Errors
/// As [`read`], or with what `with` says is wrong.
pub fn read_rows(
    files: &Files,
    path: &Path,
    options: &ReadOptions,
    with: Take<'_>,
) -> Result<(Info, Vec<String>), RasterError> {
    opened(files, path, options)
        .and_then(|opened| {
            each(opened, options, |heights, no_data| with(heights, no_data).map_err(Problem::Keep))
        })
        .map_err(|problem| RasterError::new(path.display().to_string(), problem))
}

/// Reads no more of a file than where its cells lie.
#[cfg(not(target_family = "wasm"))]
pub(crate) fn extent(
    files: &Files,
    path: &Path,
    options: &ReadOptions,
) -> Result<Extent, RasterError> {
    opened(files, path, options)
        .and_then(|(header, _)| header.extent())
        .map_err(|problem| RasterError::new(path.display().to_string(), problem))
}

/// A raster that is a file or, in programs that know of them, a store.
fn opened<'a>(files: &'a Files, path: &Path, options: &ReadOptions) -> Result<Opened<'a>, Problem> {
    if files.is_store(path) {
        #[cfg(feature = "zarr")]
        return zarr_rows::open(path, options);
        #[cfg(not(feature = "zarr"))]
        return Err(Problem::Unsupported {
            found: "a Zarr store".to_owned(),
            allowed: "files, as this program was built without Zarr (`--features zarr`)",
        });
    }
    open(&path.display().to_string(), input(files, path, options)?, options)
}

/// The content of a file, unless it is too long to be a raster of the allowed size.
fn input<'a>(files: &'a Files, path: &Path, options: &ReadOptions) -> Result<Input<'a>, Problem> {
    let max_cells = options.max_cells;
    let limit = (max_cells as u64).saturating_mul(MAX_BYTES_PER_CELL) + MAX_HEADER_BYTES;
    let input = match files.in_memory(path) {
        Some(bytes) => Input::memory(bytes),
        None => files.open(path).and_then(Input::file).map_err(Problem::Read)?,
    };
    match input.length > limit {
        true => Err(Problem::FileLength { limit, max_cells }),
        false => Ok(input),
    }
}

fn whole(opened: Opened<'_>, options: &ReadOptions) -> Result<Raster, Problem> {
    let (format, [nx, ny]) = (opened.0.format, opened.0.size);
    let mut heights = Vec::with_capacity(nx * ny);
    let mut no_data = Vec::with_capacity(nx * ny);
    let (info, notices) = each(opened, options, |row, missing| {
        heights.extend_from_slice(row);
        no_data.extend_from_slice(missing);
        Ok(())
    })?;
    let shaped = |_| Problem::damaged(format, "the number of values changed while reading");
    Ok(Raster {
        heights: Field::from_vec(nx, ny, heights).map_err(shaped)?,
        no_data: Field::from_vec(nx, ny, no_data).map_err(shaped)?,
        cell: info.cell_metres,
        info,
        notices,
    })
}

/// Hands on heights and masks of all rows.
fn each(
    (header, mut rows): Opened<'_>,
    options: &ReadOptions,
    mut with: impl FnMut(&[f32], &[bool]) -> Result<(), Problem>,
) -> Result<(Info, Vec<String>), Problem> {
    let mut assembler = Assembler::new(header, options)?;
    let [nx, ny] = assembler.size();
    let (mut values, mut heights, mut no_data) = (vec![0.0; nx], vec![0.0; nx], vec![false; nx]);
    for _ in 0..ny {
        rows.next(&mut values)?;
        assembler.row(&values, &mut heights, &mut no_data)?;
        with(&heights, &no_data)?;
    }
    rows.end()?;
    assembler.finish()
}

fn open<'a>(
    name: &str,
    mut input: Input<'a>,
    options: &ReadOptions,
) -> Result<Opened<'a>, Problem> {
    match format_of(name, input.fill_buf().map_err(Problem::Read)?)? {
        Format::Png => png::open(input, options),
        Format::GeoTiff => geotiff::open(input, options),
        Format::EsriAscii => esri_ascii::open(input, options),
        Format::Npy => npy::open(input, options),
        Format::R16 => r16::open(input, options),
        Format::Zarr => Err(Problem::damaged(Format::Zarr, "a store is a folder")),
    }
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
    if bytes.is_empty() {
        return Err(Problem::Empty);
    }
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
