//! A look at a TIFF's first directory before the `tiff` crate sees the file.
//!
//! The crate allocates what a tag's count claims before it reads, and multiplies sizes unchecked; so
//! every tag has to lie inside the file, and width, height and samples are checked here. BigTIFF is
//! known as well. The layout is that of the TIFF 6.0 specification, section 2.

use super::{Format, Problem};

/// What the directory says of the image's size; 0 for a tag that is missing.
#[derive(Debug, PartialEq)]
pub(super) struct Dimensions {
    pub(super) width: u64,
    pub(super) height: u64,
    pub(super) samples: u64,
}

/// An entry of the first directory, whose values lie inside the file.
pub(super) struct Entry {
    pub(super) tag: u64,
    /// How many values it has.
    pub(super) values: u64,
    /// How many bytes a value takes.
    pub(super) size: u64,
    /// Where its type stands, and where its values, or how far away they are, in a field of the file's word.
    pub(super) kind_at: u64,
    pub(super) field: u64,
    /// Where its values stand.
    pub(super) values_at: u64,
}

/// Walks through the first directory.
///
/// # Errors
/// If a tag reaches outside the file.
pub(super) fn check(bytes: &[u8]) -> Result<Dimensions, Problem> {
    let file = Numbers::of(bytes);
    let mut found = Dimensions { width: 0, height: 0, samples: 1 };
    for entry in entries(&file)? {
        let target = match entry.tag {
            256 => &mut found.width,
            257 => &mut found.height,
            277 => &mut found.samples,
            _ => continue,
        };
        // An integer of this size stands at the beginning of the field.
        *target = file.get(entry.field, entry.size).ok_or_else(cut)?;
    }
    Ok(found)
}

/// The entries of the first directory whose types are known.
///
/// # Errors
/// If a tag reaches outside the file.
pub(super) fn entries(file: &Numbers) -> Result<Vec<Entry>, Problem> {
    let word = file.word();
    // Sizes of the number of entries and of an entry; where the first directory's offset stands.
    let (count_size, first) = if word == 8 { (8, 8) } else { (2, 4) };
    let start = file.get(first, word).ok_or_else(cut)?;
    let count = file.get(start, count_size).ok_or_else(cut)?;
    let entry_size = 4 + 2 * word;
    let mut found = Vec::new();
    // An entry takes space in the file, so a huge count ends at the file's end.
    for index in 0..count {
        let entry = index
            .checked_mul(entry_size)
            .and_then(|past| past.checked_add(start)?.checked_add(count_size))
            .ok_or_else(cut)?;
        let tag = file.get(entry, 2).ok_or_else(cut)?;
        let kind = file.get(entry + 2, 2).ok_or_else(cut)?;
        let values = file.get(entry + 4, word).ok_or_else(cut)?;
        let field = entry + 4 + word;
        let offset = file.get(field, word).ok_or_else(cut)?;
        let size = match kind {
            1 | 2 | 6 | 7 => 1,
            3 | 8 => 2,
            4 | 9 | 11 | 13 => 4,
            5 | 10 | 12 | 16..=18 => 8,
            // The crate loses its place behind an unknown type in a BigTIFF.
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
        let values_at = if length.is_some_and(|length| length <= word) { field } else { offset };
        found.push(Entry { tag, values, size, kind_at: entry + 2, field, values_at });
    }
    Ok(found)
}

fn damaged(detail: &str) -> Problem {
    Problem::damaged(Format::GeoTiff, detail)
}

fn cut() -> Problem {
    damaged("the first directory is cut short")
}

/// Numbers in a file, at positions that may lie outside it.
pub(super) struct Numbers<'a> {
    bytes: &'a [u8],
    pub(super) big_endian: bool,
}

impl<'a> Numbers<'a> {
    pub(super) fn of(bytes: &'a [u8]) -> Self {
        Self { bytes, big_endian: bytes.starts_with(b"MM") }
    }

    /// How many bytes an offset takes: 8 in a BigTIFF, else 4.
    pub(super) fn word(&self) -> u64 {
        if self.get(2, 2) == Some(43) { 8 } else { 4 }
    }

    fn len(&self) -> u64 {
        self.bytes.len() as u64
    }

    pub(super) fn get(&self, at: u64, size: u64) -> Option<u64> {
        let at = usize::try_from(at).ok()?;
        let bytes = self.bytes.get(at..at.checked_add(usize::try_from(size).ok()?)?)?;
        let add = |sum: u64, byte: &u8| sum << 8 | u64::from(*byte);
        Some(if self.big_endian {
            bytes.iter().fold(0, add)
        } else {
            bytes.iter().rev().fold(0, add)
        })
    }
}
