//! Functions that write the checkpoints of a run: periodically, when the run is stopped, and after
//! a failure.

use super::{CheckpointInfo, FILE_MAGIC, RunState};
use crate::run::checkpoint;
use crate::run::error::RunError;
use crate::run::output::names::{CHECKPOINT_FILE, CHECKPOINT_PARTS_FOLDER};
use crate::run::output::summary;
use crate::run::parts;
use crate::run::run::{Run, output_error};
use crate::run::types::{ModelError, round_time};
use std::borrow::Cow;
use std::path::PathBuf;
use std::time::Duration;
use web_time::Instant;

impl Run<'_> {
    /// Writes a checkpoint between two steps. Writing a checkpoint does not change the steps, so
    /// later results do not depend on it.
    ///
    /// # Errors
    /// Returns [`RunError::Output`] if the checkpoint cannot be written. The previous checkpoint is
    /// kept in this case.
    pub(in crate::run) fn write_checkpoint(&mut self) -> Result<PathBuf, RunError> {
        if self.executor.has_checkpoint_parts() {
            let folder = self.folder.clone();
            let written = parts::write_checkpoint(&folder, |path, generation| {
                let parts = self.executor.write_parts(path, generation)?;
                parts::write_manifest(path, &self.run_state(parts.volume, None), &parts)?;
                Ok(parts)
            });
            let path = written.map_err(|error| {
                output_error(&folder.join(CHECKPOINT_PARTS_FOLDER), error.to_string())
            })?;
            // The new checkpoint replaces this file. Failing to remove it is harmless.
            let _ = std::fs::remove_file(folder.join(CHECKPOINT_FILE));
            return Ok(path);
        }
        let path = self.folder.join(CHECKPOINT_FILE);
        let failed = |error: ModelError| output_error(&path, error.to_string());
        let hash = summary::format_hash(self.executor.compute_state_hash().map_err(failed)?);
        let volume = self.executor.volume_balance().map_err(failed)?.now;
        let head = self.run_state(volume, Some(hash));
        checkpoint::write(&path, FILE_MAGIC, &head, |into| self.executor.write_state(into))
            .map_err(|error| output_error(&path, error.to_string()))?;
        let _ = parts::remove_checkpoint(&self.folder);
        Ok(path)
    }

    /// Returns the state of the run without the state of the world. `volume` (m³, or cells in the
    /// model `blocks`) and `state_hash` describe the state of the world.
    fn run_state(&self, volume: f64, state_hash: Option<String>) -> RunState<'_> {
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
        RunState {
            fingerprint: self.scene.fingerprint(),
            inputs: Cow::Borrowed(&self.inputs),
            clock: self.clock,
            schedule_progress: Cow::Borrowed(&self.done),
            frames: self.frames.count,
            readings: Cow::Borrowed(&self.readings),
            ledger: Cow::Borrowed(&self.ledger),
            rejected_events: Cow::Borrowed(&self.rejected_events),
            wall_seconds: self.wall_before + self.started_at.elapsed().as_secs_f64(),
            wall_times: self.wall_times(),
            info,
        }
    }

    /// Writes a periodic checkpoint if one is due, and returns the wall time spent (0 if none is
    /// due). If the checkpoint cannot be written, the run continues, and its summary reports the
    /// problem.
    ///
    /// # Errors
    /// Returns an error if the world's state cannot be copied from a device or checked.
    pub(in crate::run) fn checkpoint_if_due(&mut self) -> Result<Duration, ModelError> {
        if self.checkpoint_interval.is_none_or(|every| self.last_checkpoint.elapsed() < every) {
            return Ok(Duration::ZERO);
        }
        let started_at = Instant::now();
        self.executor.read_back()?;
        // A world with non-finite values fails soon and must not replace a good checkpoint.
        if self.executor.is_state_finite()? {
            let time = self.executor.time();
            self.checkpoint_error =
                self.write_checkpoint().err().map(|error| (time, error.to_string()));
        }
        // Set after the write, so that slow writes do not take most of the run's time.
        self.last_checkpoint = Instant::now();
        Ok(started_at.elapsed())
    }

    /// Writes a checkpoint after the run has failed, unless the world's state has values that are
    /// not finite. Ignores errors.
    pub(in crate::run) fn checkpoint_after_failure(&mut self) {
        // The world continues from the state that was last copied from the device, at a stop.
        // Nothing else has changed since then.
        self.executor.discard_device_copy();
        if self.executor.is_state_finite().unwrap_or(false) {
            // Writing may also fail, for example on a full disk. The last checkpoint is then kept.
            let _ = self.write_checkpoint();
        }
    }

    /// Returns messages for the user about the run itself, such as rejected events. Excludes
    /// messages about the world.
    pub(in crate::run) fn notices(&self) -> Vec<String> {
        let unit = self.scene.clock().unit;
        let checkpoint_error = self.checkpoint_error.iter();
        let checkpoint_error = checkpoint_error.map(|(time, why)| {
            format!("no checkpoint was written at {}{unit}: {why}", round_time(*time))
        });
        let late = self.scene.events_after_end().into_iter().map(|(i, time)| {
            let until = self.scene.until();
            format!(
                "event[{i}] has no effect: {time}{unit} is after the end of the run, {until}{unit}"
            )
        });
        self.rejected_events.notices(unit).chain(checkpoint_error).chain(late).collect()
    }
}
