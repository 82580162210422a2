//! [`GaugeEdit`]: the effect of an event that adds, changes or removes a gauge. Gauge edits work in
//! the same way in every model, and never change the state of the world.

use crate::scene::check::{Checker, MAX_ENTRIES};
use crate::scene::output::GaugeDefinition;
use crate::scene::read::nested::deserialize_nested;
use serde::Deserialize;
use serde::de::{DeserializeOwned, Error};
use std::collections::BTreeMap;
use toml::Table;

/// Key of events that edit gauges. Events that act on the world do not have it.
pub(crate) const GAUGE_KEY: &str = "gauge";

/// Maximum number of gauge names in a message.
const MAX_LISTED: usize = 20;

/// Interface to an entry of `[[gauge]]`, whose type depends on the model.
pub trait GaugeEntry {
    /// Returns the name of the gauge and the time between two readings (s). The name is also the
    /// file name without extension. The time is `None` if the scene does not give it.
    fn name_and_interval(&self) -> (&str, Option<f64>);
}

/// Edit of the gauges of a scene. `G` is the type of a gauge.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum GaugeEdit<G> {
    /// Adds this gauge.
    Add(G),
    /// Replaces the gauge that has the same name by this gauge.
    Change(G),
    /// Removes the gauge with the given name, together with its readings.
    Remove(String),
}

/// Gauge edit with only the data that a run needs. This type is the same for all models.
pub(crate) type GaugeTask = GaugeEdit<GaugeDefinition>;

/// Keys of an event that edits gauges, except `do` and the keys that give the times of the event.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct GaugeEditKeys<T> {
    gauge: T,
}

impl<G> GaugeEdit<G> {
    /// Returns the gauge that is added or changed; `None` if a gauge is removed.
    pub fn gauge(&self) -> Option<&G> {
        match self {
            GaugeEdit::Add(gauge) | GaugeEdit::Change(gauge) => Some(gauge),
            GaugeEdit::Remove(_) => None,
        }
    }

    /// Returns the key path of the gauge's name, relative to the event: `gauge.name` or `gauge`.
    fn name_key(&self) -> &'static str {
        if self.gauge().is_some() { "gauge.name" } else { "gauge" }
    }
}

impl<G: GaugeEntry> GaugeEdit<G> {
    /// Returns the name of the gauge that is added, changed or removed.
    pub fn name(&self) -> &str {
        match self {
            GaugeEdit::Add(gauge) | GaugeEdit::Change(gauge) => gauge.name_and_interval().0,
            GaugeEdit::Remove(name) => name,
        }
    }
}

/// Returns whether an event edits the gauges: its table has the key `gauge`, and a value of `do`
/// that is allowed with this key. The value of `do` alone is not sufficient, because models have
/// actions with the same names.
pub(crate) fn is_gauge_edit(event: &Table) -> bool {
    let word = event.get("do").and_then(toml::Value::as_str);
    event.contains_key(GAUGE_KEY) && matches!(word, Some("add" | "change" | "remove"))
}

/// Deserializes a gauge edit from the table of an event. The caller must first remove the keys for
/// the times of the event from the table.
pub(in crate::scene) fn read_gauge_edit<G: DeserializeOwned, E: Error>(
    mut table: Table,
) -> Result<GaugeEdit<G>, E> {
    let word = table.remove("do");
    Ok(match word.as_ref().and_then(toml::Value::as_str) {
        Some("add") => GaugeEdit::Add(deserialize_nested::<GaugeEditKeys<G>, E>(table)?.gauge),
        Some("remove") => {
            GaugeEdit::Remove(deserialize_nested::<GaugeEditKeys<String>, E>(table)?.gauge)
        }
        _ => GaugeEdit::Change(deserialize_nested::<GaugeEditKeys<G>, E>(table)?.gauge),
    })
}

/// Names of the gauges that exist when an event is applied. Events are checked in the order of
/// their times.
#[derive(Default)]
pub(in crate::scene) struct GaugeNames<'a> {
    /// Names of the gauges, indexed by their lower-case form, because some file systems ignore
    /// case.
    known: BTreeMap<String, &'a str>,
}

impl<'a> GaugeNames<'a> {
    /// Adds the gauge name `name`, which is the value of `key`. Adds a problem to `check` if the
    /// name is invalid or already in use.
    pub(in crate::scene) fn add(&mut self, check: &mut Checker, key: &str, name: &'a str) {
        check.check_file_name(key, name);
        let message = match self.known.insert(name.to_lowercase(), name) {
            Some(other) if other == name => {
                format!("found \"{name}\" twice; every gauge needs its own name")
            }
            Some(other) => format!(
                "found \"{name}\" beside \"{other}\"; on some systems, names that differ only in case give the same file"
            ),
            None => return,
        };
        check.add_problem(key, message);
    }

    /// Applies the gauge edit of the event at the key path `event` to the names. Adds a problem to
    /// `check` if the gauge does not exist, or if its name is invalid or already in use.
    pub(in crate::scene) fn apply_edit<G: GaugeEntry>(
        &mut self,
        check: &mut Checker,
        event: &str,
        edit: &'a GaugeEdit<G>,
    ) {
        let (key, name) = (format!("{event}.{}", edit.name_key()), edit.name());
        if let GaugeEdit::Add(_) = edit {
            self.add(check, &key, name);
            if self.known.len() > MAX_ENTRIES {
                let (found, limit) = (self.known.len(), MAX_ENTRIES);
                check.add_problem(
                    event,
                    format!("found {found} gauges, allowed is up to {limit} at once"),
                );
            }
            return;
        }
        let lower = name.to_lowercase();
        if self.known.get(&lower) != Some(&name) {
            let known = join_names(self.known.values().copied());
            check.add_problem(
                key,
                format!("there is no gauge \"{name}\" at that time; existing gauges: {known}"),
            );
        } else if let GaugeEdit::Remove(_) = edit {
            self.known.remove(&lower);
        }
    }
}

/// Joins gauge names with commas for a message. A long list is shortened.
pub(crate) fn join_names<'a>(names: impl ExactSizeIterator<Item = &'a str>) -> String {
    let more = names.len().saturating_sub(MAX_LISTED);
    let listed = names.take(MAX_LISTED).collect::<Vec<_>>().join(", ");
    match (listed.is_empty(), more) {
        (true, _) => "none".into(),
        (_, 0) => listed,
        _ => format!("{listed} and {more} more"),
    }
}
