//! Checkpoints: a run broken off, in one file, to go on from there.
//!
//! The file is a line that names it, the checksum of what follows, and the checkpoint in postcard
//! format.

use super::gauges::Readings;
use super::schedule::Done;
use crate::atomic::write_atomically;
use serde::{Deserialize, Serialize};
use std::io::{self, Write};
use std::path::Path;
use xxhash_rust::xxh3::xxh3_64;

/// The first bytes of every checkpoint.
const MAGIC: &[u8] = b"headwater checkpoint 5\n";

/// A run broken off.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Checkpoint {
    /// Of the scene with all its overrides; another scene cannot go on from here.
    pub(super) fingerprint: u64,
    /// What the run's clock said (s).
    pub(super) clock: f64,
    pub(super) done: Done,
    pub(super) frames: u32,
    pub(super) readings: Readings,
    pub(super) wall_seconds: f64,
    pub(super) info: CheckpointInfo,
    /// The model's own bytes.
    pub(super) state: Vec<u8>,
}

/// What a checkpoint says of itself, for `headwater info`.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct CheckpointInfo {
    /// The model.
    pub model: String,
    /// Kind of the grid's cells: `square` or `hex`.
    pub lattice: String,
    /// Columns of the grid.
    pub nx: usize,
    /// Rows of the grid.
    pub ny: usize,
    /// Simulated time (s).
    pub simulated_seconds: f64,
    /// Steps done.
    pub steps: u64,
    /// What is there, the soil's water too, in the model's unit of volume.
    pub volume: f64,
    /// The state's hash, as in `summary.json`.
    pub state_hash: String,
}

impl Checkpoint {
    pub(super) fn write(&self, path: &Path) -> io::Result<()> {
        let body = postcard::to_stdvec(self).map_err(io::Error::other)?;
        write_atomically(path, |sink| {
            sink.write_all(MAGIC)?;
            sink.write_all(&xxh3_64(&body).to_le_bytes())?;
            sink.write_all(&body)
        })
    }

    /// Reads a checkpoint, or says in words why it cannot be read.
    pub(super) fn read(path: &Path) -> Result<Self, String> {
        let bytes = std::fs::read(path).map_err(|error| format!("cannot be read: {error}"))?;
        let rest = bytes.strip_prefix(MAGIC).ok_or("is no checkpoint of this version")?;
        let (checksum, body) = rest.split_first_chunk().ok_or("ends too early")?;
        if u64::from_le_bytes(*checksum) != xxh3_64(body) {
            return Err("is damaged: its checksum does not match".into());
        }
        postcard::from_bytes(body).map_err(|error| format!("is damaged: {error}"))
    }
}

/// True if a file that begins with these bytes claims to be a checkpoint.
pub fn is_checkpoint(start: &[u8]) -> bool {
    start.starts_with(MAGIC)
}

/// What the checkpoint at `path` says of itself.
///
/// # Errors
/// Says in words why the file cannot be read.
pub fn checkpoint_info(path: &Path) -> Result<CheckpointInfo, String> {
    Ok(Checkpoint::read(path)?.info)
}
