//! [`hash_after_steps`]: computes a hash of a world's state after a number of steps, to compare
//! results between machines.

use super::live::Live;
use crate::run::RunError;
use headwater_io::Files;
use serde::Serialize;
use std::path::Path;
use web_time::Instant;

/// Hash of a world's state after a number of steps, and data of the run in which it was computed.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct StateHash {
    /// Name of the scene.
    pub scene: String,
    /// Number of steps that the world has taken.
    pub steps: u64,
    /// Simulated time after these steps (s; in the model `hydrology`, raindrops per cell).
    pub time: f64,
    /// Hash of the state as 16 hexadecimal digits. Equal states have equal hashes on every machine.
    pub hash: String,
    /// Wall time for taking the steps (s). This time differs between runs and has no influence on
    /// the hash.
    pub seconds: f64,
}

/// Runs a scene for `steps` steps, including its events, and returns a hash of the resulting state.
/// If necessary, the run continues beyond the scene's end time. `text` is the TOML source of the
/// scene, and `name` is its name in error messages. Relative paths in the scene start at
/// `directory`, or at the current directory if `directory` is `None`.
///
/// ```
/// use headwater_scene::{library, live::hash_after_steps};
/// let scene = library::find_scene("u-tube").ok_or("no such scene")?;
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
    let mut live = Live::with_options(name, text, &[], directory, &Files::from_disk())?;
    let started = Instant::now();
    live.take_steps(steps)?;
    Ok(StateHash {
        scene: name.into(),
        steps: live.simulation().steps(),
        time: live.simulation().time(),
        hash: format!("{:016x}", live.state_hash()),
        seconds: started.elapsed().as_secs_f64(),
    })
}
