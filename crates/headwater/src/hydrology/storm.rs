//! Storms: rain that carves harder for a while, such as a year of floods.

use super::params::INTENSITY;
use serde::{Deserialize, Serialize};

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Storm {
    /// When it ends: the rain since the start (drops per cell).
    pub(super) until: f64,
    /// How hard it carves, as many times as other rain.
    pub(super) intensity: f64,
}

impl Storm {
    pub(super) fn is_sound(self) -> bool {
        self.until.is_finite() && INTENSITY.check("", self.intensity, "").is_ok()
    }
}
