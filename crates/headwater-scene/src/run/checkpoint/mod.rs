//! Checkpoint file: the complete state of a run, from which the run can be resumed.
//!
//! The file consists of a header line, the state of the run, the state of the world, and a checksum
//! of both states. The states are in postcard format. If a checkpoint is split into
//! [parts](super::parts), its manifest has the same layout, but contains a list of the part files
//! instead of the world's state.

pub(super) mod info;
pub(super) mod latest_checkpoint;
pub(super) mod postcard_io;
pub(super) mod save;

use super::output::gauges::RecordedGauges;
use super::output::ledger::RecordedLedger;
use super::output::summary::{Input, WallTimes};
use super::rejected_events::RejectedEvents;
use super::schedule::ScheduleProgress;
use crate::atomic::{Sink, write_atomically};
use headwater_io::open_file;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::fs::File;
use std::io::{self, Read as _, Seek as _, SeekFrom, Take, Write};
use std::ops::Range;
use std::path::Path;
use xxhash_rust::xxh3::Xxh3;

/// First line of a checkpoint that is a single file.
pub(super) const FILE_MAGIC: &[u8] = b"headwater checkpoint 11\n";
/// First line of the manifest of a checkpoint that is split into several files. The manifest lists
/// these files.
pub(super) const MANIFEST_MAGIC: &[u8] = b"headwater checkpoint 11 in parts\n";

/// State of a run, excluding the state of its world.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct RunState<'a> {
    /// Hash of the scene, including its command-line overrides. A run can be resumed only with a
    /// scene that has the same hash.
    pub(super) fingerprint: u64,
    /// Input files with the hashes that their contents had at the start of the run.
    pub(super) inputs: Cow<'a, [Input]>,
    /// Last scheduled time (s) that the run has reached. A model may reach it only approximately.
    pub(super) clock: f64,
    pub(super) schedule_progress: Cow<'a, ScheduleProgress>,
    pub(super) frames: u32,
    pub(super) readings: Cow<'a, RecordedGauges>,
    pub(super) ledger: Cow<'a, RecordedLedger>,
    pub(super) rejected_events: Cow<'a, RejectedEvents>,
    pub(super) wall_seconds: f64,
    /// Wall time of the run by activity (s). These times are included in `wall_seconds`.
    pub(super) wall_times: WallTimes,
    pub(super) info: CheckpointInfo,
}

/// Description of a checkpoint, as `headwater info` prints it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct CheckpointInfo {
    /// Name of the model.
    pub model: String,
    /// Cell shape of the grid: `square` or `hex`.
    pub lattice: String,
    /// Number of grid columns.
    pub nx: usize,
    /// Number of grid rows.
    pub ny: usize,
    /// Simulated time (s).
    pub simulated_seconds: f64,
    /// Number of steps that the world has taken.
    pub steps: u64,
    /// Volume of water present, including soil water (m³, or cells in the model `blocks`).
    pub volume: f64,
    /// Hash of the world's state, as in `summary.json`. `None` for the checkpoint of a distributed
    /// world, because no process has the whole state.
    pub state_hash: Option<String>,
}

impl RunState<'_> {
    /// Returns the number of completed steps and the wall time (s). Of two checkpoints of a run,
    /// the later one has the greater tuple.
    pub(super) fn progress(&self) -> (u64, f64) {
        (self.info.steps, self.wall_seconds)
    }
}

/// Open checkpoint file. Only the state of the run is loaded into memory. The state of the world
/// may be large; [`into_state`](Self::into_state) returns a reader for it.
pub(super) struct Checkpoint {
    pub(super) head: RunState<'static>,
    state: Take<File>,
}

/// Initial size of the read buffer (bytes).
const READ_BUFFER_BYTES: usize = 1 << 16;

/// Writes a checkpoint to `path` and atomically replaces the previous one. `magic` is the first
/// line of the file. `state` is called to write the state of the world.
pub(super) fn write(
    path: &Path,
    magic: &[u8],
    run_state: &RunState<'_>,
    state: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    write_atomically(path, |sink| {
        sink.write_all(magic)?;
        let mut checksum_writer = ChecksumWriter { sink, sum: Xxh3::new() };
        postcard_io::write(run_state, &mut checksum_writer)?;
        state(&mut checksum_writer)?;
        let sum = checksum_writer.sum.digest();
        sink.write_all(&sum.to_le_bytes())
    })
}

/// Writer that passes all bytes on to `sink` and computes a checksum of them.
struct ChecksumWriter<'a, 's> {
    sink: &'a mut Sink<'s>,
    sum: Xxh3,
}

impl Write for ChecksumWriter<'_, '_> {
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
    /// Opens a checkpoint file, and verifies that it starts with the line `magic` and that its
    /// checksum is correct.
    ///
    /// # Errors
    /// Returns an error if the file cannot be used. The text has no subject, as in "is truncated";
    /// the caller puts the path before it.
    pub(super) fn read(path: &Path, magic: &[u8]) -> Result<Self, String> {
        let unread = |error: io::Error| format!("cannot be read: {error}");
        let mut file = open_file(path).map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => {
                "does not exist; a finished run has no checkpoint, run it without --resume".into()
            }
            _ => unread(error),
        })?;
        let mut header = Vec::new();
        (&mut file).take(magic.len() as u64).read_to_end(&mut header).map_err(unread)?;
        if header != magic {
            return Err("is not a checkpoint of this version".into());
        }
        let start = magic.len() as u64;
        let length = file.metadata().map_err(unread)?.len();
        let end = length.checked_sub(8).filter(|end| *end >= start).ok_or("is truncated")?;
        let mut sum = Xxh3::new();
        let mut left = (&mut file).take(end - start);
        let mut buffer = vec![0; READ_BUFFER_BYTES];
        loop {
            match left.read(&mut buffer) {
                Ok(0) => break,
                Ok(count) => sum.update(&buffer[..count]),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(unread(error)),
            }
        }
        let mut stored = [0; 8];
        file.read_exact(&mut stored).map_err(|_| "is truncated")?;
        if u64::from_le_bytes(stored) != sum.digest() {
            return Err("is damaged: its checksum does not match".into());
        }
        let (head, used) = read_run_state(&mut file, start..end)?;
        file.seek(SeekFrom::Start(start + used)).map_err(unread)?;
        Ok(Self { head, state: file.take(end - start - used) })
    }

    /// Returns the state of the run, and a reader for the state of the world.
    pub(super) fn into_state(self) -> (RunState<'static>, Take<File>) {
        (self.head, self.state)
    }
}

/// Deserializes the state of the run from the bytes `byte_range` of a file. Returns the state and
/// its length (bytes). Because the file does not store this length, increasing parts of the range
/// are read until one contains the complete state.
fn read_run_state(
    file: &mut File,
    byte_range: Range<u64>,
) -> Result<(RunState<'static>, u64), String> {
    let (mut bytes, mut buffer) = (Vec::new(), READ_BUFFER_BYTES as u64);
    let all = byte_range.end - byte_range.start;
    loop {
        bytes.clear();
        let read = file.seek(SeekFrom::Start(byte_range.start));
        let read = read.and_then(|_| (&mut *file).take(buffer.min(all)).read_to_end(&mut bytes));
        read.map_err(|error| format!("cannot be read: {error}"))?;
        match postcard::take_from_bytes(&bytes) {
            Ok((head, rest)) => return Ok((head, (bytes.len() - rest.len()) as u64)),
            Err(postcard::Error::DeserializeUnexpectedEnd) if buffer < all => buffer *= 2,
            Err(error) => return Err(format!("is damaged: {error}")),
        }
    }
}
