//! Choice of the erosion method, and the parameters of stream power.

use crate::parameter::{Range, choices, parameters};
use serde::{Deserialize, Serialize};

choices! {
    /// Erosion method. It can be changed while the world runs, for example from stream power, which
    /// forms a mountain range, to drops, which add details.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
    #[non_exhaustive]
    pub enum Method {
        /// Drops of rain move over the land, erode it and deposit sediment.
        #[default]
        Drops = "drops",
        /// Rivers erode by the stream-power law while the land rises. See [`StreamPower`].
        StreamPower = "stream-power",
    }
}

parameters! {
    /// Parameters of the stream-power model. Per unit depth of rain, a cell is lowered by
    /// `erodibility` · A^`area_exponent` · S^`slope_exponent` and raised by `uplift`. A is the
    /// upstream area (m²), and S is the slope to the receiver (m per m). Cells on open edges keep
    /// their height.
    #[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(default, deny_unknown_fields)]
    pub struct StreamPower {
        /// Erodibility of soil, K in the stream-power law. For rock, K is multiplied by the rock's
        /// relative erodibility. If a depth of rain of one drop per cell represents 100 000 years,
        /// a value of 1 corresponds to 10⁻⁵ per year, as measured in soft rock.
        erodibility: f64 = 5.0; Live, "erodibility", "m^(1−2m) per drop per cell", |_| Range::new(0.0, 1e6), [0.1, 20.0];
        /// Exponent of the upstream area, m in the stream-power law. The concavity index of rivers
        /// is this value divided by `slope_exponent`.
        area_exponent: f64 = 0.45; Live, "exponent of area", "1", |_| Range::new(0.05, 2.0), [0.3, 0.7];
        /// Exponent of the slope, n in the stream-power law. With values above 1, steep sections of
        /// a river erode much faster than gentle ones.
        slope_exponent: f64 = 1.0; Live, "exponent of slope", "1", |_| Range::new(0.2, 5.0), [0.5, 2.0];
        /// Uplift rate of the land. With an uplift map, this is the rate in the cells with the
        /// largest value of the map.
        uplift: f64 = 25.0; Live, "uplift", "m per drop per cell", |_| Range::new(0.0, 1e4), [0.0, 200.0];
        /// Diffusivity of hillslopes: the rate of height change divided by the curvature of the
        /// ground.
        diffusivity: f64 = 20.0; Live, "diffusivity of slopes", "m² per drop per cell", |_| Range::new(0.0, 1e9), [0.0, 1000.0];
        /// Length of a step, measured as depth of rain. Steps of any length are stable. Shorter
        /// steps give sharper knickpoints.
        step: f64 = 0.25; Live, "step", "drops per cell", |_| Range::new(1e-3, 100.0), [0.05, 2.0];
    }
}
