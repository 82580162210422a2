//! Validation of the first image file directory of a TIFF, before the `tiff` crate reads the file.
//!
//! The `tiff` crate allocates the declared size of a tag before it reads the tag, and multiplies
//! sizes without checking for overflow. Therefore this module checks that the values of every tag
//! lie inside the file, and returns the image size for further checks, also for BigTIFF. The layout
//! follows the TIFF 6.0 specification, section 2.

use crate::raster::input::Input;
use crate::raster::{Format, Problem};
use std::io::{BufRead as _, Read as _, Seek as _, SeekFrom};

/// Image size from the directory. Width and height are 0 if their tags are missing.
#[derive(Debug, PartialEq)]
pub(in crate::raster) struct Dimensions {
    pub(in crate::raster) width: u64,
    pub(in crate::raster) height: u64,
    pub(in crate::raster) samples: u64,
}

/// Tag in the first directory. The values of the tag are known to lie inside the file.
struct Entry {
    tag: u64,
    /// Size of one value (bytes).
    size: u64,
    /// Offset in the file (bytes) of the field that contains either the values or their offset.
    field: u64,
}

/// Validates the first directory of a TIFF and returns the image size. The read position of `file`
/// is unspecified afterwards.
pub(in crate::raster) fn validate_directory(file: &mut Input<'_>) -> Result<Dimensions, Problem> {
    let mut file = NumberReader::open(file)?;
    let mut found = Dimensions { width: 0, height: 0, samples: 1 };
    for entry in read_entries(&mut file)? {
        let target = match entry.tag {
            256 => &mut found.width,
            257 => &mut found.height,
            277 => &mut found.samples,
            _ => continue,
        };
        // Integers of this size are at the beginning of the field.
        *target = file.read_integer(entry.field, entry.size).ok_or_else(truncated_error)?;
    }
    Ok(found)
}

/// Reads the tags of the first directory whose types are known.
fn read_entries(file: &mut NumberReader<'_, '_>) -> Result<Vec<Entry>, Problem> {
    let word = file.word;
    // Size of the entry count, and position of the offset of the first directory.
    let (count_size, first) = if word == 8 { (8, 8) } else { (2, 4) };
    let start = file.read_integer(first, word).ok_or_else(truncated_error)?;
    let count = file.read_integer(start, count_size).ok_or_else(truncated_error)?;
    let entry_size = 4 + 2 * word;
    let mut found = Vec::new();
    // Every entry must lie in the file, so a huge count fails at its end.
    for index in 0..count {
        let entry = index
            .checked_mul(entry_size)
            .and_then(|past| past.checked_add(start)?.checked_add(count_size))
            .ok_or_else(truncated_error)?;
        let tag = file.read_integer(entry, 2).ok_or_else(truncated_error)?;
        let kind = file.read_integer(entry + 2, 2).ok_or_else(truncated_error)?;
        let values = file.read_integer(entry + 4, word).ok_or_else(truncated_error)?;
        let field = entry + 4 + word;
        let offset = file.read_integer(field, word).ok_or_else(truncated_error)?;
        let size = match kind {
            1 | 2 | 6 | 7 => 1,
            3 | 8 => 2,
            4 | 9 | 11 | 13 => 4,
            5 | 10 | 12 | 16..=18 => 8,
            // The crate fails to skip unknown types in a BigTIFF.
            _ if word == 8 => return Err(damaged("a tag has an unknown type")),
            _ => continue,
        };
        let length = values.checked_mul(size);
        let inside = |length: u64| {
            length <= word || offset.checked_add(length).is_some_and(|end| end <= file.len())
        };
        if !length.is_some_and(inside) {
            return Err(damaged(&format!("the values of tag {tag} lie outside the file")));
        }
        found.push(Entry { tag, size, field });
    }
    Ok(found)
}

fn damaged(detail: &str) -> Problem {
    Problem::damaged(Format::GeoTiff, detail)
}

fn truncated_error() -> Problem {
    damaged("the first directory is cut off")
}

/// Reader of integers at given offsets of a TIFF, with bounds checks.
struct NumberReader<'a, 'b> {
    file: &'b mut Input<'a>,
    big_endian: bool,
    /// Size of an offset (bytes): 8 in a BigTIFF, otherwise 4.
    word: u64,
}

impl<'a, 'b> NumberReader<'a, 'b> {
    fn open(file: &'b mut Input<'a>) -> Result<Self, Problem> {
        let big_endian = file.fill_buf().map_err(Problem::Read)?.starts_with(b"MM");
        let mut numbers = Self { file, big_endian, word: 4 };
        if numbers.read_integer(2, 2) == Some(43) {
            numbers.word = 8;
        }
        Ok(numbers)
    }

    fn len(&self) -> u64 {
        self.file.length
    }

    /// Reads an unsigned integer of `size` bytes (at most 8) at the file offset `at`. Returns
    /// `None` beyond the end of the file.
    fn read_integer(&mut self, at: u64, size: u64) -> Option<u64> {
        let mut bytes = [0; 8];
        let bytes = bytes.get_mut(..usize::try_from(size).ok()?)?;
        if at.checked_add(size)? > self.len() {
            return None;
        }
        self.file.seek(SeekFrom::Start(at)).ok()?;
        self.file.read_exact(bytes).ok()?;
        let add = |sum: u64, byte: &u8| sum << 8 | u64::from(*byte);
        Some(if self.big_endian {
            bytes.iter().fold(0, add)
        } else {
            bytes.iter().rev().fold(0, add)
        })
    }
}
