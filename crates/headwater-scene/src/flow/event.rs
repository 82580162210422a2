//! Scene table `[[event]]`: the actions that events apply to a flow world.

use super::{Body, SourcePlace};
use crate::scene::check::only_given_of_two;
use crate::scene::event::added::added;
use crate::scene::has_schema::schema_of;
use crate::scene::{AreaAction, ExtendedKeys, Extent, NoKeys, NonAreaAction};
use headwater::Falloff;
use headwater::flow::{Amount, Change, PreservedQuantity, Source};
use serde::{Deserialize, Serialize};

/// `do`: action of an event. Most actions need exactly one of `disc`, `rect`, `line`, `polygon` and
/// `everywhere`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "do", rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Action {
    /// Raises the ground, either by `amount` or up to `level`. Ground above `level` does not
    /// change.
    Raise(AreaAction<Shift>),
    /// Lowers the ground, either by `amount` or down to `level`. Ground below `level` does not
    /// change.
    Lower(AreaAction<Shift>),
    /// Sets the ground to `level`.
    Flatten(AreaAction<Flatten>),
    /// Sets the ground to the mean height within the radius `reach`.
    Smooth(AreaAction<Smooth>),
    /// Adds water. Needs exactly one of `amount` and `volume`.
    Pour(AreaAction<Pour>),
    /// Removes water, up to the amount available. Needs exactly one of `amount` and `volume`.
    Remove(AreaAction<Pour>),
    /// Adds `velocity` to the velocity of the water.
    Push(AreaAction<Push>),
    /// Closes cells to water, as a closing gate does.
    Close(AreaAction<NoKeys>),
    /// Opens cells to water, as an opening gate or the removal of a building does.
    Open(AreaAction<NoKeys>),
    /// Adds a `source`, a `drain` or a `body`. Needs exactly one of them.
    Add(NonAreaAction<Added>),
}

/// Parameters of [`Action::Raise`] and [`Action::Lower`], which change the height of the ground.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "ShiftKeys", into = "ShiftKeys")]
pub struct Shift {
    /// Height change, or target height.
    pub change: Change,
    /// Falloff of the height change from the centre to the rim of the area.
    pub falloff: Falloff,
    /// Water quantity that stays unchanged when the ground changes: the depth or the surface level.
    pub keep: PreservedQuantity,
}

/// Scene keys of the actions `raise` and `lower`, from which a [`Shift`] is deserialized.
#[derive(Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
struct ShiftKeys {
    /// Height change (m), greater than 0 and at most 100000.
    amount: Option<f64>,
    /// Target height of the ground (m), −100000 to 100000.
    level: Option<f64>,
    /// Falloff of the effect toward the rim of the area: `"flat"` for none (default), `"linear"` or
    /// `"smooth"`.
    #[serde(default)]
    falloff: Falloff,
    /// Water quantity that stays unchanged when the ground changes: `"depth"` (default) moves the
    /// water with the ground, `"surface"` keeps the surface level where there is enough water.
    #[serde(default)]
    keep: PreservedQuantity,
}

schema_of!([] Shift, |generator| ShiftKeys::json_schema(generator));

impl From<Shift> for ShiftKeys {
    fn from(Shift { change, falloff, keep }: Shift) -> Self {
        let (amount, level) = match change {
            Change::By(amount) => (Some(amount), None),
            Change::To(level) => (None, Some(level)),
        };
        Self { amount, level, falloff, keep }
    }
}

impl TryFrom<ShiftKeys> for Shift {
    type Error = String;

    fn try_from(keys: ShiftKeys) -> Result<Self, String> {
        let ShiftKeys { amount, level, falloff, keep } = keys;
        let (by, to) = (amount.map(Change::By), level.map(Change::To));
        let change = only_given_of_two([("amount", by), ("level", to)])?;
        Ok(Self { change, falloff, keep })
    }
}

/// Keys of the action `flatten`, which sets the ground to a level.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Flatten {
    /// Target height of the ground (m), −100000 to 100000.
    pub level: f64,
    /// Falloff of the effect toward the rim of the area: `"flat"` for none (default), `"linear"` or
    /// `"smooth"`.
    #[serde(default)]
    pub falloff: Falloff,
    /// Water quantity that stays unchanged when the ground changes, `"depth"` or `"surface"`, as
    /// for the action `raise`.
    #[serde(default)]
    pub keep: PreservedQuantity,
}

/// Keys of the action `smooth`, which sets the ground to a moving average.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Smooth {
    /// Radius of the average (m). Default: two cells.
    pub reach: Option<f64>,
    /// Falloff of the effect toward the rim of the area: `"flat"` for none (default), `"linear"` or
    /// `"smooth"`.
    #[serde(default)]
    pub falloff: Falloff,
    /// Water quantity that stays unchanged when the ground changes, `"depth"` or `"surface"`, as
    /// for the action `raise`.
    #[serde(default)]
    pub keep: PreservedQuantity,
}

/// Parameters of [`Action::Pour`] and [`Action::Remove`], which change the amount of water.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "PourKeys", into = "PourKeys")]
pub struct Pour {
    /// Amount of water, as a depth or a volume.
    pub amount: Amount,
    /// Falloff of the water depth from the centre to the rim of the area.
    pub falloff: Falloff,
}

/// Scene keys of the actions `pour` and `remove`, from which a [`Pour`] is deserialized.
#[derive(Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
struct PourKeys {
    /// Depth of water (m) before the falloff is applied, greater than 0 and at most 100000.
    amount: Option<f64>,
    /// Total volume of water (m³), greater than 0 and at most 10¹².
    volume: Option<f64>,
    /// Falloff of the water depth toward the rim of the area: `"flat"` for none (default),
    /// `"linear"` or `"smooth"`.
    #[serde(default)]
    falloff: Falloff,
}

schema_of!([] Pour, |generator| PourKeys::json_schema(generator));

impl From<Pour> for PourKeys {
    fn from(Pour { amount, falloff }: Pour) -> Self {
        let (amount, volume) = match amount {
            Amount::Depth(depth) => (Some(depth), None),
            Amount::Volume(volume) => (None, Some(volume)),
        };
        Self { amount, volume, falloff }
    }
}

impl TryFrom<PourKeys> for Pour {
    type Error = String;

    fn try_from(keys: PourKeys) -> Result<Self, String> {
        let PourKeys { amount, volume, falloff } = keys;
        let (depth, volume) = (amount.map(Amount::Depth), volume.map(Amount::Volume));
        let amount = only_given_of_two([("amount", depth), ("volume", volume)])?;
        Ok(Self { amount, falloff })
    }
}

/// Keys of the action `push`, which adds a velocity to that of the water.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Push {
    /// Eastward and southward velocity change (m/s), −1000 to 1000.
    pub velocity: [f64; 2],
    /// Falloff of the effect toward the rim of the area: `"flat"` for none (default), `"linear"` or
    /// `"smooth"`.
    #[serde(default)]
    pub falloff: Falloff,
}

added! {
    /// Source that the event adds. The times `from` and `until` count from the start of the run.
    source: Source(ExtendedKeys<Source, SourcePlace>),
    /// Drain that the event adds. The times `from` and `until` count from the start of the run.
    drain: Drain(ExtendedKeys<Source, SourcePlace>),
    /// Floating body that the event adds.
    body: Body(Body),
}

impl Action {
    /// Returns the area in which the action applies, and the falloff. Returns `None` for actions
    /// that add an object.
    pub fn extent_and_falloff(&self) -> Option<(&Extent, Falloff)> {
        Some(match self {
            Action::Raise(on) | Action::Lower(on) => (&on.extent, on.value.falloff),
            Action::Flatten(on) => (&on.extent, on.value.falloff),
            Action::Smooth(on) => (&on.extent, on.value.falloff),
            Action::Pour(on) | Action::Remove(on) => (&on.extent, on.value.falloff),
            Action::Push(on) => (&on.extent, on.value.falloff),
            Action::Close(on) | Action::Open(on) => (&on.extent, Falloff::Flat),
            Action::Add(_) => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::flow::Gauge;
    use crate::scene::Event;

    fn parse_action(keys: &str) -> Result<Action, String> {
        let event: Result<Event<Action, Gauge>, _> =
            toml::from_str(&format!("time = 0\neverywhere = true\n{keys}"));
        let event = event.map_err(|error| error.to_string())?;
        Ok(event.action().expect("an action on the world").clone())
    }

    #[test]
    fn actions_accept_exactly_their_keys() {
        let lowered = parse_action("do = 'lower'\nlevel = 3").unwrap();
        assert!(matches!(lowered, Action::Lower(on) if on.value.change == Change::To(3.0)));
        let poured = parse_action("do = 'pour'\nvolume = 9").unwrap();
        assert!(matches!(poured, Action::Pour(on) if on.value.amount == Amount::Volume(9.0)));
        assert!(
            parse_action("do = 'raise'\nlevel = 3\namount = 1").unwrap_err().contains("found both")
        );
        assert!(parse_action("do = 'flatten'").unwrap_err().contains("level"));
        assert!(parse_action("do = 'close'\nfalloff = 'flat'").is_err());
    }
}
