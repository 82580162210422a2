//! Directories of a TIFF file: the tags of each image and their values, in TIFF and BigTIFF files
//! of either byte order.
//!
//! The layout follows the TIFF 6.0 specification, section 2. All values must lie inside the file,
//! so no allocation exceeds the length of the file.

use crate::raster::input::Input;
use crate::raster::{Format, Problem};
use std::io::{BufRead as _, Read as _, Seek as _, SeekFrom};

/// Maximum number of directories that are searched. Files have one for each image, overview and
/// mask.
const MAX_DIRECTORIES: usize = 256;

/// Open TIFF file.
pub(in crate::raster) struct TiffFile<'a> {
    input: Input<'a>,
    pub(in crate::raster) big_endian: bool,
    /// Size (bytes) of a file offset: 8 in a BigTIFF, otherwise 4.
    offset_size: u64,
}

/// Tags of one image.
#[derive(Debug)]
pub(in crate::raster) struct Directory {
    entries: Vec<Entry>,
}

/// Values of one tag: their type, number and position. The position is already checked: all values
/// lie inside the file.
#[derive(Clone, Copy, Debug)]
struct Entry {
    tag: u16,
    kind: u64,
    /// Number of values.
    count: u64,
    /// Offset of the first value in the file (bytes).
    offset: u64,
}

impl<'a> TiffFile<'a> {
    pub(in crate::raster) fn open(mut input: Input<'a>) -> Result<Self, Problem> {
        let big_endian = input.fill_buf().map_err(Problem::Read)?.starts_with(b"MM");
        let mut file = Self { input, big_endian, offset_size: 4 };
        if file.integer_at(2, 2)? == 43 {
            file.offset_size = 8;
        }
        Ok(file)
    }

    /// Returns the length of the file (bytes).
    pub(in crate::raster) fn len(&self) -> u64 {
        self.input.length
    }

    /// Reads the directories of the file, in order. A damaged directory after the first one ends
    /// the list.
    pub(in crate::raster) fn directories(&mut self) -> Result<Vec<Directory>, Problem> {
        let mut next =
            self.integer_at(if self.offset_size == 8 { 8 } else { 4 }, self.offset_size)?;
        let mut offsets = Vec::new();
        let mut found = Vec::new();
        while next != 0 && !offsets.contains(&next) && found.len() < MAX_DIRECTORIES {
            offsets.push(next);
            match self.read_directory(next) {
                Ok((directory, after)) => {
                    found.push(directory);
                    next = after;
                }
                Err(problem) if found.is_empty() => return Err(problem),
                Err(_) => break,
            }
        }
        match found.is_empty() {
            true => Err(truncated_file()),
            false => Ok(found),
        }
    }

    /// Reads the directory at the given offset. Also returns the offset of the next directory, or 0
    /// after the last one.
    fn read_directory(&mut self, start: u64) -> Result<(Directory, u64), Problem> {
        let word = self.offset_size;
        let count_size = if word == 8 { 8 } else { 2 };
        let count = self.integer_at(start, count_size)?;
        let mut entries = Vec::new();
        let mut at = start + count_size;
        // Every entry must lie in the file, so a huge count fails at its end.
        for _ in 0..count {
            let tag = self.integer_at(at, 2)? as u16;
            let kind = self.integer_at(at + 2, 2)?;
            let count = self.integer_at(at + 4, word)?;
            let field = at + 4 + word;
            let offset = self.integer_at(field, word)?;
            at = field + word;
            let Some(size) = value_size(kind) else { continue };
            let length = count.checked_mul(size);
            let inside = |length: u64| {
                length <= word || offset.checked_add(length).is_some_and(|end| end <= self.len())
            };
            let Some(length) = length.filter(|length| inside(*length)) else {
                return Err(damaged(format!("the values of tag {tag} lie outside the file")));
            };
            let offset = if length <= word { field } else { offset };
            entries.push(Entry { tag, kind, count, offset });
        }
        let next = self.integer_at(at, word).unwrap_or(0);
        Ok((Directory { entries }, next))
    }

    /// Reads `length` bytes at the file offset `at`.
    pub(in crate::raster) fn bytes(&mut self, at: u64, length: u64) -> Result<Vec<u8>, Problem> {
        if at.checked_add(length).is_none_or(|end| end > self.len()) {
            return Err(damaged("it ends too early"));
        }
        let length = usize::try_from(length).map_err(|_| damaged("it ends too early"))?;
        let mut bytes = vec![0; length];
        self.input.seek(SeekFrom::Start(at)).map_err(Problem::Read)?;
        self.input.read_exact(&mut bytes).map_err(Problem::Read)?;
        Ok(bytes)
    }

    /// Reads an unsigned integer of `size` bytes (at most 8) at the file offset `at`.
    fn integer_at(&mut self, at: u64, size: u64) -> Result<u64, Problem> {
        if at.checked_add(size).is_none_or(|end| end > self.len()) {
            return Err(truncated_file());
        }
        let mut buffer = [0; 8];
        let bytes = &mut buffer[..size as usize];
        self.input.seek(SeekFrom::Start(at)).map_err(Problem::Read)?;
        self.input.read_exact(bytes).map_err(Problem::Read)?;
        Ok(self.decode_integer(bytes))
    }

    /// Decodes an unsigned integer in the byte order of the file.
    fn decode_integer(&self, bytes: &[u8]) -> u64 {
        let add = |sum: u64, byte: &u8| sum << 8 | u64::from(*byte);
        match self.big_endian {
            true => bytes.iter().fold(0, add),
            false => bytes.iter().rev().fold(0, add),
        }
    }

    /// Returns the unsigned integers of a tag, or an empty vector if the tag is missing.
    pub(in crate::raster) fn integers(
        &mut self,
        directory: &Directory,
        tag: u16,
    ) -> Result<Vec<u64>, Problem> {
        self.values(directory, tag, &[1, 3, 4, 13, 16, 18], Self::decode_integer)
    }

    /// Returns the first unsigned integer of a tag, or `default` if the tag is missing.
    pub(in crate::raster) fn integer_or(
        &mut self,
        directory: &Directory,
        tag: u16,
        default: u64,
    ) -> Result<u64, Problem> {
        Ok(self.integers(directory, tag)?.first().copied().unwrap_or(default))
    }

    /// Returns the floating-point numbers of a tag, or an empty vector if the tag is missing.
    pub(in crate::raster) fn doubles(
        &mut self,
        directory: &Directory,
        tag: u16,
    ) -> Result<Vec<f64>, Problem> {
        self.values(directory, tag, &[11, 12], |file, bytes| {
            let bits = file.decode_integer(bytes);
            match bytes.len() {
                4 => f32::from_bits(bits as u32).into(),
                _ => f64::from_bits(bits),
            }
        })
    }

    /// Returns the text of a tag up to the first NUL, or `None` if the tag is missing. Bytes that
    /// are not ASCII become question marks, so that the length of the text does not change.
    pub(in crate::raster) fn text(
        &mut self,
        directory: &Directory,
        tag: u16,
    ) -> Result<Option<String>, Problem> {
        if directory.entry(tag).is_none() {
            return Ok(None);
        }
        let decode = |_: &Self, bytes: &[u8]| match bytes[0] {
            byte @ 0..128 => char::from(byte),
            _ => '?',
        };
        let characters = self.values(directory, tag, &[1, 2, 7], decode)?;
        Ok(Some(characters.into_iter().take_while(|character| *character != '\0').collect()))
    }

    /// Decodes the values of a tag with the function `decode`. Returns an empty vector if the tag
    /// is missing.
    ///
    /// # Errors
    /// Returns [`Problem`] if the type of the values is not one of `kinds`.
    fn values<T>(
        &mut self,
        directory: &Directory,
        tag: u16,
        kinds: &[u64],
        decode: impl Fn(&Self, &[u8]) -> T,
    ) -> Result<Vec<T>, Problem> {
        let Some(entry) = directory.entry(tag) else { return Ok(Vec::new()) };
        let size = value_size(entry.kind).filter(|_| kinds.contains(&entry.kind));
        let Some(size) = size else {
            return Err(damaged(format!("the value of tag {tag} is of a wrong type")));
        };
        let bytes = self.bytes(entry.offset, entry.count * size)?;
        Ok(bytes.chunks_exact(size as usize).map(|value| decode(self, value)).collect())
    }
}

impl Directory {
    fn entry(&self, tag: u16) -> Option<Entry> {
        self.entries.iter().find(|entry| entry.tag == tag).copied()
    }
}

/// Returns the size of a value (bytes) of the given TIFF type, or `None` if the type is unknown.
fn value_size(kind: u64) -> Option<u64> {
    match kind {
        1 | 2 | 6 | 7 => Some(1),
        3 | 8 => Some(2),
        4 | 9 | 11 | 13 => Some(4),
        5 | 10 | 12 | 16..=18 => Some(8),
        _ => None,
    }
}

pub(in crate::raster) fn damaged(detail: impl ToString) -> Problem {
    Problem::damaged(Format::GeoTiff, detail)
}

fn truncated_file() -> Problem {
    damaged("the first directory is cut off")
}
