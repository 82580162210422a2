//! Scenes of the model `hydrology`. Time is rain: the mean depth that has fallen, in drops per cell.

mod run;

use super::HydrologyEvent;
use super::run::HydrologyRun;
use super::tools;
use crate::live::{Parameter, Tool, parameter};
use crate::run::Simulation;
use crate::scene::ModelScene;
pub use run::{
    HydrologyGauge, HydrologyLayer, HydrologyMeasure, HydrologyRain, Panel, Panels, River, Way,
};

use super::check;
use crate::flow::{Grid, Ground};
use crate::picture::Style;
use crate::scene::clock::Clock;
use crate::scene::origin::Origin;
use crate::scene::output::{Output, Time};
use crate::scene::setting::{Common, Problems, Tables};
use crate::scene::site::Site;
use crate::scene::{Files, SceneError, default_seed};
use headwater::Lattice;
use headwater::hydrology::Params;
use serde::Deserialize;
use std::path::PathBuf;

/// A scene of the model `hydrology`: land that rivers, lakes and plants shape.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HydrologyScene {
    /// A short title, one line of at most 100 characters. Default: empty.
    #[serde(default)]
    pub title: String,
    /// What there is to see, one line of at most 200 characters. Default: empty.
    #[serde(default)]
    pub description: String,
    /// All that is random follows from it. Default 1.
    #[serde(default = "default_seed")]
    pub seed: u32,
    /// `[grid]`: squares, at least 3 × 3. A file whose cells are longer than wide is resampled.
    #[serde(default)]
    pub grid: Grid,
    /// `[time]`, without `dt`: `until` is the rain that falls (drops per cell), and so are the times of
    /// events, gauges and pictures. A step is a batch of drops, at most an eighth of a drop per cell: things
    /// happen at the end of the batch that reaches their time.
    pub time: Time,
    /// `[terrain]`
    pub terrain: Ground,
    /// `[hydrology]`: how drops carve, what lies beyond the edges, the height of the sea, layers of rock,
    /// kinds of plants. Its `seed` is the scene's unless it gives one above 0.
    #[serde(default)]
    pub hydrology: Params,
    /// `[rain]`: where it rains. Default: the same everywhere.
    #[serde(default)]
    pub rain: HydrologyRain,
    /// `[[inflow]]`: rivers that enter from outside; at most 1000.
    #[serde(default, rename = "inflow")]
    pub inflows: Vec<River>,
    /// `[[way]]`: the same land carved in several ways, side by side; at most 6. Default: one.
    #[serde(default, rename = "way")]
    pub ways: Vec<Way>,
    /// `[[event]]`
    #[serde(default, rename = "event")]
    pub events: Vec<HydrologyEvent>,
    /// `[[gauge]]`
    #[serde(default, rename = "gauge")]
    pub gauges: Vec<HydrologyGauge>,
    /// `[output]`: without `flow_map`. Of several ways, layers and mesh are those of the last.
    #[serde(default)]
    pub output: Output<HydrologyLayer>,
    /// `[picture]`: the pictures' style.
    #[serde(default)]
    pub picture: Style,
    /// `[panels]`: what a picture shows.
    #[serde(default)]
    pub panels: Panels,
    #[serde(skip)]
    pub(crate) origin: Origin,
}

impl HydrologyScene {
    /// The lattice, where it is known without reading the terrain's file.
    pub fn lattice(&self) -> Option<Lattice> {
        Site::lattice(self)
    }

    /// The parameters of each way, with the way's name.
    ///
    /// # Errors
    /// What is wrong with a way's values, with its key.
    pub fn ways(&self) -> Result<Vec<(String, Params)>, (String, String)> {
        let seed = if self.hydrology.seed == 0 { self.seed.into() } else { self.hydrology.seed };
        let base = Params { seed, ..self.hydrology.clone() };
        if self.ways.is_empty() {
            return Ok(vec![(String::new(), base)]);
        }
        let each = self.ways.iter().enumerate();
        each.map(|(i, way)| {
            let params = way.params(&base).map_err(|e| (format!("way[{i}].set"), e))?;
            Ok((way.name.clone(), params))
        })
        .collect()
    }
}

impl Site for HydrologyScene {
    fn grid(&self) -> &Grid {
        &self.grid
    }

    fn ground(&self) -> &Ground {
        &self.terrain
    }

    fn seed(&self) -> u32 {
        self.seed
    }

    fn files(&self) -> &Files {
        self.origin.files()
    }

    fn fits(&self, lattice: &Lattice) -> Result<(), SceneError> {
        Tables::check_on(self, lattice)
    }

    fn refuse(&self, key: &str, message: String) -> SceneError {
        Tables::error(self, key, message)
    }
}

impl Tables for HydrologyScene {
    type Event = HydrologyEvent;
    type Gauge = HydrologyGauge;
    type Layer = HydrologyLayer;

    fn common(&self) -> Common<'_, Self> {
        let Self { title, description, time, events, gauges, output, origin, .. } = self;
        Common { title, description, time: *time, events, gauges, output, origin }
    }

    fn clock(&self) -> &'static Clock {
        &Clock::RAIN
    }

    fn origin_mut(&mut self) -> &mut Origin {
        &mut self.origin
    }

    fn files_mut(&mut self) -> Vec<(&'static str, &mut PathBuf)> {
        let files =
            [("terrain.file", self.terrain.file.as_mut()), ("rain.map", self.rain.map.as_mut())];
        files.into_iter().filter_map(|(key, file)| Some((key, file?))).collect()
    }

    fn lattice(&self) -> Option<Lattice> {
        self.lattice()
    }

    fn problems_alone(&self) -> Problems {
        check::problems(self)
    }

    fn problems_on(&self, lattice: &Lattice) -> Problems {
        check::fit(self, lattice)
    }
}

impl ModelScene for HydrologyScene {
    const MODEL: &'static str = "hydrology";
    const TITLE: &'static str = "Land";
    const ABOUT: &'static str = "Land that rivers, lakes and forests carve";
    const TOOLS: &'static [Tool] = tools::TOOLS;

    fn seed(&self) -> u32 {
        self.seed
    }

    fn simulation(&self) -> Result<Box<dyn Simulation>, SceneError> {
        Ok(Box::new(HydrologyRun::new(self)?))
    }

    fn parameters(&self) -> Vec<Parameter> {
        parameter::read(self, tools::PARAMETERS)
    }

    fn live_keys() -> (&'static [&'static str], &'static [&'static str]) {
        (tools::TABLES, tools::FIXED)
    }
}
