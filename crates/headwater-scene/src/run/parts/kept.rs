//! [`Kept`]: a world that was kept by those who have parts of it, each in a file of its own ([`PartFile`]): a line that names it, and one after
//! the other the fields of its bands. What lies where, and the checksum of each field, is known to whoever keeps the run, not to the file.

use crate::scene::open_file;
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::io::{self, Read as _};
use std::ops::Range;
use std::path::Path;

/// The first bytes of every such file.
pub(super) const MAGIC: &[u8] = b"headwater checkpoint part 1\n";

/// A world as it was kept in parts.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Kept {
    /// The files of its parts, from north to south.
    pub parts: Vec<PartFile>,
    /// What the world has besides its fields, which only its model knows.
    pub besides: Vec<u8>,
    /// What is there in the model's unit of volume, but for the last digits.
    pub volume: f64,
}

impl Kept {
    /// A world in such files.
    pub fn new(parts: Vec<PartFile>, besides: Vec<u8>, volume: f64) -> Self {
        Self { parts, besides, volume }
    }

    /// Whether the file of that name is one of its parts.
    pub(super) fn has(&self, name: &str) -> bool {
        self.parts.iter().any(|part| part.name == name)
    }

    /// The rows of all bands, from north to south.
    pub fn bands(&self) -> Vec<Range<usize>> {
        let bands = self.parts.iter().flat_map(|part| &part.bands);
        bands.map(|band| band.rows.clone()).collect()
    }
}

/// A file of a part.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[non_exhaustive]
pub struct PartFile {
    /// Its name, in the folder of all.
    pub name: String,
    /// The bands in it, in their order.
    pub bands: Vec<BandBytes>,
}

/// The bytes of a band.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[non_exhaustive]
pub struct BandBytes {
    /// Its rows.
    pub rows: Range<usize>,
    /// Those of its fields, in their order.
    pub fields: Vec<FieldBytes>,
}

/// The bytes of a field.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[non_exhaustive]
pub struct FieldBytes {
    /// The field's number.
    pub number: usize,
    /// How many bytes there are.
    pub length: u64,
    /// Their checksum (XXH3, 64 bits).
    pub sum: u64,
}

impl PartFile {
    /// Bytes of the file.
    fn length(&self) -> u64 {
        let fields = self.bands.iter().flat_map(|band| &band.fields);
        // A sum that no file has is found to be wrong.
        fields.fold(MAGIC.len() as u64, |sum, field| sum.saturating_add(field.length))
    }

    /// Opens the file in a folder, if it has the length that it should have and begins as it should.
    pub(super) fn open(&self, folder: &Path) -> io::Result<File> {
        let wrong = |problem: String| io::Error::other(format!("{} {problem}", self.name));
        let mut file = open_file(&folder.join(&self.name)).map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => wrong("is not there".into()),
            _ => wrong(format!("cannot be read: {error}")),
        })?;
        let unread = |error: io::Error| wrong(format!("cannot be read: {error}"));
        let (found, needed) = (file.metadata().map_err(unread)?.len(), self.length());
        if found != needed {
            return Err(wrong(format!("is damaged: it has {found} bytes, and had {needed}")));
        }
        let mut start = [0; MAGIC.len()];
        file.read_exact(&mut start).map_err(unread)?;
        if start != MAGIC {
            return Err(wrong("is no part of a checkpoint of this version".into()));
        }
        Ok(file)
    }
}

/// Checks that all files are there in a folder, each with its length.
///
/// # Errors
/// Says in words which is not, and what is wrong with it.
pub(super) fn check(folder: &Path, parts: &[PartFile]) -> Result<(), String> {
    let open = |part: &PartFile| part.open(folder).map(drop).map_err(|error| error.to_string());
    parts.iter().try_for_each(open)
}

/// The name of the file of who has rows from `first` on, of all that are written together under one `generation`.
#[cfg(not(target_family = "wasm"))]
pub(crate) fn part_name(generation: &str, first: usize) -> String {
    format!("part-{generation}-{first}")
}

/// Whether a file may have that name.
pub(super) fn is_part_name(name: &str) -> bool {
    let numbers = name.strip_prefix("part-").and_then(|rest| rest.split_once('-'));
    numbers.is_some_and(|(generation, first)| {
        generation.len() == 16
            && generation.bytes().all(|byte| byte.is_ascii_hexdigit())
            && !first.is_empty()
            && first.bytes().all(|byte| byte.is_ascii_digit())
    })
}
