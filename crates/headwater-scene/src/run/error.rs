//! [`RunError`]: the error type for runs of a scene.

use super::types::{ModelError, round_time};
use crate::scene::SceneError;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

/// Error that occurs when a run is started, resumed or executed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RunError {
    /// The scene or one of its files cannot be used.
    #[error(transparent)]
    Scene(#[from] SceneError),
    /// The checkpoint cannot be used to resume a run of this scene.
    #[error("{}: {problem}", .path.display())]
    Resume {
        /// Path of the checkpoint.
        path: PathBuf,
        /// Reason why the checkpoint cannot be used.
        problem: String,
    },
    /// The output folder contains the checkpoint of an unfinished run. A new run would delete it.
    #[error("{}: contains {name} of an unfinished run", .folder.display())]
    Unfinished {
        /// Output folder that contains the checkpoint.
        folder: PathBuf,
        /// File name of the checkpoint.
        name: &'static str,
    },
    /// The run would overwrite files that are not the output of an earlier run.
    #[error("{}: contains files that are not output of an earlier run: {}", .folder.display(), join_first_names(.names))]
    Foreign {
        /// Output folder that contains the files.
        folder: PathBuf,
        /// Names of the files that the run would overwrite.
        names: Vec<String>,
    },
    /// The output folder cannot be created or written, or it contains folders with the names of
    /// output files.
    #[error("{}: {problem}", .folder.display())]
    Folder {
        /// Output folder.
        folder: PathBuf,
        /// Reason why the folder cannot be used.
        problem: String,
    },
    /// Another run is using the output folder.
    #[error("{}: another run is using this folder", .folder.display())]
    InUse {
        /// Output folder that the other run is using.
        folder: PathBuf,
    },
    /// An output file cannot be written.
    #[error("{}: {problem}", .path.display())]
    Output {
        /// Path of the file that cannot be written, or of its folder.
        path: PathBuf,
        /// Reason why the file cannot be written.
        problem: String,
    },
    /// The model failed while the world was being stepped.
    #[error("at {}{unit}: {source}", round_time(*.time))]
    Model {
        /// Simulated time at which the model failed, in `unit`.
        time: f64,
        /// Unit of time for the error message, with a leading space.
        unit: &'static str,
        /// Error that the model returned.
        source: ModelError,
    },
    /// The backend cannot run the scene. Contains the error message.
    #[error("{0}")]
    Backend(String),
    /// The state contains NaN or infinite values. Contains the simulated time at which this was
    /// detected (s).
    #[error(
        "at {} s the state has values that are not finite; please report this as a bug of the model",
        round_time(*.0)
    )]
    Broken(f64),
}

impl RunError {
    /// Returns advice for users of the command line on how to avoid this error; `None` if there is
    /// none.
    pub fn advice(&self) -> Option<&'static str> {
        match self {
            Self::Unfinished { .. } => {
                Some("pass --resume to continue it, or --force to overwrite it")
            }
            Self::Foreign { .. } => {
                Some("choose another folder with --out, or pass --force to overwrite the files")
            }
            Self::Folder { .. } => Some("choose another folder with --out"),
            Self::InUse { .. } => Some("wait for it to end, or choose another folder with --out"),
            _ => None,
        }
    }

    /// Creates the error for a failure to create the output folder or to write to it. `failed`
    /// describes the operation, such as "cannot be created".
    pub(super) fn unusable_folder(folder: &Path, failed: &str, error: &io::Error) -> Self {
        // The crate `tempfile` appends the path of the temporary file.
        let message = error.to_string();
        let cause = message.split(" at path ").next().unwrap_or_default();
        let (folder, problem) = (folder.to_owned(), format!("{failed}: {cause}"));
        match error.kind() {
            ErrorKind::AlreadyExists
            | ErrorKind::InvalidFilename
            | ErrorKind::NotADirectory
            | ErrorKind::PermissionDenied
            | ErrorKind::ReadOnlyFilesystem => Self::Folder { folder, problem },
            _ => Self::Output { path: folder, problem },
        }
    }
}

/// Joins the first three names with commas, and appends the number of the remaining names, if any.
fn join_first_names(names: &[String]) -> String {
    let some = names.iter().take(3).map(String::as_str).collect::<Vec<_>>().join(", ");
    match names.len().saturating_sub(3) {
        0 => some,
        more => format!("{some} and {more} more"),
    }
}
