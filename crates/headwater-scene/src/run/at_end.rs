//! [`outcome`]: what a scene's world has come to, with nothing drawn, measured or written.

use super::error::RunError;
use super::models::simulation;
use super::outcome::TOGETHER;
use super::schedule::{Due, Schedule};
use super::simulation::Simulation;
use crate::scene::Scene;

/// A scene's world at its end, with all its events but those that the world refuses, as in a run; nothing is drawn, measured or written.
///
/// # Errors
/// [`RunError`] if the scene's files cannot be used, or the model fails.
pub fn outcome(scene: &Scene) -> Result<Box<dyn Simulation>, RunError> {
    let mut world = simulation(scene)?;
    let schedule = Schedule::new(scene);
    let mut done = schedule.start();
    let mut clock = world.time();
    let unit = scene.clock().unit;
    let model = |time, source| RunError::Model { time, unit, source };
    while world.prepare_step().map_err(|source| model(clock, source))? {}
    loop {
        while let Some(due) = schedule.take(&mut done, clock) {
            act(&mut *world, due);
        }
        let stop = schedule.next_stop(&done, clock);
        let ends = clock >= scene.until();
        while ends || !world.is_at(stop) {
            while let Some(due) = schedule.take_passing(&mut done, world.time().max(clock)) {
                act(&mut *world, due);
            }
            if ends {
                return Ok(world);
            }
            let most = if schedule.passes_before(&done, stop) { 1 } else { TOGETHER };
            world.steps_toward(stop, most).map_err(|source| model(clock, source))?;
        }
        clock = stop;
    }
}

fn act(world: &mut dyn Simulation, due: Due) {
    if let Due::Event(i) = due {
        // What is refused changes nothing.
        let _ = world.act(i);
    }
}
