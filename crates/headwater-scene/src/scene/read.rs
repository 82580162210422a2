//! From text to [`Scene`]: the file, the overrides, and serde's errors in words that help.

use super::files::Files;
use super::key::{KeyPath, Step};
use super::origin::Origin;
use super::overrides;
use super::problem::SceneError;
use super::setting::{Setting, Tables};
use super::words::Complaint;
use crate::registry::{self, Model, Scene};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_path_to_error::Segment;
use std::collections::BTreeSet;
use std::fs::File;
use std::io::Read;
use std::path::Path;
use toml::{Table, Value};

/// The longest scene: 32 MiB, for as many events as there may be.
const MAX_TEXT: usize = 32 << 20;

/// The most problems of keys and types that are told at once.
const MAX_TOLD: usize = 20;

/// Reads and checks the scene file at `path`, with `(key, value)` overrides laid over it in order.
///
/// Paths in the file are relative to the file; those in overrides, to the current directory.
///
/// # Errors
/// [`SceneError`] with all the problems that were found.
pub fn load(path: &Path, overrides: &[(String, String)]) -> Result<Scene, SceneError> {
    let name = path.display().to_string();
    let origin = Origin::new(&name, "");
    let refuse = |message: String| SceneError::new(vec![origin.file_problem(message)]);
    let mut bytes = Vec::new();
    File::open(path)
        .and_then(|file| file.take(MAX_TEXT as u64 + 1).read_to_end(&mut bytes))
        .map_err(|error| refuse(format!("cannot be read: {error}")))?;
    let text = String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        refuse(format!("byte {at} is no UTF-8: a scene is a TOML text"))
    })?;
    read(&name, &text, overrides, path.parent(), &Files::disk())
}

/// Reads and checks a scene from `text`, called `name` in messages. Its paths are relative to the
/// current directory.
///
/// # Errors
/// [`SceneError`] with all the problems that were found.
pub fn parse(name: &str, text: &str, overrides: &[(String, String)]) -> Result<Scene, SceneError> {
    parse_with(name, text, overrides, &Files::disk())
}

/// The same, with its files from elsewhere than the disk.
///
/// # Errors
/// As [`parse`].
pub fn parse_with(
    name: &str,
    text: &str,
    overrides: &[(String, String)],
    files: &Files,
) -> Result<Scene, SceneError> {
    read(name, text, overrides, None, files)
}

/// The same, with paths relative to a directory.
///
/// # Errors
/// As [`parse`].
pub(crate) fn parse_in(
    name: &str,
    text: &str,
    overrides: &[(String, String)],
    directory: Option<&Path>,
    files: &Files,
) -> Result<Scene, SceneError> {
    read(name, text, overrides, directory, files)
}

/// A problem of a scene as a whole.
pub(crate) fn problem(name: &str, message: String) -> SceneError {
    SceneError::new(vec![Origin::new(name, "").file_problem(message)])
}

fn read(
    name: &str,
    text: &str,
    overrides: &[(String, String)],
    directory: Option<&Path>,
    files: &Files,
) -> Result<Scene, SceneError> {
    let mut origin = Origin::new(name, text).with_files(files);
    let refuse = |problem| SceneError::new(vec![problem]);
    if text.len() > MAX_TEXT {
        return Err(refuse(origin.file_problem("longer than 32 MiB, the most a scene may have")));
    }
    let mut table = text.parse::<Table>().map_err(|error| {
        let message = format!("no TOML: {}", error.message());
        refuse(match error.span() {
            Some(span) => origin.text_problem(span.start, message),
            None => origin.file_problem(message),
        })
    })?;
    for (key, value) in overrides {
        let given = format!("--set {key}={value}: ");
        let path = KeyPath::parse(key.trim()).ok_or_else(|| {
            refuse(origin.file_problem(format!(
                "{given}found key `{key}`, needs one such as `grid.nx` or `source[0].rate`"
            )))
        })?;
        overrides::set(&mut table, &path, overrides::value(value))
            .map_err(|message| refuse(origin.file_problem(given + &message)))?;
        origin.note_override(path, key, value);
    }
    of_table(table, origin, directory)
}

/// Checks a scene that stands in a table, called `name` in messages.
///
/// # Errors
/// [`SceneError`] with all the problems that were found; they name keys, but no lines.
pub(crate) fn from_table(
    name: &str,
    table: Table,
    directory: Option<&Path>,
) -> Result<Scene, SceneError> {
    of_table(table, Origin::new(name, ""), directory)
}

fn of_table(table: Table, origin: Origin, directory: Option<&Path>) -> Result<Scene, SceneError> {
    let which: Which =
        deserialize(only_model(&table)).map_err(|problems| origin.locate(problems))?;
    registry::scene_of(which.model, table, origin, directory)
}

/// The key that says how to read the others.
#[derive(Deserialize)]
struct Which {
    model: Model,
}

/// A table of nothing but the model.
fn only_model(table: &Table) -> Table {
    table.iter().filter(|(key, _)| *key == "model").map(|(k, v)| (k.clone(), v.clone())).collect()
}

/// Reads and checks the scene of a model.
pub(crate) fn build<S: Tables + DeserializeOwned>(
    table: Table,
    origin: Origin,
    directory: Option<&Path>,
) -> Result<S, SceneError> {
    let mut scene: S = deserialize(table).map_err(|problems| origin.locate(problems))?;
    if let Some(directory) = directory {
        for (key, file) in scene.files_mut() {
            if !origin.is_override(key) {
                *file = directory.join(&*file);
            }
        }
    }
    let problems = scene.problems();
    if problems.is_empty() {
        *scene.origin_mut() = origin;
        Ok(scene)
    } else {
        Err(origin.locate(problems))
    }
}

/// The scene in `table`, or what is wrong with its keys and types.
///
/// Serde stops at the first error. To tell more than that, what is to blame is left out and the rest
/// is read again: an unknown key by itself, else the whole table or list of tables.
fn deserialize<T: DeserializeOwned>(mut table: Table) -> Result<T, Vec<(String, String)>> {
    let mut problems = Vec::new();
    let mut blamed = BTreeSet::new();
    loop {
        let error = match serde_path_to_error::deserialize(Value::Table(table.clone())) {
            Ok(scene) if problems.is_empty() => return Ok(scene),
            Ok(_) => return Err(problems),
            Err(error) => error,
        };
        let path = key_path(error.path());
        let complaint = Complaint::new(error.inner().message());
        let (key, message) = complaint.tell(&path);
        let table_name = key.split(['.', '[']).next().unwrap_or_default().to_owned();
        // What is missing may be what was misspelt, or was left out for another reason.
        let known = matches!(complaint, Complaint::MissingKey { .. })
            && (blamed.contains(&table_name) || path.0.is_empty() && !blamed.is_empty());
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

fn key_path(path: &serde_path_to_error::Path) -> KeyPath {
    let step = |segment: &Segment| match segment {
        Segment::Seq { index } => Some(Step::Index(*index)),
        Segment::Map { key } => Some(Step::Key(key.clone())),
        Segment::Enum { .. } | Segment::Unknown => None,
    };
    KeyPath(path.iter().filter_map(step).collect())
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
