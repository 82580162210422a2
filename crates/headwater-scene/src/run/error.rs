//! [`RunError`]: error of a run.

use super::types::ModelError;
use crate::scene::SceneError;
use std::path::PathBuf;

/// Error of a run.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RunError {
    /// Invalid scene.
    #[error(transparent)]
    Scene(#[from] SceneError),
    /// The checkpoint cannot be used to resume this scene.
    #[error("{}: {problem}", .path.display())]
    Resume {
        /// Path of the checkpoint.
        path: PathBuf,
        /// Problem of the checkpoint.
        problem: String,
    },
    /// The folder contains a checkpoint of an unfinished run.
    #[error("{}: contains {name} of an unfinished run", .folder.display())]
    Unfinished {
        /// Output folder.
        folder: PathBuf,
        /// File name of the checkpoint.
        name: &'static str,
    },
    /// The run would overwrite files in the folder that are not output of an earlier run.
    #[error("{}: contains files that are not output of an earlier run: {}", .folder.display(), first_names(.names))]
    Foreign {
        /// Output folder.
        folder: PathBuf,
        /// File names.
        names: Vec<String>,
    },
    /// Another run is using the folder.
    #[error("{}: another run is using this folder", .folder.display())]
    InUse {
        /// Output folder.
        folder: PathBuf,
    },
    /// A file cannot be written.
    #[error("{}: {problem}", .path.display())]
    Output {
        /// Path of the file or its folder.
        path: PathBuf,
        /// Problem of the file.
        problem: String,
    },
    /// The model cannot continue.
    #[error("at {time}{unit}: {source}")]
    Model {
        /// Simulated time.
        time: f64,
        /// Unit of time with a leading space.
        unit: &'static str,
        /// Reason of the model.
        source: ModelError,
    },
    /// The backend cannot run the scene.
    #[error("{0}")]
    Backend(String),
    /// The state has non-finite values.
    #[error(
        "at {0} s the state has values that are not finite; please report this as a bug of the model"
    )]
    Broken(f64),
}

impl RunError {
    /// Returns the command-line option that helps, if there is one.
    pub fn advice(&self) -> Option<&'static str> {
        match self {
            Self::Unfinished { .. } => {
                Some("pass --resume to continue it, or --force to overwrite it")
            }
            Self::Foreign { .. } => {
                Some("choose another folder with --out, or pass --force to overwrite the files")
            }
            Self::InUse { .. } => Some("wait for it to end, or choose another folder with --out"),
            _ => None,
        }
    }
}

/// Returns the first three names and the number of the others.
fn first_names(names: &[String]) -> String {
    let some = names.iter().take(3).map(String::as_str).collect::<Vec<_>>().join(", ");
    match names.len().saturating_sub(3) {
        0 => some,
        more => format!("{some} and {more} more"),
    }
}
