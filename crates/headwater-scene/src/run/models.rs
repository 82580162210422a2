//! Construction of worlds from scenes.

use super::backend::Backend;
use super::error::RunError;
use super::simulation::Simulation;
use crate::scene::{Scene, SceneError};

/// Builds the world of a scene at its start.
///
/// # Errors
/// [`SceneError`] if a file cannot be used, or the scene does not fit the grid of the file.
pub fn simulation(scene: &Scene) -> Result<Box<dyn Simulation>, SceneError> {
    scene.world()
}

/// Builds the world of a scene on a backend.
///
/// # Errors
/// As for [`simulation`], and [`RunError::Backend`] if the backend cannot step the scene's world.
pub fn simulation_on(scene: &Scene, backend: &Backend) -> Result<Box<dyn Simulation>, RunError> {
    let mut simulation = simulation(scene)?;
    move_to(&mut *simulation, scene, backend)?;
    Ok(simulation)
}

/// Moves the world of a scene to a backend.
///
/// # Errors
/// [`RunError::Backend`] if the backend cannot step it, or it cannot be copied back from the
/// previous backend. The world then stays there.
pub(crate) fn move_to(
    simulation: &mut dyn Simulation,
    scene: &Scene,
    backend: &Backend,
) -> Result<(), RunError> {
    if !matches!(backend, Backend::Cpu) && !simulation.supports_devices() {
        let (model, limit) = (scene.model(), backend.limitation());
        return Err(RunError::Backend(format!("the model `{model}` {limit}")));
    }
    simulation.set_backend(backend).map_err(|error| RunError::Backend(error.to_string()))
}
