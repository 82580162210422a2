//! Errors that the user can fix. After such an error, the program exits with code 2 instead of 1.

use headwater_scene::raster::RasterError;
use headwater_scene::run::RunError;
use headwater_scene::scene::SceneError;

/// Error due to invalid usage or input. Contains the complete message.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub(crate) struct Usage(pub(crate) String);

/// Returns whether an error is due to invalid usage or input.
pub(crate) fn is_user_error(error: &anyhow::Error) -> bool {
    let run = error.downcast_ref::<RunError>();
    error.is::<Usage>()
        || error.is::<SceneError>()
        || error.is::<RasterError>()
        || matches!(run, Some(RunError::Scene(_) | RunError::Resume { .. }))
}
