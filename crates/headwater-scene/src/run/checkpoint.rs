//! Checkpoints: a run broken off, in one file, to go on from there.
//!
//! The file is a line that names it, the checksum of what follows, and the checkpoint in postcard
//! format.

use super::gauges::Readings;
use super::schedule::Done;
use crate::atomic::write_atomically;
use headwater::flow::{Settled, Snapshot};
use serde::{Deserialize, Serialize};
use std::io::{self, Write};
use std::path::Path;
use xxhash_rust::xxh3::xxh3_64;

/// The first bytes of every checkpoint.
const MAGIC: &[u8] = b"headwater checkpoint 2\n";

/// A run broken off.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Checkpoint {
    /// Of the scene with all its overrides; another scene cannot go on from here.
    pub(super) fingerprint: u64,
    pub(super) done: Done,
    pub(super) frames: u32,
    pub(super) readings: Readings,
    pub(super) wall_seconds: f64,
    /// What came of settling; `None` while it goes on, or if there was none.
    pub(super) settled: Option<Settled>,
    pub(super) snapshot: Snapshot,
}

/// What a checkpoint says of itself, for `headwater info`.
#[derive(Clone, Debug, Serialize)]
pub struct CheckpointInfo {
    /// Columns of the grid.
    pub nx: usize,
    /// Rows of the grid.
    pub ny: usize,
    /// Simulated time (s).
    pub simulated_seconds: f64,
    /// Steps done.
    pub steps: u64,
    /// Water on the grid (m³).
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
    let checkpoint = Checkpoint::read(path)?;
    let flow = headwater::flow::Flow::restore(checkpoint.snapshot).map_err(|e| e.to_string())?;
    Ok(CheckpointInfo {
        nx: flow.lattice().nx(),
        ny: flow.lattice().ny(),
        simulated_seconds: flow.time(),
        steps: flow.steps(),
        volume: flow.volume(),
        state_hash: super::summary::hash_text(flow.state_hash()),
    })
}
