//! Why a raster cannot be read or written: one message with the file, what was found and what is
//! allowed.

use super::Format;
use headwater::error::format_number;
use std::io;

/// A raster that cannot be read or written.
#[derive(Debug, thiserror::Error)]
#[error("{file}: {problem}")]
pub struct RasterError {
    /// The file, as it was named.
    pub file: String,
    /// What is wrong with it.
    pub problem: Problem,
}

impl RasterError {
    pub(super) fn new(file: impl Into<String>, problem: Problem) -> Self {
        Self { file: file.into(), problem }
    }
}

/// What is wrong with a raster.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Problem {
    /// The operating system does not hand over the file.
    #[error("the file cannot be read: {0}")]
    Read(io::Error),
    /// The operating system does not take the file.
    #[error("the file cannot be written: {0}")]
    Write(io::Error),
    /// Whoever takes the rows of a file cannot keep them.
    #[error("its heights cannot be kept: {0}")]
    Keep(io::Error),
    /// Neither signature nor extension is known.
    #[error(
        "this is no raster that can be read: found no known signature and the extension \
         `{extension}`, allowed are .png, .tif, .tiff, .asc, .npy, .r16 and .raw"
    )]
    UnknownFormat {
        /// The extension found.
        extension: String,
    },
    /// More bytes than a raster of the largest allowed size can have.
    #[error("the file is longer than {limit} bytes, the most for a raster of {max_cells} cells")]
    FileLength {
        /// The most bytes allowed.
        limit: u64,
        /// The most cells allowed, from which the limit follows.
        max_cells: usize,
    },
    /// Too few or too many cells.
    #[error("found {width} × {height} cells, allowed are 1 to {max_cells} in all")]
    Size {
        /// Number of columns found.
        width: u64,
        /// Number of rows found.
        height: u64,
        /// The most cells allowed.
        max_cells: usize,
    },
    /// There is nothing in the file.
    #[error("the file is empty")]
    Empty,
    /// The file breaks the rules of its format, or ends too early.
    #[error("damaged {format} file: {detail}")]
    Damaged {
        /// The format the file was read as.
        format: Format,
        /// What is broken.
        detail: String,
    },
    /// A sound file of a kind that holds no heights this crate reads.
    #[error("found {found}, allowed: {allowed}")]
    Unsupported {
        /// What the file has.
        found: String,
        /// What it may have.
        allowed: &'static str,
    },
    /// A word of a text raster that is not what has to stand there.
    #[error("line {line}: found `{word}`, expected {expected}")]
    Word {
        /// Line of the file, counted from 1.
        line: usize,
        /// The offending word, shortened if it is long.
        word: String,
        /// What may stand there.
        expected: String,
    },
    /// A text raster that ends too early, or whose header does.
    #[error("the {part} ends at line {line} without {missing}")]
    Ends {
        /// What ends: the file or the header.
        part: &'static str,
        /// The line of its last word, counted from 1.
        line: usize,
        /// What should have come.
        missing: String,
    },
    /// A value that is infinite, or is so in f32.
    #[error(
        "column {column}, row {row} (counted from 0 at the top left): found {}, allowed are finite \
         numbers within ±3.4e38", format_number(*.value)
    )]
    Height {
        /// Column of the cell.
        column: usize,
        /// Row of the cell.
        row: usize,
        /// The value as it is in the file.
        value: f64,
    },
    /// Every cell is a no-data cell.
    #[error("all {cells} cells are no-data cells{why}")]
    NoHeights {
        /// Number of cells.
        cells: usize,
        /// The value that marks them, in words.
        why: String,
    },
    /// A cell without extent.
    #[error("found cells of {} × {}, allowed are finite numbers above 0", .cell[0], .cell[1])]
    CellSize {
        /// Width and height of a cell, in the file's unit.
        cell: [f64; 2],
    },
    /// A degree of longitude has no length at a pole.
    #[error(
        "the cells are in degrees and the raster's middle latitude is {latitude}, allowed is \
         −89 to 89"
    )]
    Latitude {
        /// Latitude of the raster's middle, in degrees.
        latitude: f64,
    },
    /// A setting of the caller that cannot be used.
    #[error("the setting {name} is {value}, allowed is a finite number{besides}")]
    Setting {
        /// The setting's name.
        name: &'static str,
        /// Its value.
        value: f64,
        /// Further conditions.
        besides: &'static str,
    },
    /// A no-data mask of another shape than the heights it belongs to.
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
        // Decoders may print whole tables of a broken file.
        Self::Damaged { format, detail: shorten(&detail.to_string(), 200) }
    }
}

/// At most `limit` characters of a text from a file, with a sign where more have been.
pub(super) fn shorten(text: &str, limit: usize) -> String {
    match text.char_indices().nth(limit) {
        None => text.to_owned(),
        Some((end, _)) => format!("{}…", &text[..end]),
    }
}
