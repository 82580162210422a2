//! `[carve]`: rivers carve the ground before the run, and hand their water over.

use crate::hydrology::{HydrologyKeys, params};
use headwater::hydrology::Params;
use schemars::JsonSchema;
use serde::Deserialize;

/// The keys of `[carve]` beside those of the [`CarvedToFlowOptions`](headwater::coupling::CarvedToFlowOptions): before the run, rain carves the ground (see the model `hydrology`); then its lakes stand and its
/// streams run. On square cells; without `[rain]` and `[water]`, which it brings. What lies beyond the edges is
/// what `hydrology.edges` says, unless a `[[boundary]]` says other.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Carve {
    /// How much rain falls before the run (drops per cell), above 0 to 1000.
    pub rain: f64,
    /// How drops carve. Its `seed` is the scene's unless it gives one above 0; its `sea` is a height of the
    /// scene.
    #[serde(default, deserialize_with = "params")]
    #[schemars(with = "HydrologyKeys")]
    pub hydrology: Params,
}
