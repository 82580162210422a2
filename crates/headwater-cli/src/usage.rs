//! Errors that the user can fix. After such an error, the program exits with code 2 instead of 1.

use crate::screen::{print_error_line, stdout_error};
use headwater_scene::raster::RasterError;
use headwater_scene::run::RunError;
use headwater_scene::scene::SceneError;
use std::ffi::OsString;
use std::path::Path;
use std::process::ExitCode;

/// Error due to invalid usage or input. Contains the complete message.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct UserError(pub String);

/// Returns whether an error is due to invalid usage or input.
pub fn is_user_error(error: &anyhow::Error) -> bool {
    let run = error.downcast_ref::<RunError>();
    error.is::<UserError>()
        || error.is::<SceneError>()
        || error.is::<RasterError>()
        || matches!(run, Some(RunError::Scene(_) | RunError::Resume { .. }))
}

/// Converts the outcome of a program to its exit code, and prints the error if there is one. The
/// code is 0 for success (`true`), 1 if a check failed (`false`) or the program could not finish,
/// and 2 for invalid usage or input.
pub fn exit_code(outcome: anyhow::Result<bool>) -> ExitCode {
    match outcome {
        Ok(_) if let Some(error) = stdout_error() => {
            print_error_line(&format!("error: stdout: {error}"));
            ExitCode::from(1)
        }
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(error) => {
            print_error_line(&format!("error: {}", shorten_lines(&error_message(&error))));
            ExitCode::from(if is_user_error(&error) { 2 } else { 1 })
        }
    }
}

/// Maximum length in characters of a line of an error message.
const MAX_LINE_CHARS: usize = 1000;

/// Maximum length in characters of an argument in an error message.
const MAX_ARGUMENT_CHARS: usize = 200;

/// Replaces the middle of lines that are too long by an ellipsis. Messages can contain arguments,
/// and these can be of any length.
pub fn shorten_lines(text: &str) -> String {
    text.lines().map(|line| shorten_middle(line, MAX_LINE_CHARS)).collect::<Vec<_>>().join("\n")
}

/// Converts an argument of the program to a form that can be printed on one line: replaces line
/// breaks by spaces, and the middle of a long argument by an ellipsis.
pub fn printable_argument(argument: OsString) -> OsString {
    let text = argument.to_string_lossy().replace('\n', " ");
    shorten_middle(&text, MAX_ARGUMENT_CHARS).into()
}

/// Replaces the middle of a text that has more than `max_chars` characters by an ellipsis.
fn shorten_middle(text: &str, max_chars: usize) -> String {
    let excess = text.chars().count().saturating_sub(max_chars);
    let (start, rest) = text.split_at(byte_index(text, max_chars / 2));
    let end = &rest[byte_index(rest, excess)..];
    if excess > 0 { format!("{start}…{end}") } else { text.into() }
}

/// Returns the index of the byte at which the character `char_index` starts. If there are fewer
/// characters, returns the length of `text`.
fn byte_index(text: &str, char_index: usize) -> usize {
    text.char_indices().nth(char_index).map_or(text.len(), |(at, _)| at)
}

/// Checks that the output folder exists or can be created.
///
/// # Errors
/// Returns [`UserError`] if a file or a link without a target is in the place of the folder or of
/// one of its parents.
pub fn check_output_folder(folder: &Path) -> Result<(), UserError> {
    match folder.ancestors().find(|path| path.symlink_metadata().is_ok()) {
        Some(path) if !path.is_dir() => {
            let path = path.display();
            Err(UserError(format!("{path}: is not a folder; choose another folder with --out")))
        }
        _ => Ok(()),
    }
}

/// Formats an error and its causes on one line. Omits a cause if the line already contains its
/// message.
fn error_message(error: &anyhow::Error) -> String {
    let mut text = String::new();
    for cause in error.chain().map(ToString::to_string) {
        if text.is_empty() {
            text = cause;
        } else if !text.ends_with(&cause) {
            text = format!("{text}: {cause}");
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cause_appears_once_in_the_message() {
        let error = anyhow::anyhow!("no water").context("at 3 s: no water").context("pond.toml");
        assert_eq!(error_message(&error), "pond.toml: at 3 s: no water");
    }

    #[test]
    fn long_lines_keep_their_ends() {
        let line = |length| format!("no `{}`\nallowed", "ä".repeat(length));
        assert_eq!(shorten_lines(&line(MAX_LINE_CHARS - 5)), line(MAX_LINE_CHARS - 5));
        let short = shorten_lines(&line(100_000));
        assert!(short.starts_with("no `ää") && short.contains("ä…ä"), "{short}");
        assert!(short.ends_with("ää`\nallowed"), "{short}");
        assert_eq!(short.lines().next().unwrap().chars().count(), MAX_LINE_CHARS + 1);
    }
}
