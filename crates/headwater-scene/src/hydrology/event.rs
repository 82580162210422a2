//! `[[event]]`: what is done to the land while it rains.

use super::River;
use crate::scene::check::either;
use crate::scene::schema::schema_of;
use crate::scene::{Extent, InArea, Position, WithoutArea};
use headwater::Falloff;
use headwater::hydrology::{Change, Edit, Method, Niche};
use schemars::JsonSchema;
use serde::Deserialize;

/// `do`: what an event does, most of it in exactly one of `disc`, `rect`, `line`, `polygon`, `everywhere`.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(tag = "do", rename_all = "kebab-case")]
#[non_exhaustive]
pub enum HydrologyAction {
    /// The rock goes up by `amount`, or up to `level` where the ground is lower.
    Raise(InArea<Shift>),
    /// The ground goes down by `amount`, or down to `level` where it is higher.
    Lower(InArea<Shift>),
    /// Loose soil is heaped on the ground, by `amount`.
    Heap(InArea<Heap>),
    /// The ground goes to `level`.
    Flatten(InArea<Flatten>),
    /// The ground goes to the mean of what is within `reach`.
    Smooth(InArea<Smooth>),
    /// Plants of a `kind` are set.
    Plant(InArea<Plant>),
    /// Plants are cut.
    Clear(InArea<Clear>),
    /// Water is poured out at a place, and runs to where it will stand.
    Pour(WithoutArea<Pour>),
    /// The sea goes to `level`.
    Sea(WithoutArea<Sea>),
    /// The rain carves harder for a while, such as in a year of floods.
    Storm(WithoutArea<Storm>),
    /// The land is carved by another `method` from now on.
    Method(WithoutArea<Carving>),
    /// An `inflow` is added.
    Add(WithoutArea<Added>),
}

/// What of the ground goes up or down.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(try_from = "ShiftKeys")]
pub struct Shift {
    /// How far.
    pub change: Change,
    /// How it fades towards the rim.
    pub falloff: Falloff,
}

/// The keys of a [`Shift`].
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ShiftKeys {
    /// By how much (m), above 0 to 32768.
    amount: Option<f64>,
    /// To which height (m), −32768 to 32768.
    level: Option<f64>,
    /// How the change fades towards the rim: `"flat"` (default), `"linear"` or `"smooth"`.
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

/// Soil that comes.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Heap {
    /// How high (m), above 0 to 32768.
    pub amount: f64,
    /// How the change fades towards the rim: `"flat"` (default), `"linear"` or `"smooth"`.
    #[serde(default)]
    pub falloff: Falloff,
}

/// Ground that goes to one height.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Flatten {
    /// To which height (m), −32768 to 32768.
    pub level: f64,
    /// How the change fades towards the rim: `"flat"` (default), `"linear"` or `"smooth"`.
    #[serde(default)]
    pub falloff: Falloff,
}

/// Ground that goes to the mean of its surroundings.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Smooth {
    /// How far around a cell its height is averaged (m). Default: two cells.
    pub reach: Option<f64>,
    /// How the change fades towards the rim: `"flat"` (default), `"linear"` or `"smooth"`.
    #[serde(default)]
    pub falloff: Falloff,
}

/// Plants that come.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Plant {
    /// The name of a kind of `[[hydrology.plants]]`.
    pub kind: String,
    /// How their size fades towards the rim: `"flat"` (default), `"linear"` or `"smooth"`.
    #[serde(default)]
    pub falloff: Falloff,
}

/// Plants that go.
#[derive(Clone, Copy, Debug, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Clear {
    /// How what is cut of them fades towards the rim: `"flat"` (default), `"linear"` or `"smooth"`.
    pub falloff: Falloff,
}

/// Water that comes at once.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Pour {
    /// Where.
    pub at: Position,
    /// How much (m³), above 0 to 10¹².
    pub volume: f64,
}

/// The sea's new height.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Sea {
    /// To which height (m), −32768 to 32768.
    pub level: f64,
}

/// Rain that carves harder.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Storm {
    /// How much falls until it ends (drops per cell), above 0 to 10⁶. It takes the place of a storm that has not ended yet.
    pub rain: f64,
    /// How many times as hard it carves as `hydrology.intensity` says, 0 to 100.
    pub intensity: f64,
}

/// How land is carved from now on.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Carving {
    /// `"drops"` or `"stream-power"`.
    pub method: Method,
}

/// What an event adds.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Added {
    /// A river, from now on.
    pub inflow: River,
}

impl HydrologyAction {
    /// Where a brush works, and how it fades towards the rim; `None` if none does.
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

    /// What a brush does on land with cells of `cell` m and those kinds of plants; `None` if none works, or there is no such
    /// kind, as on one of several ways.
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
