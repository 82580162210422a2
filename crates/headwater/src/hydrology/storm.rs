//! Storms: rain that carves harder for a while, such as a year of floods.

use super::land::Land;
use super::world::Hydrology;
use crate::error::InputError;
use crate::parameter::Range;
use serde::{Deserialize, Serialize};

/// How hard rain may carve, as many times as the rain of other years.
pub(super) const INTENSITY: Range = Range::new(0.0, 100.0);
/// How long a storm may be (drops per cell).
const LENGTH: Range = Range::new(0.0, 1e6);

/// Rain that carves harder until a time.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Storm {
    /// When it ends: the rain since the start (drops per cell).
    until: f64,
    intensity: f64,
}

impl Storm {
    /// Whether its numbers make sense.
    pub(super) fn is_sound(self) -> bool {
        self.until.is_finite() && INTENSITY.check("", self.intensity, "").is_ok()
    }
}

impl Land {
    /// How hard the rain of the next step carves.
    pub(super) fn intensity(&self) -> f64 {
        let storm = self.storm.filter(|storm| self.time < storm.until);
        self.params.intensity * storm.map_or(1.0, |storm| storm.intensity)
    }
}

impl Hydrology {
    /// Lets the next `rain` (drops per cell) carve `intensity` times as hard as [`Params::intensity`](super::Params::intensity)
    /// says, to the step in which it ends. It takes the place of a storm that has not ended yet.
    ///
    /// # Errors
    /// [`InputError`] if `rain` is not 0 to 10⁶, or `intensity` not 0 to 100.
    pub fn storm(&mut self, rain: f64, intensity: f64) -> Result<(), InputError> {
        LENGTH.check("rain of a storm", rain, "drops per cell")?;
        INTENSITY.check("intensity of a storm", intensity, "")?;
        self.land.storm = Some(Storm { until: self.land.time + rain, intensity });
        Ok(())
    }
}
