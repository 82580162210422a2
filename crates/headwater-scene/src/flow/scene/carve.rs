//! Table `[carve]`: erosion of the ground before the run. The eroded land provides the ground and
//! the initial water.

use crate::hydrology::{HydrologyKeys, params};
use headwater::hydrology::Params;
use schemars::JsonSchema;
use serde::Deserialize;

/// Keys of `[carve]` in addition to those of the
/// [`CarvedToFlowOptions`](headwater::coupling::CarvedToFlowOptions). Before the run, rain erodes
/// the ground (see the model `hydrology`). The run starts with its lakes and streams. Requires
/// square cells; cannot be combined with `[rain]` and `[water]`. The boundaries follow from
/// `hydrology.edges`, unless a `[[boundary]]` overrides them.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Carve {
    /// Rain before the run (drops per cell), above 0 to 1000.
    pub rain: f64,
    /// Parameters of the erosion. A `seed` of 0 is the scene's seed. `sea` is a height in the
    /// scene.
    #[serde(default, deserialize_with = "params")]
    #[schemars(with = "HydrologyKeys")]
    pub hydrology: Params,
}
