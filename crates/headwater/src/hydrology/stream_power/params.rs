//! Erosion method, and parameters of stream power.

use crate::parameter::{Range, choices, parameters};
use serde::{Deserialize, Serialize};

choices! {
    /// Erosion method. It can change while the world runs, for example stream power for the
    /// structure of a mountain range, then drops for detail.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
    #[non_exhaustive]
    pub enum Method {
        /// Drops descend over the land, erode it and deposit sediment.
        #[default]
        Drops = "drops",
        /// Rivers incise by the stream-power law while the land rises: [`StreamPower`].
        StreamPower = "stream-power",
    }
}

parameters! {
    /// Stream power: the ground of a cell sinks by `erodibility` · A^`area_exponent` ·
    /// S^`slope_exponent` per depth of rain, and rises by `uplift`. A is the upstream area (m²), S
    /// the slope to the receiver (m per m). Cells on open edges keep their height.
    #[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(default, deny_unknown_fields)]
    pub struct StreamPower {
        /// Erodibility of soil: K of the law. Rock erodes more slowly by its relative erodibility.
        /// If a depth of rain is 100 000 years, 1 is 10⁻⁵ per year, as measured in soft rock.
        erodibility: f64 = 5.0; Live, "erodibility", "m^(1−2m) per drop per cell", |_| Range::new(0.0, 1e6), [0.1, 20.0];
        /// Exponent of upstream area: m of the law. Divided by `slope_exponent`, it is the
        /// concavity of rivers.
        area_exponent: f64 = 0.45; Live, "exponent of area", "1", |_| Range::new(0.05, 2.0), [0.3, 0.7];
        /// Exponent of slope: n of the law. Above 1, steep reaches erode faster than gentle ones
        /// can follow.
        slope_exponent: f64 = 1.0; Live, "exponent of slope", "1", |_| Range::new(0.2, 5.0), [0.5, 2.0];
        /// Uplift rate; with an uplift map, the rate at its maximum.
        uplift: f64 = 25.0; Live, "uplift", "m per drop per cell", |_| Range::new(0.0, 1e4), [0.0, 200.0];
        /// Diffusivity of hillslopes: rate of height change per curvature of the ground.
        diffusivity: f64 = 20.0; Live, "diffusivity of slopes", "m² per drop per cell", |_| Range::new(0.0, 1e9), [0.0, 1000.0];
        /// Length of a step. Any length is stable; shorter steps resolve knickpoints more sharply.
        step: f64 = 0.25; Live, "step", "drops per cell", |_| Range::new(1e-3, 100.0), [0.05, 2.0];
    }
}
