//! Errors of reading and writing rasters. Messages name the file, the value found and the values
//! allowed.

use super::Format;
use headwater::error::format_number;
use std::io;

/// Error of reading or writing a raster.
#[derive(Debug, thiserror::Error)]
#[error("{file}: {problem}")]
pub struct RasterError {
    /// Name of the file, as given by the caller.
    pub file: String,
    /// Cause of the error.
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
    /// The caller's function that receives the rows failed.
    #[error("the heights cannot be stored: {0}")]
    Sink(io::Error),
    /// Neither the signature nor the extension of the file is known.
    #[error(
        "unknown raster format: no known signature, and the extension is \
         `{extension}`; allowed are .png, .tif, .tiff, .asc, .npy, .r16 and .raw"
    )]
    UnknownFormat {
        /// Extension of the file name.
        extension: String,
    },
    /// The file is longer than the largest allowed raster can be.
    #[error("the file is longer than {limit} bytes, the maximum for a raster of {max_cells} cells")]
    FileLength {
        /// Maximum length of the file (bytes).
        limit: u64,
        /// Maximum number of cells, from which the limit is computed.
        max_cells: usize,
    },
    /// The raster has no cells or too many.
    #[error("found {width} × {height} cells, allowed are 1 to {max_cells} in all")]
    Size {
        /// Number of columns found.
        width: u64,
        /// Number of rows found.
        height: u64,
        /// Maximum number of cells.
        max_cells: usize,
    },
    /// The file is empty.
    #[error("the file is empty")]
    Empty,
    /// The file is invalid or truncated.
    #[error("damaged {format} file: {detail}")]
    Damaged {
        /// Format as which the file was read.
        format: Format,
        /// Description of the damage.
        detail: String,
    },
    /// The file is valid, but of an unsupported kind.
    #[error("found {found}, allowed: {allowed}")]
    Unsupported {
        /// Description of the file's content.
        found: String,
        /// Description of the supported content.
        allowed: &'static str,
    },
    /// A text raster contains an unexpected word.
    #[error("line {line}: found `{word}`, expected {expected}")]
    Word {
        /// Line number of the word, from 1.
        line: usize,
        /// The word, truncated if it is long.
        word: String,
        /// Description of the expected content.
        expected: String,
    },
    /// The header of a text raster is truncated, or heights are missing.
    #[error("the {part} ends at line {line} without {missing}")]
    UnexpectedEnd {
        /// Part that is too short: the file or the header.
        part: &'static str,
        /// Line number of the last word, from 1.
        line: usize,
        /// Description of the missing content.
        missing: String,
    },
    /// A value is infinite or out of the range of `f32`.
    #[error(
        "column {column}, row {row} (counted from 0 at the top left): found {}, allowed are finite \
         numbers within ±3.4e38", format_number(*.value)
    )]
    Height {
        /// Column of the cell, from 0 in the west.
        column: usize,
        /// Row of the cell, from 0 in the north.
        row: usize,
        /// Value in the file.
        value: f64,
    },
    /// All cells are no-data cells.
    #[error("all {cells} cells are no-data cells{why}")]
    NoHeights {
        /// Number of cells in the raster.
        cells: usize,
        /// Explanation of why the cells have no data.
        why: String,
    },
    /// The cell size is not valid.
    #[error("found cells of {} × {}, allowed are finite numbers above 0", .cell[0], .cell[1])]
    CellSize {
        /// Width and height of a cell, in the unit of the file.
        cell: [f64; 2],
    },
    /// The cells are in degrees and too close to a pole, where a degree of longitude has almost no
    /// length.
    #[error(
        "the cells are in degrees and the raster's central latitude is {latitude}, allowed is \
         −89 to 89"
    )]
    Latitude {
        /// Latitude of the raster's centre (degrees).
        latitude: f64,
    },
    /// A setting of the caller is not valid.
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
        /// Number of columns and rows of the mask.
        mask: [usize; 2],
        /// Number of columns and rows of the heights.
        heights: [usize; 2],
    },
}

impl Problem {
    pub(super) fn damaged(format: Format, detail: impl ToString) -> Self {
        // Decoders may print whole tables of a damaged file.
        Self::Damaged { format, detail: shorten(&detail.to_string(), 200) }
    }
}

/// Truncates a text from a file to `limit` characters and marks the truncation by an ellipsis.
pub(super) fn shorten(text: &str, limit: usize) -> String {
    match text.char_indices().nth(limit) {
        None => text.to_owned(),
        Some((end, _)) => format!("{}…", &text[..end]),
    }
}
