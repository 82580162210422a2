//! How a run keeps its state: in a checkpoint every so often, when it is stopped, and when something fails.

use super::checkpoint::{self, CheckpointInfo, Head, WHOLE};
use super::error::RunError;
use super::names::{CHECKPOINT, PARTS};
use super::outcome::ModelError;
use super::run::{Run, output_error};
use super::{parts, summary};
use std::borrow::Cow;
use std::path::PathBuf;
use std::time::Duration;
use web_time::Instant;

impl Run<'_> {
    /// Writes a checkpoint of the run as it is between two steps. It makes no stop, so what comes after is what would have come
    /// without it.
    pub(super) fn keep(&self) -> Result<PathBuf, RunError> {
        let simulation = &self.simulation;
        if simulation.is_spread() {
            let written = parts::write(
                &self.folder,
                |folder, generation| simulation.keep_parts(folder, generation),
                |kept| self.head(kept.volume, None),
            );
            let path = written
                .map_err(|error| output_error(&self.folder.join(PARTS), error.to_string()))?;
            // Whatever is there of an earlier one is no longer of use. What cannot be removed is of no harm.
            let _ = std::fs::remove_file(self.folder.join(CHECKPOINT));
            return Ok(path);
        }
        let path = self.folder.join(CHECKPOINT);
        let hash = summary::hash_text(simulation.state_hash());
        let head = self.head(simulation.ledger().now, Some(hash));
        checkpoint::write(&path, WHOLE, &head, |into| simulation.write_state(into))
            .map_err(|error| output_error(&path, error.to_string()))?;
        let _ = parts::remove(&self.folder);
        Ok(path)
    }

    /// What the run knows of itself, with the water that is there and the state's hash.
    fn head(&self, volume: f64, state_hash: Option<String>) -> Head<'_> {
        let simulation = &self.simulation;
        let grid = simulation.grid();
        let info = CheckpointInfo {
            model: self.scene.model().into(),
            lattice: grid.lattice,
            nx: grid.nx,
            ny: grid.ny,
            simulated_seconds: simulation.time(),
            steps: simulation.steps(),
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
    pub(super) fn keep_if_due(&mut self) -> Result<Duration, ModelError> {
        if self.keep_every.is_none_or(|every| self.kept.elapsed() < every) {
            return Ok(Duration::ZERO);
        }
        let begun = Instant::now();
        self.simulation.read_back()?;
        // One that is not sound ends the run soon, and is not to take the place of one that is.
        if self.simulation.is_sound() {
            let time = self.simulation.time();
            self.unkept = self.keep().err().map(|error| (time, error.to_string()));
        }
        // From its end on, so that a world that takes long to write still has most of the time to itself.
        self.kept = Instant::now();
        Ok(begun.elapsed())
    }

    /// Keeps what there is after a failure, if it is worth going on from.
    pub(super) fn rescue(&mut self) {
        // The world is as it was brought back last: it was at a stop then, and nothing has been done since.
        self.simulation.abandon();
        if self.simulation.is_sound() {
            // Where the failure is a full disk, there is no room for this either; the last checkpoint is still there then.
            let _ = self.keep();
        }
    }

    /// What there is to say of the run itself, besides what its world says.
    pub(super) fn notices(&self) -> Vec<String> {
        let unit = self.scene.clock().unit;
        let unkept = self.unkept.iter();
        let unkept =
            unkept.map(|(time, why)| format!("no checkpoint was written at {time}{unit}: {why}"));
        self.refusals.notices(unit).chain(unkept).collect()
    }
}
