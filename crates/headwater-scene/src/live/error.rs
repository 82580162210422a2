//! [`LiveError`]: the error type of operations on an interactive world.

use crate::run::READBACK_PENDING;
use crate::scene::SceneError;

/// Error of an operation on an interactive world.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum LiveError {
    /// The edit is not valid in the scene. The error message has one line per problem.
    #[error(transparent)]
    Scene(#[from] SceneError),
    /// The model or the interactive world rejects the operation. Contains the reason.
    #[error("{0}")]
    Model(String),
}

impl LiveError {
    /// Creates the error for an operation that needs the state on the host while the state is still
    /// being copied from the device. This happens only in browsers.
    pub(crate) fn read_back_pending() -> Self {
        Self::from_model_error(READBACK_PENDING)
    }

    pub(crate) fn from_model_error(error: impl std::fmt::Display) -> Self {
        Self::Model(error.to_string())
    }
}
