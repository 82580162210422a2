//! Scenes of the model `waves`.

mod run;
mod surface;

use super::WavesEvent;
use super::run::WavesRun;
use super::tools;
use crate::live::{Parameter, Tool, parameter};
use crate::run::Simulation;
use crate::scene::{ModelScene, SceneError};
pub use run::{WavesGauge, WavesLayer, WavesMeasure};
pub use surface::{
    Gusts, Land, Maker, Shower, Start, Stroke, Swimmer, SwimmerPath, WavesGrid, WavesPhysics,
};

use super::check;
use crate::picture::PoolStyle;
use crate::scene::default_seed;
use crate::scene::origin::Origin;
use crate::scene::output::{Output, Time};
use crate::scene::setting::{Common, Problems, Tables};
use headwater::waves::Edges;
use headwater::{Lattice, Square};
use serde::Deserialize;
use std::path::PathBuf;

/// A scene of the model `waves`: a rippling surface whose mean level is given, what bounds it and what
/// stirs it.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WavesScene {
    /// A short title, one line of at most 100 characters. Default: empty.
    #[serde(default)]
    pub title: String,
    /// What there is to see, one line of at most 200 characters. Default: empty.
    #[serde(default)]
    pub description: String,
    /// All that is random follows from it. Default 1.
    #[serde(default = "default_seed")]
    pub seed: u32,
    /// `[grid]`
    pub grid: WavesGrid,
    /// `[time]`; `dt` is not for waves, whose step is `physics.step`.
    pub time: Time,
    /// `[physics]`
    #[serde(default)]
    pub physics: WavesPhysics,
    /// `[edges]`: what each of `west`, `east`, `north` and `south` does to waves: `"reflecting"` (default),
    /// `"pinned"`, `"periodic"` or `"absorbing"`.
    #[serde(default)]
    pub edges: Edges,
    /// `[[land]]`: where waves come back, one after the other; at most 1000.
    #[serde(default, rename = "land")]
    pub land: Vec<Land>,
    /// `[[start]]`: what ripples the surface before the run begins; at most 1000.
    #[serde(default, rename = "start")]
    pub starts: Vec<Start>,
    /// `[[body]]`: what swims in the surface and presses it down; at most 1000.
    #[serde(default, rename = "body")]
    pub bodies: Vec<Swimmer>,
    /// `[[maker]]`: paddles that make swell; at most 1000.
    #[serde(default, rename = "maker")]
    pub makers: Vec<Maker>,
    /// `[rain]`
    pub rain: Option<Shower>,
    /// `[wind]`
    pub wind: Option<Gusts>,
    /// `[[event]]`
    #[serde(default, rename = "event")]
    pub events: Vec<WavesEvent>,
    /// `[[gauge]]`
    #[serde(default, rename = "gauge")]
    pub gauges: Vec<WavesGauge>,
    /// `[output]`
    #[serde(default)]
    pub output: Output<WavesLayer>,
    /// `[picture]`: the pictures' style.
    #[serde(default)]
    pub picture: PoolStyle,
    #[serde(skip)]
    pub(crate) origin: Origin,
}

impl WavesScene {
    /// The grid. `None` for sizes no lattice can have, which no checked scene has.
    pub fn square(&self) -> Option<Square> {
        let WavesGrid { nx, ny, cell } = self.grid;
        Square::new(nx, ny, cell, cell).ok()
    }
}

impl Tables for WavesScene {
    type Event = WavesEvent;
    type Gauge = WavesGauge;
    type Layer = WavesLayer;

    fn common(&self) -> Common<'_, Self> {
        let Self { title, description, time, events, gauges, output, origin, .. } = self;
        Common { title, description, time: *time, events, gauges, output, origin }
    }

    fn origin_mut(&mut self) -> &mut Origin {
        &mut self.origin
    }

    fn files_mut(&mut self) -> Vec<(&'static str, &mut PathBuf)> {
        Vec::new()
    }

    fn lattice(&self) -> Option<Lattice> {
        self.square().map(Lattice::from)
    }

    fn problems_alone(&self) -> Problems {
        check::problems(self)
    }

    fn problems_on(&self, lattice: &Lattice) -> Problems {
        check::fit(self, lattice)
    }
}

impl ModelScene for WavesScene {
    const MODEL: &'static str = "waves";
    const TITLE: &'static str = "Waves";
    const ABOUT: &'static str = "Ponds and harbours that ripple";
    const TOOLS: &'static [Tool] = tools::TOOLS;

    fn seed(&self) -> u32 {
        self.seed
    }

    fn simulation(&self) -> Result<Box<dyn Simulation>, SceneError> {
        Ok(Box::new(WavesRun::new(self)?))
    }

    fn parameters(&self) -> Vec<Parameter> {
        parameter::read(self, tools::PARAMETERS)
    }

    fn live_keys() -> (&'static [&'static str], &'static [&'static str]) {
        (tools::TABLES, tools::FIXED)
    }
}
