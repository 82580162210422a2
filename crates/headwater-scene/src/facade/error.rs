//! [`FacadeError`]: what is wrong, taken apart: which key, what was found, what is allowed.

use crate::live::LiveError;
use crate::run::RunError;
use crate::scene::SceneError;
use headwater::InputError;
use std::fmt;

/// What kind of thing is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The scene cannot be used.
    Scene,
    /// A name, a number or a shape that was handed over; nothing was done then.
    Input,
    /// Bytes that are no snapshot of this world.
    Snapshot,
    /// The world cannot go on.
    Broken,
}

/// What is wrong, in words and taken apart.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct FacadeError {
    /// What kind of thing.
    pub kind: ErrorKind,
    /// All of it in words; of a scene, a line for each problem.
    pub message: String,
    /// The key, or the thing in words, if one is to blame; of several problems, that of the first.
    pub key: Option<String>,
    /// What was found, if that can be told.
    pub found: Option<String>,
    /// What is allowed, with its unit, if that can be told.
    pub allowed: Option<String>,
}

impl fmt::Display for FacadeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for FacadeError {}

impl FacadeError {
    /// An input that cannot be worked with.
    pub fn input(
        key: impl fmt::Display,
        found: impl fmt::Display,
        allowed: impl fmt::Display,
    ) -> Self {
        InputError::new(key.to_string(), found, allowed.to_string()).into()
    }

    /// A kind of a kind told in words of this house: `key: found F, allowed is A`.
    pub(super) fn told(kind: ErrorKind, message: impl fmt::Display) -> Self {
        let message = message.to_string();
        let first = message.lines().next().unwrap_or_default();
        let (before, found, allowed) = taken_apart(first);
        let key =
            found.is_some().then(|| before.rsplit(": ").next().unwrap_or_default().to_owned());
        Self { kind, key: key.filter(|key| !key.is_empty()), found, allowed, message }
    }

    /// The same as a kind of another kind.
    pub(super) fn of(self, kind: ErrorKind) -> Self {
        Self { kind, ..self }
    }
}

/// What stands before `found F, allowed is A` in a message, F and A.
fn taken_apart(message: &str) -> (&str, Option<String>, Option<String>) {
    let Some((before, rest)) = message.split_once("found ") else {
        let allowed = message.split_once("allowed are ").map(|(_, allowed)| allowed.to_owned());
        return (message, None, allowed);
    };
    let before = before.trim_end().trim_end_matches(':');
    // What was found may hold anything, what is allowed is the program's.
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
        let (_, found, allowed) = taken_apart(first.map_or("", |problem| &problem.message));
        let key = first.map(|problem| problem.key.clone()).filter(|key| !key.is_empty());
        // Where a key itself is wrong, it is what was found.
        let found = found.or_else(|| key.clone().filter(|_| allowed.is_some()));
        Self { kind: ErrorKind::Scene, message, key, found, allowed }
    }
}

impl From<LiveError> for FacadeError {
    fn from(error: LiveError) -> Self {
        match error {
            LiveError::Scene(error) => Self::from(error).of(ErrorKind::Input),
            LiveError::Model(message) => Self::told(ErrorKind::Input, message),
        }
    }
}

impl From<RunError> for FacadeError {
    fn from(error: RunError) -> Self {
        match error {
            RunError::Scene(error) => error.into(),
            error => Self::told(ErrorKind::Broken, error),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_of_this_house_are_taken_apart() {
        let error =
            FacadeError::told(ErrorKind::Input, "at 3 s: rate: found -1, allowed is 0 to 5 m³/s");
        assert_eq!(error.key.as_deref(), Some("rate"));
        assert_eq!(error.found.as_deref(), Some("-1"));
        assert_eq!(error.allowed.as_deref(), Some("0 to 5 m³/s"));
        let error = FacadeError::told(ErrorKind::Broken, "the disk is full");
        assert_eq!((error.key, error.found, error.allowed), (None, None, None));
    }
}
