//! [`EditLog`]: the TOML source of a scene and all edits with their step numbers, for an exact
//! replay.
//!
//! In contrast, the journal of an interactive world writes edits as entries of a scene, and does
//! not record the step at which a parameter was changed. Replaying the log reproduces the world bit
//! for bit.

use super::error::LiveError;
use super::journal::SerializableEdit;
use super::live::Live;
use crate::run::{ModelError, RunError};
use headwater_io::Files;
use serde::{Deserialize, Serialize};
use std::path::Path;

/// Largest number of steps between two calls of the `should_pause` callback in [`EditLog::replay`].
const STEPS_PER_CALLBACK: u64 = 8;

/// TOML source of a scene and all edits of its interactive world, with the step number of each
/// edit. [Replaying](Self::replay) the log reproduces the world bit for bit. A log takes a few
/// kilobytes.
///
/// Unlike the world's [text](Live::text), it records the step at which a parameter was changed.
/// Edits made while the world was [settling](Live::is_settling), or stepped on a GPU with physics
/// other than pipes, are not reproduced exactly.
///
/// ```
/// use headwater_scene::library;
/// use headwater_scene::live::{Live, EditLog};
/// use headwater_scene::scene::Files;
///
/// let pond = library::find_scene("rain-on-pond").ok_or("no such scene")?;
/// let mut live = Live::new(pond.name, pond.text)?;
/// live.take_steps(20)?;
/// live.set("physics.damping", 0.5.into())?;
/// live.take_steps(20)?;
/// let log = serde_json::to_string(&live.edit_log())?;
///
/// let log: EditLog = serde_json::from_str(&log)?;
/// let mut again = log.create_world(None, &Files::from_disk())?;
/// while log.replay(&mut again, &mut || false)? {}
/// assert_eq!(again.state_hash(), live.state_hash());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EditLog {
    /// Name of the scene, for error messages.
    name: String,
    /// TOML source of the scene from which the world started, including overrides.
    text: String,
    /// Number of steps that the world has taken.
    steps: u64,
    /// Edits in the order in which they were made, each with the step count at that time.
    #[serde(rename = "done")]
    edits: Vec<(u64, SerializableEdit)>,
}

impl EditLog {
    /// Returns the name of the scene, for error messages.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the TOML source of the scene from which the world started, including overrides.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns the number of steps that the world has taken.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// Creates the world in its initial state. Relative paths in the scene start at `directory`, or
    /// at the current directory if `directory` is `None`. `files` provides the contents of the
    /// files that the scene refers to.
    ///
    /// # Errors
    /// Returns [`RunError`] if the scene cannot be used.
    pub fn create_world(&self, directory: Option<&Path>, files: &Files) -> Result<Live, RunError> {
        Live::with_options(&self.name, &self.text, &[], directory, files)
    }

    /// Replays the recorded steps and edits in `live`, a world that was created with
    /// [`create_world`](Self::create_world) of this log and has no other edits. Calls
    /// `should_pause` every few steps, and pauses when it returns true. Returns true while there is
    /// more to replay.
    ///
    /// # Errors
    /// Returns [`RunError`] if the model fails or rejects an edit.
    pub fn replay(
        &self,
        live: &mut Live,
        should_pause: &mut dyn FnMut() -> bool,
    ) -> Result<bool, RunError> {
        self.replay_until(live, f64::INFINITY, should_pause)
    }

    /// Replays steps and edits like [`replay`](Self::replay), but only up to the time `time` (s).
    /// The world stops at this time or less than one step later. `live` may also be the world from
    /// which the log was taken, after it was restored to an earlier
    /// [`SavedState`](super::SavedState). Returns true while there is more to replay and, in
    /// browsers, while a world on a GPU is being copied to the host.
    ///
    /// # Errors
    /// Returns [`RunError`] if the model fails or rejects an edit.
    pub fn replay_until(
        &self,
        live: &mut Live,
        time: f64,
        should_pause: &mut dyn FnMut() -> bool,
    ) -> Result<bool, RunError> {
        loop {
            let next = self.edits.get(live.journal.changes.len());
            let goal = next.map_or(self.steps, |(steps, _)| *steps);
            let now = live.simulation().steps();
            if now < goal {
                if !live.is_before(time) || !live.is_ready() {
                    return Ok(true);
                }
                let fit = (time - live.clock()) / live.mean_step_length;
                // The step length is unknown before the first step.
                let near = time.is_finite() && !fit.is_finite();
                let max_steps =
                    if near { 1 } else { fit.ceil().clamp(1.0, STEPS_PER_CALLBACK as f64) as u64 };
                if live.step_batch(max_steps.min(goal - now))? == 0 {
                    return Ok(true);
                }
            } else if let Some((_, change)) = next {
                if !live.read_back() {
                    return Ok(true);
                }
                let result = match change {
                    SerializableEdit::Event(entry) => live.edit(entry),
                    SerializableEdit::Value(key, value) => live.set(key, value.clone()),
                };
                result.map_err(|error| replay_error(live, &error))?;
            } else {
                return Ok(false);
            }
            if should_pause() {
                return Ok(true);
            }
        }
    }
}

fn replay_error(live: &Live, error: &LiveError) -> RunError {
    let (time, unit) = (live.clock(), live.scene().clock().unit);
    RunError::Model { time, unit, source: ModelError::from(error.to_string()) }
}

impl Live {
    /// Returns a log of all edits of this world. The log is incomplete if the world was changed
    /// through [`world_mut`](Self::world_mut) or [`model_mut`](Self::model_mut), or if it was
    /// [restored](Self::restore) from a snapshot of another world.
    pub fn edit_log(&self) -> EditLog {
        let (changes, edit_steps) = (&self.journal.changes, &self.journal.edit_steps);
        let written = changes.iter().map(|change| change.to_serializable().into_owned());
        let edits = edit_steps.iter().copied().zip(written).collect();
        let (name, text) = (self.name.clone(), self.journal.base.clone());
        EditLog { name, text, steps: self.simulation.steps(), edits }
    }
}
