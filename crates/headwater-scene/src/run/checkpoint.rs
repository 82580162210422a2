//! Checkpoints: a run at a moment, in one file, to go on from there.
//!
//! The file is a line that names it, what the run knows of itself and the model's own bytes, both in postcard format, and the checksum
//! of these two.

use super::bytes;
use super::gauges::Readings;
use super::refusals::Refusals;
use super::schedule::Done;
use super::summary::{Input, Seconds};
use crate::atomic::{Sink, write_atomically};
use crate::scene::open_file;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::io::{self, Read as _, Write};
use std::ops::Range;
use std::path::Path;
use xxhash_rust::xxh3::{Xxh3, xxh3_64};

/// The first bytes of every checkpoint.
const MAGIC: &[u8] = b"headwater checkpoint 8\n";

/// What a run knows of itself.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Head<'a> {
    /// Of the scene with all its overrides; another scene cannot go on from here.
    pub(super) fingerprint: u64,
    /// The files that it reads, as they were when it began.
    pub(super) inputs: Cow<'a, [Input]>,
    /// What the run's clock said (s).
    pub(super) clock: f64,
    pub(super) done: Cow<'a, Done>,
    pub(super) frames: u32,
    pub(super) readings: Cow<'a, Readings>,
    pub(super) refusals: Cow<'a, Refusals>,
    pub(super) wall_seconds: f64,
    /// Where they went.
    pub(super) seconds: Seconds,
    pub(super) info: CheckpointInfo,
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

/// A checkpoint as it was read.
pub(super) struct Checkpoint {
    pub(super) head: Head<'static>,
    bytes: Vec<u8>,
    state: Range<usize>,
}

/// Writes a checkpoint to `path`, where the one before stays until this one is whole; `state` writes the model's own bytes.
///
/// # Errors
/// The reason why it cannot be written.
pub(super) fn write(
    path: &Path,
    head: &Head<'_>,
    state: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    write_atomically(path, |sink| {
        sink.write_all(MAGIC)?;
        let mut summing = Summing { sink, sum: Xxh3::new() };
        bytes::write(head, &mut summing)?;
        state(&mut summing)?;
        let sum = summing.sum.digest();
        sink.write_all(&sum.to_le_bytes())
    })
}

/// A file whose checksum is reckoned as it is written.
struct Summing<'a, 's> {
    sink: &'a mut Sink<'s>,
    sum: Xxh3,
}

impl Write for Summing<'_, '_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.sink.write(bytes)?;
        self.sum.update(&bytes[..written]);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.sink.flush()
    }
}

impl Checkpoint {
    /// Reads a checkpoint, or says in words why it cannot be read.
    pub(super) fn read(path: &Path) -> Result<Self, String> {
        let mut bytes = Vec::new();
        open_file(path).and_then(|mut file| file.read_to_end(&mut bytes)).map_err(|error| {
            match error.kind() {
                io::ErrorKind::NotFound => "is not there: a run that has ended leaves none".into(),
                _ => format!("cannot be read: {error}"),
            }
        })?;
        let rest = bytes.strip_prefix(MAGIC).ok_or("is no checkpoint of this version")?;
        let (body, sum) = rest.split_last_chunk().ok_or("ends too early")?;
        if u64::from_le_bytes(*sum) != xxh3_64(body) {
            return Err("is damaged: its checksum does not match".into());
        }
        let (head, state) =
            postcard::take_from_bytes(body).map_err(|error| format!("is damaged: {error}"))?;
        let end = MAGIC.len() + body.len();
        let state = end - state.len()..end;
        Ok(Self { head, bytes, state })
    }

    /// The model's own bytes.
    pub(super) fn state(&self) -> &[u8] {
        &self.bytes[self.state.clone()]
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
    Ok(Checkpoint::read(path)?.head.info)
}
