//! [`run_to_end`]: advances the world of a scene to its end without writing files.

use super::error::RunError;
use super::executor::StepLimit;
use super::executor::models::build_simulation;
use super::executor::simulation::Simulation;
use super::schedule::{Schedule, ScheduledTask};
use super::types::STEPS_PER_CALL;
use crate::scene::Scene;

/// Builds the world of a scene, steps it to the end of the scene, and returns it. Events are
/// applied as in a run, and events that the world rejects are skipped. No pictures, gauges or files
/// are written.
///
/// # Errors
/// Returns [`RunError`] if a file of the scene cannot be used, or if the model fails.
pub fn run_to_end(scene: &Scene) -> Result<Box<dyn Simulation>, RunError> {
    let mut world = build_simulation(scene)?;
    let schedule = Schedule::new(scene);
    let mut done = schedule.initial_progress();
    let mut clock = world.time();
    let unit = scene.clock().unit;
    let model = |time, source| RunError::Model { time, unit, source };
    while world.relaxation_step().map_err(|source| model(clock, source))? {}
    loop {
        while let Some(due) = schedule.take_due(&mut done, clock) {
            apply_event(&mut *world, due);
        }
        let stop = schedule.next_stop(&done, clock);
        let ends = clock >= scene.until();
        while ends || !world.has_reached(stop) {
            while let Some(due) =
                schedule.take_non_stopping_event(&mut done, world.time().max(clock))
            {
                apply_event(&mut *world, due);
            }
            if ends {
                return Ok(world);
            }
            let max_steps = if schedule.has_non_stopping_event_before(&done, stop) {
                1
            } else {
                STEPS_PER_CALL
            };
            world
                .step_toward(stop, StepLimit::Steps(max_steps))
                .map_err(|source| model(clock, source))?;
        }
        clock = stop;
    }
}

fn apply_event(world: &mut dyn Simulation, due_task: ScheduledTask) {
    if let ScheduledTask::Event(i) = due_task {
        // A rejected event changes nothing.
        let _ = world.apply_event(i);
    }
}
