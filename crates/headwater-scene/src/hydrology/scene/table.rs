//! Scene table `[hydrology]`: the parameters of the hydrology model and their subtables.

use crate::scene::{ExtendedKeys, Keys};
use headwater::hydrology::{Edges, Niche, Params, Preset, Strata, StreamPower, Wind};
use serde::{Deserialize, Deserializer};

/// Keys of `[hydrology]` that the scene gives. All other parameters keep their defaults or, in a
/// `[[way]]`, the values that the scene gives for all variants.
pub type HydrologyKeys = ExtendedKeys<Params, HydrologyTables>;

/// Subtables and further keys of `[hydrology]`, in addition to the model's parameters.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct HydrologyTables {
    /// Defaults for a type of land: `"young"` (rough and steep), `"old"` (worn down) or `"glacial"`
    /// (broad smooth troughs). Default: the defaults of the individual keys.
    pub preset: Option<Preset>,
    /// Boundary conditions at the edges of the map.
    pub edges: Keys<Edges>,
    /// Parameters of the stream-power law, which is used if `method` is `"stream-power"`.
    pub stream_power: Keys<StreamPower>,
    /// Rock layers of alternating hardness. Default: uniform rock.
    pub strata: Option<Keys<Strata>>,
    /// Kinds of plants, at most 8. Default: `willow`, `beech` and `pine`. `[]` stands for bare
    /// land.
    pub plants: Option<Vec<ExtendedKeys<Niche, PlantName>>>,
}

/// Name of a plant kind. This key is given together with the parameters of the kind.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct PlantName {
    /// Name of the kind. Default `"plant"`.
    pub name: Option<String>,
}

/// Returns the parameters `base`, with those that `overrides` contains replaced. A list in
/// `overrides` replaces the entire list in `base`.
pub(super) fn apply_keys(mut base: Params, overrides: &HydrologyKeys) -> Params {
    if let Some(preset) = overrides.preset {
        base = preset.apply_to(base);
    }
    overrides.keys.apply_to(&mut base);
    overrides.edges.apply_to(&mut base.edges);
    overrides.stream_power.apply_to(&mut base.stream_power);
    if let Some(strata) = &overrides.strata {
        strata.apply_to(base.strata.get_or_insert_default());
    }
    if let Some(plants) = &overrides.plants {
        base.plants = plants.iter().map(to_niche).collect();
    }
    base
}

fn to_niche(plant: &ExtendedKeys<Niche, PlantName>) -> Niche {
    let niche = (*plant.keys).clone();
    let name = plant.name.clone();
    Niche { name: name.unwrap_or_else(|| niche.name.clone()), ..niche }
}

/// Deserializes a table of parameters. Missing parameters get their defaults.
pub(crate) fn deserialize_params<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Params, D::Error> {
    Ok(apply_keys(Params::default(), &HydrologyKeys::deserialize(deserializer)?))
}

/// Deserializes a list of winds. Missing parameters get their defaults.
pub(super) fn deserialize_winds<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Vec<Wind>, D::Error> {
    let winds = Vec::<Keys<Wind>>::deserialize(deserializer)?;
    Ok(winds.iter().map(|wind| **wind).collect())
}
