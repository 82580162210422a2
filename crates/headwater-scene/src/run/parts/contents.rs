//! [`CheckpointParts`]: the list of the files in which the checkpoint of a distributed world is
//! stored.
//!
//! Each process writes one file ([`PartFile`]) with a header line and the fields of its row blocks.
//! A row block is a range of adjacent rows. The lengths and checksums of the fields are in a
//! separate file, the manifest.

use headwater_io::open_file;
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::io::{self, Read as _};
use std::ops::Range;
use std::path::Path;

/// First line of a part file.
pub(super) const PART_MAGIC: &[u8] = b"headwater checkpoint part 1\n";

/// List of the files in which a checkpoint stores the state of a distributed world.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[non_exhaustive]
pub struct CheckpointParts {
    /// Part files, one per process, from north to south.
    pub parts: Vec<PartFile>,
    /// Serialized state of the world, except the state that belongs to particular rows. The model
    /// defines the format.
    pub metadata: Vec<u8>,
    /// Volume of water in the world, up to rounding errors (m³, or cells in the model `blocks`).
    pub volume: f64,
}

impl CheckpointParts {
    /// Creates the list from the part files, the metadata of the world, and the volume of water.
    pub fn new(parts: Vec<PartFile>, metadata: Vec<u8>, volume: f64) -> Self {
        Self { parts, metadata, volume }
    }

    /// Returns whether one of the part files has this name.
    pub(super) fn contains_file(&self, name: &str) -> bool {
        self.parts.iter().any(|part| part.name == name)
    }

    /// Returns the range of rows of each row block, from north to south.
    pub fn row_blocks(&self) -> Vec<Range<usize>> {
        let row_blocks = self.parts.iter().flat_map(|part| &part.row_blocks);
        row_blocks.map(|block| block.rows.clone()).collect()
    }
}

/// Part of a checkpoint: the file into which one process has written its rows.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[non_exhaustive]
pub struct PartFile {
    /// Name of the file in the checkpoint folder.
    pub name: String,
    /// Row blocks (ranges of adjacent rows) in the order in which the file stores them.
    pub row_blocks: Vec<StoredRowBlock>,
}

/// Row block (range of adjacent rows) in a part of a checkpoint.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[non_exhaustive]
pub struct StoredRowBlock {
    /// Rows of the world that the row block contains.
    pub rows: Range<usize>,
    /// Fields of the row block in the order in which the file stores them.
    pub fields: Vec<StoredField>,
}

/// Length and checksum of a field that is stored in a part of a checkpoint.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[non_exhaustive]
pub struct StoredField {
    /// Number that identifies the field within its row block.
    pub number: usize,
    /// Length of the field (bytes).
    pub length: u64,
    /// Checksum of the field's bytes (XXH3, 64 bits).
    pub checksum: u64,
}

impl PartFile {
    /// Returns the total length of the part file (bytes).
    fn length(&self) -> u64 {
        let fields = self.row_blocks.iter().flat_map(|block| &block.fields);
        // A saturated sum is rejected later, because no file is that long.
        fields.fold(PART_MAGIC.len() as u64, |sum, field| sum.saturating_add(field.length))
    }

    /// Opens the part file in a checkpoint folder, and checks its length and its first line.
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
        let mut start = [0; PART_MAGIC.len()];
        file.read_exact(&mut start).map_err(unread)?;
        if start != PART_MAGIC {
            return Err(wrong("is not a part of a checkpoint of this version".into()));
        }
        Ok(file)
    }
}

/// Checks that all part files exist in a checkpoint folder and have the expected lengths.
///
/// # Errors
/// Returns a message that names the first file that is missing or damaged, and describes the
/// problem.
pub(super) fn check_part_files(folder: &Path, parts: &[PartFile]) -> Result<(), String> {
    let open = |part: &PartFile| part.open(folder).map(drop).map_err(|error| error.to_string());
    parts.iter().try_for_each(open)
}

/// Returns the name of the file for one process's part of a checkpoint. `generation` is a string
/// that is unique to the checkpoint. `first_row` is the first row in the file.
#[cfg(not(target_family = "wasm"))]
pub(crate) fn part_file_name(generation: &str, first_row: usize) -> String {
    format!("part-{generation}-{first_row}")
}

/// Returns whether `name` has the form of a file name that [`part_file_name`] returns.
pub(super) fn is_part_file_name(name: &str) -> bool {
    let numbers = name.strip_prefix("part-").and_then(|rest| rest.split_once('-'));
    numbers.is_some_and(|(generation, first_row)| {
        generation.len() == 16
            && generation.bytes().all(|byte| byte.is_ascii_hexdigit())
            && !first_row.is_empty()
            && first_row.bytes().all(|byte| byte.is_ascii_digit())
    })
}
