//! [`GaugeEdit`]: what an event does to the gauges. It is the same for every model, and never changes the world.

use super::check::{Checker, MAX_ENTRIES};
use super::inner::inner;
use super::output::GaugeForm;
use serde::Deserialize;
use serde::de::{DeserializeOwned, Error};
use std::collections::BTreeMap;
use toml::Table;

/// The key that tells an edit of the gauges from what models do.
pub(crate) const KEY: &str = "gauge";

/// How many of the names that there are a message lists.
const LISTED: usize = 20;

/// An entry of `[[gauge]]`.
pub trait Measuring {
    /// Its name, which is its file's too, and the time between two measurements (s), if it says so.
    fn head(&self) -> (&str, Option<f64>);
}

/// What an event does to the gauges of a scene.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum GaugeEdit<G> {
    /// There is one more from now on.
    Add(G),
    /// The one of that name becomes this one.
    Change(G),
    /// The one of that name goes, and what it has measured with it.
    Remove(String),
}

/// What becomes of the gauges, as a run knows it.
pub(crate) type GaugeTask = GaugeEdit<GaugeForm>;

/// The keys of an edit beside `do` and those of its time.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Keys<T> {
    gauge: T,
}

impl<G> GaugeEdit<G> {
    /// What the gauge is from now on; nothing if it goes.
    pub fn gauge(&self) -> Option<&G> {
        match self {
            GaugeEdit::Add(gauge) | GaugeEdit::Change(gauge) => Some(gauge),
            GaugeEdit::Remove(_) => None,
        }
    }

    /// The key of the name in an event's table.
    fn name_key(&self) -> &'static str {
        if self.gauge().is_some() { "gauge.name" } else { "gauge" }
    }
}

impl<G: Measuring> GaugeEdit<G> {
    /// The name of the gauge that it is about.
    pub fn name(&self) -> &str {
        match self {
            GaugeEdit::Add(gauge) | GaugeEdit::Change(gauge) => gauge.head().0,
            GaugeEdit::Remove(name) => name,
        }
    }
}

/// Whether an event's table edits the gauges. Models have actions of those names too, without that key.
pub(crate) fn is_edit(event: &Table) -> bool {
    let word = event.get("do").and_then(toml::Value::as_str);
    event.contains_key(KEY) && matches!(word, Some("add" | "change" | "remove"))
}

/// Reads an event's table, without its times, that edits the gauges.
pub(super) fn read<G: DeserializeOwned, E: Error>(mut table: Table) -> Result<GaugeEdit<G>, E> {
    let word = table.remove("do");
    Ok(match word.as_ref().and_then(toml::Value::as_str) {
        Some("add") => GaugeEdit::Add(inner::<Keys<G>, E>(table)?.gauge),
        Some("remove") => GaugeEdit::Remove(inner::<Keys<String>, E>(table)?.gauge),
        _ => GaugeEdit::Change(inner::<Keys<G>, E>(table)?.gauge),
    })
}

/// The names of gauges as they come and go.
#[derive(Default)]
pub(super) struct Names<'a> {
    /// By what they are on systems that tell no upper from lower case in the names of files.
    known: BTreeMap<String, &'a str>,
}

impl<'a> Names<'a> {
    /// Notes what is wrong with a name that comes, which stands at `key`.
    pub(super) fn add(&mut self, check: &mut Checker, key: &str, name: &'a str) {
        check.name(key, name);
        if self.known.insert(name.to_lowercase(), name).is_some() {
            let message = format!("found \"{name}\" again, every gauge needs its own name");
            check.note(key, message);
        }
    }

    /// Notes what is wrong with an edit of the event at `event`, and does it.
    pub(super) fn edit<G: Measuring>(
        &mut self,
        check: &mut Checker,
        event: &str,
        edit: &'a GaugeEdit<G>,
    ) {
        let (key, name) = (format!("{event}.{}", edit.name_key()), edit.name());
        if let GaugeEdit::Add(_) = edit {
            self.add(check, &key, name);
            if self.known.len() > MAX_ENTRIES {
                let (found, most) = (self.known.len(), MAX_ENTRIES);
                check.note(event, format!("found {found} gauges, allowed is up to {most} at once"));
            }
            return;
        }
        let lower = name.to_lowercase();
        if self.known.get(&lower) != Some(&name) {
            let known = list(self.known.values().copied());
            check.note(key, format!("found \"{name}\", but the gauges at that time are: {known}"));
        } else if let GaugeEdit::Remove(_) = edit {
            self.known.remove(&lower);
        }
    }
}

/// Names as a message lists them.
pub(crate) fn list<'a>(names: impl ExactSizeIterator<Item = &'a str>) -> String {
    let more = names.len().saturating_sub(LISTED);
    let listed = names.take(LISTED).collect::<Vec<_>>().join(", ");
    match (listed.is_empty(), more) {
        (true, _) => "none".into(),
        (_, 0) => listed,
        _ => format!("{listed} and {more} more"),
    }
}
