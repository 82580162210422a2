//! [`EditLog`]: what a live world was made of, and what was done to it after which step: enough to make it again, to the bit.

use super::error::LiveError;
use super::journal::Change;
use super::live::Live;
use crate::run::{ModelError, RunError};
use crate::scene::Files;
use serde::{Deserialize, Serialize};
use std::path::Path;

/// Steps that are done together.
const TOGETHER: u64 = 8;

/// How a live world came to be: a few kilobytes, to be sent to somebody else. Unlike the world's [text](Live::text) it knows after
/// which step a parameter was changed. What was done while the world was [settling](Live::is_settling), or stepped on a GPU with
/// other physics than pipes, need not come out the same.
///
/// ```
/// use headwater_scene::library;
/// use headwater_scene::live::{Live, EditLog};
/// use headwater_scene::scene::Files;
///
/// let pond = library::scene("rain-on-pond").ok_or("no such scene")?;
/// let mut live = Live::new(pond.name, pond.text)?;
/// live.steps(20)?;
/// live.set("physics.damping", 0.5.into())?;
/// live.steps(20)?;
/// let log = serde_json::to_string(&live.edit_log())?;
///
/// let log: EditLog = serde_json::from_str(&log)?;
/// let mut again = log.start(None, &Files::disk())?;
/// while log.replay(&mut again, &mut || false)? {}
/// assert_eq!(again.state_hash(), live.state_hash());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EditLog {
    /// What the scene is called.
    name: String,
    /// The text that it began with.
    text: String,
    /// How many steps it has done.
    steps: u64,
    /// What was done, and after how many steps.
    done: Vec<(u64, Change)>,
}

impl EditLog {
    /// What the scene is called.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The text that the world began with.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// How many steps the world has done.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// The world as it began. Its paths are relative to a directory: the current one, if none is named.
    ///
    /// # Errors
    /// [`RunError`] if the scene cannot be used.
    pub fn start(&self, directory: Option<&Path>, files: &Files) -> Result<Live, RunError> {
        Live::with(&self.name, &self.text, &[], directory, files)
    }

    /// Does again what was done, in a world that this log [began](Self::start) and nobody else has touched, until somebody says
    /// that it is enough for now, who is asked after every few steps. True as long as there is more to do.
    ///
    /// # Errors
    /// [`RunError`] if the model fails or refuses something, which it did not before.
    pub fn replay(
        &self,
        live: &mut Live,
        enough: &mut dyn FnMut() -> bool,
    ) -> Result<bool, RunError> {
        self.replay_until(live, f64::INFINITY, enough)
    }

    /// The same up to a time, or less than a step later. The world may also be an earlier [`SavedState`](super::SavedState) of the one that the
    /// log tells of. In browsers one on a GPU may be on its way: then it is enough for now.
    ///
    /// # Errors
    /// As [`replay`](Self::replay).
    pub fn replay_until(
        &self,
        live: &mut Live,
        time: f64,
        enough: &mut dyn FnMut() -> bool,
    ) -> Result<bool, RunError> {
        loop {
            let next = self.done.get(live.journal.changes.len());
            let goal = next.map_or(self.steps, |(steps, _)| *steps);
            let now = live.simulation().steps();
            if now < goal {
                if !live.is_before(time) || !live.is_ready() {
                    return Ok(true);
                }
                let fit = (time - live.clock()) / live.pace;
                // Before the first step nobody knows how long it will be.
                let near = time.is_finite() && !fit.is_finite();
                let most = if near { 1 } else { fit.ceil().clamp(1.0, TOGETHER as f64) as u64 };
                if live.step_batch(most.min(goal - now))? == 0 {
                    return Ok(true);
                }
            } else if let Some((_, change)) = next {
                if !live.read_back() {
                    return Ok(true);
                }
                let done = match change {
                    Change::Event(entry) => live.edit(entry),
                    Change::Value(key, value) => live.set(key, value.clone()),
                };
                done.map_err(|error| refused(live, &error))?;
            } else {
                return Ok(false);
            }
            if enough() {
                return Ok(true);
            }
        }
    }
}

fn refused(live: &Live, error: &LiveError) -> RunError {
    let (time, unit) = (live.clock(), live.scene().clock().unit);
    RunError::Model { time, unit, source: ModelError::from(error.to_string()) }
}

impl Live {
    /// How this world came to be: not to be used when something was done to it that no entry tells
    /// ([`world_mut`](Self::world_mut)), or it went on from a [snapshot](Self::restore) of another.
    pub fn edit_log(&self) -> EditLog {
        let (changes, marks) = (&self.journal.changes, &self.journal.marks);
        let done =
            marks.iter().copied().zip(changes.iter().map(|change| (**change).clone())).collect();
        let (name, text) = (self.name.clone(), self.journal.base.clone());
        EditLog { name, text, steps: self.simulation.steps(), done }
    }
}
