//! Scenes of the model `columns`. Positions are metres from the top-left corner of the board; volumes are
//! those of a world 1 m thick.

mod board;
mod body;
mod gauge;
mod water;

use super::ColumnsAction;
use super::run::ColumnsRun;
use super::tools;
use crate::live::Tool;
use crate::run::Simulation;
use crate::scene::{Event, Keys, ModelScene, On, SceneError};
pub use board::{ColumnsAnchor, ColumnsWall, ColumnsWorldTable};
pub use body::{ColumnsBody, Extents};
pub use gauge::{ColumnsGauge, ColumnsMeasure, ColumnsTarget};
pub use water::{ColumnsHeater, ColumnsPhysics, ColumnsSource, Warm};
pub(crate) use water::{heater, source};

use super::check;
use crate::picture::{ColumnsShown, PixelStyle};
use crate::scene::default_seed;
use crate::scene::origin::Origin;
use crate::scene::output::{Output, Time};
use crate::scene::setting::{Common, Named, Problems, Tables};
use headwater::columns::{Params, Weather, Wind};
use headwater::parameter::{Parameters, Setting};
use headwater::{Lattice, Square};
use serde::Deserialize;
use std::path::PathBuf;

/// A scene of the model `columns`: a board of walls in side view, its pools, what happens to them, and
/// what is written of them.
#[derive(Clone, Debug, PartialEq, Deserialize)]
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
    pub walls: Vec<On<ColumnsWall>>,
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
    pub events: Vec<Event<ColumnsAction>>,
    /// `[[gauge]]`
    #[serde(default, rename = "gauge")]
    pub gauges: Vec<ColumnsGauge>,
    /// `[output]`: without `flow_map` and `mesh`.
    #[serde(default)]
    pub output: Output<ColumnsLayer>,
    /// `[picture]`: the pictures' style.
    #[serde(default)]
    pub picture: PixelStyle<ColumnsShown>,
    #[serde(skip)]
    pub(crate) origin: Origin,
}

/// A layer that can be written: one of `headwater::columns::LAYERS`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ColumnsLayer {
    /// 1 where there is wall, else 0.
    Walls,
    /// The part of the cell that water fills, 0 to 1.
    Fill,
    /// Number of the pool, from 1; 0 in walls.
    Pool,
    /// Head of the water above the bottom (m); 0 where none.
    Head,
    /// Velocity of the water to the east (m/s).
    Velocity,
    /// Temperature of water and ice (°C); 0 where there is none.
    Temperature,
    /// The part of the cell that ice fills, 0 to 1.
    Ice,
    /// Light from straight above in the water: 1 below a flat surface, more where waves gather it.
    Light,
    /// 1 where the pool is stepped, else 0.
    Awake,
}

impl Named for ColumnsLayer {
    fn name(self) -> &'static str {
        match self {
            ColumnsLayer::Walls => "walls",
            ColumnsLayer::Fill => "fill",
            ColumnsLayer::Pool => "pool",
            ColumnsLayer::Head => "head",
            ColumnsLayer::Velocity => "velocity",
            ColumnsLayer::Temperature => "temperature",
            ColumnsLayer::Ice => "ice",
            ColumnsLayer::Light => "light",
            ColumnsLayer::Awake => "awake",
        }
    }
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

impl Tables for ColumnsScene {
    type Event = Event<ColumnsAction>;
    type Gauge = ColumnsGauge;
    type Layer = ColumnsLayer;

    fn common(&self) -> Common<'_, Self> {
        let Self { title, description, time, events, gauges, output, origin, .. } = self;
        Common { title, description, time: *time, events, gauges, output, origin }
    }

    fn origin_mut(&mut self) -> &mut Origin {
        &mut self.origin
    }

    fn files_mut(&mut self) -> Vec<(&'static str, &mut PathBuf)> {
        let ColumnsWorldTable { file, blocks, .. } = &mut self.world;
        let blocks = blocks.as_mut().and_then(|blocks| blocks.file.as_mut());
        let files = [("world.file", file.as_mut()), ("world.blocks.file", blocks)];
        files.into_iter().filter_map(|(key, file)| Some((key, file?))).collect()
    }

    fn lattice(&self) -> Option<Lattice> {
        let (nx, ny) = self.world.size()?;
        self.lattice_of(nx, ny)
    }

    fn problems_alone(&self) -> Problems {
        check::problems(self)
    }

    fn problems_on(&self, lattice: &Lattice) -> Problems {
        check::fit(self, lattice)
    }
}

impl ModelScene for ColumnsScene {
    const MODEL: &'static str = "columns";
    const TITLE: &'static str = "Pools";
    const ABOUT: &'static str = "Pools in side view that swing, freeze and boil";
    const TOOLS: &'static [Tool] = tools::TOOLS;

    fn seed(&self) -> u32 {
        self.seed
    }

    fn simulation(&self) -> Result<Box<dyn Simulation>, SceneError> {
        Ok(Box::new(ColumnsRun::new(self)?))
    }

    fn settings(&self) -> Vec<Setting> {
        let mut all = self.physics.keys.settings("physics");
        let mut weather = (*self.weather).clone();
        if let Some(heat) = self.params().heat {
            all.extend(heat.settings("physics.heat"));
            weather.air.get_or_insert(heat.air.into());
        }
        all.extend(weather.settings("weather"));
        let calm = Wind { acceleration: 0.0.into(), ..Wind::default() };
        let wind = self.wind.as_ref().map_or(&calm, |wind| wind);
        let mut wind = wind.settings("wind");
        // Where none blows, only how strong it is makes one.
        wind.truncate(if self.wind.is_some() { wind.len() } else { 1 });
        all.extend(wind);
        all
    }

    fn live_keys() -> (&'static [&'static str], &'static [&'static str]) {
        (&["source", "drain", "heater"], &[])
    }
}
