//! Types shared by runs and worlds.

use serde::{Deserialize, Serialize};
use std::any::Any;
use std::path::PathBuf;

/// Steps per call, after which the observer is called.
pub(crate) const STEPS_PER_CALL: u64 = 8;

/// Error of a model.
pub type ModelError = Box<dyn std::error::Error + Send + Sync>;

/// Values of a gauge, each with a name that includes the unit, such as `depth_m`.
pub type GaugeValues = Vec<(&'static str, f64)>;

/// Result of applying an event to a world on a device.
#[derive(Debug)]
#[non_exhaustive]
pub enum DeviceEventResult {
    /// The world is not on a device, or the device does not support the event. Nothing is changed.
    NotOnDevice,
    /// The event was applied.
    Done,
    /// The copy on the device was lost for this reason. The event was applied to the world on the
    /// host.
    Lost(ModelError),
}

/// Shape of a grid.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Grid {
    /// Kind of the cells: `square` or `hex`.
    pub lattice: String,
    /// Number of columns.
    pub nx: usize,
    /// Number of rows.
    pub ny: usize,
}

impl Grid {
    /// Returns the number of cells.
    pub fn cells(&self) -> usize {
        self.nx * self.ny
    }
}

/// Files that a run has written at its end, except for frames.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WrittenFiles {
    /// Layers and textures.
    pub layers: Vec<PathBuf>,
    /// Meshes.
    pub meshes: Vec<PathBuf>,
    /// Additional pictures.
    pub pictures: Vec<PathBuf>,
}

/// Downcasts a scene to that of a model.
pub(crate) fn of_model<S: Any>(scene: &dyn Any) -> Result<&S, ModelError> {
    scene.downcast_ref().ok_or_else(|| "the scene is of another model".into())
}
