//! `[[event]]`: what is done to the world while it runs.

use super::{Body, SourcePlace};
use crate::scene::added::added;
use crate::scene::check::either;
use crate::scene::schema::schema_of;
use crate::scene::{Alone, Area, Beside, Extent, Nothing, On};
use headwater::Falloff;
use headwater::flow::{Amount, Change, Preserve, Source};
use schemars::JsonSchema;
use serde::Deserialize;

/// `do`: what an event does, most of it in exactly one of `disc`, `rect`, `line`, `polygon`, `everywhere`.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(tag = "do", rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Action {
    /// The ground goes up by `amount`, or up to `level` where it is lower.
    Raise(On<Shift>),
    /// The ground goes down by `amount`, or down to `level` where it is higher.
    Lower(On<Shift>),
    /// The ground goes to `level`.
    Flatten(On<Flatten>),
    /// The ground goes to the mean of what is within `reach`.
    Smooth(On<Smooth>),
    /// Water is added: `amount` or `volume`.
    Pour(On<Pour>),
    /// Water is taken: `amount` or `volume`, as far as there is some.
    Remove(On<Pour>),
    /// Water is pushed: it becomes faster by `velocity`.
    Push(On<Push>),
    /// Cells are closed to water: a gate shuts.
    Close(On<Nothing>),
    /// Cells are opened to water: a gate opens, a building is gone.
    Open(On<Nothing>),
    /// One of `source`, `drain` and `body` is added.
    Add(Alone<Added>),
}

/// What of the ground goes up or down.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(try_from = "ShiftKeys")]
pub struct Shift {
    /// How far.
    pub change: Change,
    /// How it fades towards the rim.
    pub falloff: Falloff,
    /// What the water does.
    pub keep: Preserve,
}

/// The keys of a [`Shift`].
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ShiftKeys {
    /// By how much (m), above 0 to 100000.
    amount: Option<f64>,
    /// To which height (m), −100000 to 100000.
    level: Option<f64>,
    /// How the change fades towards the rim: `"flat"` (default), `"linear"` or `"smooth"`.
    #[serde(default)]
    falloff: Falloff,
    /// What the water does as the ground moves: `"depth"` (default) moves with it, `"surface"` stays where it is as far as
    /// there is water.
    #[serde(default)]
    keep: Preserve,
}

schema_of!([] Shift, |generator| ShiftKeys::json_schema(generator));

impl TryFrom<ShiftKeys> for Shift {
    type Error = String;

    fn try_from(keys: ShiftKeys) -> Result<Self, String> {
        let ShiftKeys { amount, level, falloff, keep } = keys;
        let (by, to) = (amount.map(Change::By), level.map(Change::To));
        let change = either([("amount", by), ("level", to)])?;
        Ok(Self { change, falloff, keep })
    }
}

/// Ground that goes to one height.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Flatten {
    /// To which height (m), −100000 to 100000.
    pub level: f64,
    /// How the change fades towards the rim: `"flat"` (default), `"linear"` or `"smooth"`.
    #[serde(default)]
    pub falloff: Falloff,
    /// What the water does, as for raise.
    #[serde(default)]
    pub keep: Preserve,
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
    /// What the water does, as for raise.
    #[serde(default)]
    pub keep: Preserve,
}

/// Water that comes or goes.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(try_from = "PourKeys")]
pub struct Pour {
    /// How much.
    pub amount: Amount,
    /// How it fades towards the rim.
    pub falloff: Falloff,
}

/// The keys of a [`Pour`].
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct PourKeys {
    /// Depth (m), times the falloff, above 0 to 100000.
    amount: Option<f64>,
    /// Water in all (m³), above 0 to 10¹².
    volume: Option<f64>,
    /// How the change fades towards the rim: `"flat"` (default), `"linear"` or `"smooth"`.
    #[serde(default)]
    falloff: Falloff,
}

schema_of!([] Pour, |generator| PourKeys::json_schema(generator));

impl TryFrom<PourKeys> for Pour {
    type Error = String;

    fn try_from(keys: PourKeys) -> Result<Self, String> {
        let PourKeys { amount, volume, falloff } = keys;
        let (depth, volume) = (amount.map(Amount::Depth), volume.map(Amount::Volume));
        let amount = either([("amount", depth), ("volume", volume)])?;
        Ok(Self { amount, falloff })
    }
}

/// Water that becomes faster.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Push {
    /// What the water's velocity changes by (m/s, to the east and to the south), −1000 to 1000.
    pub velocity: [f64; 2],
    /// How the change fades towards the rim: `"flat"` (default), `"linear"` or `"smooth"`.
    #[serde(default)]
    pub falloff: Falloff,
}

added! {
    /// A spring, from now on; its `from` and `until` count from the start of the run all the same.
    source: Source(Beside<Source, SourcePlace>),
    /// A drain, likewise.
    drain: Drain(Beside<Source, SourcePlace>),
    /// A body.
    body: Body(Body),
}

impl Action {
    /// Where it is done, and how it fades towards the rim; `None` if it adds something.
    pub fn place(&self) -> Option<(&Extent, Falloff)> {
        Some(match self {
            Action::Raise(on) | Action::Lower(on) => (&on.extent, on.what.falloff),
            Action::Flatten(on) => (&on.extent, on.what.falloff),
            Action::Smooth(on) => (&on.extent, on.what.falloff),
            Action::Pour(on) | Action::Remove(on) => (&on.extent, on.what.falloff),
            Action::Push(on) => (&on.extent, on.what.falloff),
            Action::Close(on) | Action::Open(on) => (&on.extent, Falloff::Flat),
            Action::Add(_) => return None,
        })
    }

    /// Where it is done; nowhere if it adds something.
    pub fn area(&self) -> Area {
        self.place().map_or_else(Area::default, |(extent, _)| extent.clone().into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::flow::Gauge;
    use crate::scene::Event;

    fn action(keys: &str) -> Result<Action, String> {
        let event: Result<Event<Action, Gauge>, _> =
            toml::from_str(&format!("time = 0\neverywhere = true\n{keys}"));
        let event = event.map_err(|error| error.to_string())?;
        Ok(event.action().expect("an action on the world").clone())
    }

    #[test]
    fn an_action_has_exactly_the_keys_it_needs() {
        let lowered = action("do = 'lower'\nlevel = 3").unwrap();
        assert!(matches!(lowered, Action::Lower(on) if on.what.change == Change::To(3.0)));
        let poured = action("do = 'pour'\nvolume = 9").unwrap();
        assert!(matches!(poured, Action::Pour(on) if on.what.amount == Amount::Volume(9.0)));
        assert!(action("do = 'raise'\nlevel = 3\namount = 1").unwrap_err().contains("found both"));
        assert!(action("do = 'flatten'").unwrap_err().contains("level"));
        assert!(action("do = 'close'\nfalloff = 'flat'").is_err());
    }
}
