//! `[hydrology]`: the model's parameters, and the tables of parameters among them.

use crate::scene::{Beside, Keys};
use headwater::hydrology::{Edges, Niche, Params, Preset, Strata, StreamPower, Wind};
use schemars::JsonSchema;
use serde::{Deserialize, Deserializer};

/// `[hydrology]` as it is written: what is not given is left as it is.
pub type HydrologyKeys = Beside<Params, Parts>;

/// The tables in `[hydrology]`.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Parts {
    /// What land of a kind has, for what is not given: `"young"`, rough and steep; `"old"`, worn down; `"glacial"`, with broad
    /// smooth troughs. Default: neither.
    pub preset: Option<Preset>,
    /// What lies beyond the sides of the map.
    pub edges: Keys<Edges>,
    /// The law by which land is carved where `method` is `"stream-power"`.
    pub stream_power: Keys<StreamPower>,
    /// Layers of rock that are hard and soft by turns. Default: none.
    pub strata: Option<Keys<Strata>>,
    /// The kinds of plants, at most 8. Default: `willow`, `beech` and `pine`; `[]` for a bare land.
    pub plants: Option<Vec<Beside<Niche, PlantName>>>,
}

/// The name of a kind of plants.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PlantName {
    /// What the kind of plants is called. Default `"plant"`.
    pub name: Option<String>,
}

/// Parameters with what is given in a table in the place of theirs, a list as a whole.
pub(super) fn laid_over(mut base: Params, given: &HydrologyKeys) -> Params {
    if let Some(preset) = given.preset {
        base = preset.apply_to(base);
    }
    given.keys.lay_over(&mut base);
    given.edges.lay_over(&mut base.edges);
    given.stream_power.lay_over(&mut base.stream_power);
    if let Some(strata) = &given.strata {
        strata.lay_over(base.strata.get_or_insert_default());
    }
    if let Some(plants) = &given.plants {
        base.plants = plants.iter().map(niche).collect();
    }
    base
}

fn niche(plant: &Beside<Niche, PlantName>) -> Niche {
    let niche = (*plant.keys).clone();
    let name = plant.name.clone();
    Niche { name: name.unwrap_or_else(|| niche.name.clone()), ..niche }
}

/// Reads a table of parameters; what is not given has its default.
pub(crate) fn params<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Params, D::Error> {
    Ok(laid_over(Params::default(), &HydrologyKeys::deserialize(deserializer)?))
}

/// Reads a list of winds.
pub(super) fn winds<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Wind>, D::Error> {
    let winds = Vec::<Keys<Wind>>::deserialize(deserializer)?;
    Ok(winds.iter().map(|wind| **wind).collect())
}
