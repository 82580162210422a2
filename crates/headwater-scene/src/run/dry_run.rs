//! [`dry_run`]: events tried before there is a run, so that a check tells what the world will refuse.

use super::simulation::Simulation;
use crate::scene::{Scene, SceneError};

/// Does the events of a scene, each once and in the order of their times, to its `world` as it is at the start. What a world refuses
/// hangs on places, walls and parameters, which are then what they are when the time of an event comes; not on where the water is.
///
/// # Errors
/// [`SceneError`] with all events that the world refuses. A run leaves them out.
pub fn dry_run(scene: &Scene, world: &mut dyn Simulation) -> Result<(), SceneError> {
    let times = scene.setting().events();
    let mut order: Vec<usize> = (0..times.len()).collect();
    // As a run does them: at one time first those that make a stop, then in the order of the list.
    order.sort_by(|&a, &b| {
        let (a, b) = (&times[a], &times[b]);
        a.time.total_cmp(&b.time).then(a.in_passing.cmp(&b.in_passing))
    });
    let refused = order.into_iter().filter_map(|event| {
        let error = world.apply_event(event).err()?;
        Some((format!("event[{event}]"), error.to_string()))
    });
    let refused: Vec<_> = refused.collect();
    if refused.is_empty() { Ok(()) } else { Err(scene.setting().origin().locate(refused)) }
}
