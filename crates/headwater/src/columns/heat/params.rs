//! Parameters of temperature and heat exchange.

use crate::parameter::{Range, parameters};
use serde::{Deserialize, Serialize};

parameters! {
    /// Parameters of the heat simulation (see [`Params::heat`](super::super::Params::heat)). Heat
    /// exchange has physical rates, so ice grows as fast as on a real lake. A larger
    /// [`pace`](Self::pace) accelerates all heat processes.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(default, deny_unknown_fields)]
    pub struct Heat {
        /// Initial air temperature. The weather can change it later.
        air: f64 = 15.0; Fixed, "initial air temperature", "°C", |_| AIR, [-30.0, 40.0];
        /// Initial water temperature. By default, it equals the air temperature, limited to the
        /// range from 0 to 100 °C.
        water: Option<f64> = None; Fixed, "initial water temperature", "°C",
            |_| Range::new(0.0, 100.0), [0.0, 100.0];
        /// Speed of heat processes relative to reality. At −10 °C, ten centimetres of ice take more
        /// than a day to grow. With a pace of 10⁴, they take about ten seconds.
        pace: f64 = 1.0; Live, "heat pace", "", |_| Range::above_zero(1e6), [1.0, 1e5];
        /// Effective vertical heat conductivity of the water. Still water has 0.6; eddies in a lake
        /// increase the value to between 10 and 1000 (Wüest & Lorke 2003). If lighter water lies
        /// below heavier water, the layers overturn regardless of this value.
        vertical: f64 = 100.0; Live, "vertical conductivity", "W/(m·K)",
            |_| Range::new(0.0, 1e6), [0.0, 1000.0];
        /// Effective horizontal heat conductivity of the water between columns.
        horizontal: f64 = 100.0; Live, "horizontal conductivity", "W/(m·K)",
            |_| Range::new(0.0, 1e6), [0.0, 1000.0];
        /// Heat transfer coefficient between air and surface. Typical values are 5 for still air,
        /// 25 for light wind and 100 for a storm.
        air_rate: f64 = 25.0; Live, "air heat transfer", "W/(m²·K)",
            |_| Range::new(0.0, 1e6), [0.0, 200.0];
        /// Smallest height of air between surface and ceiling at which heat exchange is as strong
        /// as under the open sky. With less air, the exchange is proportional to the height of the
        /// air.
        air_room: f64 = 1.0; Live, "air height", "m", |_| Range::above_zero(1e6), [0.1, 5.0];
        /// Water temperature above which the surface bubbles.
        min_boil: f64 = 95.0; Live, "boiling starts", "°C", |_| Range::new(50.0, 99.9), [50.0, 99.9];
        /// Number of surface jumps per unit of time in a column at the boiling point.
        boil_frequency: f64 = 6.0; Live, "jump rate", "1/s",
            |_| Range::new(0.0, 1e3), [0.0, 20.0];
        /// Smallest height of a surface jump during boiling.
        min_bubble: f64 = 0.02; Live, "smallest jump", "m",
            |all| Range::new(0.0, all.max_bubble.min(10.0)).depends_on("max_bubble"), [0.0, 0.5];
        /// Largest height of a surface jump during boiling.
        max_bubble: f64 = 0.15; Live, "largest jump", "m",
            |all| Range::new(all.min_bubble, 10.0).depends_on("min_bubble"), [0.0, 1.0];
        /// Seed of the random surface jumps during boiling.
        seed: u64 = 1; Live, "seed", "", |_| Range::new(0.0, u32::MAX as f64), [0.0, 100.0];
    }
}

pub(in super::super) const AIR: Range = Range::new(-100.0, 200.0);

impl Heat {
    /// Returns whether water at this temperature (°C) neither freezes nor forms vapour bubbles, so
    /// that a pool can rest under air of the same temperature.
    pub(in super::super) fn is_calm_at(&self, temperature: f64) -> bool {
        (0.0..=self.min_boil).contains(&temperature)
    }

    pub(super) fn initial_water_temperature(&self) -> f64 {
        self.water.unwrap_or(self.air.clamp(0.0, 100.0))
    }
}
