//! [`SavedState`]: a world stored between two visits, restored exactly.

use super::canvas::Eye;
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Kept {
    pub(super) name: String,
    /// Text of the scene.
    pub(super) text: String,
    /// A file that the scene needs: name and contents.
    pub(super) file: Option<(String, Vec<u8>)>,
    pub(super) state: Vec<u8>,
    pub(super) eye: Option<Eye>,
    pub(super) playing: bool,
    pub(super) speed: f64,
}
