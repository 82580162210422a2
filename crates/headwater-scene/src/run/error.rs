//! [`RunError`]: why a run could not be done.

use super::outcome::ModelError;
use crate::scene::SceneError;
use std::path::PathBuf;

/// Why a run could not be done.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RunError {
    /// The scene cannot be used.
    #[error(transparent)]
    Scene(#[from] SceneError),
    /// There is nothing that this scene could resume.
    #[error("{}: {problem}", .path.display())]
    Resume {
        /// The checkpoint.
        path: PathBuf,
        /// What is wrong with it.
        problem: String,
    },
    /// A file cannot be written.
    #[error("{}: {problem}", .path.display())]
    Output {
        /// The file, or its folder.
        path: PathBuf,
        /// What went wrong.
        problem: String,
    },
    /// The model refused to go on.
    #[error("at {time}{unit}: {source}")]
    Model {
        /// Simulated time.
        time: f64,
        /// What it is counted in, as it stands after a number.
        unit: &'static str,
        /// The model's reason.
        source: ModelError,
    },
    /// The scene cannot be run on the backend asked for.
    #[error("{0}")]
    Backend(String),
    /// The state is no longer numbers.
    #[error("at {0} s the water is no longer a number: this is a fault of the model")]
    Broken(f64),
}
