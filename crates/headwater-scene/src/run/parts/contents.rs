//! [`CheckpointParts`]: contents of a checkpoint in parts. Each process writes one file
//! ([`PartFile`]): a header line, then the fields of its row blocks. Positions and checksums are in
//! the manifest, not in the file.

use crate::scene::open_file;
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::io::{self, Read as _};
use std::ops::Range;
use std::path::Path;

/// Header of a part file.
pub(super) const MAGIC: &[u8] = b"headwater checkpoint part 1\n";

/// World stored in part files.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[non_exhaustive]
pub struct CheckpointParts {
    /// Part files, from north to south.
    pub parts: Vec<PartFile>,
    /// Metadata of the world, in a format of its model.
    pub metadata: Vec<u8>,
    /// Volume in the model's unit, up to rounding.
    pub volume: f64,
}

impl CheckpointParts {
    /// Creates a list from its files, metadata and volume.
    pub fn new(parts: Vec<PartFile>, metadata: Vec<u8>, volume: f64) -> Self {
        Self { parts, metadata, volume }
    }

    /// Returns whether a file name is one of the parts.
    pub(super) fn contains_file(&self, name: &str) -> bool {
        self.parts.iter().any(|part| part.name == name)
    }

    /// Returns the rows of all blocks, from north to south.
    pub fn row_blocks(&self) -> Vec<Range<usize>> {
        let row_blocks = self.parts.iter().flat_map(|part| &part.row_blocks);
        row_blocks.map(|block| block.rows.clone()).collect()
    }
}

/// Part file.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[non_exhaustive]
pub struct PartFile {
    /// File name in the folder of the checkpoint.
    pub name: String,
    /// Row blocks in it, in order.
    pub row_blocks: Vec<RowBlockBytes>,
}

/// Row block in a part file.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[non_exhaustive]
pub struct RowBlockBytes {
    /// Owned rows.
    pub rows: Range<usize>,
    /// Its fields, in order.
    pub fields: Vec<FieldBytes>,
}

/// Field in a part file.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[non_exhaustive]
pub struct FieldBytes {
    /// Number of the field.
    pub number: usize,
    /// Length (bytes).
    pub length: u64,
    /// Checksum (XXH3, 64 bits).
    pub sum: u64,
}

impl PartFile {
    /// Returns the length of the file (bytes).
    fn length(&self) -> u64 {
        let fields = self.row_blocks.iter().flat_map(|block| &block.fields);
        // A saturated sum is rejected, because no file is that long.
        fields.fold(MAGIC.len() as u64, |sum, field| sum.saturating_add(field.length))
    }

    /// Opens the file in a folder, and checks its length and header.
    pub(super) fn open(&self, folder: &Path) -> io::Result<File> {
        let wrong = |problem: String| io::Error::other(format!("{} {problem}", self.name));
        let mut file = open_file(&folder.join(&self.name)).map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => wrong("does not exist".into()),
            _ => wrong(format!("cannot be read: {error}")),
        })?;
        let unread = |error: io::Error| wrong(format!("cannot be read: {error}"));
        let (found, needed) = (file.metadata().map_err(unread)?.len(), self.length());
        if found != needed {
            return Err(wrong(format!("is damaged: it has {found} bytes instead of {needed}")));
        }
        let mut start = [0; MAGIC.len()];
        file.read_exact(&mut start).map_err(unread)?;
        if start != MAGIC {
            return Err(wrong("is not a part of a checkpoint of this version".into()));
        }
        Ok(file)
    }
}

/// Checks that all files exist in a folder with their lengths.
///
/// # Errors
/// A message with the file and its problem.
pub(super) fn check(folder: &Path, parts: &[PartFile]) -> Result<(), String> {
    let open = |part: &PartFile| part.open(folder).map(drop).map_err(|error| error.to_string());
    parts.iter().try_for_each(open)
}

/// Returns the name of the part file whose rows begin at `first`, in the checkpoint with a
/// `generation`.
#[cfg(not(target_family = "wasm"))]
pub(crate) fn part_name(generation: &str, first: usize) -> String {
    format!("part-{generation}-{first}")
}

/// Returns whether a file name is that of a part file.
pub(super) fn is_part_name(name: &str) -> bool {
    let numbers = name.strip_prefix("part-").and_then(|rest| rest.split_once('-'));
    numbers.is_some_and(|(generation, first)| {
        generation.len() == 16
            && generation.bytes().all(|byte| byte.is_ascii_hexdigit())
            && !first.is_empty()
            && first.bytes().all(|byte| byte.is_ascii_digit())
    })
}
