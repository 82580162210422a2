//! [`Event`]: an entry of `[[event]]`, which has times and acts on the world or edits a gauge.
//! [`InArea`]: an action with the area on which it acts.

use super::gauge_edit::{self, GaugeEdit};
use super::keys::quoted;
use super::output::Times;
use super::place::Extent;
use super::read::nested::{PATH_MARK, nested};
use schemars::JsonSchema;
use serde::Deserialize;
use serde::de::{DeserializeOwned, Deserializer, Error};
use toml::Table;

/// Entry of `[[event]]`. A scene has at most 1000 events, or 100000 including non-stopping ones.
///
/// Its keys are `time`, `every`, `until` and `in_passing` ([`Times`]), `do`, which names the
/// action, and the keys of the action. `A` is an enum with a variant for each `do`, `#[serde(tag =
/// "do", rename_all = "kebab-case")]`, whose contents deny unknown fields. Edits of a gauge `G`
/// have the key `gauge` and are the same for every model.
#[derive(Clone, Debug, PartialEq)]
pub struct Event<A, G> {
    /// Times of the event.
    pub times: Times,
    /// Effect of the event.
    pub effect: EventEffect<A, G>,
}

/// Effect of an event.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum EventEffect<A, G> {
    /// Acts on the world.
    World(A),
    /// Edits the gauges.
    Gauge(GaugeEdit<G>),
}

impl<A, G> Event<A, G> {
    /// Returns the action on the world; `None` if the event edits the gauges.
    pub fn action(&self) -> Option<&A> {
        match &self.effect {
            EventEffect::World(action) => Some(action),
            EventEffect::Gauge(_) => None,
        }
    }

    /// Returns the gauge edit; `None` if the event acts on the world.
    pub fn gauge_edit(&self) -> Option<&GaugeEdit<G>> {
        match &self.effect {
            EventEffect::World(_) => None,
            EventEffect::Gauge(edit) => Some(edit),
        }
    }
}

/// Keys that [`Times`] reads.
const HEAD: [&str; 4] = ["time", "every", "until", "in_passing"];

/// Keys of every event that acts on the world.
const WITH_DO: [&str; 5] = ["do", "time", "every", "until", "in_passing"];

/// Keys of every event that edits the gauges.
const WITH_GAUGE: [&str; 6] = ["gauge", "do", "time", "every", "until", "in_passing"];

impl<'de, A: DeserializeOwned, G: DeserializeOwned> Deserialize<'de> for Event<A, G> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let (head, rest) = split(Table::deserialize(deserializer)?, &HEAD);
        // The effect is read first, so that a misspelt time key is reported as unknown and not as
        // missing.
        let effect = effect(rest)?;
        Ok(Self { times: nested(head)?, effect })
    }
}

/// Deserializes the effect of an event from its table, from which the time keys were removed.
fn effect<A: DeserializeOwned, G: DeserializeOwned, E: Error>(
    table: Table,
) -> Result<EventEffect<A, G>, E> {
    if gauge_edit::is_edit(&table) {
        let edit = gauge_edit::read(table).map_err(|error: E| with_more_keys(error, &WITH_DO))?;
        return Ok(EventEffect::Gauge(edit));
    }
    let adds = table.get("do").and_then(toml::Value::as_str) == Some("add");
    nested(table.clone()).map(EventEffect::World).map_err(|error: E| {
        let text = error.to_string();
        if text.contains("unknown variant `change`") {
            // Only gauges can be changed, so the key `gauge` is missing.
            return gauge_edit::read::<G, E>(table).err().unwrap_or(error);
        }
        if text.contains("unknown variant `") {
            return E::custom(format!("{}, `change`", text.trim_end()));
        }
        if adds && text.contains("\"add\" needs one of ") {
            return E::custom(format!("{}, {}", text.trim_end(), gauge_edit::KEY));
        }
        with_more_keys(error, if adds { &WITH_GAUGE } else { &WITH_DO })
    })
}

/// Keys that select the area, an [`Extent`].
const EXTENT: [&str; 5] = ["disc", "rect", "line", "polygon", "everywhere"];

/// Action with the area on which it acts. In a scene, exactly one of `disc`, `rect`, `line`,
/// `polygon` and `everywhere` is given, besides the keys of the action.
#[derive(Clone, Debug, PartialEq)]
pub struct InArea<T> {
    /// Area on which the action acts.
    pub extent: Extent,
    /// Action without its area.
    pub value: T,
}

impl<'de, T: DeserializeOwned> Deserialize<'de> for InArea<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let (extent, rest) = split(Table::deserialize(deserializer)?, &EXTENT);
        let value = nested(rest).map_err(|error| with_more_keys(error, &EXTENT))?;
        Ok(Self { extent: nested(extent)?, value })
    }
}

/// Action that has no area. The keys of the action are deserialized separately, so that errors
/// contain the path of the key.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WithoutArea<T>(pub T);

impl<'de, T: DeserializeOwned> Deserialize<'de> for WithoutArea<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        nested(Table::deserialize(deserializer)?).map(Self)
    }
}

/// Empty table, for an action or boundary condition that has no keys.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NoKeys {}

/// Splits a table into the entries with the given keys, and the other entries.
pub(crate) fn split(mut table: Table, keys: &[&str]) -> (Table, Table) {
    let mut some = Table::new();
    for key in keys {
        if let Some(value) = table.remove(*key) {
            some.insert((*key).to_owned(), value);
        }
    }
    (some, table)
}

/// Returns whether an error is about a key of the table itself, not of a nested table. `text` is
/// the message of the error, which starts with the path of the key.
fn is_top_level(text: &str) -> bool {
    let paths = text.split(PATH_MARK).skip(1).step_by(2).filter(|path| !path.is_empty());
    let path = paths.collect::<Vec<_>>().join(".");
    !path.contains(['.', '['])
}

/// Adds `keys` to the list of allowed keys in an error about an unknown key. Needed because the
/// keys of a table are deserialized in several parts.
pub(crate) fn with_more_keys<E: Error>(error: E, keys: &[&str]) -> E {
    let text = error.to_string();
    // Messages of TOML errors end with a line break.
    let text = text.trim_end();
    if !text.contains("unknown field `") || !is_top_level(text) {
        return error;
    }
    let more = quoted(keys);
    let more = more.trim_start_matches("one of ");
    match text.strip_suffix(", there are no fields") {
        Some(text) => E::custom(format!("{text}, expected {more}")),
        None => E::custom(format!("{text}, {more}")),
    }
}
