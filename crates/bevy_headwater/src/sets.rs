//! [`HeadwaterSystems`]: system sets of a water step, for ordering and for run conditions.

use bevy::ecs::prelude::*;

/// System sets of a water step, in execution order. To pause all water, add a run condition to
/// `Step`, for example `app.configure_sets(FixedUpdate,
/// HeadwaterSystems::Step.run_if(in_state(Game::Running)))`.
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum HeadwaterSystems {
    /// Starts loaded scenes, launches bodies and applies edits.
    Prepare,
    /// Advances every water entity by the time step (`delta`) of the schedule's `Time`.
    Step,
    /// Writes the transforms of entities that follow bodies, and updates sensors.
    Writeback,
}
