//! [`SavedWorld`]: the exact state of a world, stored between two visits.

use crate::app::canvas::CameraState;
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(in crate::app) struct SavedWorld {
    pub(in crate::app) name: String,
    /// TOML source of the world's scene.
    pub(in crate::app) text: String,
    /// Name and contents of the file that the scene needs, if any.
    pub(in crate::app) file: Option<(String, Vec<u8>)>,
    pub(in crate::app) state: Vec<u8>,
    pub(in crate::app) camera_state: Option<CameraState>,
    pub(in crate::app) playing: bool,
    pub(in crate::app) speed: f64,
}
