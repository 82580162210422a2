//! Scene table `[carve]`: erosion of the ground before the run. The run then starts with the eroded
//! ground, its lakes and its rivers.

use crate::hydrology::deserialize_params;
use headwater::hydrology::Params;
use serde::Deserialize;

/// Keys of `[carve]` in addition to those of
/// [`CarvedToFlowOptions`](headwater::coupling::CarvedToFlowOptions). Before the run, rain erodes
/// the ground (see the model `hydrology`). The run starts with the resulting lakes and streams.
/// Requires square cells; cannot be combined with `[rain]` and `[water]`. The key `hydrology.edges`
/// determines the boundary conditions, unless a `[[boundary]]` overrides them.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Carve {
    /// Amount of rain before the run (drops per cell), greater than 0 and at most 1000.
    pub rain: f64,
    /// Parameters of the erosion. If `seed` is 0, the scene's seed is used. `sea` is an elevation
    /// in the scene (m).
    #[serde(default, deserialize_with = "deserialize_params")]
    #[cfg_attr(feature = "schema", schemars(with = "crate::hydrology::HydrologyKeys"))]
    pub hydrology: Params,
}
