//! [`dry_run`]: applies the events of a scene before a run and reports those that the world
//! rejects.

use super::executor::simulation::Simulation;
use crate::scene::{Scene, SceneError};

/// Applies each event of a scene once to `world`, the scene's initial world, in the order of the
/// events' times. Takes no steps, because the world accepts or rejects an event independently of
/// the water: only positions, walls and parameters matter.
///
/// # Errors
/// Returns [`SceneError`] with all rejected events. A run skips rejected events and continues.
pub fn dry_run(scene: &Scene, world: &mut dyn Simulation) -> Result<(), SceneError> {
    let times = scene.events();
    let mut order: Vec<usize> = (0..times.len()).collect();
    // Same order as in a run: simultaneous stopping events first, then by position in the list.
    order.sort_by(|&a, &b| {
        let (a, b) = (&times[a], &times[b]);
        a.time.total_cmp(&b.time).then(a.in_passing.cmp(&b.in_passing))
    });
    let refused = order.into_iter().filter_map(|event| {
        let error = world.apply_event(event).err()?;
        Some((format!("event[{event}]"), error.to_string()))
    });
    let refused: Vec<_> = refused.collect();
    if refused.is_empty() { Ok(()) } else { Err(scene.origin().locate_problems(refused)) }
}
