//! [`hash_after_steps`]: returns a hash of a scene's state after a number of steps, to compare
//! results between machines.

use super::live::Live;
use crate::run::RunError;
use headwater_io::Files;
use serde::Serialize;
use std::path::Path;
use web_time::Instant;

/// Hash of the state of a scene's world after a number of steps.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct StateHash {
    /// Name of the scene.
    pub scene: String,
    /// Number of steps that the world has done.
    pub steps: u64,
    /// Simulated time (s; in the model `hydrology`, drops per cell).
    pub time: f64,
    /// Hash of the state as 16 hexadecimal digits. The hash of a state is the same on every
    /// machine.
    pub hash: String,
    /// Wall time of the steps (s). It differs between runs and has no influence on the hash.
    pub seconds: f64,
}

/// Does `steps` steps of a scene with all events, beyond the scene's end time if necessary, and
/// returns a hash of the resulting state. `text` is the TOML source of the scene, and `name` is its
/// name in error messages. Relative paths in the scene start at `directory`, or at the current
/// directory if `directory` is `None`.
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
    live.do_steps(steps)?;
    Ok(StateHash {
        scene: name.into(),
        steps: live.simulation().steps(),
        time: live.simulation().time(),
        hash: format!("{:016x}", live.state_hash()),
        seconds: started.elapsed().as_secs_f64(),
    })
}
