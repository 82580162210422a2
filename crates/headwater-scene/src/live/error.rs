//! [`LiveError`]: why something cannot be done to a live world.

use crate::run::READBACK_PENDING;
use crate::scene::SceneError;

/// Why something cannot be done to a live world.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum LiveError {
    /// It could not stand in the scene.
    #[error(transparent)]
    Scene(#[from] SceneError),
    /// The model refuses it.
    #[error("{0}")]
    Model(String),
}

impl LiveError {
    /// The world is needed here and has not come back yet, as in browsers.
    pub(crate) fn away() -> Self {
        Self::model(READBACK_PENDING)
    }

    pub(crate) fn model(error: impl std::fmt::Display) -> Self {
        Self::Model(error.to_string())
    }
}
