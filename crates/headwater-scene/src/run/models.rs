//! From a scene to its world.

use super::backend::Backend;
use super::error::RunError;
use super::simulation::Simulation;
use crate::scene::{Scene, SceneError};

/// The world of a scene as it is at its start.
///
/// # Errors
/// [`SceneError`] if a file cannot be used, or something does not fit the grid that came from it.
pub fn simulation(scene: &Scene) -> Result<Box<dyn Simulation>, SceneError> {
    scene.world()
}

/// The same, stepped by a backend.
///
/// # Errors
/// As [`simulation`], and [`RunError::Backend`] if the backend cannot step the scene's world.
pub fn simulation_on(scene: &Scene, backend: &Backend) -> Result<Box<dyn Simulation>, RunError> {
    let mut simulation = simulation(scene)?;
    move_to(&mut *simulation, scene, backend)?;
    Ok(simulation)
}

/// Has the world of a scene stepped by a backend from now on.
///
/// # Errors
/// [`RunError::Backend`] if the backend cannot step it, or it cannot be brought back from where it was; then it stays there.
pub(crate) fn move_to(
    simulation: &mut dyn Simulation,
    scene: &Scene,
    backend: &Backend,
) -> Result<(), RunError> {
    if !matches!(backend, Backend::Cpu) && !simulation.supports_devices() {
        let (model, instead) = (scene.model(), backend.instead());
        return Err(RunError::Backend(format!("the model `{model}` {instead}")));
    }
    simulation.set_backend(backend).map_err(|error| RunError::Backend(error.to_string()))
}
