//! The numbers that say how warm water is, and how fast that changes.

use super::super::params::ParamsError;
use serde::{Deserialize, Serialize};

/// Parameters of heat, as [`Params::heat`](super::super::Params::heat). Temperatures are °C. The factors of the article
/// are rates here: W/(m·K) and W/(m²·K), so that ice grows as fast as it does on a lake. Whoever wants it faster
/// sets the [`pace`](Self::pace).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Heat {
    /// Temperature of the air at the start (°C), −100 to 200; 15 by default.
    /// [`set_air`](super::super::Columns::set_air) changes it later.
    pub air: f64,
    /// Temperature of the water at the start (°C), 0 to 100; by default that of the air, as far as there is water of
    /// that temperature.
    pub water: Option<f64>,
    /// How many times as fast as in nature heat goes, above 0 to 10⁶; 1 by default. At −10 °C a decimetre of ice
    /// takes more than a day; with a pace of 10⁴ some ten seconds.
    pub pace: f64,
    /// How well heat goes up and down in water (W/(m·K)), 0 to 10⁶; 100 by default. Water that does not move at all
    /// conducts 0.6; eddies of a lake make that 10 to 1000 (Wüest & Lorke 2003). Where lighter water lies
    /// below, it turns over whatever this says.
    pub vertical: f64,
    /// The same from column to column, 0 to 10⁶; 100 by default.
    pub horizontal: f64,
    /// How well heat goes from the air into the surface (W/(m²·K)), 0 to 10⁶; 25 by default, as in a light wind. Still air
    /// 5, storm 100.
    pub air_rate: f64,
    /// From how much air (m) between surface and ceiling on the exchange is as good as under the open sky, above 0;
    /// 1 by default. Less air, less exchange; none, none.
    pub air_room: f64,
    /// From where on the surface bubbles (°C), 50 to 99.9; 95 by default.
    pub min_boil: f64,
    /// How often the surface of a column jumps in a full boil (1/s), 0 to 10³; 6 by default.
    pub boil_frequency: f64,
    /// How high it jumps at least (m), 0 to 10; 0.02 by default.
    pub min_bubble: f64,
    /// … and at most, `min_bubble` to 10; 0.15 by default.
    pub max_bubble: f64,
    /// Chooses the jumps.
    pub seed: u64,
}

impl Default for Heat {
    fn default() -> Self {
        Self {
            air: 15.0,
            water: None,
            pace: 1.0,
            vertical: 100.0,
            horizontal: 100.0,
            air_rate: 25.0,
            air_room: 1.0,
            min_boil: 95.0,
            boil_frequency: 6.0,
            min_bubble: 0.02,
            max_bubble: 0.15,
            seed: 1,
        }
    }
}

/// Air no colder and no warmer than this (°C).
pub(in super::super) const AIR: std::ops::RangeInclusive<f64> = -100.0..=200.0;

impl Heat {
    pub(in super::super) fn validate(&self) -> Result<(), ParamsError> {
        let check = |name, found: f64, in_range: bool, allowed| {
            if in_range && found.is_finite() {
                Ok(())
            } else {
                Err(ParamsError { name, found, allowed })
            }
        };
        check("heat.air", self.air, AIR.contains(&self.air), "from -100 to 200 °C")?;
        if let Some(water) = self.water {
            check("heat.water", water, (0.0..=100.0).contains(&water), "from 0 to 100 °C")?;
        }
        let pace = self.pace > 0.0 && self.pace <= 1e6;
        check("heat.pace", self.pace, pace, "above 0, up to 1e6")?;
        for (name, rate) in [("heat.vertical", self.vertical), ("heat.horizontal", self.horizontal)]
        {
            check(name, rate, (0.0..=1e6).contains(&rate), "from 0 to 1e6 W/(m·K)")?;
        }
        let rate = self.air_rate;
        check("heat.air_rate", rate, (0.0..=1e6).contains(&rate), "from 0 to 1e6 W/(m²·K)")?;
        let room = self.air_room;
        check("heat.air_room", room, room > 0.0, "a number of metres above 0")?;
        let boil = self.min_boil;
        check("heat.min_boil", boil, (50.0..=99.9).contains(&boil), "from 50 to 99.9 °C")?;
        let often = self.boil_frequency;
        check("heat.boil_frequency", often, (0.0..=1e3).contains(&often), "from 0 to 1000 1/s")?;
        let least = self.min_bubble;
        check("heat.min_bubble", least, (0.0..=10.0).contains(&least), "from 0 to 10 m")?;
        let most = self.max_bubble;
        check("heat.max_bubble", most, (least..=10.0).contains(&most), "from min_bubble to 10 m")
    }

    /// The temperature that water has at the start.
    pub(super) fn start(&self) -> f64 {
        self.water.unwrap_or(self.air.clamp(0.0, 100.0))
    }
}
