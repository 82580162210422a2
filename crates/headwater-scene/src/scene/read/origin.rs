//! [`Origin`]: the TOML source and the overrides from which a scene was read, used to locate
//! problems that are found later.

use crate::scene::key::{KeyPath, Segment};
use crate::scene::limits::Limits;
use crate::scene::problem::{Problem, ProblemLocation, SceneError};
use headwater_io::Files;
use std::collections::BTreeSet;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use toml::de::{DeArray, DeTable};

/// Maximum number of problems that are located in the TOML source. It is above the number of
/// problems that an error contains, which are the first in the source.
const MAX_LOCATED: usize = 200;

/// Override of a value in a scene, such as `--set key=value` on the command line.
#[derive(Clone, Debug, PartialEq)]
struct Override {
    path: KeyPath,
    key: String,
    value: String,
}

/// List entry that was created for one point of a file. If the key `at` of an entry refers to a
/// file with several points, the entry is repeated for each point.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct RepeatedEntry {
    /// Key of the list that contains the entry.
    pub(super) list: String,
    /// Index of this entry in the list after the repetition.
    pub(super) index: usize,
    /// Index of the original entry in the TOML source.
    pub(super) original: usize,
    /// Number of the point in the file, counted from 1.
    pub(super) point: usize,
    pub(super) path: PathBuf,
}

/// TOML source and overrides from which a scene was read, and the source of the scene's files.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Origin {
    name: String,
    text: Arc<str>,
    overrides: Vec<Override>,
    /// Source from which the files of the scene are read.
    pub(crate) files: Files,
    pub(crate) limits: Limits,
    /// Files whose contents have replaced values of the scene, such as CSV files. Each has the key
    /// and the path of the file.
    pub(crate) inlined_files: Vec<(String, PathBuf)>,
    /// List entries that were created by repeating an entry for each point of a file.
    pub(super) repeated_entries: Vec<RepeatedEntry>,
    pub(crate) fingerprint: u64,
}

impl Origin {
    /// Creates an origin without overrides. `text` is the TOML source of the scene, and `name` is
    /// its name in error messages.
    pub(crate) fn new(name: &str, text: &str) -> Self {
        Self { name: name.to_owned(), text: text.into(), ..Self::default() }
    }

    /// Records the override `--set key=value`. `path` is the parsed `key`.
    pub(crate) fn record_override(&mut self, path: KeyPath, key: &str, value: &str) {
        let (key, value) = (key.to_owned(), value.to_owned());
        self.overrides.push(Override { path, key, value });
    }

    /// Returns whether an override has set the value of `key` or of a table that contains it.
    pub(crate) fn is_overridden(&self, key: &str) -> bool {
        KeyPath::parse(key)
            .is_some_and(|path| self.overrides.iter().any(|o| o.path.contains(&path)))
    }

    /// Returns the path of the file `file`, which is the value of `key`. If it is relative, it is
    /// resolved from `directory`; in overrides, from the current directory.
    pub(crate) fn resolve_path(
        &self,
        key: &str,
        file: impl AsRef<Path>,
        directory: Option<&Path>,
    ) -> PathBuf {
        match directory {
            Some(directory) if !self.is_overridden(key) => directory.join(file),
            _ => file.as_ref().to_path_buf(),
        }
    }

    /// Returns the [hash](super::fingerprint) of the scene, including its overrides.
    pub(crate) fn fingerprint(&self) -> u64 {
        self.fingerprint
    }

    /// Creates a problem that concerns the whole scene.
    pub(crate) fn scene_problem(&self, message: impl Into<String>) -> Problem {
        let place = ProblemLocation::File;
        Problem { file: self.name.clone(), place, key: String::new(), message: message.into() }
    }

    /// Creates a problem that is located at the byte index `at` of the TOML source.
    pub(crate) fn problem_at_byte(&self, at: usize, message: impl Into<String>) -> Problem {
        Problem { place: self.location_at_byte(at), ..self.scene_problem(message) }
    }

    /// Creates an error from problems, each of which consists of a key and a message. Adds the
    /// location of each problem in the TOML source, and sorts the problems by location. Only the
    /// first `MAX_LOCATED` problems are used.
    pub(crate) fn locate_problems(&self, problems: Vec<(String, String)>) -> SceneError {
        let document = DeTable::parse(&self.text).ok();
        let root = document.as_ref().map(toml::Spanned::get_ref);
        // A problem of all points of a file is reported once.
        let mut known = BTreeSet::new();
        let is_new = |(key, message): &(String, String)| {
            let (path, _) = self.original_path(key);
            known.insert((path.to_string(), message.clone()))
        };
        let problems: Vec<_> = problems.into_iter().filter(is_new).take(MAX_LOCATED).collect();
        let locate = |(key, message): (String, String)| {
            let (path, point) = self.original_path(&key);
            let (key, message) = match point {
                Some(RepeatedEntry { point, path: file, .. }) => {
                    (path.to_string(), format!("{message} (point {point} of {})", file.display()))
                }
                None => (key, message),
            };
            let place = self.locate_key(root, &path);
            // The row and column of a character in a map are not part of the reported key.
            let key = match root.and_then(|root| split_map_path(root, &path)) {
                Some((whole, _)) => KeyPath(whole.to_vec()).to_string(),
                None => key,
            };
            Problem { place, key, ..self.scene_problem(message) }
        };
        let mut problems: Vec<_> = problems.into_iter().map(locate).collect();
        problems.sort_by_key(|problem| match problem.place {
            ProblemLocation::File => (0, 0),
            ProblemLocation::Text { line, column } => (line, column),
            ProblemLocation::Override { .. } => (usize::MAX, 0),
        });
        SceneError::new(problems)
    }

    /// Parses the path of a key and locates it in the TOML source. If the key is in a list entry
    /// that was repeated for each point of a file, returns the path of the original entry and the
    /// [`RepeatedEntry`]. Otherwise, returns the parsed path and `None`.
    fn original_path(&self, key: &str) -> (KeyPath, Option<&RepeatedEntry>) {
        let mut path = KeyPath::parse(key).unwrap_or_default();
        let [Segment::Key(list), Segment::Index(index), ..] = &mut path.0[..] else {
            return (path, None);
        };
        let entry =
            self.repeated_entries.iter().find(|one| one.list == *list && one.index == *index);
        if let Some(entry) = entry {
            *index = entry.original;
        }
        (path, entry)
    }

    fn locate_key(&self, root: Option<&DeTable<'_>>, path: &KeyPath) -> ProblemLocation {
        let overriding = self.overrides.iter().rev().find(|o| o.path.contains(path));
        if let Some(Override { key, value, .. }) = overriding {
            return ProblemLocation::Override { key: key.clone(), value: value.clone() };
        }
        let in_text = root.and_then(|root| split_map_path(root, path)).and_then(|(whole, span)| {
            let text = self.text.get(span.clone())?;
            Some(span.start + find_map_character(text, &path.0[whole.len()..])?)
        });
        if let Some(at) = in_text.or_else(|| root.and_then(|root| find_byte_index(root, path))) {
            return self.location_at_byte(at);
        }
        // If a key is missing, an override may have created its table.
        let begin = path.0.first();
        match self.overrides.iter().rev().find(|o| begin.is_some() && o.path.0.first() == begin) {
            Some(o) => ProblemLocation::Override { key: o.key.clone(), value: o.value.clone() },
            None => ProblemLocation::File,
        }
    }

    fn location_at_byte(&self, byte_index: usize) -> ProblemLocation {
        let before = self.text.get(..byte_index).unwrap_or(&self.text);
        let line = before.bytes().filter(|&byte| byte == b'\n').count() + 1;
        let start = before.rfind('\n').map_or(0, |newline| newline + 1);
        ProblemLocation::Text { line, column: before[start..].chars().count() + 1 }
    }
}

/// Returns the byte index of the value at `path` in the TOML source. If there is no such value,
/// returns the index of the innermost table or list on the path. Returns `None` if even the first
/// segment of the path is missing.
fn find_byte_index(root: &DeTable<'_>, path: &KeyPath) -> Option<usize> {
    let mut found = None;
    let (mut table, mut list) = (Some(root), None::<&DeArray<'_>>);
    for segment in &path.0 {
        let next = match (segment, table, list) {
            (Segment::Key(name), Some(entries), _) => {
                entries.get_key_value(name.as_str()).map(|(key, value)| (key.span().start, value))
            }
            (Segment::Index(index), _, Some(entries)) => {
                entries.get(*index).map(|value| (value.span().start, value))
            }
            _ => None,
        };
        let Some((at, value)) = next else { break };
        found = Some(at);
        table = value.get_ref().as_table();
        list = value.get_ref().as_array();
    }
    found
}

/// Splits the path of a character in a character map. A character map is a string value with one
/// character per cell. The last two segments of the path are the row and the column of the
/// character. Returns the path of the string value, and its byte range in the TOML source. Returns
/// `None` for other paths.
fn split_map_path<'p>(
    root: &DeTable<'_>,
    path: &'p KeyPath,
) -> Option<(&'p [Segment], Range<usize>)> {
    let (whole, [Segment::Index(_), Segment::Index(_)]) = path.0.split_last_chunk::<2>()? else {
        return None;
    };
    let mut segments = whole.iter();
    let Segment::Key(first) = segments.next()? else { return None };
    let mut found = root.iter().find(|(key, _)| key.get_ref() == first)?.1;
    for segment in segments {
        let Segment::Key(name) = segment else { return None };
        let table = found.get_ref().as_table()?;
        found = table.iter().find(|(key, _)| key.get_ref() == name)?.1;
    }
    found.get_ref().is_str().then(|| (whole, found.span()))
}

/// Returns the byte index of a character in a character map, which is a string value with one
/// character per cell. `text` is the value with its quotation marks. `map_path` contains the row
/// and the column of the character, counted from 0. Empty lines and white space around lines are
/// skipped. Returns `None` if there is no such character.
fn find_map_character(text: &str, map_path: &[Segment]) -> Option<usize> {
    let [Segment::Index(row), Segment::Index(column)] = map_path else { return None };
    let quotes = text.len() - text.trim_start_matches(['"', '\'']).len();
    let mut start = quotes;
    let mut rows = text[quotes..].split_inclusive('\n').filter_map(|line| {
        let at = start + line.len() - line.trim_start().len();
        start += line.len();
        (!line.trim().is_empty()).then_some((at, line.trim()))
    });
    let (at, line) = rows.nth(*row)?;
    line.char_indices().nth(*column).map(|(byte, _)| at + byte)
}
