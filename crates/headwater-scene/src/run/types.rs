//! Types shared by the modules for runs and worlds.

use serde::{Deserialize, Serialize};
use std::any::Any;
use std::path::PathBuf;

/// Number of steps that the CPU takes between two calls of `Observer::step`.
pub(crate) const STEPS_PER_CALL: u64 = 8;

/// Error returned by a model.
pub type ModelError = Box<dyn std::error::Error + Send + Sync>;

/// Values of a gauge, each with a name that includes the unit, such as `depth_m`.
pub type GaugeValues = Vec<(&'static str, f64)>;

/// Rounds a time (s) to nine significant digits for a message, which removes the rounding errors of
/// summed time steps.
pub(crate) fn round_time(time: f64) -> f64 {
    format!("{time:.8e}").parse().unwrap_or(time)
}

/// Result of an attempt to apply an event to a world on a device.
#[derive(Debug)]
#[non_exhaustive]
pub enum DeviceEventResult {
    /// The event was not applied, because the world is not on a device, or because the device does
    /// not support the event. Nothing has changed.
    NotOnDevice,
    /// The event was applied to the world on the device.
    Done,
    /// The event was applied to the world on the host, but the copy on the device was lost.
    /// Contains the error of the device.
    Lost(ModelError),
}

/// Cell shape and size of a grid.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Grid {
    /// Cell shape: `square` or `hex`.
    pub lattice: String,
    /// Number of grid columns.
    pub nx: usize,
    /// Number of grid rows.
    pub ny: usize,
}

impl Grid {
    /// Returns the number of cells of the grid.
    pub fn cell_count(&self) -> usize {
        self.nx * self.ny
    }
}

/// Paths of the files that a run writes at its end. Excludes frames, which are written during the
/// run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WrittenFiles {
    /// Paths of layer files.
    pub layers: Vec<PathBuf>,
    /// Paths of mesh files.
    pub meshes: Vec<PathBuf>,
    /// Paths of pictures, except numbered frames.
    pub pictures: Vec<PathBuf>,
}

/// Returns the scene as the type `S`, the scene type of one model.
///
/// # Errors
/// Returns an error if the scene is for another model.
pub(crate) fn downcast_scene<S: Any>(scene: &dyn Any) -> Result<&S, ModelError> {
    scene.downcast_ref().ok_or_else(|| "the scene is of another model".into())
}
