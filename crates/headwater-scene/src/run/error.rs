//! [`RunError`]: why a run could not be done.

use super::types::ModelError;
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
    /// A run in the folder has not ended: its checkpoint is there.
    #[error("{}: holds {name}, of a run that has not ended", .folder.display())]
    Unfinished {
        /// The folder.
        folder: PathBuf,
        /// The checkpoint's name.
        name: &'static str,
    },
    /// There are files in the folder that the run would write over, and no summary there says that a run wrote them.
    #[error("{}: holds {}, which no summary there lists", .folder.display(), first_names(.names))]
    Foreign {
        /// The folder.
        folder: PathBuf,
        /// The files' names.
        names: Vec<String>,
    },
    /// Another run is at work in the folder.
    #[error("{}: another run is at work there", .folder.display())]
    InUse {
        /// The folder.
        folder: PathBuf,
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

impl RunError {
    /// What to do about it where an option of the programs helps.
    pub fn advice(&self) -> Option<&'static str> {
        match self {
            Self::Unfinished { .. } => {
                Some("--resume goes on with it, --force begins anew over it")
            }
            Self::Foreign { .. } => {
                Some("name another folder with --out, or write over them with --force")
            }
            Self::InUse { .. } => Some("wait for its end, or name another folder with --out"),
            _ => None,
        }
    }
}

/// The first few of some names, and how many more there are.
fn first_names(names: &[String]) -> String {
    let some = names.iter().take(3).map(String::as_str).collect::<Vec<_>>().join(", ");
    match names.len().saturating_sub(3) {
        0 => some,
        more => format!("{some} and {more} more"),
    }
}
