//! [`CheckpointParts`]: the contents of a checkpoint in parts.
//!
//! Each process writes one file ([`PartFile`]) with a header line, followed by the fields of its
//! row blocks. The lengths and checksums of the fields are in the manifest, not in the part files.

use crate::scene::open_file;
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::io::{self, Read as _};
use std::ops::Range;
use std::path::Path;

/// Header line of a part file.
pub(super) const MAGIC: &[u8] = b"headwater checkpoint part 1\n";

/// Description of a world that is stored in part files.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[non_exhaustive]
pub struct CheckpointParts {
    /// Part files, from north to south.
    pub parts: Vec<PartFile>,
    /// Metadata of the world, in a format of its model.
    pub metadata: Vec<u8>,
    /// Volume of water in the model's unit of volume, up to rounding.
    pub volume: f64,
}

impl CheckpointParts {
    /// Creates the description from the part files, the metadata and the volume.
    pub fn new(parts: Vec<PartFile>, metadata: Vec<u8>, volume: f64) -> Self {
        Self { parts, metadata, volume }
    }

    /// Returns whether `name` is the name of one of the part files.
    pub(super) fn contains_file(&self, name: &str) -> bool {
        self.parts.iter().any(|part| part.name == name)
    }

    /// Returns the row ranges of all blocks, from north to south.
    pub fn row_blocks(&self) -> Vec<Range<usize>> {
        let row_blocks = self.parts.iter().flat_map(|part| &part.row_blocks);
        row_blocks.map(|block| block.rows.clone()).collect()
    }
}

/// File with the rows of one process.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[non_exhaustive]
pub struct PartFile {
    /// File name in the checkpoint folder.
    pub name: String,
    /// Row blocks in the file, in the order of their bytes.
    pub row_blocks: Vec<RowBlockBytes>,
}

/// Location of a row block in a part file.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[non_exhaustive]
pub struct RowBlockBytes {
    /// Rows of the world that the block owns.
    pub rows: Range<usize>,
    /// Fields of the block, in the order of their bytes.
    pub fields: Vec<FieldBytes>,
}

/// Description of a field in a part file.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[non_exhaustive]
pub struct FieldBytes {
    /// Number that identifies the field within the block.
    pub number: usize,
    /// Length of the field (bytes).
    pub length: u64,
    /// Checksum of the field's bytes (XXH3, 64 bits).
    pub sum: u64,
}

impl PartFile {
    /// Returns the total length of the part file (bytes).
    fn length(&self) -> u64 {
        let fields = self.row_blocks.iter().flat_map(|block| &block.fields);
        // A saturated sum is rejected, because no file is that long.
        fields.fold(MAGIC.len() as u64, |sum, field| sum.saturating_add(field.length))
    }

    /// Opens the part file in a folder, and checks its length and header.
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

/// Checks that all part files exist in a folder and have the expected lengths.
///
/// # Errors
/// Returns a message with the first file that is missing or damaged, and its problem.
pub(super) fn check(folder: &Path, parts: &[PartFile]) -> Result<(), String> {
    let open = |part: &PartFile| part.open(folder).map(drop).map_err(|error| error.to_string());
    parts.iter().try_for_each(open)
}

/// Returns the name of a part file. `generation` is the unique text of its checkpoint; `first` is
/// the first row of the file.
#[cfg(not(target_family = "wasm"))]
pub(crate) fn part_name(generation: &str, first: usize) -> String {
    format!("part-{generation}-{first}")
}

/// Returns whether `name` has the form of a part file name.
pub(super) fn is_part_name(name: &str) -> bool {
    let numbers = name.strip_prefix("part-").and_then(|rest| rest.split_once('-'));
    numbers.is_some_and(|(generation, first)| {
        generation.len() == 16
            && generation.bytes().all(|byte| byte.is_ascii_hexdigit())
            && !first.is_empty()
            && first.bytes().all(|byte| byte.is_ascii_digit())
    })
}
