//! Scene table `[[event]]` of the model `hydrology`: edits of the land during a run.

use super::River;
use crate::scene::check::only_given_of_two;
use crate::scene::has_schema::schema_of;
use crate::scene::{AreaAction, Extent, NonAreaAction, Position};
use headwater::Falloff;
use headwater::hydrology::{Change, Edit, Method, Niche};
use serde::{Deserialize, Serialize};

/// `do`: action of an event. Actions with an area need exactly one of `disc`, `rect`, `line`,
/// `polygon` and `everywhere`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "do", rename_all = "kebab-case")]
#[non_exhaustive]
pub enum HydrologyAction {
    /// Raises the rock together with the soil on it, either by `amount` or up to `level`. Ground
    /// above `level` does not change.
    Raise(AreaAction<Shift>),
    /// Lowers the ground, either by `amount` or down to `level`. Ground below `level` does not
    /// change.
    Lower(AreaAction<Shift>),
    /// Adds loose soil with the thickness `amount`.
    #[serde(rename = "heap")]
    AddSoil(AreaAction<AddSoil>),
    /// Sets the ground to `level`.
    Flatten(AreaAction<Flatten>),
    /// Sets the ground to the mean height within the radius `reach`.
    Smooth(AreaAction<Smooth>),
    /// Adds plants of one `kind`.
    Plant(AreaAction<Plant>),
    /// Removes the plants.
    Clear(AreaAction<Clear>),
    /// Releases a volume of water at a point. The water flows downhill and collects in depressions.
    Pour(NonAreaAction<Pour>),
    /// Sets the sea level to `level`.
    Sea(NonAreaAction<Sea>),
    /// Increases or decreases the erosion by rain for some time, as in a year of floods.
    Storm(NonAreaAction<Storm>),
    /// Sets the erosion `method` from the time of the event.
    Method(NonAreaAction<MethodChange>),
    /// Adds an `inflow`.
    Add(NonAreaAction<Added>),
}

/// Parameters of the actions `raise` and `lower`, which change the ground height in an area.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "ShiftKeys", into = "ShiftKeys")]
pub struct Shift {
    /// Height change, or target height.
    pub change: Change,
    /// Falloff of the height change from the centre to the rim of the area.
    pub falloff: Falloff,
}

/// Scene keys of the actions `raise` and `lower`, from which a [`Shift`] is deserialized. Exactly
/// one of `amount` and `level` is given.
#[derive(Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
struct ShiftKeys {
    /// Height change (m), greater than 0 and at most 32768.
    amount: Option<f64>,
    /// Target height of the ground (m), −32768 to 32768.
    level: Option<f64>,
    /// Falloff of the height change toward the rim of the area: `"flat"` for none (default),
    /// `"linear"` or `"smooth"`.
    #[serde(default)]
    falloff: Falloff,
}

schema_of!([] Shift, |generator| ShiftKeys::json_schema(generator));

impl From<Shift> for ShiftKeys {
    fn from(Shift { change, falloff }: Shift) -> Self {
        let (amount, level) = match change {
            Change::By(amount) => (Some(amount), None),
            Change::To(level) => (None, Some(level)),
        };
        Self { amount, level, falloff }
    }
}

impl TryFrom<ShiftKeys> for Shift {
    type Error = String;

    fn try_from(keys: ShiftKeys) -> Result<Self, String> {
        let ShiftKeys { amount, level, falloff } = keys;
        let (by, to) = (amount.map(Change::By), level.map(Change::To));
        let change = only_given_of_two([("amount", by), ("level", to)])?;
        Ok(Self { change, falloff })
    }
}

/// Keys of the action `heap`, which adds loose soil in an area.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct AddSoil {
    /// Thickness of the added soil (m), greater than 0 and at most 32768.
    pub amount: f64,
    /// Falloff of the thickness toward the rim of the area: `"flat"` for none (default), `"linear"`
    /// or `"smooth"`.
    #[serde(default)]
    pub falloff: Falloff,
}

/// Keys of the action `flatten`, which sets the ground in an area to a height.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Flatten {
    /// Target height of the ground (m), −32768 to 32768.
    pub level: f64,
    /// Falloff of the height change toward the rim of the area: `"flat"` for none (default),
    /// `"linear"` or `"smooth"`.
    #[serde(default)]
    pub falloff: Falloff,
}

/// Keys of the action `smooth`, which sets the ground in an area to a moving average.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Smooth {
    /// Radius of the average (m). Default: two cells.
    pub reach: Option<f64>,
    /// Falloff of the height change toward the rim of the area: `"flat"` for none (default),
    /// `"linear"` or `"smooth"`.
    #[serde(default)]
    pub falloff: Falloff,
}

/// Keys of the action `plant`, which adds plants in an area.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Plant {
    /// Name of a plant kind that is defined in `[[hydrology.plants]]`.
    pub kind: String,
    /// Falloff of the plants' size toward the rim of the area: `"flat"` for none (default),
    /// `"linear"` or `"smooth"`.
    #[serde(default)]
    pub falloff: Falloff,
}

/// Keys of the action `clear`, which removes the plants in an area.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct Clear {
    /// Falloff of the removal: how the removed fraction of the plants decreases toward the rim of
    /// the area. `"flat"` for none (default), `"linear"` or `"smooth"`.
    pub falloff: Falloff,
}

/// Keys of the action `pour`, which releases water at a point.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Pour {
    /// Position at which the water is released.
    pub at: Position,
    /// Volume of water (m³), greater than 0 and at most 10¹².
    pub volume: f64,
}

/// Keys of the action `sea`, which sets the sea level.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Sea {
    /// Sea level (m), −32768 to 32768.
    pub level: f64,
}

/// Keys of the action `storm`, which changes the intensity of the rain for some time.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Storm {
    /// Duration of the storm as an amount of rain (drops per cell), greater than 0 and at most 10⁶.
    /// A storm replaces an earlier storm that has not ended.
    pub rain: f64,
    /// Factor by which `hydrology.intensity` is multiplied, 0 to 100.
    pub intensity: f64,
}

/// Keys of the action `method`, which sets the erosion method.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct MethodChange {
    /// Erosion method: `"drops"` or `"stream-power"`.
    pub method: Method,
}

/// Keys of the action `add`, which adds an inflow.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Added {
    /// Inflow that the event adds.
    pub inflow: River,
}

impl HydrologyAction {
    /// Returns the area in which the action applies, and the falloff. Returns `None` for actions
    /// without an area.
    pub fn extent_and_falloff(&self) -> Option<(&Extent, Falloff)> {
        Some(match self {
            Self::Raise(on) | Self::Lower(on) => (&on.extent, on.value.falloff),
            Self::AddSoil(on) => (&on.extent, on.value.falloff),
            Self::Flatten(on) => (&on.extent, on.value.falloff),
            Self::Smooth(on) => (&on.extent, on.value.falloff),
            Self::Plant(on) => (&on.extent, on.value.falloff),
            Self::Clear(on) => (&on.extent, on.value.falloff),
            Self::Pour(_) | Self::Sea(_) | Self::Storm(_) | Self::Method(_) | Self::Add(_) => {
                return None;
            }
        })
    }

    /// Returns the edit that the action performs in its area. `cell` is the side length of a cell
    /// (m). `plants` are the plant kinds of the land. Returns `None` for actions without an area,
    /// or if `plants` does not contain the action's plant kind.
    pub fn to_edit(&self, cell: f64, plants: &[Niche]) -> Option<Edit> {
        Some(match self {
            Self::Raise(on) => Edit::Raise(on.value.change),
            Self::Lower(on) => Edit::Lower(on.value.change),
            Self::AddSoil(on) => Edit::AddSoil(on.value.amount),
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
