//! Choice of the erosion method, and the parameters of stream power.

use crate::parameter::{Range, choices, parameters};
use serde::{Deserialize, Serialize};

choices! {
    /// Erosion method. The method can change while the world runs, for example from stream power
    /// for the structure of a mountain range to drops for its details.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
    #[non_exhaustive]
    pub enum Method {
        /// Drops move over the land, erode it and deposit sediment.
        #[default]
        Drops = "drops",
        /// Rivers incise by the stream-power law while the land rises. See [`StreamPower`].
        StreamPower = "stream-power",
    }
}

parameters! {
    /// Parameters of stream power. The ground of a cell sinks by `erodibility` · A^`area_exponent`
    /// · S^`slope_exponent` per depth of rain, and rises by `uplift`. A is the upstream area (m²),
    /// and S is the slope to the receiver (m per m). Cells on open edges keep their height.
    #[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(default, deny_unknown_fields)]
    pub struct StreamPower {
        /// Erodibility of soil: K in the stream-power law. For rock, K is multiplied by the rock's
        /// relative erodibility. If a depth of rain represents 100 000 years, a value of 1
        /// corresponds to 10⁻⁵ per year, as measured in soft rock.
        erodibility: f64 = 5.0; Live, "erodibility", "m^(1−2m) per drop per cell", |_| Range::new(0.0, 1e6), [0.1, 20.0];
        /// Exponent of the upstream area: m in the stream-power law. The concavity of rivers is
        /// this value divided by `slope_exponent`.
        area_exponent: f64 = 0.45; Live, "exponent of area", "1", |_| Range::new(0.05, 2.0), [0.3, 0.7];
        /// Exponent of the slope: n in the stream-power law. With values above 1, steep reaches
        /// erode much faster than gentle ones.
        slope_exponent: f64 = 1.0; Live, "exponent of slope", "1", |_| Range::new(0.2, 5.0), [0.5, 2.0];
        /// Uplift rate of the land. With an uplift map, the rate where the map has its maximum.
        uplift: f64 = 25.0; Live, "uplift", "m per drop per cell", |_| Range::new(0.0, 1e4), [0.0, 200.0];
        /// Diffusivity of hillslopes: the rate of height change per curvature of the ground.
        diffusivity: f64 = 20.0; Live, "diffusivity of slopes", "m² per drop per cell", |_| Range::new(0.0, 1e9), [0.0, 1000.0];
        /// Length of a step, as a depth of rain. Any length is stable. Shorter steps give sharper
        /// knickpoints.
        step: f64 = 0.25; Live, "step", "drops per cell", |_| Range::new(1e-3, 100.0), [0.05, 2.0];
    }
}
