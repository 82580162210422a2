//! [`hash_after_steps`]: what a scene comes to after so many steps, for comparing machines.

use super::live::Live;
use crate::run::RunError;
use crate::scene::Files;
use serde::Serialize;
use std::path::Path;
use web_time::Instant;

/// What a world has come to.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct StateHash {
    /// The scene's name.
    pub scene: String,
    /// Steps done.
    pub steps: u64,
    /// The world's time, in the scene's unit.
    pub time: f64,
    /// What the state hashes to, as sixteen hexadecimal digits: the same on every machine.
    pub hash: String,
    /// Wall time that the steps took (s), which is nobody's state.
    pub seconds: f64,
}

/// Does `steps` steps of a scene, with all events that are due in between, beyond the scene's end if need be. Its paths
/// are relative to a directory: the current one, if none is named.
///
/// ```
/// use headwater_scene::{library, live::hash_after_steps};
/// let scene = library::scene("u-tube").ok_or("no such scene")?;
/// let (few, more) = (hash_after_steps(scene.name, scene.text, None, 3)?, hash_after_steps(scene.name, scene.text, None, 30)?);
/// assert!(few.steps == 3 && few.hash.len() == 16 && few.hash != more.hash);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`RunError`] if the scene cannot be used, or the model fails.
pub fn hash_after_steps(
    name: &str,
    text: &str,
    directory: Option<&Path>,
    steps: u64,
) -> Result<StateHash, RunError> {
    let mut live = Live::with(name, text, &[], directory, &Files::disk())?;
    let begun = Instant::now();
    live.steps(steps)?;
    Ok(StateHash {
        scene: name.into(),
        steps: live.simulation().steps(),
        time: live.simulation().time(),
        hash: format!("{:016x}", live.state_hash()),
        seconds: begun.elapsed().as_secs_f64(),
    })
}
