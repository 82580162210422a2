//! [`HeadwaterSystems`]: system sets of a step.

use bevy::ecs::prelude::*;

/// System sets of a step, in this order. Run conditions on these sets pause all waters:
/// `app.configure_sets(FixedUpdate, HeadwaterSystems::Step.run_if(in_state(Game::Running)))`.
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum HeadwaterSystems {
    /// Starts loaded scenes, launches bodies, applies edits.
    Prepare,
    /// Advances every water by the delta of the schedule's clock.
    Step,
    /// Writes transforms of bodies, and sensors.
    Writeback,
}
