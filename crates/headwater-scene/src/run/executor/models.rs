//! Functions that build the world of a scene, on any backend.

use super::backend::Backend;
use super::simulation::Simulation;
use crate::run::error::RunError;
use crate::scene::{Scene, SceneError};

/// Builds the initial world of a scene on the CPU.
///
/// # Errors
/// Returns [`SceneError`] if a file cannot be used, or if the scene does not fit the grid that a
/// file defines.
pub fn build_simulation(scene: &Scene) -> Result<Box<dyn Simulation>, SceneError> {
    scene.build_world()
}

/// Builds the initial world of a scene on a backend.
///
/// # Errors
/// Returns the errors of [`build_simulation`], and [`RunError::Backend`] if the backend cannot step
/// the world.
pub fn build_simulation_on(
    scene: &Scene,
    backend: &Backend,
) -> Result<Box<dyn Simulation>, RunError> {
    let mut simulation = build_simulation(scene)?;
    move_to_backend(&mut *simulation, scene, backend)?;
    Ok(simulation)
}

/// Moves the world of a scene to another backend, where it continues from its current state.
///
/// # Errors
/// Returns [`RunError::Backend`] if the backend cannot step the world, or if the world cannot be
/// copied from its current backend. The world then stays on its current backend.
pub(crate) fn move_to_backend(
    simulation: &mut dyn Simulation,
    scene: &Scene,
    backend: &Backend,
) -> Result<(), RunError> {
    if !matches!(backend, Backend::Cpu) && !simulation.supports_devices() {
        let (model, limit) = (scene.model(), backend.limitation_message());
        return Err(RunError::Backend(format!("the model `{model}` {limit}")));
    }
    simulation.set_backend(backend).map_err(|error| RunError::Backend(error.to_string()))
}
