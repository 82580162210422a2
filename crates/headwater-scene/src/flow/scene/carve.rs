//! `[carve]`: rivers carve the ground before the run, and hand their water over.

use headwater::coupling::Feed;
use headwater::hydrology::Params;
use schemars::JsonSchema;
use serde::Deserialize;

/// `[carve]`: before the run, rain carves the ground (see the model `hydrology`); then its lakes stand and its
/// streams run. On square cells; without `[rain]` and `[water]`, which it brings. What lies beyond the edges is
/// what `hydrology.edges` says, unless a `[[boundary]]` says other.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Carve {
    /// How much rain falls before the run (drops per cell), above 0 to 1000.
    pub rain: f64,
    /// How drops carve. Its `seed` is the scene's unless it gives one above 0; its `sea` is a height of the
    /// scene.
    #[serde(default)]
    #[schemars(with = "serde_json::Value")]
    pub hydrology: Params,
    /// Runoff in the run (mm/h), 0 to 100000, as the mean over the map. All discharges follow from it. Default 10,
    /// a cloudburst.
    #[serde(default = "default_runoff")]
    pub runoff: f64,
    /// Where the runoff comes from: `"streams"` (default; slopes stay dry), `"rain"` (everywhere) or
    /// `"nothing"`.
    #[serde(default)]
    pub feed: Feed,
    /// How many cells must drain to a stream, 1 to 10⁹. Default 50.
    #[serde(default = "default_channel")]
    pub channel: f64,
}

fn default_runoff() -> f64 {
    10.0
}

fn default_channel() -> f64 {
    headwater::hydrology::report::CHANNEL.into()
}
