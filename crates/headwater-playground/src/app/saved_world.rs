//! [`SavedWorld`]: the exact state of a world, stored between two visits.

use super::canvas::CameraState;
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct SavedWorld {
    pub(super) name: String,
    /// TOML source of the world's scene.
    pub(super) text: String,
    /// Name and contents of the file that the scene needs, if any.
    pub(super) file: Option<(String, Vec<u8>)>,
    pub(super) state: Vec<u8>,
    pub(super) camera_state: Option<CameraState>,
    pub(super) playing: bool,
    pub(super) speed: f64,
}
