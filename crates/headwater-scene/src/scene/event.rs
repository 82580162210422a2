//! [`Event`]: an entry of `[[event]]`: when, and what of a model's actions or to the gauges. And [`On`]: an action with the area that it
//! is done in.

use super::gauge_edit::{self, GaugeEdit};
use super::inner::{WAY, inner};
use super::keys::quoted;
use super::output::Times;
use super::place::Extent;
use schemars::JsonSchema;
use serde::Deserialize;
use serde::de::{DeserializeOwned, Deserializer, Error};
use toml::Table;

/// An entry of `[[event]]`: something done at a time; at most 1000, and 100000 in all with those in passing.
///
/// Its keys are `time`, `every`, `until` and `in_passing` ([`Times`]), `do`, which names the action, and those of the action: `A` is an
/// enum with a variant for each `do`, `#[serde(tag = "do", rename_all = "kebab-case")]`, whose contents deny unknown fields. What is
/// done to a gauge `G` has the key `gauge`, and is the same for every model.
#[derive(Clone, Debug, PartialEq)]
pub struct Event<A, G> {
    /// When.
    pub times: Times,
    /// What is done.
    pub deed: Deed<A, G>,
}

/// What an event does.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Deed<A, G> {
    /// Something to the world.
    World(A),
    /// Something to the gauges.
    Gauge(GaugeEdit<G>),
}

impl<A, G> Event<A, G> {
    /// What is done to the world; `None` if the event is about a gauge.
    pub fn action(&self) -> Option<&A> {
        match &self.deed {
            Deed::World(action) => Some(action),
            Deed::Gauge(_) => None,
        }
    }

    /// What is done to the gauges, if that is what it does.
    pub fn gauge_edit(&self) -> Option<&GaugeEdit<G>> {
        match &self.deed {
            Deed::World(_) => None,
            Deed::Gauge(edit) => Some(edit),
        }
    }
}

/// The keys of [`Times`].
const HEAD: [&str; 4] = ["time", "every", "until", "in_passing"];

/// The same with the key that names the action.
const WITH_DO: [&str; 5] = ["do", "time", "every", "until", "in_passing"];

/// The same with the key of what can be added to every world.
const WITH_GAUGE: [&str; 6] = ["gauge", "do", "time", "every", "until", "in_passing"];

impl<'de, A: DeserializeOwned, G: DeserializeOwned> Deserialize<'de> for Event<A, G> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let (head, rest) = split(Table::deserialize(deserializer)?, &HEAD);
        // First what is done: a misspelt key of the times is unknown there, which says more than that one is missing.
        let deed = deed(rest)?;
        Ok(Self { times: inner(head)?, deed })
    }
}

/// What an event's table, without its times, does.
fn deed<A: DeserializeOwned, G: DeserializeOwned, E: Error>(table: Table) -> Result<Deed<A, G>, E> {
    if gauge_edit::is_edit(&table) {
        let edit = gauge_edit::read(table).map_err(|error: E| known_too(error, &WITH_DO))?;
        return Ok(Deed::Gauge(edit));
    }
    let adds = table.get("do").and_then(toml::Value::as_str) == Some("add");
    inner(table.clone()).map(Deed::World).map_err(|error: E| {
        let text = error.to_string();
        if text.contains("unknown variant `change`") {
            // Only gauges are changed: what is missing is the gauge.
            return gauge_edit::read::<G, E>(table).err().unwrap_or(error);
        }
        if text.contains("unknown variant `") {
            return E::custom(format!("{}, `change`", text.trim_end()));
        }
        if adds && text.contains("\"add\" needs one of ") {
            return E::custom(format!("{}, {}", text.trim_end(), gauge_edit::KEY));
        }
        known_too(error, if adds { &WITH_GAUGE } else { &WITH_DO })
    })
}

/// The keys of an [`Extent`].
const EXTENT: [&str; 5] = ["disc", "rect", "line", "polygon", "everywhere"];

/// Something that is done in an area: exactly one of `disc`, `rect`, `line`, `polygon`, `everywhere` stands beside its own keys.
#[derive(Clone, Debug, PartialEq)]
pub struct On<T> {
    /// Where.
    pub extent: Extent,
    /// What.
    pub what: T,
}

impl<'de, T: DeserializeOwned> Deserialize<'de> for On<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let (extent, rest) = split(Table::deserialize(deserializer)?, &EXTENT);
        let what = inner(rest).map_err(|error| known_too(error, &EXTENT))?;
        Ok(Self { extent: inner(extent)?, what })
    }
}

/// An action that has no area, with its keys read by themselves, so that errors say which of them they are about.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Alone<T>(pub T);

impl<'de, T: DeserializeOwned> Deserialize<'de> for Alone<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        inner(Table::deserialize(deserializer)?).map(Self)
    }
}

/// An action without keys of its own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Nothing {}

/// The entries of some keys, and the rest.
pub(crate) fn split(mut table: Table, keys: &[&str]) -> (Table, Table) {
    let mut some = Table::new();
    for key in keys {
        if let Some(value) = table.remove(*key) {
            some.insert((*key).to_owned(), value);
        }
    }
    (some, table)
}

/// Whether an error is about a key of the table itself, not of a table in it, by the ways that its text begins with.
fn is_here(text: &str) -> bool {
    let ways = text.split(WAY).skip(1).step_by(2).filter(|way| !way.is_empty());
    let way = ways.collect::<Vec<_>>().join(".");
    !way.contains(['.', '['])
}

/// An unknown key is told with the keys that stand beside its own table's too.
pub(crate) fn known_too<E: Error>(error: E, keys: &[&str]) -> E {
    let text = error.to_string();
    // TOML's errors end in a line break.
    let text = text.trim_end();
    if !text.contains("unknown field `") || !is_here(text) {
        return error;
    }
    let too = quoted(keys);
    let too = too.trim_start_matches("one of ");
    match text.strip_suffix(", there are no fields") {
        Some(text) => E::custom(format!("{text}, expected {too}")),
        None => E::custom(format!("{text}, {too}")),
    }
}
