//! Errors that the user can fix. After such an error, the program exits with code 2 instead of 1.

use crate::screen::{print_error_line, stdout_error};
use headwater_scene::raster::RasterError;
use headwater_scene::run::RunError;
use headwater_scene::scene::SceneError;
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
            print_error_line(&format!("error: {}", error_message(&error)));
            ExitCode::from(if is_user_error(&error) { 2 } else { 1 })
        }
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
}
