//! [`HeadwaterSystems`]: what is done to waters in a step.

use bevy::ecs::prelude::*;

/// What is done to waters in a step, in this order. Conditions on these sets pause all waters at once:
/// `app.configure_sets(FixedUpdate, HeadwaterSystems::Step.run_if(in_state(Game::Running)))`.
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum HeadwaterSystems {
    /// Scenes that were loaded begin, bodies are launched, edits done.
    Prepare,
    /// Every water is advanced by the time of the schedule's clock.
    Step,
    /// Transforms of bodies and sensors are written.
    Writeback,
}
