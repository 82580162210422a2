//! Which simulation runs which scene: the one place of a run that knows the models by name.

use super::RunError;
use super::backend::Backend;
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
pub fn simulation(scene: &Scene) -> Result<Box<dyn Simulation>, SceneError> {
    Ok(match scene {
        Scene::Flow(scene) => Box::new(FlowRun::new(scene)?),
        Scene::Waves(scene) => Box::new(WavesRun::new(scene)?),
        Scene::Blocks(scene) => Box::new(BlocksRun::new(scene)?),
        Scene::Columns(scene) => Box::new(ColumnsRun::new(scene)?),
        Scene::Hydrology(scene) => Box::new(HydrologyRun::new(scene)?),
    })
}

/// The same, stepped by a backend.
///
/// # Errors
/// As [`simulation`], and [`RunError::Backend`] if the backend cannot step the scene's model.
pub fn simulation_on(scene: &Scene, backend: &Backend) -> Result<Box<dyn Simulation>, RunError> {
    match backend {
        Backend::Cpu => Ok(simulation(scene)?),
        #[cfg(feature = "gpu")]
        Backend::Gpu(gpu) => match scene {
            Scene::Flow(scene) => Ok(Box::new(FlowRun::new(scene)?.on_gpu(gpu)?)),
            Scene::Waves(scene) => Ok(Box::new(WavesRun::new(scene)?.on_gpu(gpu)?)),
            Scene::Blocks(_) | Scene::Columns(_) | Scene::Hydrology(_) => {
                let model = scene.model();
                Err(RunError::Backend(format!("the model `{model}` runs on the CPU alone")))
            }
        },
    }
}
