//! [`hash_after_steps`]: state hash of a scene after a number of steps, to compare results between
//! machines.

use super::live::Live;
use crate::run::RunError;
use headwater_io::Files;
use serde::Serialize;
use std::path::Path;
use web_time::Instant;

/// State hash of a scene's world after a number of steps.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct StateHash {
    /// Name of the scene.
    pub scene: String,
    /// Number of steps done.
    pub steps: u64,
    /// Simulated time, in the scene's unit.
    pub time: f64,
    /// State hash as sixteen hexadecimal digits, equal on every machine.
    pub hash: String,
    /// Wall time of the steps (s). It differs between runs and is not part of the hash.
    pub seconds: f64,
}

/// Steps the world of a scene `steps` times with all events, beyond the scene's end time if
/// necessary, and returns the hash of its state. Relative paths in the scene start at `directory`,
/// or at the current directory if it is `None`.
///
/// ```
/// use headwater_scene::{library, live::hash_after_steps};
/// let scene = library::scene("u-tube").ok_or("no such scene")?;
/// let few = hash_after_steps(scene.name, scene.text, None, 3)?;
/// let more = hash_after_steps(scene.name, scene.text, None, 30)?;
/// assert!(few.steps == 3 && few.hash.len() == 16 && few.hash != more.hash);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Returns [`RunError`] if the scene cannot be used, or the model fails.
pub fn hash_after_steps(
    name: &str,
    text: &str,
    directory: Option<&Path>,
    steps: u64,
) -> Result<StateHash, RunError> {
    let mut live = Live::with_options(name, text, &[], directory, &Files::disk())?;
    let started = Instant::now();
    live.steps(steps)?;
    Ok(StateHash {
        scene: name.into(),
        steps: live.simulation().steps(),
        time: live.simulation().time(),
        hash: format!("{:016x}", live.state_hash()),
        seconds: started.elapsed().as_secs_f64(),
    })
}
