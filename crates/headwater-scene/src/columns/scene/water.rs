//! The tables of what comes, goes and blows while the run goes on.

use crate::scene::place::{Area, Disc, Line, Rect};
use headwater::columns::{Heater, Source, Weather, Wind};
use headwater::{Lattice, Series};
use serde::Deserialize;

/// `[[source]]` or `[[drain]]`: where water comes or goes, in exactly one of `disc`, `rect`, `line`,
/// `everywhere`; at most 1000 of each.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ColumnsSource {
    /// How much comes or goes (m³/s for a world 1 m thick), 0 to 1000000; a number, or a table of
    /// `[seconds, rate]`. As far as there is room, or water.
    pub rate: Series,
    /// Where: a round place.
    pub disc: Option<Disc>,
    /// Where: a rectangle along the axes.
    pub rect: Option<Rect>,
    /// Where: a band along a polyline.
    pub line: Option<Line>,
    /// Where: the whole world.
    #[serde(default)]
    pub everywhere: bool,
}

impl ColumnsSource {
    /// Where it is.
    pub fn area(&self) -> Area {
        let (disc, rect, line) = (self.disc, self.rect, self.line.clone());
        Area { disc, rect, line, everywhere: self.everywhere }
    }

    /// It on `lattice`.
    pub fn source(&self, lattice: &Lattice) -> Source {
        Source::new(self.area().region(lattice), self.rate.clone())
    }
}

/// `[[heater]]`: a hearth or a vent that heats the water above it, in exactly one of `disc`, `rect`, `line`,
/// `everywhere`; at most 1000.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ColumnsHeater {
    /// How much heat it gives in all (W for a world 1 m thick), 0 to 10⁹, times `physics.heat.pace`; a number, or a
    /// table of `[seconds, power]`.
    pub power: Series,
    /// Where: a round place.
    pub disc: Option<Disc>,
    /// Where: a rectangle along the axes.
    pub rect: Option<Rect>,
    /// Where: a band along a polyline.
    pub line: Option<Line>,
    /// Where: the whole world.
    #[serde(default)]
    pub everywhere: bool,
}

impl ColumnsHeater {
    /// Where it is.
    pub fn area(&self) -> Area {
        let (disc, rect, line) = (self.disc, self.rect, self.line.clone());
        Area { disc, rect, line, everywhere: self.everywhere }
    }

    /// It on `lattice`.
    pub fn heater(&self, lattice: &Lattice) -> Heater {
        Heater::new(self.area().region(lattice), self.power.clone())
    }
}

/// `[weather]`: what the open sky does. Each a number, or a table of `[seconds, value]`.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ColumnsWeather {
    /// Rain (mm/h) on columns under the sky, 0 to 100000. Default: none.
    pub rain: Option<Series>,
    /// Drying (mm/h) from columns under the sky, 0 to 100000. Default: none.
    pub evaporation: Option<Series>,
    /// Temperature of the air (°C), −100 to 200; in place of `physics.heat.air`. Default: as that says, or, without
    /// heat, of no matter.
    pub air: Option<Series>,
}

impl ColumnsWeather {
    /// It as the model knows it.
    pub fn weather(&self) -> Weather {
        let rate = |series: &Option<Series>| series.clone().unwrap_or_else(|| 0.0.into());
        let [rain, evaporation] = [&self.rain, &self.evaporation].map(rate);
        Weather { rain, evaporation, air: self.air.clone() }
    }
}

/// `[wind]`: along the open surfaces.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ColumnsWind {
    /// How fast it makes the water faster (m/s², to the east), −1 to 1; a number, or a table of
    /// `[seconds, value]`. A storm in a game may have 0.05. Default 0.02.
    pub acceleration: Series,
    /// How much gusts add and take, as a part of the above, 0 to 10. Default 1.
    pub gusts: f64,
    /// How long a gust is (m), above 0. Default 8.
    pub length: f64,
    /// How fast gusts travel (m/s), −1000 to 1000. Waves as fast as that grow most. Default 3.
    pub speed: f64,
}

impl Default for ColumnsWind {
    fn default() -> Self {
        let Wind { acceleration, gusts, length, speed, .. } = Wind::default();
        Self { acceleration, gusts, length, speed }
    }
}

impl ColumnsWind {
    /// It as the model knows it, with gusts that a seed chooses.
    pub fn wind(&self, seed: u32) -> Wind {
        let Self { acceleration, gusts, length, speed } = self.clone();
        Wind { acceleration, gusts, length, speed, seed: seed.into() }
    }
}
