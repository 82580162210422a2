//! [`LiveError`]: error of an operation on a live world.

use crate::run::READBACK_PENDING;
use crate::scene::SceneError;

/// Error of an operation on a live world.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum LiveError {
    /// The edit is not valid in the scene. Displays one problem per line.
    #[error(transparent)]
    Scene(#[from] SceneError),
    /// The model or the live world refuses the operation, for the reason in the message.
    #[error("{0}")]
    Model(String),
}

impl LiveError {
    /// Creates the error for an operation that needs the host copy while a read-back is still in
    /// progress. This happens only in browsers.
    pub(crate) fn not_read_back() -> Self {
        Self::model(READBACK_PENDING)
    }

    pub(crate) fn model(error: impl std::fmt::Display) -> Self {
        Self::Model(error.to_string())
    }
}
