//! Errors that are the user's to mend: they end the program with exit code 2 instead of 1.

use headwater_scene::raster::RasterError;
use headwater_scene::run::RunError;
use headwater_scene::scene::SceneError;

/// Bad usage or bad input, with the whole message.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub(crate) struct Usage(pub(crate) String);

/// True if bad usage or bad input is to blame.
pub(crate) fn is_the_users(error: &anyhow::Error) -> bool {
    let run = error.downcast_ref::<RunError>();
    error.is::<Usage>()
        || error.is::<SceneError>()
        || error.is::<RasterError>()
        || matches!(run, Some(RunError::Scene(_) | RunError::Resume { .. }))
}
