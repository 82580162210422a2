//! Checkpoints: a run at a moment, in one file, to go on from there.
//!
//! The file is a line that names it, what the run knows of itself and the model's own bytes, both in postcard format, and the checksum
//! of these two. Of a checkpoint in [parts](super::parts) it is the manifest, and has in the place of the model's bytes what is where.

use super::gauges::Readings;
use super::postcard_io;
use super::refusals::Refusals;
use super::schedule::ScheduleProgress;
use super::summary::{Input, Seconds};
use crate::atomic::{Sink, write_atomically};
use crate::scene::open_file;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::fs::File;
use std::io::{self, Read as _, Seek as _, SeekFrom, Take, Write};
use std::ops::Range;
use std::path::Path;
use xxhash_rust::xxh3::Xxh3;

/// The first bytes of every checkpoint.
pub(super) const FILE_MAGIC: &[u8] = b"headwater checkpoint 10\n";
/// Those of the manifest of one in parts.
pub(super) const MANIFEST_MAGIC: &[u8] = b"headwater checkpoint 10 in parts\n";

/// What a run knows of itself.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Head<'a> {
    /// Of the scene with all its overrides; another scene cannot go on from here.
    pub(super) fingerprint: u64,
    /// The files that it reads, as they were when it began.
    pub(super) inputs: Cow<'a, [Input]>,
    /// What the run's clock said (s).
    pub(super) clock: f64,
    pub(super) done: Cow<'a, ScheduleProgress>,
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
    /// The state's hash, as in `summary.json`. Not known of one in parts: of those who wrote them nobody has seen the whole.
    pub state_hash: Option<String>,
}

impl Head<'_> {
    /// How far the run had come: of two checkpoints of one run, the greater is the later.
    pub(super) fn progress(&self) -> (u64, f64) {
        (self.info.steps, self.wall_seconds)
    }
}

/// A checkpoint as it was read: all but the model's own bytes, which come last and may be many.
pub(super) struct Checkpoint {
    pub(super) head: Head<'static>,
    state: Take<File>,
}

/// Bytes that are read together at least.
const READ_BUFFER_BYTES: usize = 1 << 16;

/// Writes a checkpoint to `path`, where the one before stays until this one is whole; `magic` are its first bytes, and `state` writes the model's own.
pub(super) fn write(
    path: &Path,
    magic: &[u8],
    head: &Head<'_>,
    state: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    write_atomically(path, |sink| {
        sink.write_all(magic)?;
        let mut checksum_writer = ChecksumWriter { sink, sum: Xxh3::new() };
        postcard_io::write(head, &mut checksum_writer)?;
        state(&mut checksum_writer)?;
        let sum = checksum_writer.sum.digest();
        sink.write_all(&sum.to_le_bytes())
    })
}

/// A file whose checksum is reckoned as it is written.
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
    /// Reads a checkpoint that begins with such bytes, or says in words why it cannot be read.
    pub(super) fn read(path: &Path, magic: &[u8]) -> Result<Self, String> {
        let unread = |error: io::Error| format!("cannot be read: {error}");
        let mut file = open_file(path).map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => "is not there: a run that has ended leaves none".into(),
            _ => unread(error),
        })?;
        let mut begins = Vec::new();
        (&mut file).take(magic.len() as u64).read_to_end(&mut begins).map_err(unread)?;
        if begins != magic {
            return Err("is no checkpoint of this version".into());
        }
        let start = magic.len() as u64;
        let length = file.metadata().map_err(unread)?.len();
        let end = length.checked_sub(8).filter(|end| *end >= start).ok_or("ends too early")?;
        let mut sum = Xxh3::new();
        let mut left = (&mut file).take(end - start);
        let mut room = vec![0; READ_BUFFER_BYTES];
        loop {
            match left.read(&mut room) {
                Ok(0) => break,
                Ok(count) => sum.update(&room[..count]),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(unread(error)),
            }
        }
        let mut said = [0; 8];
        file.read_exact(&mut said).map_err(|_| "ends too early")?;
        if u64::from_le_bytes(said) != sum.digest() {
            return Err("is damaged: its checksum does not match".into());
        }
        let (head, used) = head(&mut file, start..end)?;
        file.seek(SeekFrom::Start(start + used)).map_err(unread)?;
        Ok(Self { head, state: file.take(end - start - used) })
    }

    /// The model's own bytes.
    pub(super) fn into_state(self) -> (Head<'static>, Take<File>) {
        (self.head, self.state)
    }
}

/// What a run knows of itself, out of some bytes of a file, and how many of them that is. They are whole, but how long it is nobody says.
fn head(file: &mut File, place: Range<u64>) -> Result<(Head<'static>, u64), String> {
    let (mut bytes, mut room) = (Vec::new(), READ_BUFFER_BYTES as u64);
    let all = place.end - place.start;
    loop {
        bytes.clear();
        let read = file.seek(SeekFrom::Start(place.start));
        let read = read.and_then(|_| (&mut *file).take(room.min(all)).read_to_end(&mut bytes));
        read.map_err(|error| format!("cannot be read: {error}"))?;
        match postcard::take_from_bytes(&bytes) {
            Ok((head, rest)) => return Ok((head, (bytes.len() - rest.len()) as u64)),
            Err(postcard::Error::DeserializeUnexpectedEnd) if room < all => room *= 2,
            Err(error) => return Err(format!("is damaged: {error}")),
        }
    }
}
