//! [`build_scene`]: deserializes a model's scene from a table. Errors of serde are rewritten as
//! messages for the authors of scenes.

mod budget;
mod csv_date;
pub(super) mod csv_series;
mod csv_table;
mod csv_units;
pub(super) mod fingerprint;
mod geojson;
pub(crate) mod nested;
pub(crate) mod origin;
pub(crate) mod overrides;
pub(super) mod positions;
pub(super) mod reader;
pub(super) mod serde_error;
mod source_size;
pub(super) mod value;

use super::check::{Checker, MAX_EVENTS};
use super::event::{Event, EventEffect};
use super::key::{KeyPath, Segment};
use super::problem::SceneError;
use super::scene_model::{SceneModel, scene_problems};
use nested::PATH_MARK;
use origin::Origin;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_error::SerdeError;
use std::collections::BTreeSet;
use std::path::Path;
use toml::de::{DeTable, DeValue};
use toml::{Spanned, Table, Value};

/// Maximum number of problems that deserialization reports. These are unknown keys, missing keys
/// and wrong types.
const MAX_PROBLEMS: usize = 20;

/// Maximum number of keys in a table, far above that of any table of a model.
const MAX_KEYS: usize = 10_000;

/// Deserializes and checks a scene of the model with the scene type `S`. Paths of files in the
/// scene are relative to `directory`, except in overrides, where they are relative to the current
/// directory.
///
/// # Errors
/// Returns [`SceneError`] with all problems found.
pub(crate) fn build_scene<S: SceneModel>(
    table: Table,
    origin: Origin,
    directory: Option<&Path>,
) -> Result<S, SceneError> {
    let mut scene: S =
        deserialize(table).map_err(|problems| scene_error_at_locations(&origin, problems))?;
    for (key, file) in scene.files_mut() {
        *file = origin.resolve_path(&key, &*file, directory);
    }
    *scene.origin_mut() = origin;
    let problems = scene_problems(&scene);
    if problems.is_empty() {
        Ok(scene)
    } else {
        Err(scene.common_tables().origin.locate_problems(problems))
    }
}

/// Deserializes the action of an event. `table` contains a list `event` with one entry. `scene` is
/// a scene of the same model; its units and end time appear in messages. The values of the action
/// are not checked.
///
/// # Errors
/// Returns [`SceneError`] with all problems found.
pub(crate) fn read_action<S: SceneModel>(
    scene: &S,
    table: Table,
    origin: &Origin,
) -> Result<S::Action, SceneError> {
    let table: SingleEvent<Event<S::Action, S::Gauge>> =
        deserialize(table).map_err(|problems| scene_error_at_locations(origin, problems))?;
    let [Event { times, effect }] = table.event;
    let mut check = Checker::new(S::LENGTH_UNIT, S::CLOCK);
    check.check_event_times("event[0]", times, scene.common_tables().time.until);
    match effect {
        EventEffect::World(action) if check.problems.is_empty() => Ok(action),
        EventEffect::World(_) => Err(origin.locate_problems(check.problems)),
        EventEffect::Gauge(_) => Err(origin.locate_problems(vec![(
            "event[0]".into(),
            "edits a gauge, needs an action on the world".into(),
        )])),
    }
}

/// Table that contains only one event.
#[derive(Deserialize)]
struct SingleEvent<E> {
    event: [E; 1],
}

/// Looks for a table with more keys, or a list with more tables, than any scene can have, because
/// they would take long to deserialize. Returns a byte index in the TOML source and an error
/// message.
fn find_excess_entries(table: &DeTable<'_>) -> Option<(usize, String)> {
    if table.len() > MAX_KEYS {
        let at = table.keys().map(|key| key.span().start).min()?;
        let names: Vec<&str> = table.keys().take(5).map(|key| &**key.get_ref()).collect();
        let (found, names) = (table.len(), names.join(", "));
        let message =
            format!("found {found} keys ({names}, …), allowed are up to {MAX_KEYS} in a table");
        return Some((at, message));
    }
    table.iter().find_map(|(key, value)| find_excess_entries_in(key.get_ref(), value))
}

/// Looks for excess entries in the value of the key `key`, like [`find_excess_entries`].
fn find_excess_entries_in(key: &str, value: &Spanned<DeValue<'_>>) -> Option<(usize, String)> {
    match value.get_ref() {
        DeValue::Table(table) => find_excess_entries(table),
        DeValue::Array(entries) => {
            let found = entries.iter().filter(|entry| entry.get_ref().is_table()).count();
            if found > MAX_EVENTS {
                let message = format!("found {found} tables, allowed are up to {MAX_EVENTS}");
                return Some((value.span().start, format!("{key}: {message}")));
            }
            entries.iter().find_map(|entry| find_excess_entries_in(key, entry))
        }
        _ => None,
    }
}

/// Adds the location in the scene to problems that deserialization has found.
fn scene_error_at_locations(origin: &Origin, problems: Vec<(String, String)>) -> SceneError {
    let problems = problems.into_iter();
    let problems = problems.map(|(key, message)| rewrite_series_message(origin, key, message));
    origin.locate_problems(problems.collect())
}

/// Rewrites a message about a time series from a CSV file. The message describes the list of values
/// from the file, but the scene contains `{ csv = "FILE" }` in place of this list.
fn rewrite_series_message(origin: &Origin, key: String, message: String) -> (String, String) {
    let source = format!("{key}.csv");
    let is_read = origin.inlined_files.iter().any(|(read, _)| *read == source);
    let message = match message.strip_prefix("found a list") {
        Some(rest) if is_read => format!("found a series from a file{rest}"),
        _ => message,
    };
    (key, message)
}

/// Deserializes a scene from a table.
///
/// Serde stops at the first error. To find more problems, the cause of an error is removed from the
/// table, and the remaining table is deserialized again. If the cause is an unknown key, only this
/// key is removed; otherwise, the whole table or list of tables that contains the error is removed.
///
/// # Errors
/// Returns all problems with keys and types. Each consists of a key and a message.
fn deserialize<T: DeserializeOwned>(table: Table) -> Result<T, Vec<(String, String)>> {
    let mut root = Value::Table(table);
    let mut problems = Vec::new();
    let mut reported_tables = BTreeSet::new();
    loop {
        let error = match value::deserialize_value(&root) {
            Ok(scene) if problems.is_empty() => return Ok(scene),
            Ok(_) => return Err(problems),
            Err(error) => error,
        };
        let (path, message) = split_path(error.path(), &error.message);
        let error_kind = SerdeError::new(message);
        let (key, message) = error_kind.message_at(&path);
        let table_name = key.split(['.', '[']).next().unwrap_or_default().to_owned();
        // The key may be missing because it was misspelt or was removed after another problem.
        let is_missing = matches!(error_kind, SerdeError::MissingKey { .. })
            || message.starts_with("found none");
        let known = is_missing
            && (reported_tables.contains(&table_name)
                || path.0.is_empty() && !reported_tables.is_empty());
        if !known {
            problems.push((key, message));
        }
        reported_tables.insert(table_name.clone());
        let is_removed = root.as_table_mut().is_some_and(|table| match error_kind {
            SerdeError::UnknownKey { .. } => remove_value(table, &path),
            _ => table.remove(&table_name).is_some(),
        });
        if !is_removed || problems.len() >= MAX_PROBLEMS {
            return Err(problems);
        }
    }
}

/// Returns the full path of the faulty value, and the error message without a path. The full path
/// starts with `path`. If a nested table was deserialized separately, the rest of the path is at
/// the start of `message`.
fn split_path(mut path: KeyPath, mut message: &str) -> (KeyPath, &str) {
    while let Some((way, rest)) =
        message.strip_prefix(PATH_MARK).and_then(|marked| marked.split_once(PATH_MARK))
    {
        path.0.extend(KeyPath::parse(way).unwrap_or_default().0);
        message = rest;
    }
    (path, message)
}

/// Removes the value at `path` from a table. Returns false if there is no such value.
fn remove_value(table: &mut Table, path: &KeyPath) -> bool {
    let Some((Segment::Key(last), way)) = path.0.split_last() else { return false };
    let mut place = Some(table);
    let mut list = None;
    for segment in way {
        let next = match (segment, place, list) {
            (Segment::Key(name), Some(table), _) => table.get_mut(name),
            (Segment::Index(index), _, Some(list)) => <[Value]>::get_mut(list, *index),
            _ => None,
        };
        (place, list) = match next {
            Some(Value::Table(table)) => (Some(table), None),
            Some(Value::Array(entries)) => (None, Some(entries.as_mut_slice())),
            _ => (None, None),
        };
    }
    place.is_some_and(|table| table.remove(last).is_some())
}
