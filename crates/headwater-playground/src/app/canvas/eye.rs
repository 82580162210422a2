//! From where worlds are seen: what is kept of it while another world is on show, and sent along.

use super::side_camera::SideCamera;
use crate::land::Camera;
use serde::{Deserialize, Serialize};

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(in crate::app) enum Eye {
    Side(SideCamera),
    Land(LandEye),
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(in crate::app) struct LandEye {
    pub(in crate::app) camera: Camera,
    /// The other one, as it was left.
    pub(super) other: Option<Camera>,
    pub(in crate::app) is_map: bool,
}

/// A way of the camera that the program flies.
#[derive(Clone, Copy, Debug)]
pub(super) struct Flight {
    pub(super) from: Camera,
    pub(super) to: Camera,
    pub(super) part: f32,
}
