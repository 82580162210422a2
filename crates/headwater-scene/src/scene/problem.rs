//! [`Problem`] and [`SceneError`]: problems of a scene with their locations. Each problem is
//! formatted as one line with its location, its key, the value found and the allowed values.
//!
//! The checks that find problems are in [`super::read`] and [`super::check`].

use serde::{Deserialize, Serialize};
use std::fmt::{self, Write as _};

/// Maximum number of problems that an error contains.
pub(super) const MAX_PROBLEMS: usize = 50;

/// Maximum length of a message (characters). Longer messages are shortened, because values in a
/// scene may be very long.
const MAX_MESSAGE_CHARS: usize = 400;

/// Maximum length of a key, and of the value of an override (characters).
const MAX_KEY_CHARS: usize = 80;

/// Maximum length of the path of a scene file (characters). Linux allows as many bytes.
const MAX_FILE_CHARS: usize = 4096;

/// List of problems with a scene's values. Each consists of a key and a message.
pub type Problems = Vec<(String, String)>;

/// Location of a problem in the TOML source or in the overrides of a scene.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub enum ProblemLocation {
    /// Position in the TOML source of the scene.
    Text {
        /// Line in the TOML source, counted from 1.
        line: usize,
        /// Column in the line (characters), counted from 1.
        column: usize,
    },
    /// Override such as `--set key=value`, which has set the faulty value.
    Override {
        /// Key of the override.
        key: String,
        /// Value of the override.
        value: String,
    },
    /// The whole scene, for example if its file cannot be read or a table is missing.
    File,
}

/// Problem of a scene, with its location in the scene.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Problem {
    /// Path of the scene file, or the name of the scene if it was given as a string.
    pub file: String,
    /// Location of the problem in the scene.
    pub place: ProblemLocation,
    /// Path of the faulty key, such as `source[0].rate`. Empty if the problem concerns no
    /// particular key.
    pub key: String,
    /// Description of the problem, usually with the value found and the allowed values.
    pub message: String,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { file, place, key, message } = self;
        let place = match place {
            ProblemLocation::Text { line, column } => format!(":{line}:{column}"),
            ProblemLocation::Override { key, value } => format!(": set {key}={value}"),
            ProblemLocation::File => String::new(),
        };
        let key = if key.is_empty() { String::new() } else { format!("{key}: ") };
        let line = format!("{file}{place}: {key}{message}");
        for c in line.chars() {
            match c {
                '\n' => f.write_char(' ')?,
                c if c.is_control() => write!(f, "\\u{:04x}", u32::from(c))?,
                c => f.write_char(c)?,
            }
        }
        Ok(())
    }
}

/// Error for an invalid scene. Contains one or more problems. The `Display` output has one line per
/// problem.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[error("{}", join_lines(.problems))]
pub struct SceneError {
    problems: Vec<Problem>,
}

impl SceneError {
    /// Creates an error from a list of problems. Keeps only the first 50, and shortens long paths,
    /// keys, values and messages.
    pub fn new(mut problems: Vec<Problem>) -> Self {
        problems.truncate(MAX_PROBLEMS);
        for Problem { file, place, key, message } in &mut problems {
            shorten(file, MAX_FILE_CHARS);
            shorten(key, MAX_KEY_CHARS);
            shorten(message, MAX_MESSAGE_CHARS);
            if let ProblemLocation::Override { key, value } = place {
                shorten(key, MAX_KEY_CHARS);
                shorten(value, MAX_KEY_CHARS);
            }
        }
        Self { problems }
    }

    /// Returns the problems in the order of their positions in the TOML source. There is at least
    /// one.
    pub fn problems(&self) -> &[Problem] {
        &self.problems
    }
}

fn join_lines(problems: &[Problem]) -> String {
    problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
}

/// Shortens a string to at most `max_chars` characters and an ellipsis.
fn shorten(text: &mut String, max_chars: usize) {
    if let Some((at, _)) = text.char_indices().nth(max_chars) {
        text.truncate(at);
        text.push('…');
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_problem_is_one_line_of_bounded_length() {
        let problem = Problem {
            file: "pond.toml".into(),
            place: ProblemLocation::Text { line: 3, column: 1 },
            key: format!("grid.n\n{}", "x".repeat(100_000)),
            message: format!("found\n\u{1b}{}", "x".repeat(100_000)),
        };
        let line = SceneError::new(vec![problem]).to_string();
        assert!(
            line.starts_with("pond.toml:3:1: grid.n xxx") && line.contains(r"x…: found \u001bxxx")
        );
        assert!(line.chars().count() < 510 && !line.contains('\n'));
    }

    #[test]
    fn an_error_lists_its_problems_line_by_line() {
        let problem = Problem {
            file: "pond.toml".into(),
            place: ProblemLocation::Override { key: "seed".into(), value: "-1".into() },
            key: "seed".into(),
            message: "found -1".into(),
        };
        let error = SceneError::new(vec![problem.clone(), problem]);
        assert_eq!(error.to_string().lines().count(), 2);
        assert!(error.to_string().starts_with("pond.toml: set seed=-1: seed: found -1"));
    }
}
