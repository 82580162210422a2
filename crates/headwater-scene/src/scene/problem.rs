//! [`Problem`] and [`SceneError`]: what is wrong with a scene, and where. Every problem is one line:
//! place, key, what was found and what is allowed.
//!
//! It does not look for problems; [`super::read`] and [`super::check`] do.

use serde::{Deserialize, Serialize};
use std::fmt;

/// The most problems one error lists; whoever made more has seen enough.
pub(super) const MOST_PROBLEMS: usize = 50;

/// The longest message, in characters: found values may be as long as the file.
const LONGEST_MESSAGE: usize = 400;

/// What is wrong with a scene's values, as `(key, message)`.
pub type Problems = Vec<(String, String)>;

/// Where in the input a problem lies.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub enum Place {
    /// In the scene file, counted from 1.
    Text {
        /// Line.
        line: usize,
        /// Column, in characters.
        column: usize,
    },
    /// In a value laid over the scene, as by `--set key=value` of the program.
    Override {
        /// The key as it was given.
        key: String,
        /// The value as it was given.
        value: String,
    },
    /// In the file as a whole: it cannot be read, or a table is missing.
    File,
}

/// One thing that is wrong with a scene.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Problem {
    /// The scene file's path, or the name its text was given.
    pub file: String,
    /// Where the problem lies.
    pub place: Place,
    /// The key's path, such as `source[0].rate`; empty where no key is to blame.
    pub key: String,
    /// What was found and what is allowed.
    pub message: String,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.place {
            Place::Text { line, column } => write!(f, "{}:{line}:{column}: ", self.file)?,
            Place::Override { key, value } => {
                write!(f, "{}: set {key}={}: ", self.file, shortened(value, 80))?;
            }
            Place::File => write!(f, "{}: ", self.file)?,
        }
        if !self.key.is_empty() {
            write!(f, "{}: ", self.key)?;
        }
        f.write_str(&shortened(&self.message, LONGEST_MESSAGE))
    }
}

/// Why a scene cannot be used: one problem or more, each a line of the message.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[error("{}", lines(.problems))]
pub struct SceneError {
    problems: Vec<Problem>,
}

impl SceneError {
    /// An error of the given problems, of which it keeps the first fifty.
    pub fn new(mut problems: Vec<Problem>) -> Self {
        problems.truncate(MOST_PROBLEMS);
        Self { problems }
    }

    /// The problems, at least one, in the order of the text.
    pub fn problems(&self) -> &[Problem] {
        &self.problems
    }
}

fn lines(problems: &[Problem]) -> String {
    problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
}

/// `text` on one line, cut to at most `longest` characters.
fn shortened(text: &str, longest: usize) -> String {
    let mut short: String =
        text.chars().take(longest).map(|c| if c.is_control() { ' ' } else { c }).collect();
    if text.chars().nth(longest).is_some() {
        short.push('…');
    }
    short
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_problem_is_one_line_of_bounded_length() {
        let problem = Problem {
            file: "pond.toml".into(),
            place: Place::Text { line: 3, column: 1 },
            key: "grid.nx".into(),
            message: format!("found\n{}", "x".repeat(100_000)),
        };
        let line = problem.to_string();
        assert!(line.starts_with("pond.toml:3:1: grid.nx: found x"));
        assert!(line.chars().count() < 450 && !line.contains('\n'));
    }

    #[test]
    fn an_error_lists_its_problems_line_by_line() {
        let problem = Problem {
            file: "pond.toml".into(),
            place: Place::Override { key: "seed".into(), value: "-1".into() },
            key: "seed".into(),
            message: "found -1".into(),
        };
        let error = SceneError::new(vec![problem.clone(), problem]);
        assert_eq!(error.to_string().lines().count(), 2);
        assert!(error.to_string().starts_with("pond.toml: set seed=-1: seed: found -1"));
    }
}
