//! [`Problem`] and [`SceneError`]: problems of a scene with their locations. Each problem is
//! formatted as one line with the location, the key, and the found and allowed values.
//!
//! The checks that find problems are in [`super::read`] and [`super::check`].

use serde::{Deserialize, Serialize};
use std::fmt;

/// Maximum number of problems in an error.
pub(super) const MAX_PROBLEMS: usize = 50;

/// Maximum length of a message (characters). Messages are shortened, because values in a scene may
/// be very long.
const MAX_MESSAGE_CHARS: usize = 400;

/// List of problems of a scene's values, each as `(key, message)`.
pub type Problems = Vec<(String, String)>;

/// Location of a problem in the text or overrides of a scene.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub enum Place {
    /// Position in the scene file.
    Text {
        /// Line, counted from 1.
        line: usize,
        /// Column in characters, counted from 1.
        column: usize,
    },
    /// Override such as `--set key=value`, which has set the value.
    Override {
        /// Key of the override.
        key: String,
        /// Value of the override.
        value: String,
    },
    /// Whole file, for example if it cannot be read or a table is missing.
    File,
}

/// Problem of a scene, with its location.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Problem {
    /// Path of the scene file, or the name of its text.
    pub file: String,
    /// Location of the problem.
    pub place: Place,
    /// Path of the faulty key, such as `source[0].rate`; empty if the problem has no key.
    pub key: String,
    /// Description of the problem, usually with the found and the allowed values.
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
        f.write_str(&shortened(&self.message, MAX_MESSAGE_CHARS))
    }
}

/// Error for an invalid scene. It contains one or more problems; the `Display` output has one line
/// per problem.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[error("{}", lines(.problems))]
pub struct SceneError {
    problems: Vec<Problem>,
}

impl SceneError {
    /// Creates an error from a list of problems, of which only the first 50 are kept.
    pub fn new(mut problems: Vec<Problem>) -> Self {
        problems.truncate(MAX_PROBLEMS);
        Self { problems }
    }

    /// Returns the problems in the order of their positions in the text. There is at least one.
    pub fn problems(&self) -> &[Problem] {
        &self.problems
    }
}

fn lines(problems: &[Problem]) -> String {
    problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
}

/// Returns `text` without line breaks, shortened to at most `longest` characters.
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
