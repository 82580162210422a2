//! Storms: periods of stronger erosion, which represent extreme rain or floods.

use crate::hydrology::params::INTENSITY_RANGE;
use serde::{Deserialize, Serialize};

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(in crate::hydrology) struct Storm {
    /// Time at which the storm ends, measured as depth of rain since the start of the simulation
    /// (drops per cell).
    pub(in crate::hydrology) until: f64,
    /// Factor by which the storm multiplies the erosion intensity.
    pub(in crate::hydrology) intensity: f64,
}

impl Storm {
    pub(in crate::hydrology) fn is_valid(self) -> bool {
        self.until.is_finite() && INTENSITY_RANGE.check("", self.intensity, "").is_ok()
    }
}
