//! Errors that occur while reading or writing rasters. The messages name the file, the value found
//! and the values allowed.

use super::Format;
use headwater::error::format_number;
use std::io;

/// Error that occurred while reading or writing a raster.
#[derive(Debug, thiserror::Error)]
#[error("{file}: {problem}{hint}")]
pub struct RasterError {
    /// Name of the file, as given by the caller.
    pub file: String,
    /// Cause of the error.
    pub problem: Problem,
    /// Text that is appended to the error message, for example an additional option for the
    /// suggested command; may be empty.
    pub(super) hint: String,
}

impl RasterError {
    pub(super) fn new(file: impl Into<String>, problem: Problem) -> Self {
        Self { file: file.into(), problem, hint: String::new() }
    }
}

/// Cause of a raster error.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Problem {
    /// The file cannot be read; the I/O error is attached.
    #[error("the file cannot be read: {0}")]
    Read(io::Error),
    /// The file cannot be written; the I/O error is attached.
    #[error("the file cannot be written: {0}")]
    Write(io::Error),
    /// The caller's function returned this error while receiving rows of the raster.
    #[error("the heights cannot be stored: {0}")]
    Sink(io::Error),
    /// Neither the first bytes nor the extension of the file identifies a known format.
    #[error(
        "unknown raster format: no known signature, and the extension is \
         `{extension}`; allowed are .png, .tif, .tiff, .asc, .npy, .hgt, .r16, .r32 and .raw; GDAL \
         converts most others: gdal_translate IN OUT.tif"
    )]
    UnknownFormat {
        /// Extension of the file name.
        extension: String,
    },
    /// The file was recognised, but must be converted before it can be read.
    #[error("found {found}; convert it: {command}")]
    Convert {
        /// Description of the file that was found.
        found: String,
        /// Command that converts the file.
        command: String,
    },
    /// The file is longer than any raster with the maximum number of cells.
    #[error("the file is longer than {limit} bytes, the maximum for a raster of {max_cells} cells")]
    FileLength {
        /// Maximum length of the file (bytes).
        limit: u64,
        /// Maximum number of cells of a raster. `limit` is computed from this number.
        max_cells: usize,
    },
    /// The raster has no cells, or too many.
    #[error(
        "found {width} × {height} cells, allowed are 1 to {max_cells} in all{}",
        reduction_advice(*.width, *.height, *.max_cells)
    )]
    Size {
        /// Number of columns found.
        width: u64,
        /// Number of rows found.
        height: u64,
        /// Maximum number of cells allowed.
        max_cells: usize,
    },
    /// The file is empty.
    #[error("the file is empty")]
    Empty,
    /// The file is invalid or truncated.
    #[error("damaged {format} file: {detail}")]
    Damaged {
        /// Format of the damaged file.
        format: Format,
        /// Description of the damage.
        detail: String,
    },
    /// The file is valid, but its content is not supported.
    #[error("found {found}, allowed: {allowed}")]
    Unsupported {
        /// Description of the file's content.
        found: String,
        /// Description of the content that is supported.
        allowed: &'static str,
    },
    /// A raster in text form contains an unexpected word.
    #[error("line {line}: found `{word}`, expected {expected}")]
    Word {
        /// Line number of the word in the file, counted from 1.
        line: usize,
        /// Unexpected word, truncated if it is long.
        word: String,
        /// Description of the word that was expected.
        expected: String,
    },
    /// A raster in text form ends within its header or before its last height.
    #[error("the {part} ends at line {line} without {missing}")]
    UnexpectedEnd {
        /// Part of the raster that is incomplete: "file" or "header".
        part: &'static str,
        /// Line number of the last word in the file, counted from 1.
        line: usize,
        /// Description of the missing content.
        missing: String,
    },
    /// A value is infinite or outside the range of `f32`.
    #[error(
        "column {column}, row {row} (counted from 0 at the top left): found {}, allowed are finite \
         numbers within ±3.4e38; to mark such cells as no data: gdal_translate -a_nodata {} IN \
         OUT.tif", format_number(*.value), format_number(*.value)
    )]
    Height {
        /// Column of the cell, counted from 0 in the west.
        column: usize,
        /// Row of the cell, counted from 0 in the north.
        row: usize,
        /// Value of the cell in the file.
        value: f64,
    },
    /// All cells of the raster are cells without data.
    #[error("all {cells} cells are no-data cells{reason}")]
    NoHeights {
        /// Number of cells in the raster.
        cells: usize,
        /// Explanation of why the cells have no data, appended to the message.
        reason: String,
    },
    /// The cell size is not a finite number above 0.
    #[error(
        "found cells of {} × {}, allowed are finite numbers above 0; set the edges of the raster with \
         `gdal_translate -a_ullr WEST NORTH EAST SOUTH IN OUT.tif`", .cell[0], .cell[1]
    )]
    CellSize {
        /// Width and height of a cell, in the unit of the file.
        cell: [f64; 2],
    },
    /// The cell size is in degrees, and the raster is too close to a pole, where a degree of
    /// longitude has almost no length.
    #[error(
        "the cells are in degrees and the raster's central latitude is {latitude}, allowed is \
         −89 to 89"
    )]
    Latitude {
        /// Latitude of the raster's centre (degrees).
        latitude: f64,
    },
    /// A setting of the caller is not valid, for example a scale of 0.
    #[error("the setting {name} is {value}, allowed is a finite number{condition}")]
    Setting {
        /// Name of the setting.
        name: &'static str,
        /// Value of the setting.
        value: f64,
        /// Additional requirement on the value, appended to the message.
        condition: &'static str,
    },
    /// The shape of the no-data mask differs from the shape of the heights.
    #[error(
        "the no-data mask is {} × {} cells, the heights are {} × {}",
        .mask[0], .mask[1], .heights[0], .heights[1]
    )]
    MaskShape {
        /// Number of columns and rows of the no-data mask.
        mask: [usize; 2],
        /// Number of columns and rows of the heights.
        heights: [usize; 2],
    },
}

impl Problem {
    pub(super) fn damaged(format: Format, detail: impl ToString) -> Self {
        // Decoders may print whole tables of a damaged file.
        Self::Damaged { format, detail: truncate_with_ellipsis(&detail.to_string(), 200) }
    }
}

/// Returns advice on how to reduce a raster to at most `max_cells` cells; empty if the raster has
/// no cells.
fn reduction_advice(width: u64, height: u64, max_cells: usize) -> String {
    if width == 0 || height == 0 {
        return String::new();
    }
    let factor = (width as f64 * height as f64 / max_cells as f64).sqrt().ceil().max(1.0) as u64;
    let [columns, rows] = [width, height].map(|side| (side / factor).max(1));
    format!("; to reduce it: gdal_translate -r average -outsize {columns} {rows} IN.tif OUT.tif")
}

/// Truncates a string from a file to `limit` characters. An ellipsis marks the truncation.
pub(super) fn truncate_with_ellipsis(text: &str, limit: usize) -> String {
    match text.char_indices().nth(limit) {
        None => text.to_owned(),
        Some((end, _)) => format!("{}…", &text[..end]),
    }
}
