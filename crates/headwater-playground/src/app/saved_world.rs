//! [`SavedWorld`]: a world stored between two visits, restored exactly.

use super::canvas::CameraState;
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct SavedWorld {
    pub(super) name: String,
    /// Text of the scene.
    pub(super) text: String,
    /// A file that the scene needs: name and contents.
    pub(super) file: Option<(String, Vec<u8>)>,
    pub(super) state: Vec<u8>,
    pub(super) camera_state: Option<CameraState>,
    pub(super) playing: bool,
    pub(super) speed: f64,
}
