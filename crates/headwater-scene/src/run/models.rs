//! Which simulation runs which scene: the one place of a run that knows the models by name.

use super::blocks::BlocksRun;
use super::columns::ColumnsRun;
use super::flow::FlowRun;
use super::hydrology::HydrologyRun;
use super::simulation::Simulation;
use super::waves::WavesRun;
use crate::schema::{Scene, SceneError};

/// The world of a scene as it is at its start.
///
/// # Errors
/// [`SceneError`] if a file cannot be used, or something does not fit the grid that came from it.
pub fn simulation(scene: &Scene) -> Result<Box<dyn Simulation + '_>, SceneError> {
    Ok(match scene {
        Scene::Flow(scene) => Box::new(FlowRun::new(scene)?),
        Scene::Waves(scene) => Box::new(WavesRun::new(scene)?),
        Scene::Blocks(scene) => Box::new(BlocksRun::new(scene)?),
        Scene::Columns(scene) => Box::new(ColumnsRun::new(scene)?),
        Scene::Hydrology(scene) => Box::new(HydrologyRun::new(scene)?),
    })
}
