//! [`Event`]: an entry of `[[event]]`. An event has times, and either acts on the world or edits a
//! gauge. [`AreaAction`] is an action with the area on which it acts.

mod action;
pub(crate) mod added;
pub(crate) mod gauge_edit;
pub(crate) mod tool;

pub use action::AnyAction;
pub(crate) use gauge_edit::GaugeTask;
pub use gauge_edit::{GaugeEdit, GaugeEntry};
pub use tool::{Dab, Strength, Tool, ToolKind};

use crate::scene::keys::quote_names;
use crate::scene::output::Times;
use crate::scene::place::Extent;
use crate::scene::read::nested::{PATH_MARK, deserialize_nested};
use serde::de::{DeserializeOwned, Deserializer, Error};
use serde::{Deserialize, Serialize, Serializer};
use toml::Table;

/// Entry of `[[event]]` in a scene. A scene has at most 1000 events that shorten time steps, and at
/// most 100000 events in total.
///
/// An event has the keys `time`, `every`, `until` and `in_passing` (see [`Times`]), the key `do`
/// with the name of an action, and the keys of this action. `A` is an enum of the actions on the
/// world, with one variant for each value of `do`. It has the attribute `#[serde(tag = "do",
/// rename_all = "kebab-case")]`, and its contents deny unknown fields.
///
/// An event with the key `gauge` edits a gauge (type `G`) instead of acting on the world. Gauge
/// edits are the same for every model.
#[derive(Clone, Debug, PartialEq)]
pub struct Event<A, G> {
    /// Time or recurring times of the event.
    pub times: Times,
    /// Action on the world, or edit of the gauges.
    pub effect: EventEffect<A, G>,
}

/// Effect of an event: an action on the world, or an edit of the gauges.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum EventEffect<A, G> {
    /// The event applies this action to the world.
    World(A),
    /// The event edits the gauges.
    Gauge(GaugeEdit<G>),
}

impl<A, G> Event<A, G> {
    /// Returns the action of the event on the world; `None` if the event edits the gauges.
    pub fn action(&self) -> Option<&A> {
        match &self.effect {
            EventEffect::World(action) => Some(action),
            EventEffect::Gauge(_) => None,
        }
    }

    /// Returns the gauge edit of the event; `None` if the event acts on the world.
    pub fn gauge_edit(&self) -> Option<&GaugeEdit<G>> {
        match &self.effect {
            EventEffect::World(_) => None,
            EventEffect::Gauge(edit) => Some(edit),
        }
    }
}

/// Keys that define the times of an event. They are deserialized to [`Times`].
const TIME_KEYS: [&str; 4] = ["time", "every", "until", "in_passing"];

/// Keys allowed in every event that acts on the world.
const ACTION_EVENT_KEYS: [&str; 5] = ["do", "time", "every", "until", "in_passing"];

/// Keys allowed in every event that edits gauges.
const GAUGE_EVENT_KEYS: [&str; 6] = ["gauge", "do", "time", "every", "until", "in_passing"];

impl<'de, A: DeserializeOwned, G: DeserializeOwned> Deserialize<'de> for Event<A, G> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let (head, rest) = split_table(Table::deserialize(deserializer)?, &TIME_KEYS);
        // The effect is read first, so that a misspelt time key is reported as unknown and not as
        // missing.
        let effect = read_effect(rest)?;
        Ok(Self { times: deserialize_nested(head)?, effect })
    }
}

/// Deserializes the effect of an event from its table. The caller must first remove the keys for
/// the times of the event from the table.
fn read_effect<A: DeserializeOwned, G: DeserializeOwned, E: Error>(
    table: Table,
) -> Result<EventEffect<A, G>, E> {
    if gauge_edit::is_gauge_edit(&table) {
        let edit = gauge_edit::read_gauge_edit(table)
            .map_err(|error: E| add_allowed_keys(error, &ACTION_EVENT_KEYS))?;
        return Ok(EventEffect::Gauge(edit));
    }
    let adds = table.get("do").and_then(toml::Value::as_str) == Some("add");
    deserialize_nested(table.clone()).map(EventEffect::World).map_err(|error: E| {
        let text = error.to_string();
        if text.contains("unknown variant `change`") {
            // Only gauges can be changed, so the key `gauge` is missing.
            return gauge_edit::read_gauge_edit::<G, E>(table).err().unwrap_or(error);
        }
        if text.contains("unknown variant `") {
            return E::custom(format!("{}, `change`", text.trim_end()));
        }
        if adds && text.contains("\"add\" needs one of ") {
            return E::custom(format!("{}, {}", text.trim_end(), gauge_edit::GAUGE_KEY));
        }
        add_allowed_keys(error, if adds { &GAUGE_EVENT_KEYS } else { &ACTION_EVENT_KEYS })
    })
}

/// Keys that define the area of an action. They are deserialized to [`Extent`].
const EXTENT_KEYS: [&str; 5] = ["disc", "rect", "line", "polygon", "everywhere"];

/// Action with the area on which it acts. In a scene, it has the keys of the action, and exactly
/// one of the keys `disc`, `rect`, `line`, `polygon` and `everywhere`.
#[derive(Clone, Debug, PartialEq)]
pub struct AreaAction<T> {
    /// Area on which the action acts.
    pub extent: Extent,
    /// The action itself, without its area.
    pub value: T,
}

impl<T: Serialize> Serialize for AreaAction<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serialize_merged(&self.extent, &self.value, serializer)
    }
}

/// Serializes two tables as one. The tables must not have keys in common.
pub(crate) fn serialize_merged<S: Serializer>(
    first: &impl Serialize,
    second: &impl Serialize,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let table = |keys: Result<Table, toml::ser::Error>| keys.map_err(serde::ser::Error::custom);
    let mut all = table(Table::try_from(first))?;
    all.extend(table(Table::try_from(second))?);
    all.serialize(serializer)
}

impl<'de, T: DeserializeOwned> Deserialize<'de> for AreaAction<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let (extent, rest) = split_table(Table::deserialize(deserializer)?, &EXTENT_KEYS);
        let value =
            deserialize_nested(rest).map_err(|error| add_allowed_keys(error, &EXTENT_KEYS))?;
        Ok(Self { extent: deserialize_nested(extent)?, value })
    }
}

/// Action that has no area. It is first read as a TOML table, and then deserialized from this
/// table. As a result, error messages contain the key path.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(transparent)]
pub struct NonAreaAction<T>(pub T);

impl<'de, T: DeserializeOwned> Deserialize<'de> for NonAreaAction<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserialize_nested(Table::deserialize(deserializer)?).map(Self)
    }
}

/// Table without keys. It is used for actions and boundary conditions that have no keys.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct NoKeys {}

/// Splits a table into a table with the given keys and a table with all other keys.
pub(crate) fn split_table(mut table: Table, keys: &[&str]) -> (Table, Table) {
    let mut some = Table::new();
    for key in keys {
        if let Some(value) = table.remove(*key) {
            some.insert((*key).to_owned(), value);
        }
    }
    (some, table)
}

/// Returns whether an error concerns a key of the table itself rather than a key of a nested table.
/// `text` is the message of the error, which starts with the key path.
fn is_top_level_error(text: &str) -> bool {
    let paths = text.split(PATH_MARK).skip(1).step_by(2).filter(|path| !path.is_empty());
    let path = paths.collect::<Vec<_>>().join(".");
    !path.contains(['.', '['])
}

/// Adds `keys` to the allowed keys in an error about an unknown key. This is needed because the
/// keys of a table are deserialized in several parts, each of which accepts only some of the
/// allowed keys.
pub(crate) fn add_allowed_keys<E: Error>(error: E, keys: &[&str]) -> E {
    let text = error.to_string();
    // Messages of TOML errors end with a line break.
    let text = text.trim_end();
    if !text.contains("unknown field `") || !is_top_level_error(text) {
        return error;
    }
    let more = quote_names(keys);
    let more = more.trim_start_matches("one of ");
    match text.strip_suffix(", there are no fields") {
        Some(text) => E::custom(format!("{text}, expected {more}")),
        None => E::custom(format!("{text}, {more}")),
    }
}
