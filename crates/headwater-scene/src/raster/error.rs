//! Errors of reading and writing rasters. Messages name the file, the value found and the values
//! allowed.

use super::Format;
use headwater::error::format_number;
use std::io;

/// Error of reading or writing a raster.
#[derive(Debug, thiserror::Error)]
#[error("{file}: {problem}")]
pub struct RasterError {
    /// File name as given by the caller.
    pub file: String,
    /// Cause.
    pub problem: Problem,
}

impl RasterError {
    pub(super) fn new(file: impl Into<String>, problem: Problem) -> Self {
        Self { file: file.into(), problem }
    }
}

/// Cause of a raster error.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Problem {
    /// The file cannot be read.
    #[error("the file cannot be read: {0}")]
    Read(io::Error),
    /// The file cannot be written.
    #[error("the file cannot be written: {0}")]
    Write(io::Error),
    /// The receiver of the rows failed.
    #[error("the heights cannot be stored: {0}")]
    Sink(io::Error),
    /// Unknown signature and extension.
    #[error(
        "unknown raster format: no known signature, and the extension is \
         `{extension}`; allowed are .png, .tif, .tiff, .asc, .npy, .r16 and .raw"
    )]
    UnknownFormat {
        /// Extension of the file.
        extension: String,
    },
    /// File longer than the largest allowed raster.
    #[error("the file is longer than {limit} bytes, the maximum for a raster of {max_cells} cells")]
    FileLength {
        /// Maximum length (bytes).
        limit: u64,
        /// Maximum number of cells, which determines the limit.
        max_cells: usize,
    },
    /// Too few or too many cells.
    #[error("found {width} × {height} cells, allowed are 1 to {max_cells} in all")]
    Size {
        /// Number of columns found.
        width: u64,
        /// Number of rows found.
        height: u64,
        /// Maximum number of cells.
        max_cells: usize,
    },
    /// Empty file.
    #[error("the file is empty")]
    Empty,
    /// Invalid or truncated file.
    #[error("damaged {format} file: {detail}")]
    Damaged {
        /// Format of the file.
        format: Format,
        /// Details.
        detail: String,
    },
    /// Valid file of an unsupported kind.
    #[error("found {found}, allowed: {allowed}")]
    Unsupported {
        /// Content of the file.
        found: String,
        /// Supported content.
        allowed: &'static str,
    },
    /// Unexpected word in a text raster.
    #[error("line {line}: found `{word}`, expected {expected}")]
    Word {
        /// Line number, from 1.
        line: usize,
        /// Word, truncated if it is long.
        word: String,
        /// Expected content.
        expected: String,
    },
    /// Text raster with a truncated header or too few heights.
    #[error("the {part} ends at line {line} without {missing}")]
    UnexpectedEnd {
        /// Part that ends: the file or the header.
        part: &'static str,
        /// Line number of its last word, from 1.
        line: usize,
        /// Missing content.
        missing: String,
    },
    /// Value that is infinite or out of range of `f32`.
    #[error(
        "column {column}, row {row} (counted from 0 at the top left): found {}, allowed are finite \
         numbers within ±3.4e38", format_number(*.value)
    )]
    Height {
        /// Column of the cell.
        column: usize,
        /// Row of the cell.
        row: usize,
        /// Value in the file.
        value: f64,
    },
    /// Every cell is a no-data cell.
    #[error("all {cells} cells are no-data cells{why}")]
    NoHeights {
        /// Number of cells.
        cells: usize,
        /// Explanation of the no-data value.
        why: String,
    },
    /// Invalid cell size.
    #[error("found cells of {} × {}, allowed are finite numbers above 0", .cell[0], .cell[1])]
    CellSize {
        /// Width and height of a cell, in the unit of the file.
        cell: [f64; 2],
    },
    /// Cells in degrees too close to a pole, where a degree of longitude has no length.
    #[error(
        "the cells are in degrees and the raster's central latitude is {latitude}, allowed is \
         −89 to 89"
    )]
    Latitude {
        /// Latitude of the raster's centre (degrees).
        latitude: f64,
    },
    /// Invalid setting of the caller.
    #[error("the setting {name} is {value}, allowed is a finite number{condition}")]
    Setting {
        /// Name of the setting.
        name: &'static str,
        /// Value of the setting.
        value: f64,
        /// Further condition.
        condition: &'static str,
    },
    /// No-data mask whose shape differs from that of the heights.
    #[error(
        "the no-data mask is {} × {} cells, the heights are {} × {}",
        .mask[0], .mask[1], .heights[0], .heights[1]
    )]
    MaskShape {
        /// Columns and rows of the mask.
        mask: [usize; 2],
        /// Columns and rows of the heights.
        heights: [usize; 2],
    },
}

impl Problem {
    pub(super) fn damaged(format: Format, detail: impl ToString) -> Self {
        // Decoders may print whole tables of a damaged file.
        Self::Damaged { format, detail: shorten(&detail.to_string(), 200) }
    }
}

/// Truncates a text from a file to `limit` characters, marked by an ellipsis.
pub(super) fn shorten(text: &str, limit: usize) -> String {
    match text.char_indices().nth(limit) {
        None => text.to_owned(),
        Some((end, _)) => format!("{}…", &text[..end]),
    }
}
