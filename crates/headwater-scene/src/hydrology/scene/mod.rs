//! Scenes of the model `hydrology`. Time is rain: the mean depth that has fallen, in drops per cell.

mod run;
mod table;

use super::HydrologyAction;
pub use run::{
    HydrologyGauge, HydrologyMeasure, HydrologyRain, HydrologyUplift, Panel, Panels, River, Way,
    Zone,
};
pub(crate) use table::params;
pub use table::{HydrologyKeys, Parts, PlantName};

use crate::flow::{Grid, Ground};
use crate::picture::Style;
use crate::scene::origin::Origin;
use crate::scene::output::{Output, Time};
use crate::scene::site::Site;
use crate::scene::{Event, LayerName, default_seed};
use headwater::Lattice;
use headwater::hydrology::Params;
use schemars::JsonSchema;
use serde::Deserialize;

/// A scene of the model `hydrology`: land that rivers, lakes and plants shape.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
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
    /// happen at the end of the batch that reaches their time. A step of stream power is `hydrology.stream_power.step` long.
    pub time: Time,
    /// `[terrain]`
    pub terrain: Ground,
    /// `[hydrology]`: how drops or stream power carve, what lies beyond the edges, the height of the sea, layers of rock,
    /// kinds of plants. Its `seed` is the scene's unless it gives one above 0.
    #[serde(default, deserialize_with = "params")]
    #[schemars(with = "HydrologyKeys")]
    pub hydrology: Params,
    /// `[rain]`: where it rains. Default: the same everywhere.
    #[serde(default)]
    pub rain: HydrologyRain,
    /// `[uplift]`: where the land rises under `method = "stream-power"`. Default: everywhere but on open edges, alike.
    #[serde(default)]
    pub uplift: HydrologyUplift,
    /// `[[inflow]]`: rivers that enter from outside; at most 1000.
    #[serde(default, rename = "inflow")]
    pub inflows: Vec<River>,
    /// `[[way]]`: the same land carved in several ways, side by side; at most 6. Default: one.
    #[serde(default, rename = "way")]
    pub ways: Vec<Way>,
    /// `[[event]]`
    #[serde(default, rename = "event")]
    pub events: Vec<Event<HydrologyAction, HydrologyGauge>>,
    /// `[[gauge]]`
    #[serde(default, rename = "gauge")]
    pub gauges: Vec<HydrologyGauge>,
    /// `[output]`. Of several ways, layers and mesh are those of the last.
    #[serde(default)]
    pub output: Output<LayerName<Self>>,
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
    pub fn ways(&self) -> Vec<(String, Params)> {
        let seed = if self.hydrology.seed == 0 { self.seed.into() } else { self.hydrology.seed };
        let base = Params { seed, ..self.hydrology.clone() };
        if self.ways.is_empty() {
            return vec![(String::new(), base)];
        }
        let of = |way: &Way| (way.name.clone(), table::laid_over(base.clone(), &way.set));
        self.ways.iter().map(of).collect()
    }
}
