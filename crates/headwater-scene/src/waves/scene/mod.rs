//! Scenes of the model `waves`.

mod run;
mod surface;

use super::WavesAction;
use crate::scene::{Event, ExtendedKeys, InArea, Keys, LayerName};
pub use run::{WavesGauge, WavesMeasure};
pub use surface::{BodyPath, Ends, Land, Start, SteeredBody, WavesGrid};

use crate::picture::PoolStyle;
use crate::scene::default_seed;
use crate::scene::origin::Origin;
use crate::scene::output::{Output, Time};
use headwater::Square;
use headwater::waves::{Body, Edges, Maker, Params, Rain, Wind};
use schemars::JsonSchema;
use serde::Deserialize;

/// A scene of the model `waves`: a rippling surface whose mean level is given, what bounds it and what
/// stirs it.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
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
    /// `[physics]`: how waves run. May be left out.
    #[serde(default)]
    pub physics: Keys<Params>,
    /// `[edges]`: what each of `west`, `east`, `north` and `south` does to waves: `"reflecting"` (default),
    /// `"pinned"`, `"periodic"` or `"absorbing"`.
    #[serde(default)]
    pub edges: Keys<Edges>,
    /// `[[land]]`: where waves come back, one after the other; at most 1000.
    #[serde(default, rename = "land")]
    pub land: Vec<InArea<Land>>,
    /// `[[start]]`: what ripples the surface before the run begins; at most 1000.
    #[serde(default, rename = "start")]
    pub starts: Vec<Start>,
    /// `[[body]]`: what swims in the surface and presses it down; at most 1000.
    #[serde(default, rename = "body")]
    pub bodies: Vec<ExtendedKeys<Body, SteeredBody>>,
    /// `[[maker]]`: paddles that make swell; at most 1000.
    #[serde(default, rename = "maker")]
    pub makers: Vec<ExtendedKeys<Maker, Ends>>,
    /// `[rain]`: drops at random. They ripple the surface and do not raise it. Needs `rate`, `radius` and `depth`.
    pub rain: Option<Keys<Rain>>,
    /// `[wind]`: round gusts that go with it, press, and die down. Needs all but `lifetime`.
    pub wind: Option<Keys<Wind>>,
    /// `[[event]]`
    #[serde(default, rename = "event")]
    pub events: Vec<Event<WavesAction, WavesGauge>>,
    /// `[[gauge]]`
    #[serde(default, rename = "gauge")]
    pub gauges: Vec<WavesGauge>,
    /// `[output]`
    #[serde(default)]
    pub output: Output<LayerName<WavesScene>>,
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

    /// The parameters of its world.
    pub fn params(&self) -> Params {
        Params { edges: *self.edges, ..(*self.physics).clone() }
    }
}
