//! Scene tables and keys of the model `waves`, which simulates small waves on a surface with a
//! fixed mean level.

mod run;
mod surface;

use super::WavesAction;
use crate::scene::{AreaAction, Event, ExtendedKeys, Keys, LayerName};
pub use run::{WavesGauge, WavesMeasure};
pub use surface::{BodyPath, InitialDisturbance, Land, MakerEnds, SteeredBody, WavesGrid};

use crate::picture::PoolStyle;
use crate::scene::default_seed;
use crate::scene::output::{Output, Time};
use crate::scene::read::origin::Origin;
use headwater::Square;
use headwater::waves::{Body, Edges, Params, Rain, WaveMaker, Wind};
use serde::Deserialize;

/// Scene of the model `waves`: small waves on a surface with a fixed mean level.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct WavesScene {
    /// Title, one line of at most 100 characters. Default: empty.
    #[serde(default)]
    pub title: String,
    /// Description, one line of at most 200 characters. Default: empty.
    #[serde(default)]
    pub description: String,
    /// Seed of all random numbers. Default 1.
    #[serde(default = "default_seed")]
    pub seed: u32,
    /// `[grid]`: number and size of the cells, which are squares.
    pub grid: WavesGrid,
    /// `[time]`: end time of the run. The key `dt` is not allowed; `physics.step` is the step
    /// length.
    pub time: Time,
    /// `[physics]`: parameters of the waves. Optional.
    #[serde(default)]
    pub physics: Keys<Params>,
    /// `[edges]`: boundary condition at each of `west`, `east`, `north` and `south`: `"reflecting"`
    /// (default), `"pinned"`, `"periodic"` or `"absorbing"`.
    #[serde(default)]
    pub edges: Keys<Edges>,
    /// `[[land]]`: areas of land, which reflect waves. They are applied in order. At most 1000.
    #[serde(default, rename = "land")]
    pub land: Vec<AreaAction<Land>>,
    /// `[[start]]`: initial disturbances of the surface. At most 1000.
    #[serde(default, rename = "start")]
    pub starts: Vec<InitialDisturbance>,
    /// `[[body]]`: floating bodies that displace water. At most 1000.
    #[serde(default, rename = "body")]
    pub bodies: Vec<ExtendedKeys<Body, SteeredBody>>,
    /// `[[maker]]`: wave makers. At most 1000.
    #[serde(default, rename = "maker")]
    pub makers: Vec<ExtendedKeys<WaveMaker, MakerEnds>>,
    /// `[rain]`: random drops, which cause ripples but do not raise the mean level. Requires
    /// `rate`, `radius` and `depth`.
    pub rain: Option<Keys<Rain>>,
    /// `[wind]`: round gusts that move with the wind, press on the surface, and end after some
    /// time. Requires all keys except `lifetime`.
    pub wind: Option<Keys<Wind>>,
    /// `[[event]]`: changes to the world during the run.
    #[serde(default, rename = "event")]
    pub events: Vec<Event<WavesAction, WavesGauge>>,
    /// `[[gauge]]`: time series that are measured during the run.
    #[serde(default, rename = "gauge")]
    pub gauges: Vec<WavesGauge>,
    /// `[output]`: files that the run writes.
    #[serde(default)]
    pub output: Output<LayerName<WavesScene>>,
    /// `[picture]`: style of the pictures.
    #[serde(default)]
    pub picture: PoolStyle,
    #[serde(skip)]
    pub(crate) origin: Origin,
}

impl WavesScene {
    /// Returns the grid of the scene. Returns `None` if its size is invalid, which does not occur
    /// in checked scenes.
    pub fn square_grid(&self) -> Option<Square> {
        let WavesGrid { nx, ny, cell } = self.grid;
        Square::new(nx, ny, cell, cell).ok()
    }

    /// Returns the parameters of the waves model.
    pub fn params(&self) -> Params {
        Params { edges: *self.edges, ..(*self.physics).clone() }
    }
}
