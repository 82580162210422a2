//! Scene tables and keys of the model `columns`, which simulates pools between walls in side view.
//! Positions are in metres from the top-left corner of the grid. Volumes are in m³ for a world 1 m
//! thick.

mod body;
mod gauge;
mod water;
mod world_table;

use super::ColumnsAction;
use crate::scene::{AreaAction, Event, Keys, LayerName};
pub use body::{BodyShape, ColumnsBody};
pub use gauge::{ColumnsGauge, ColumnsMeasure, ColumnsTarget};
pub use water::{ColumnsHeater, ColumnsPhysics, ColumnsSource, HeatTable};
pub(crate) use water::{to_heater, to_source};
pub use world_table::{ColumnsAnchor, ColumnsWall, ColumnsWorldTable};

use crate::picture::{ColumnsContent, PixelStyle};
use crate::scene::default_seed;
use crate::scene::output::{Output, Time};
use crate::scene::read::origin::Origin;
use headwater::columns::{Params, Weather, Wind};
use headwater::{Lattice, Square};
use serde::Deserialize;

/// Scene of the model `columns`: pools between walls in side view.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
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
    /// `[world]`: the grid of wall and air cells.
    pub world: ColumnsWorldTable,
    /// `[[wall]]`: walls that are added to the grid. At most 1000.
    #[serde(default, rename = "wall")]
    pub walls: Vec<AreaAction<ColumnsWall>>,
    /// `[[anchor]]`: water levels and air bubbles of the initial state. At most 1000.
    #[serde(default, rename = "anchor")]
    pub anchors: Vec<ColumnsAnchor>,
    /// `[time]`: end time of the run. The key `dt` is not allowed; `physics.step` is the step
    /// length.
    pub time: Time,
    /// `[physics]`: parameters of the water's motion, with `[physics.heat]` for temperatures.
    #[serde(default)]
    pub physics: ColumnsPhysics,
    /// `[weather]`: rain, evaporation and air temperature.
    #[serde(default)]
    pub weather: Keys<Weather>,
    /// `[wind]`: wind along the water surfaces. Default: no wind.
    pub wind: Option<Keys<Wind>>,
    /// `[[source]]`: springs. At most 1000.
    #[serde(default, rename = "source")]
    pub sources: Vec<ColumnsSource>,
    /// `[[drain]]`: drains. At most 1000.
    #[serde(default, rename = "drain")]
    pub drains: Vec<ColumnsSource>,
    /// `[[heater]]`: heaters. At most 1000. Temperatures are simulated if there is a heater,
    /// `weather.air` or `[physics.heat]`.
    #[serde(default, rename = "heater")]
    pub heaters: Vec<ColumnsHeater>,
    /// `[[body]]`: floating and sinking bodies. At most 1000.
    #[serde(default, rename = "body")]
    pub bodies: Vec<ColumnsBody>,
    /// `[[event]]`: changes to the world during the run.
    #[serde(default, rename = "event")]
    pub events: Vec<Event<ColumnsAction, ColumnsGauge>>,
    /// `[[gauge]]`: time series that are measured during the run.
    #[serde(default, rename = "gauge")]
    pub gauges: Vec<ColumnsGauge>,
    /// `[output]`: files that the run writes. The key `mesh` is not allowed.
    #[serde(default)]
    pub output: Output<LayerName<ColumnsScene>>,
    /// `[picture]`: style of the pictures.
    #[serde(default)]
    pub picture: PixelStyle<ColumnsContent>,
    #[serde(skip)]
    pub(crate) origin: Origin,
}

impl ColumnsScene {
    /// Returns whether the scene simulates temperatures.
    pub fn has_heat(&self) -> bool {
        self.physics.heat.is_some() || self.weather.air.is_some() || !self.heaters.is_empty()
    }

    /// Returns the parameters of the columns model, including those of heat transport if
    /// temperatures are simulated.
    pub fn params(&self) -> Params {
        let mut heat = self.physics.heat.as_ref().map(|heat| (**heat).clone());
        if self.has_heat() {
            let heat = heat.get_or_insert_default();
            if let Some(air) = &self.weather.air {
                heat.air = air.value_at(0.0);
            }
        }
        Params { heat, ..(*self.physics.keys).clone() }
    }

    /// Returns the wind, with the scene's seed for its gusts. Returns `None` if the scene has no
    /// wind.
    pub fn wind(&self) -> Option<Wind> {
        self.wind.as_ref().map(|wind| Wind { seed: self.seed.into(), ..(**wind).clone() })
    }

    /// Returns a lattice of `nx` × `ny` cells with the scene's cell size. Returns `None` if `nx` or
    /// `ny` is out of range.
    pub fn lattice_with_size(&self, nx: usize, ny: usize) -> Option<Lattice> {
        let cell = self.world.cell;
        Square::new(nx, ny, cell, cell).ok().map(Lattice::from)
    }
}
