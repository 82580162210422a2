//! Scenes of the model `columns`. Positions are metres from the top-left corner of the board; volumes are
//! those of a world 1 m thick.

mod board;
mod body;
mod gauge;
mod water;

use super::ColumnsAction;
use crate::scene::{Event, InArea, Keys, LayerName};
pub use board::{ColumnsAnchor, ColumnsWall, ColumnsWorldTable};
pub use body::{ColumnsBody, Extents};
pub use gauge::{ColumnsGauge, ColumnsMeasure, ColumnsTarget};
pub use water::{ColumnsHeater, ColumnsPhysics, ColumnsSource, Warm};
pub(crate) use water::{heater, source};

use crate::picture::{ColumnsShown, PixelStyle};
use crate::scene::default_seed;
use crate::scene::origin::Origin;
use crate::scene::output::{Output, Time};
use headwater::columns::{Params, Weather, Wind};
use headwater::{Lattice, Square};
use schemars::JsonSchema;
use serde::Deserialize;

/// A scene of the model `columns`: a board of walls in side view, its pools, what happens to them, and
/// what is written of them.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ColumnsScene {
    /// A short title, one line of at most 100 characters. Default: empty.
    #[serde(default)]
    pub title: String,
    /// What there is to see, one line of at most 200 characters. Default: empty.
    #[serde(default)]
    pub description: String,
    /// All that is random follows from it. Default 1.
    #[serde(default = "default_seed")]
    pub seed: u32,
    /// `[world]`: the board.
    pub world: ColumnsWorldTable,
    /// `[[wall]]`: at most 1000.
    #[serde(default, rename = "wall")]
    pub walls: Vec<InArea<ColumnsWall>>,
    /// `[[anchor]]`: at most 1000.
    #[serde(default, rename = "anchor")]
    pub anchors: Vec<ColumnsAnchor>,
    /// `[time]`: without `dt`; the length of a step is `physics.step`.
    pub time: Time,
    /// `[physics]`: how water moves.
    #[serde(default)]
    pub physics: ColumnsPhysics,
    /// `[weather]`: what the open sky does.
    #[serde(default)]
    pub weather: Keys<Weather>,
    /// `[wind]`: along the open surfaces.
    pub wind: Option<Keys<Wind>>,
    /// `[[source]]`: at most 1000.
    #[serde(default, rename = "source")]
    pub sources: Vec<ColumnsSource>,
    /// `[[drain]]`: at most 1000.
    #[serde(default, rename = "drain")]
    pub drains: Vec<ColumnsSource>,
    /// `[[heater]]`: at most 1000. The world has heat where there is one, or `weather.air`, or
    /// `[physics.heat]`.
    #[serde(default, rename = "heater")]
    pub heaters: Vec<ColumnsHeater>,
    /// `[[body]]`: at most 1000.
    #[serde(default, rename = "body")]
    pub bodies: Vec<ColumnsBody>,
    /// `[[event]]`
    #[serde(default, rename = "event")]
    pub events: Vec<Event<ColumnsAction, ColumnsGauge>>,
    /// `[[gauge]]`
    #[serde(default, rename = "gauge")]
    pub gauges: Vec<ColumnsGauge>,
    /// `[output]`: without `mesh`.
    #[serde(default)]
    pub output: Output<LayerName<ColumnsScene>>,
    /// `[picture]`: the pictures' style.
    #[serde(default)]
    pub picture: PixelStyle<ColumnsShown>,
    #[serde(skip)]
    pub(crate) origin: Origin,
}

impl ColumnsScene {
    /// Whether its water is warm and cold.
    pub fn has_heat(&self) -> bool {
        self.physics.heat.is_some() || self.weather.air.is_some() || !self.heaters.is_empty()
    }

    /// How its water moves and warms.
    pub fn params(&self) -> Params {
        let mut heat = self.physics.heat.as_ref().map(|heat| (**heat).clone());
        if self.has_heat() {
            let heat = heat.get_or_insert_default();
            if let Some(air) = &self.weather.air {
                heat.air = air.at(0.0);
            }
        }
        Params { heat, ..(*self.physics.keys).clone() }
    }

    /// The wind, with gusts that the seed chooses.
    pub fn wind(&self) -> Option<Wind> {
        self.wind.as_ref().map(|wind| Wind { seed: self.seed.into(), ..(**wind).clone() })
    }

    /// The lattice of a board of that many cells. `None` if there is no such board.
    pub fn lattice_of(&self, nx: usize, ny: usize) -> Option<Lattice> {
        let cell = self.world.cell;
        Square::new(nx, ny, cell, cell).ok().map(Lattice::from)
    }
}
