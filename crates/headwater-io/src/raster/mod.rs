//! Rasters of heights. Reads PNG, GeoTIFF, ESRI ASCII, NPY, raw R16 and R32, SRTM HGT and Zarr;
//! writes NPY, GeoTIFF, ESRI ASCII, PNG and Zarr. Reading and writing Zarr requires the feature
//! `zarr`.
//!
//! If a file does not contain its position, the position is read from a world file (`dem.pgw`,
//! `dem.wld`, …) in the same folder. If it does not contain the unit and the EPSG code of its
//! coordinates, these are read from a projection file (`dem.prj`). Files in other known formats are
//! rejected with an error that names the format.
//!
//! Reading a file gives heights in metres, a mask of the cells without data, and the size of a cell
//! on the ground. Row 0 is the northernmost row. Assumptions made by the reader are listed in
//! [`Raster::notices`]. Rasters are not reprojected or cropped, and gaps are not filled.
//!
//! ```
//! use headwater_io::raster::{self, ReadOptions};
//! let text = "ncols 3\nnrows 2\nxllcorner 500\nyllcorner 900\ncellsize 10\nNODATA_value -1\n\
//!             7 8 9\n4 -1 6\n";
//! let dem = raster::read_bytes("hill.asc", text.as_bytes(), &ReadOptions::default())?;
//! assert_eq!(dem.heights[(2, 0)], 9.0);
//! assert!(dem.no_data[(1, 1)]);
//! assert_eq!(dem.cell, Some([10.0, 10.0]));
//! # Ok::<(), raster::RasterError>(())
//! ```

pub mod cf;
mod convert;
mod error;
mod extent;
mod formats;
mod geographic;
mod georeference;
mod geotiff;
mod header;
mod heights;
mod info;
mod input;
mod no_data;
mod resample;
mod sidecar;
mod units;
mod window;
mod wkt;
mod write;
#[cfg(feature = "zarr")]
pub mod zarr;

pub use error::{Problem, RasterError};
pub use extent::Extent;
pub use georeference::Georeference;
pub use heights::{ByteOrder, HeightEncoding, Raster, ReadOptions};
pub use info::{Format, Info, SampleType};
#[cfg(not(target_family = "wasm"))]
pub use resample::RasterRows;
pub use resample::{FinerCells, Resampling, majority, mean};
pub use sidecar::sidecar_files;
pub use window::RasterWindow;
pub use write::{
    to_npy, to_png16, write_asc, write_geotiff, write_geotiff_georeferenced, write_npy, write_png16,
};
#[cfg(not(target_family = "wasm"))]
pub use write::{write_geotiff_parallel, write_npy_parallel, write_npy_values};

use crate::files::Files;
use convert::HeightConverter;
use headwater::Field;
use input::{Input, OpenedRaster};
use std::io::{self, BufRead as _};
use std::ops::Range;
use std::path::Path;

/// Maximum average length of a value in a file (bytes). It allows for a decimal number with 17
/// digits, an exponent and separators, with a margin.
const MAX_BYTES_PER_CELL: u64 = 40;
/// Target size (cells) of a block, the group of consecutive rows that is read at a time. Threads
/// wait for each other after each block, so smaller blocks are slower on busy machines.
const BLOCK_CELLS: usize = 1 << 20;
/// Maximum length of a file's header (bytes).
const MAX_HEADER_BYTES: u64 = 1 << 20;

/// Returns the lengths (m) of one degree of longitude and of one degree of latitude on the WGS 84
/// ellipsoid. The latitude must be between 89° south and 89° north.
///
/// # Errors
/// Returns [`RasterError`] if the latitude is closer to a pole.
pub fn metres_per_degree(latitude: f64) -> Result<[f64; 2], RasterError> {
    geographic::metres_per_degree(latitude)
        .map_err(|problem| RasterError::new("cells in degrees", problem))
}

/// Reads a raster file. The format is detected from the first bytes of the file or, if these are
/// not characteristic, from its extension.
///
/// # Errors
/// Returns [`RasterError`] if the file cannot be read, is too large, is damaged or is not
/// supported, or if it contains no height or an infinite height.
pub fn read(path: impl AsRef<Path>, options: &ReadOptions) -> Result<Raster, RasterError> {
    read_from(&Files::from_disk(), path.as_ref(), options)
}

/// Reads the raster file at `path` from memory if `files` contains its content, otherwise from the
/// file system.
///
/// # Errors
/// Returns [`RasterError`] under the same conditions as [`read`].
pub fn read_from(files: &Files, path: &Path, options: &ReadOptions) -> Result<Raster, RasterError> {
    open_path(files, path, options)
        .and_then(|opened| read_all(opened, options))
        .map_err(|problem| file_error(files, path, problem))
}

/// Reads a raster from the content of a file called `name`. The extension of the name determines
/// the format if the content does not.
///
/// # Errors
/// Returns [`RasterError`] under the same conditions as [`read`].
pub fn read_bytes(name: &str, bytes: &[u8], options: &ReadOptions) -> Result<Raster, RasterError> {
    open(name, Input::from_bytes(bytes), None, options)
        .and_then(|opened| read_all(opened, options))
        .map_err(|problem| RasterError::new(name, problem))
}

/// Function that receives one row of a raster: the heights (m) and the mask of the cells without
/// data.
pub type RowSink<'a> = &'a mut dyn FnMut(&[f32], &[bool]) -> io::Result<()>;

/// Reads a raster row by row from the north, for rasters that do not fit in memory.
///
/// The function calls `sink` for each row; the heights of cells without data are 0 m. Returns the
/// information about the file and the notices for the user.
///
/// # Errors
/// Returns [`RasterError`] under the same conditions as [`read`], or if `sink` returns an error.
pub fn read_rows(
    files: &Files,
    path: &Path,
    options: &ReadOptions,
    sink: RowSink<'_>,
) -> Result<(Info, Vec<String>), RasterError> {
    open_path(files, path, options)
        .and_then(|opened| {
            read_each_row(opened, options, |heights, no_data| {
                sink(heights, no_data).map_err(Problem::Sink)
            })
        })
        .map_err(|problem| file_error(files, path, problem))
}

/// Reads the size and map position of a raster from the header of its file, without reading the
/// heights.
pub fn read_extent(
    files: &Files,
    path: &Path,
    options: &ReadOptions,
) -> Result<Extent, RasterError> {
    open_path(files, path, options)
        .and_then(|(header, _)| header.extent())
        .map_err(|problem| file_error(files, path, problem))
}

/// Creates the error about the raster file at `path`.
fn file_error(files: &Files, path: &Path, problem: Problem) -> RasterError {
    let hint = sidecar::conversion_hint(files, path, &problem.to_string());
    RasterError { hint, ..RasterError::new(path.display().to_string(), problem) }
}

/// Opens a raster file or, if the feature `zarr` is enabled, a Zarr store.
fn open_path<'a>(
    files: &'a Files,
    path: &Path,
    options: &ReadOptions,
) -> Result<OpenedRaster<'a>, Problem> {
    if files.is_zarr_store(path) {
        #[cfg(feature = "zarr")]
        return files
            .check_store(path)
            .map_err(Problem::Read)
            .and_then(|()| zarr::rows::open(path, options));
        #[cfg(not(feature = "zarr"))]
        return Err(Problem::Unsupported {
            found: "a Zarr store".to_owned(),
            allowed: "files; this program was built without Zarr support (`--features zarr`)",
        });
    }
    let input = open_input(files, path, options)?;
    let mask = sidecar::append_to_path(path, ".msk");
    let mask = files.read_prefix(&mask, 1).is_ok().then(|| open_input(files, &mask, options));
    let (mut header, rows) = open(&path.display().to_string(), input, mask.transpose()?, options)?;
    sidecar::complete_header(files, path, &mut header)?;
    Ok((header, rows))
}

/// Opens a raster file on disk or in memory.
///
/// # Errors
/// Returns [`Problem`] if the file cannot be opened, or if it is longer than any raster with the
/// maximum number of cells.
fn open_input<'a>(
    files: &'a Files,
    path: &Path,
    options: &ReadOptions,
) -> Result<Input<'a>, Problem> {
    let max_cells = options.max_cells;
    let limit = (max_cells as u64).saturating_mul(MAX_BYTES_PER_CELL);
    let limit = limit.saturating_add(MAX_HEADER_BYTES);
    let input = match files.memory_contents(path) {
        Some(bytes) => Input::from_bytes(bytes),
        None => files.open(path).and_then(Input::from_file).map_err(Problem::Read)?,
    };
    match input.length > limit {
        true => Err(Problem::FileLength { limit, max_cells }),
        false => Ok(input),
    }
}

fn read_all(opened: OpenedRaster<'_>, options: &ReadOptions) -> Result<Raster, Problem> {
    let (format, [nx, ny]) = (opened.0.format, opened.0.size);
    let (mut heights, mut no_data) = (vec![0.0; nx * ny], vec![false; nx * ny]);
    let (info, notices) = read_blocks(opened, options, |rows, fill| {
        let cells = rows.start * nx..rows.end * nx;
        fill(&mut heights[cells.clone()], &mut no_data[cells])
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

/// Reads an opened raster row by row. Calls `sink` with the heights (m) and the no-data mask of
/// each row.
fn read_each_row(
    opened: OpenedRaster<'_>,
    options: &ReadOptions,
    mut sink: impl FnMut(&[f32], &[bool]) -> Result<(), Problem>,
) -> Result<(Info, Vec<String>), Problem> {
    let [nx, _] = opened.0.size;
    let (mut heights, mut no_data) = (Vec::new(), Vec::new());
    read_blocks(opened, options, |rows, fill| {
        heights.resize(nx * rows.len(), 0.0);
        no_data.resize(nx * rows.len(), false);
        fill(&mut heights, &mut no_data)?;
        let mut rows = heights.chunks(nx).zip(no_data.chunks(nx));
        rows.try_for_each(|(heights, no_data)| sink(heights, no_data))
    })
}

/// Function that reads a block of rows: writes their heights (m) and their no-data mask to the
/// given slices.
type FillBlock<'a> = &'a mut dyn FnMut(&mut [f32], &mut [bool]) -> Result<(), Problem>;

/// Reads an opened raster in blocks of rows, from north to south. For each block, calls `target`
/// with two arguments: the range of the block's rows, and a function that reads these rows into
/// slices.
fn read_blocks(
    (header, mut rows): OpenedRaster<'_>,
    options: &ReadOptions,
    mut target: impl FnMut(Range<usize>, FillBlock<'_>) -> Result<(), Problem>,
) -> Result<(Info, Vec<String>), Problem> {
    let mut converter = HeightConverter::new(header, options)?;
    let [nx, ny] = converter.size();
    let count = (BLOCK_CELLS / nx).clamp(1, ny);
    let mut values = vec![0.0; nx * count];
    for start in (0..ny).step_by(count) {
        let block = start..(start + count).min(ny);
        let values = &mut values[..nx * block.len()];
        target(block, &mut |heights, no_data| {
            rows.read_rows(values, nx)?;
            converter.convert_rows(values, heights, no_data)
        })?;
    }
    rows.check_end()?;
    let (info, mut notices) = converter.finish()?;
    notices.extend(rows.notices());
    Ok((info, notices))
}

/// Opens a raster. `mask` is the mask file of GDAL, which is used only for GeoTIFF files.
fn open<'a>(
    name: &str,
    mut input: Input<'a>,
    mask: Option<Input<'a>>,
    options: &ReadOptions,
) -> Result<OpenedRaster<'a>, Problem> {
    let format = detect_format(name, input.fill_buf().map_err(Problem::Read)?)?;
    if options.encoding.is_some() && format != Format::Png {
        return Err(Problem::Unsupported {
            found: format!("the setting `encoding` for a file of the format {format}"),
            allowed: "`encoding` only for PNG files",
        });
    }
    let is_raw = matches!(format, Format::R16 | Format::R32 | Format::Hgt);
    let raw_settings = [
        ("size", options.size.is_some()),
        ("byte_order", options.byte_order != ByteOrder::default()),
    ];
    if let Some((name, _)) = raw_settings.into_iter().find(|(_, given)| *given && !is_raw) {
        return Err(Problem::Unsupported {
            found: format!("the setting `{name}` for a file of the format {format}"),
            allowed: "`size` and `byte_order` only for raw files, which do not contain them",
        });
    }
    match format {
        Format::Png => formats::png::open(input, options),
        Format::GeoTiff => geotiff::open(input, mask, options),
        Format::EsriAscii => formats::esri_ascii::open(input, options),
        Format::Npy => formats::npy::open(input, options),
        Format::R16 | Format::R32 => formats::raw::open(input, format, options),
        Format::Hgt => formats::raw::open_hgt(input, name, options),
        Format::Zarr => Err(Problem::damaged(Format::Zarr, "a Zarr store must be a folder")),
    }
}

fn detect_format(name: &str, bytes: &[u8]) -> Result<Format, Problem> {
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
    if formats::esri_ascii::is_esri_ascii(bytes) {
        return Ok(Format::EsriAscii);
    }
    let extension = Path::new(name).extension().unwrap_or_default().to_string_lossy();
    let lower = extension.to_ascii_lowercase();
    if let Some(problem) = formats::unsupported::unsupported_error(name, bytes, &lower) {
        return Err(problem);
    }
    match lower.as_str() {
        "png" => Ok(Format::Png),
        "tif" | "tiff" => {
            Err(Problem::damaged(Format::GeoTiff, "it does not begin as a TIFF does"))
        }
        "asc" => Ok(Format::EsriAscii),
        "npy" => Ok(Format::Npy),
        "r16" | "raw" => Ok(Format::R16),
        "r32" => Ok(Format::R32),
        "hgt" => Ok(Format::Hgt),
        _ => {
            Err(Problem::UnknownFormat { extension: error::truncate_with_ellipsis(&extension, 40) })
        }
    }
}
