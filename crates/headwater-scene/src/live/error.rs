//! [`LiveError`]: error of an operation on a live world.

use crate::run::READBACK_PENDING;
use crate::scene::SceneError;

/// Error of an operation on a live world.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum LiveError {
    /// The edit is not valid in the scene.
    #[error(transparent)]
    Scene(#[from] SceneError),
    /// The model refuses it.
    #[error("{0}")]
    Model(String),
}

impl LiveError {
    /// The operation needs the host copy, and the read-back is still in progress (in browsers).
    pub(crate) fn not_read_back() -> Self {
        Self::model(READBACK_PENDING)
    }

    pub(crate) fn model(error: impl std::fmt::Display) -> Self {
        Self::Model(error.to_string())
    }
}
