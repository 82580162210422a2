//! What runs and worlds tell each other.

use serde::{Deserialize, Serialize};
use std::any::Any;
use std::path::PathBuf;

/// Steps after which whoever watches a run is asked again.
pub(crate) const STEPS_PER_CALL: u64 = 8;

/// Why a model refused to go on.
pub type ModelError = Box<dyn std::error::Error + Send + Sync>;

/// What a gauge measures: each value with what it is and its unit, as `depth_m`.
pub type GaugeValues = Vec<(&'static str, f64)>;

/// What became of an event where a world is stepped elsewhere.
#[derive(Debug)]
#[non_exhaustive]
pub enum DeviceEventResult {
    /// The world is here, or the event cannot be done there: nothing is done.
    NotOnDevice,
    /// It is done.
    Done,
    /// The world there is lost, for this reason; the event is done to the world here.
    Lost(ModelError),
}

/// The cells of a world.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Grid {
    /// Kind of the cells: `square` or `hex`.
    pub lattice: String,
    /// Columns.
    pub nx: usize,
    /// Rows.
    pub ny: usize,
}

impl Grid {
    /// How many cells there are.
    pub fn cells(&self) -> usize {
        self.nx * self.ny
    }
}

/// Files that a run has written at its end, besides pictures.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WrittenFiles {
    /// Layers and textures.
    pub layers: Vec<PathBuf>,
    /// Meshes.
    pub meshes: Vec<PathBuf>,
    /// Pictures of what came before the run.
    pub pictures: Vec<PathBuf>,
}

/// The scene of a model, for a world that is of that model.
pub(crate) fn of_model<S: Any>(scene: &dyn Any) -> Result<&S, ModelError> {
    scene.downcast_ref().ok_or_else(|| "the scene is of another model".into())
}
