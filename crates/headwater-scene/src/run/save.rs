//! How a run keeps its state: in a checkpoint every so often, when it is stopped, and when something fails.

use super::checkpoint::{self, CheckpointInfo, FILE_MAGIC, Head};
use super::error::RunError;
use super::names::{CHECKPOINT, PARTS};
use super::run::{Run, output_error};
use super::types::ModelError;
use super::{parts, summary};
use std::borrow::Cow;
use std::path::PathBuf;
use std::time::Duration;
use web_time::Instant;

impl Run<'_> {
    /// Writes a checkpoint of the run as it is between two steps. It makes no stop, so what comes after is what would have come
    /// without it.
    ///
    /// # Errors
    /// [`RunError::Output`] if it cannot be written; the one before is still there then.
    pub(super) fn write_checkpoint(&mut self) -> Result<PathBuf, RunError> {
        if self.executor.is_in_parts() {
            let folder = self.folder.clone();
            let written = parts::write(&folder, |path, generation| {
                let parts = self.executor.write_parts(path, generation)?;
                parts::write_manifest(path, &self.head(parts.volume, None), &parts)?;
                Ok(parts)
            });
            let path =
                written.map_err(|error| output_error(&folder.join(PARTS), error.to_string()))?;
            // The earlier one is of no use any more. What cannot be removed does no harm.
            let _ = std::fs::remove_file(folder.join(CHECKPOINT));
            return Ok(path);
        }
        let path = self.folder.join(CHECKPOINT);
        let failed = |error: ModelError| output_error(&path, error.to_string());
        let hash = summary::hash_text(self.executor.hash().map_err(failed)?);
        let volume = self.executor.balance().map_err(failed)?.now;
        let head = self.head(volume, Some(hash));
        checkpoint::write(&path, FILE_MAGIC, &head, |into| self.executor.write_state(into))
            .map_err(|error| output_error(&path, error.to_string()))?;
        let _ = parts::remove(&self.folder);
        Ok(path)
    }

    /// What the run knows of itself, with the water that is there and the state's hash.
    fn head(&self, volume: f64, state_hash: Option<String>) -> Head<'_> {
        let executor = &self.executor;
        let grid = executor.grid();
        let info = CheckpointInfo {
            model: self.scene.model().into(),
            lattice: grid.lattice,
            nx: grid.nx,
            ny: grid.ny,
            simulated_seconds: executor.time(),
            steps: executor.steps(),
            volume,
            state_hash,
        };
        Head {
            fingerprint: self.scene.fingerprint(),
            inputs: Cow::Borrowed(&self.inputs),
            clock: self.clock,
            done: Cow::Borrowed(&self.done),
            frames: self.frames.count,
            readings: Cow::Borrowed(&self.readings),
            refusals: Cow::Borrowed(&self.refusals),
            wall_seconds: self.wall_before + self.begun.elapsed().as_secs_f64(),
            seconds: self.seconds(),
            info,
        }
    }

    /// Writes a checkpoint if one is due, and says how long that took. A run that cannot be kept goes on, and says so at its end.
    pub(super) fn checkpoint_if_due(&mut self) -> Result<Duration, ModelError> {
        if self.checkpoint_interval.is_none_or(|every| self.last_checkpoint.elapsed() < every) {
            return Ok(Duration::ZERO);
        }
        let begun = Instant::now();
        self.executor.read_back()?;
        // One that is not sound ends the run soon, and is not to take the place of one that is.
        if self.executor.check_finite()? {
            let time = self.executor.time();
            self.checkpoint_error =
                self.write_checkpoint().err().map(|error| (time, error.to_string()));
        }
        // From its end on, so that a world that takes long to write still has most of the time to itself.
        self.last_checkpoint = Instant::now();
        Ok(begun.elapsed())
    }

    /// Keeps what there is after a failure, if it is worth going on from.
    pub(super) fn checkpoint_after_failure(&mut self) {
        // The world is as it was brought back last: it was at a stop then, and nothing has been done since.
        self.executor.discard_device_copy();
        if self.executor.check_finite().unwrap_or(false) {
            // Where the failure is a full disk, there is no room for this either; the last checkpoint is still there then.
            let _ = self.write_checkpoint();
        }
    }

    /// What there is to say of the run itself, besides what its world says.
    pub(super) fn notices(&self) -> Vec<String> {
        let unit = self.scene.clock().unit;
        let checkpoint_error = self.checkpoint_error.iter();
        let checkpoint_error = checkpoint_error
            .map(|(time, why)| format!("no checkpoint was written at {time}{unit}: {why}"));
        self.refusals.notices(unit).chain(checkpoint_error).collect()
    }
}
