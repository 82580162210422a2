//! [`FacadeError`]: the error type of the interface for bindings. Besides the message, it contains
//! the wrong key, the value found, and the allowed values, so that bindings can report them
//! separately.

use crate::live::LiveError;
use crate::run::RunError;
use crate::scene::SceneError;
use headwater::InputError;
use std::fmt;

/// Kind of a [`FacadeError`]. Bindings convert it to a type of exception or an error code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The scene cannot be read or is not valid.
    Scene,
    /// An argument, such as a name, a number or a shape, is not valid. The world is unchanged.
    Input,
    /// The bytes that were passed to [`Facade::restore`](super::Facade::restore) are not a snapshot
    /// of this world.
    Snapshot,
    /// The model failed. The world can no longer be stepped.
    Broken,
}

/// Error of a [`Facade`](super::Facade) method: the complete message, and the parts of the message
/// that bindings may report separately.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct FacadeError {
    /// Kind of the error.
    pub kind: ErrorKind,
    /// Complete error message. For an invalid scene, it has one line per problem.
    pub message: String,
    /// Key or argument that is wrong, if the message contains one. If there are several problems,
    /// this is the key of the first one.
    pub key: Option<String>,
    /// Wrong value, in the form in which it appears in the message; `None` if the message contains
    /// no value.
    pub found: Option<String>,
    /// Allowed values as they appear in the message, with their unit; `None` if the message does
    /// not list any.
    pub allowed: Option<String>,
}

impl fmt::Display for FacadeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for FacadeError {}

impl FacadeError {
    /// Creates an error for an invalid argument. `key` is the name of the argument, `found` is its
    /// value, and `allowed` describes the allowed values.
    pub fn invalid_argument(
        key: impl fmt::Display,
        found: impl fmt::Display,
        allowed: impl fmt::Display,
    ) -> Self {
        InputError::new(key.to_string(), found, allowed.to_string()).into()
    }

    /// Creates an error from a message. If the message has the form `key: found F, allowed is A`,
    /// extracts the key, the value found and the allowed values from it.
    pub(super) fn from_message(kind: ErrorKind, message: impl fmt::Display) -> Self {
        let message = message.to_string();
        let first = message.lines().next().unwrap_or_default();
        let (before, found, allowed) = split_message(first);
        let key =
            found.is_some().then(|| before.rsplit(": ").next().unwrap_or_default().to_owned());
        Self { kind, key: key.filter(|key| !key.is_empty()), found, allowed, message }
    }

    /// Returns this error with its kind replaced by `kind`.
    pub(super) fn with_kind(self, kind: ErrorKind) -> Self {
        Self { kind, ..self }
    }
}

/// Splits the message `PREFIX: found F, allowed is A` into `PREFIX`, `F` and `A`.
fn split_message(message: &str) -> (&str, Option<String>, Option<String>) {
    let Some((before, rest)) = message.split_once("found ") else {
        let allowed = message.split_once("allowed are ").map(|(_, allowed)| allowed.to_owned());
        return (message, None, allowed);
    };
    let before = before.trim_end().trim_end_matches(':');
    // Split at the last separator, because the value found may contain the separator itself.
    for word in [", allowed is ", ", allowed are ", ", needs "] {
        if let Some((found, allowed)) = rest.rsplit_once(word) {
            return (before, Some(found.to_owned()), Some(allowed.to_owned()));
        }
    }
    (before, Some(rest.to_owned()), None)
}

impl From<InputError> for FacadeError {
    fn from(error: InputError) -> Self {
        Self {
            kind: ErrorKind::Input,
            message: error.to_string(),
            key: Some(error.what.into_owned()),
            found: Some(error.found),
            allowed: Some(error.allowed.into_owned()),
        }
    }
}

impl From<SceneError> for FacadeError {
    fn from(error: SceneError) -> Self {
        let message = error.to_string();
        let first = error.problems().first();
        let (_, found, allowed) = split_message(first.map_or("", |problem| &problem.message));
        let key = first.map(|problem| problem.key.clone()).filter(|key| !key.is_empty());
        // If the key itself is wrong, the key counts as the value found.
        let found = found.or_else(|| key.clone().filter(|_| allowed.is_some()));
        Self { kind: ErrorKind::Scene, message, key, found, allowed }
    }
}

impl From<LiveError> for FacadeError {
    fn from(error: LiveError) -> Self {
        match error {
            LiveError::Scene(error) => Self::from(error).with_kind(ErrorKind::Input),
            LiveError::Model(message) => Self::from_message(ErrorKind::Input, message),
        }
    }
}

impl From<RunError> for FacadeError {
    fn from(error: RunError) -> Self {
        match error {
            RunError::Scene(error) => error.into(),
            error => Self::from_message(ErrorKind::Broken, error),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_key_and_the_found_and_allowed_values_are_extracted_from_messages() {
        let error = FacadeError::from_message(
            ErrorKind::Input,
            "at 3 s: rate: found -1, allowed is 0 to 5 m³/s",
        );
        assert_eq!(error.key.as_deref(), Some("rate"));
        assert_eq!(error.found.as_deref(), Some("-1"));
        assert_eq!(error.allowed.as_deref(), Some("0 to 5 m³/s"));
        let error = FacadeError::from_message(ErrorKind::Broken, "the disk is full");
        assert_eq!((error.key, error.found, error.allowed), (None, None, None));
    }
}
