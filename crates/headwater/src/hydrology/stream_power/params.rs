//! By which method land is carved, and the numbers of stream power.

use crate::parameter::{Range, choices, parameters};
use serde::{Deserialize, Serialize};

choices! {
    /// How the land is carved. It may change while the world runs: stream power for the grain of a range, drops for the detail.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
    #[non_exhaustive]
    pub enum Method {
        /// Drops walk over the land, carve, and leave what they carry.
        #[default]
        Drops = "drops",
        /// Rivers cut down by the law of stream power while the land rises: [`StreamPower`].
        StreamPower = "stream-power",
    }
}

parameters! {
    /// Stream power: the ground of a cell sinks by `erodibility` · A^`area_exponent` · S^`slope_exponent` for each depth of rain,
    /// where A is the area that drains to it (m²) and S the slope to where it drains (m per m), and rises by `uplift`. What
    /// stands on an open edge stays where it is.
    #[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(default, deny_unknown_fields)]
    pub struct StreamPower {
        /// How fast soil is worn: K of the law. Rock is as much slower as it is harder. With a depth of rain for 100 000 years, 1
        /// is 10⁻⁵ a year, as measured in soft rock.
        erodibility: f64 = 5.0; Live, "erodibility", "m^(1−2m) per drop per cell", |_| Range::new(0.0, 1e6), [0.1, 20.0];
        /// How wear grows with the area that drains to a place: m of the law. Over `slope_exponent` it is the concavity of rivers.
        area_exponent: f64 = 0.45; Live, "exponent of area", "1", |_| Range::new(0.05, 2.0), [0.3, 0.7];
        /// How wear grows with the slope: n of the law. Above 1, steep reaches wear faster than gentle ones follow.
        slope_exponent: f64 = 1.0; Live, "exponent of slope", "1", |_| Range::new(0.2, 5.0), [0.5, 2.0];
        /// How fast the land rises; where a map of uplift is set, where that is highest.
        uplift: f64 = 25.0; Live, "uplift", "m per drop per cell", |_| Range::new(0.0, 1e4), [0.0, 200.0];
        /// How fast creep rounds hills: the change of height is this times the curvature of the ground.
        diffusivity: f64 = 20.0; Live, "diffusivity of slopes", "m² per drop per cell", |_| Range::new(0.0, 1e9), [0.0, 1000.0];
        /// The length of a step. Any is stable; shorter ones follow knickpoints more sharply.
        step: f64 = 0.25; Live, "step", "drops per cell", |_| Range::new(1e-3, 100.0), [0.05, 2.0];
    }
}
