//! Scenes of the model `columns`, pools between walls in side view. Positions are in metres from
//! the top-left corner of the grid. Volumes are in m³ for a world 1 m thick.

mod board;
mod body;
mod gauge;
mod water;

use super::ColumnsAction;
use crate::scene::{Event, InArea, Keys, LayerName};
pub use board::{ColumnsAnchor, ColumnsWall, ColumnsWorldTable};
pub use body::{ColumnsBody, Extents};
pub use gauge::{ColumnsGauge, ColumnsMeasure, ColumnsTarget};
pub use water::{ColumnsHeater, ColumnsPhysics, ColumnsSource, HeatTable};
pub(crate) use water::{heater, source};

use crate::picture::{ColumnsShown, PixelStyle};
use crate::scene::default_seed;
use crate::scene::output::{Output, Time};
use crate::scene::read::origin::Origin;
use headwater::columns::{Params, Weather, Wind};
use headwater::{Lattice, Square};
use schemars::JsonSchema;
use serde::Deserialize;

/// Scene of the model `columns`: a board of walls in side view with pools.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ColumnsScene {
    /// Title, one line of at most 100 characters. Default: empty.
    #[serde(default)]
    pub title: String,
    /// Description, one line of at most 200 characters. Default: empty.
    #[serde(default)]
    pub description: String,
    /// Seed of all random numbers. Default 1.
    #[serde(default = "default_seed")]
    pub seed: u32,
    /// `[world]`: the board.
    pub world: ColumnsWorldTable,
    /// `[[wall]]`: walls on the board; at most 1000.
    #[serde(default, rename = "wall")]
    pub walls: Vec<InArea<ColumnsWall>>,
    /// `[[anchor]]`: initial water and air; at most 1000.
    #[serde(default, rename = "anchor")]
    pub anchors: Vec<ColumnsAnchor>,
    /// `[time]`: without `dt`; the step length is `physics.step`.
    pub time: Time,
    /// `[physics]`: parameters of the water's motion.
    #[serde(default)]
    pub physics: ColumnsPhysics,
    /// `[weather]`: rain, evaporation and air temperature.
    #[serde(default)]
    pub weather: Keys<Weather>,
    /// `[wind]`: wind along the open surfaces.
    pub wind: Option<Keys<Wind>>,
    /// `[[source]]`: springs; at most 1000.
    #[serde(default, rename = "source")]
    pub sources: Vec<ColumnsSource>,
    /// `[[drain]]`: drains; at most 1000.
    #[serde(default, rename = "drain")]
    pub drains: Vec<ColumnsSource>,
    /// `[[heater]]`: heaters; at most 1000. The world has heat if there is a heater, `weather.air`
    /// or `[physics.heat]`.
    #[serde(default, rename = "heater")]
    pub heaters: Vec<ColumnsHeater>,
    /// `[[body]]`: bodies; at most 1000.
    #[serde(default, rename = "body")]
    pub bodies: Vec<ColumnsBody>,
    /// `[[event]]`: timed edits.
    #[serde(default, rename = "event")]
    pub events: Vec<Event<ColumnsAction, ColumnsGauge>>,
    /// `[[gauge]]`: time series.
    #[serde(default, rename = "gauge")]
    pub gauges: Vec<ColumnsGauge>,
    /// `[output]`: output of the run, without `mesh`.
    #[serde(default)]
    pub output: Output<LayerName<ColumnsScene>>,
    /// `[picture]`: style of the pictures.
    #[serde(default)]
    pub picture: PixelStyle<ColumnsShown>,
    #[serde(skip)]
    pub(crate) origin: Origin,
}

impl ColumnsScene {
    /// Returns whether temperatures are simulated.
    pub fn has_heat(&self) -> bool {
        self.physics.heat.is_some() || self.weather.air.is_some() || !self.heaters.is_empty()
    }

    /// Returns the parameters of the model, including those of heat if temperatures are simulated.
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

    /// Returns the wind; its gusts use the scene's seed. `None` if the scene has no wind.
    pub fn wind(&self) -> Option<Wind> {
        self.wind.as_ref().map(|wind| Wind { seed: self.seed.into(), ..(**wind).clone() })
    }

    /// Returns the lattice of `nx` × `ny` cells; `None` if the sizes are not valid.
    pub fn lattice_of(&self, nx: usize, ny: usize) -> Option<Lattice> {
        let cell = self.world.cell;
        Square::new(nx, ny, cell, cell).ok().map(Lattice::from)
    }
}
