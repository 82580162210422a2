//! Wave makers: bands that press on the surface periodically, like a paddle. They do not add water.

use crate::error::InputError;
use crate::parameter::{Parameters, Range, parameters};
use crate::region::Point;
use crate::waves::params::nonnegative_height_range;
use serde::{Deserialize, Serialize};

parameters! {
    /// Wave maker along a straight line. It is a band with the pressure head
    /// `head·sin(2π·time/period)`. Waves leave the band on both sides.
    #[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(deny_unknown_fields)]
    pub struct WaveMaker {
        /// Width of the band. The pressure decreases smoothly to 0 at both sides. The waves are
        /// highest if the width is a third to half of the wavelength.
        width: f64 = 1.0; Live, "width", "m", |_| Range::above_zero(1e8), [0.1, 20.0];
        /// Amplitude of the pressure, given as a height of water. It is limited by the parameter
        /// `highest` of the world.
        head: f64 = 0.0; Live, "pressure", "m", |_| Range::new(0.0, 1e6), [0.0, 0.5];
        /// Period of the oscillation: the time from one wave crest to the next.
        period: f64 = 1.0; Live, "period", "s", |_| Range::above_zero(1e6), [0.2, 10.0];
    }
    required { width, head, period }
    and {
        /// Start of the centre line of the band (m east and south of the top-left corner of the
        /// grid).
        from: Point = [0.0; 2];
        /// End of the centre line of the band (m east and south of the top-left corner of the
        /// grid).
        to: Point = [0.0; 2];
    }
}

impl WaveMaker {
    /// Checks the values of the wave maker. `highest` is the parameter
    /// [`highest`](crate::waves::Params::highest) of the world (m), which limits the pressure.
    ///
    /// # Errors
    /// Returns an [`InputError`] that names the first number out of range.
    pub fn check_with_height_limit(&self, highest: f64) -> Result<(), InputError> {
        for (what, end) in [("from", self.from), ("to", self.to)] {
            end.iter().try_for_each(|&metres| Range::ANY.check(what, metres, "m"))?;
        }
        self.check()?;
        nonnegative_height_range(highest).check("head", self.head, "m")
    }

    /// Returns the pressure at a point (m) as a fraction of the pressure on the centre line. It is
    /// 1 on the line and 0 at distances of more than half the width of the band.
    pub(in crate::waves) fn pressure_factor(&self, [x, y]: Point) -> f64 {
        let along = [self.to[0] - self.from[0], self.to[1] - self.from[1]];
        let off = [x - self.from[0], y - self.from[1]];
        let length2 = along[0] * along[0] + along[1] * along[1];
        let dot = off[0] * along[0] + off[1] * along[1];
        let t = if length2 > 0.0 { (dot / length2).clamp(0.0, 1.0) } else { 0.0 };
        let aside = [off[0] - t * along[0], off[1] - t * along[1]];
        let way2 = 4.0 * (aside[0] * aside[0] + aside[1] * aside[1]) / (self.width * self.width);
        let left = (1.0 - way2).max(0.0);
        left * left * left
    }
}
