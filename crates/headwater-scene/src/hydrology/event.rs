//! Scene table `[[event]]` of the model `hydrology`: edits of the land during a run.

use super::River;
use crate::scene::check::either;
use crate::scene::schema::schema_of;
use crate::scene::{Extent, InArea, Position, WithoutArea};
use headwater::Falloff;
use headwater::hydrology::{Change, Edit, Method, Niche};
use schemars::JsonSchema;
use serde::Deserialize;

/// `do`: the action of an event. Actions on an area take exactly one of `disc`, `rect`, `line`,
/// `polygon`, `everywhere`.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(tag = "do", rename_all = "kebab-case")]
#[non_exhaustive]
pub enum HydrologyAction {
    /// Raises the rock by `amount`, or up to `level` where the ground is lower.
    Raise(InArea<Shift>),
    /// Lowers the ground by `amount`, or down to `level` where it is higher.
    Lower(InArea<Shift>),
    /// Adds loose soil of thickness `amount`.
    Heap(InArea<Heap>),
    /// Sets the ground height to `level`.
    Flatten(InArea<Flatten>),
    /// Replaces the ground height by the mean within `reach`.
    Smooth(InArea<Smooth>),
    /// Plants one `kind` of plants.
    Plant(InArea<Plant>),
    /// Removes plants.
    Clear(InArea<Clear>),
    /// Releases a volume of water at a point. It flows downhill and collects in depressions.
    Pour(WithoutArea<Pour>),
    /// Sets the sea level to `level`.
    Sea(WithoutArea<Sea>),
    /// Increases or decreases erosion by rain for some time, as in a year of floods.
    Storm(WithoutArea<Storm>),
    /// Changes the erosion `method` from now on.
    Method(WithoutArea<MethodChange>),
    /// Adds an `inflow`.
    Add(WithoutArea<Added>),
}

/// Change of the ground height in an area, for the actions `raise` and `lower`.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(try_from = "ShiftKeys")]
pub struct Shift {
    /// Height difference or target height.
    pub change: Change,
    /// Falloff of the change towards the rim of the area.
    pub falloff: Falloff,
}

/// Keys of a [`Shift`] in a scene, which has either `amount` or `level`.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ShiftKeys {
    /// Height difference (m), above 0 to 32768.
    amount: Option<f64>,
    /// Target height (m), −32768 to 32768.
    level: Option<f64>,
    /// Falloff of the change towards the rim: `"flat"` (default), `"linear"` or `"smooth"`.
    #[serde(default)]
    falloff: Falloff,
}

schema_of!([] Shift, |generator| ShiftKeys::json_schema(generator));

impl TryFrom<ShiftKeys> for Shift {
    type Error = String;

    fn try_from(keys: ShiftKeys) -> Result<Self, String> {
        let ShiftKeys { amount, level, falloff } = keys;
        let (by, to) = (amount.map(Change::By), level.map(Change::To));
        let change = either([("amount", by), ("level", to)])?;
        Ok(Self { change, falloff })
    }
}

/// Soil to add in an area, for the action `heap`.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Heap {
    /// Thickness (m), above 0 to 32768.
    pub amount: f64,
    /// Falloff of the change towards the rim: `"flat"` (default), `"linear"` or `"smooth"`.
    #[serde(default)]
    pub falloff: Falloff,
}

/// Height to which the ground in an area is set, for the action `flatten`.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Flatten {
    /// Target height (m), −32768 to 32768.
    pub level: f64,
    /// Falloff of the change towards the rim: `"flat"` (default), `"linear"` or `"smooth"`.
    #[serde(default)]
    pub falloff: Falloff,
}

/// Smoothing of the ground in an area, for the action `smooth`.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Smooth {
    /// Radius around a cell over which its height is averaged (m). Default: two cells.
    pub reach: Option<f64>,
    /// Falloff of the change towards the rim: `"flat"` (default), `"linear"` or `"smooth"`.
    #[serde(default)]
    pub falloff: Falloff,
}

/// Plants to add in an area, for the action `plant`.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Plant {
    /// Name of a kind in `[[hydrology.plants]]`.
    pub kind: String,
    /// Falloff of the plants' size towards the rim: `"flat"` (default), `"linear"` or `"smooth"`.
    #[serde(default)]
    pub falloff: Falloff,
}

/// Removal of the plants in an area, for the action `clear`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Clear {
    /// Falloff of the removed part towards the rim: `"flat"` (default), `"linear"` or `"smooth"`.
    pub falloff: Falloff,
}

/// Water to release at once at a point, for the action `pour`.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Pour {
    /// Position.
    pub at: Position,
    /// Volume (m³), above 0 to 10¹².
    pub volume: f64,
}

/// Sea level to set, for the action `sea`.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Sea {
    /// Height (m), −32768 to 32768.
    pub level: f64,
}

/// Temporary change of the rain's intensity, for the action `storm`.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Storm {
    /// Duration as rain (drops per cell), above 0 to 10⁶. A storm replaces an earlier one that has
    /// not ended yet.
    pub rain: f64,
    /// Factor on `hydrology.intensity`, 0 to 100.
    pub intensity: f64,
}

/// Erosion method to use from now on, for the action `method`.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MethodChange {
    /// `"drops"` or `"stream-power"`.
    pub method: Method,
}

/// Object to add, for the action `add`.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Added {
    /// An inflow, from now on.
    pub inflow: River,
}

impl HydrologyAction {
    /// Returns the area and the falloff if the action changes an area; `None` for other actions.
    pub fn place(&self) -> Option<(&Extent, Falloff)> {
        Some(match self {
            Self::Raise(on) | Self::Lower(on) => (&on.extent, on.value.falloff),
            Self::Heap(on) => (&on.extent, on.value.falloff),
            Self::Flatten(on) => (&on.extent, on.value.falloff),
            Self::Smooth(on) => (&on.extent, on.value.falloff),
            Self::Plant(on) => (&on.extent, on.value.falloff),
            Self::Clear(on) => (&on.extent, on.value.falloff),
            Self::Pour(_) | Self::Sea(_) | Self::Storm(_) | Self::Method(_) | Self::Add(_) => {
                return None;
            }
        })
    }

    /// Returns the edit that the action makes in its area, on land with cells of `cell` m and the
    /// given kinds of plants. Returns `None` if the action does not change an area, or if the land
    /// does not have the kind of plants.
    pub fn edit(&self, cell: f64, plants: &[Niche]) -> Option<Edit> {
        Some(match self {
            Self::Raise(on) => Edit::Raise(on.value.change),
            Self::Lower(on) => Edit::Lower(on.value.change),
            Self::Heap(on) => Edit::Heap(on.value.amount),
            Self::Flatten(on) => Edit::Flatten { level: Some(on.value.level), strength: 1.0 },
            Self::Smooth(on) => {
                Edit::Smooth { reach: on.value.reach.unwrap_or(2.0 * cell), strength: 1.0 }
            }
            Self::Plant(on) => {
                let kind = plants.iter().position(|niche| niche.name == on.value.kind)?;
                Edit::Plant { kind: u8::try_from(kind + 1).ok()? }
            }
            Self::Clear(_) => Edit::Clear,
            Self::Pour(_) | Self::Sea(_) | Self::Storm(_) | Self::Method(_) | Self::Add(_) => {
                return None;
            }
        })
    }
}
