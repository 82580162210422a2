//! From a table to the scene of a model: serde's errors in words that help.

use super::inner::WAY;
use super::key::{KeyPath, Step};
use super::origin::Origin;
use super::problem::SceneError;
use super::setting::{Setting, Tables};
use super::value;
use super::words::Complaint;
use serde::de::DeserializeOwned;
use std::collections::BTreeSet;
use std::path::Path;
use toml::{Table, Value};

/// The most problems of keys and types that are told at once.
const MAX_TOLD: usize = 20;

/// Reads and checks the scene of a model.
pub(crate) fn build<S: Tables + DeserializeOwned>(
    table: Table,
    origin: Origin,
    directory: Option<&Path>,
) -> Result<S, SceneError> {
    let mut scene: S = deserialize(table).map_err(|problems| {
        let told = problems.into_iter().map(|(key, message)| of_series(&origin, key, message));
        origin.locate(told.collect())
    })?;
    for (key, file) in scene.files_mut() {
        *file = origin.path_of(&key, &*file, directory);
    }
    let problems = scene.problems();
    if problems.is_empty() {
        *scene.origin_mut() = origin;
        Ok(scene)
    } else {
        Err(origin.locate(problems))
    }
}

/// A problem as whoever wrote `{ csv = "FILE" }` in the place of a value knows it: what it found is no list.
fn of_series(origin: &Origin, key: String, message: String) -> (String, String) {
    let source = format!("{key}.csv");
    let is_read = origin.put_in.iter().any(|(read, _)| *read == source);
    let message = match message.strip_prefix("found a list") {
        Some(rest) if is_read => format!("found a series from a file{rest}"),
        _ => message,
    };
    (key, message)
}

/// The scene in `table`, or what is wrong with its keys and types.
///
/// Serde stops at the first error. To tell more than that, what is to blame is left out and the rest
/// is read again: an unknown key by itself, else the whole table or list of tables.
fn deserialize<T: DeserializeOwned>(mut table: Table) -> Result<T, Vec<(String, String)>> {
    let mut problems = Vec::new();
    let mut blamed = BTreeSet::new();
    loop {
        let error = match value::read(table.clone()) {
            Ok(scene) if problems.is_empty() => return Ok(scene),
            Ok(_) => return Err(problems),
            Err(error) => error,
        };
        let (path, message) = way_on(error.path(), &error.message);
        let complaint = Complaint::new(message);
        let (key, message) = complaint.tell(&path);
        let table_name = key.split(['.', '[']).next().unwrap_or_default().to_owned();
        // What is missing may be what was misspelt, or was left out for another reason.
        let misses =
            matches!(complaint, Complaint::MissingKey { .. }) || message.starts_with("found none");
        let known =
            misses && (blamed.contains(&table_name) || path.0.is_empty() && !blamed.is_empty());
        if !known {
            problems.push((key, message));
        }
        blamed.insert(table_name.clone());
        let rest = match complaint {
            Complaint::UnknownKey { .. } => leave_out(&mut table, &path),
            _ => table.remove(&table_name).is_some(),
        };
        if !rest || problems.len() >= MAX_TOLD {
            return Err(problems);
        }
    }
}

/// The whole way to what an error is about: parts of tables that are read by themselves put theirs into the text.
fn way_on(mut path: KeyPath, mut message: &str) -> (KeyPath, &str) {
    while let Some((way, rest)) =
        message.strip_prefix(WAY).and_then(|marked| marked.split_once(WAY))
    {
        path.0.extend(KeyPath::parse(way).unwrap_or_default().0);
        message = rest;
    }
    (path, message)
}

/// Takes the value at `path` out of `table`; false if there is none.
fn leave_out(table: &mut Table, path: &KeyPath) -> bool {
    let Some((Step::Key(last), way)) = path.0.split_last() else { return false };
    let mut place = Some(table);
    let mut list = None;
    for step in way {
        let next = match (step, place, list) {
            (Step::Key(name), Some(table), _) => table.get_mut(name),
            (Step::Index(index), _, Some(list)) => <[Value]>::get_mut(list, *index),
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
