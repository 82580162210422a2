//! [`Origin`]: where a scene came from, its text and the overrides laid over it, so that a problem
//! found long after reading can still name the line.

use super::files::Files;
use super::key::{KeyPath, Step};
use super::problem::{Place, Problem, SceneError};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use toml::de::{DeArray, DeTable};

/// One `--set key=value`.
#[derive(Clone, Debug, PartialEq)]
struct Override {
    path: KeyPath,
    key: String,
    value: String,
}

/// A scene's text and the overrides laid over it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Origin {
    name: String,
    text: Arc<str>,
    overrides: Vec<Override>,
    /// Where its files come from.
    pub(crate) files: Files,
    /// The files whose content stands in the scene, by the keys that name them.
    pub(crate) put_in: Vec<(String, PathBuf)>,
    pub(crate) fingerprint: u64,
}

impl Origin {
    /// The scene `text`, called `name` in messages.
    pub(crate) fn new(name: &str, text: &str) -> Self {
        Self { name: name.to_owned(), text: text.into(), ..Self::default() }
    }

    /// The same, with its files from there.
    pub(crate) fn with_files(mut self, files: &Files) -> Self {
        self.files = files.clone();
        self
    }

    /// Notes that `path` was overridden with `--set key=value`.
    pub(crate) fn note_override(&mut self, path: KeyPath, key: &str, value: &str) {
        let (key, value) = (key.to_owned(), value.to_owned());
        self.overrides.push(Override { path, key, value });
    }

    /// True if the value at `key` came from an override.
    pub(crate) fn is_override(&self, key: &str) -> bool {
        KeyPath::parse(key).is_some_and(|path| self.overrides.iter().any(|o| o.path.holds(&path)))
    }

    /// Where a file is that the value at `key` names: paths are relative to `directory`, those of overrides to the current one.
    pub(crate) fn path_of(
        &self,
        key: &str,
        file: impl AsRef<Path>,
        directory: Option<&Path>,
    ) -> PathBuf {
        match directory {
            Some(directory) if !self.is_override(key) => directory.join(file),
            _ => file.as_ref().to_path_buf(),
        }
    }

    /// The [fingerprint](super::fingerprint) of what the text and the overrides say.
    pub(crate) fn fingerprint(&self) -> u64 {
        self.fingerprint
    }

    /// A problem of the file as a whole.
    pub(crate) fn file_problem(&self, message: impl Into<String>) -> Problem {
        let place = Place::File;
        Problem { file: self.name.clone(), place, key: String::new(), message: message.into() }
    }

    /// A problem at a byte of the text.
    pub(crate) fn text_problem(&self, at: usize, message: impl Into<String>) -> Problem {
        Problem { place: self.text_place(at), ..self.file_problem(message) }
    }

    /// An error of `(key, message)` problems, each found again in the text or the overrides; in
    /// the text's order.
    pub(crate) fn locate(&self, problems: Vec<(String, String)>) -> SceneError {
        let document = DeTable::parse(&self.text).ok();
        let root = document.as_ref().map(toml::Spanned::get_ref);
        let locate = |(key, message): (String, String)| {
            let path = KeyPath::parse(&key).unwrap_or_default();
            let place = self.place(root, &path);
            // The way into a text says where, and is no key.
            let key = match root.and_then(|root| text_at(root, &path)) {
                Some((whole, _)) => KeyPath(whole.to_vec()).to_string(),
                None => key,
            };
            Problem { place, key, ..self.file_problem(message) }
        };
        let mut problems: Vec<_> = problems.into_iter().map(locate).collect();
        problems.sort_by_key(|problem| match problem.place {
            Place::File => (0, 0),
            Place::Text { line, column } => (line, column),
            Place::Override { .. } => (usize::MAX, 0),
        });
        SceneError::new(problems)
    }

    fn place(&self, root: Option<&DeTable<'_>>, path: &KeyPath) -> Place {
        let overriding = self.overrides.iter().rev().find(|o| o.path.holds(path));
        if let Some(Override { key, value, .. }) = overriding {
            return Place::Override { key: key.clone(), value: value.clone() };
        }
        let in_text = root.and_then(|root| text_at(root, path)).and_then(|(whole, span)| {
            let text = self.text.get(span.clone())?;
            Some(span.start + character_at(text, &path.0[whole.len()..])?)
        });
        if let Some(at) = in_text.or_else(|| root.and_then(|root| position(root, path))) {
            return self.text_place(at);
        }
        // A table that misses a key may have been made by an override of another of its keys.
        let begin = path.0.first();
        match self.overrides.iter().rev().find(|o| begin.is_some() && o.path.0.first() == begin) {
            Some(o) => Place::Override { key: o.key.clone(), value: o.value.clone() },
            None => Place::File,
        }
    }

    fn text_place(&self, at: usize) -> Place {
        let before = self.text.get(..at).unwrap_or(&self.text);
        let line = before.matches('\n').count() + 1;
        let start = before.rfind('\n').map_or(0, |newline| newline + 1);
        Place::Text { line, column: before[start..].chars().count() + 1 }
    }
}

/// The byte at which the value at `path` stands, or the innermost table or list around it.
fn position(root: &DeTable<'_>, path: &KeyPath) -> Option<usize> {
    let mut found = None;
    let (mut table, mut list) = (Some(root), None::<&DeArray<'_>>);
    for step in &path.0 {
        let next = match (step, table, list) {
            (Step::Key(name), Some(entries), _) => entries
                .iter()
                .find(|(key, _)| key.get_ref() == name)
                .map(|(key, value)| (key.span().start, value)),
            (Step::Index(index), _, Some(entries)) => {
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

/// Where a path leads into a text by a row and a column: the way to the text, and where that stands.
fn text_at<'p>(root: &DeTable<'_>, path: &'p KeyPath) -> Option<(&'p [Step], Range<usize>)> {
    let (whole, [Step::Index(_), Step::Index(_)]) = path.0.split_last_chunk::<2>()? else {
        return None;
    };
    let mut steps = whole.iter();
    let Step::Key(first) = steps.next()? else { return None };
    let mut found = root.iter().find(|(key, _)| key.get_ref() == first)?.1;
    for step in steps {
        let Step::Key(name) = step else { return None };
        let table = found.get_ref().as_table()?;
        found = table.iter().find(|(key, _)| key.get_ref() == name)?.1;
    }
    found.get_ref().is_str().then(|| (whole, found.span()))
}

/// The byte of a text in quotes at which a character of a map stands, by its row and column from 0. Empty lines do not count, nor does
/// white space at both ends of a line.
fn character_at(text: &str, place: &[Step]) -> Option<usize> {
    let [Step::Index(row), Step::Index(column)] = place else { return None };
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
