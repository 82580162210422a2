//! The numbers that say how warm water is, and how fast that changes.

use crate::parameter::{Range, parameters};
use serde::{Deserialize, Serialize};

parameters! {
    /// Parameters of heat, as [`Params::heat`](super::super::Params::heat). The factors of the article
    /// are rates here, so that ice grows as fast as it does on a lake. Whoever wants it faster
    /// sets the [`pace`](Self::pace).
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(default, deny_unknown_fields)]
    pub struct Heat {
        /// Temperature of the air at the start; the weather changes it later.
        air: f64 = 15.0; Fixed, "air at the start", "°C", |_| AIR, [-30.0, 40.0];
        /// Temperature of the water at the start; without it that of the air, as far as there is water of that temperature.
        water: Option<f64> = None; Fixed, "water at the start", "°C",
            |_| Range::new(0.0, 100.0), [0.0, 100.0];
        /// How many times as fast as in nature heat goes. At −10 °C a decimetre of ice takes more than a day; with a
        /// pace of 10⁴ some ten seconds.
        pace: f64 = 1.0; Live, "pace of heat", "", |_| Range::above_zero(1e6), [1.0, 1e5];
        /// How well heat goes up and down in water. Water that does not move at all conducts 0.6; eddies of a lake make
        /// that 10 to 1000 (Wüest & Lorke 2003). Where lighter water lies below, it turns over whatever this says.
        vertical: f64 = 100.0; Live, "heat up and down", "W/(m·K)",
            |_| Range::new(0.0, 1e6), [0.0, 1000.0];
        /// The same from column to column.
        horizontal: f64 = 100.0; Live, "heat along", "W/(m·K)",
            |_| Range::new(0.0, 1e6), [0.0, 1000.0];
        /// How well heat goes from the air into the surface; by default as in a light wind. Still air 5, storm 100.
        air_rate: f64 = 25.0; Live, "heat from the air", "W/(m²·K)",
            |_| Range::new(0.0, 1e6), [0.0, 200.0];
        /// From how much air between surface and ceiling on the exchange is as good as under the open sky. Less air,
        /// less exchange; none, none.
        air_room: f64 = 1.0; Live, "air above", "m", |_| Range::above_zero(1e6), [0.1, 5.0];
        /// From where on the surface bubbles.
        min_boil: f64 = 95.0; Live, "boils from", "°C", |_| Range::new(50.0, 99.9), [50.0, 99.9];
        /// How often the surface of a column jumps in a full boil.
        boil_frequency: f64 = 6.0; Live, "jumps of a boil", "1/s",
            |_| Range::new(0.0, 1e3), [0.0, 20.0];
        /// How high it jumps at least.
        min_bubble: f64 = 0.02; Live, "lowest jump", "m",
            |all| Range::new(0.0, all.max_bubble.min(10.0)).depends_on("max_bubble"), [0.0, 0.5];
        /// … and at most.
        max_bubble: f64 = 0.15; Live, "highest jump", "m",
            |all| Range::new(all.min_bubble, 10.0).depends_on("min_bubble"), [0.0, 1.0];
        /// Chooses the jumps.
        seed: u64 = 1; Live, "seed", "", |_| Range::new(0.0, u32::MAX as f64), [0.0, 100.0];
    }
}

pub(in super::super) const AIR: Range = Range::new(-100.0, 200.0);

impl Heat {
    /// Whether water as warm as this (°C) neither freezes nor boils, so that water under air of it can be at rest.
    pub(in super::super) fn is_calm_at(&self, temperature: f64) -> bool {
        (0.0..=self.min_boil).contains(&temperature)
    }

    pub(super) fn start(&self) -> f64 {
        self.water.unwrap_or(self.air.clamp(0.0, 100.0))
    }
}
