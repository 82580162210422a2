//! [`LatestCheckpoint`]: the checkpoint from which a run resumes, stored as a single file or as a
//! folder of several files.

use super::{Checkpoint, FILE_MAGIC, RunState};
use crate::run::error::RunError;
use crate::run::executor::Executor;
use crate::run::output::names::{CHECKPOINT_FILE, CHECKPOINT_PARTS_FOLDER};
use crate::run::parts::{self, CheckpointParts};
use std::path::{Path, PathBuf};

/// Latest checkpoint of a run, in a single file or split into several files.
pub(in crate::run) enum LatestCheckpoint {
    /// Checkpoint in a single file, which is open.
    File(Checkpoint),
    /// Checkpoint in a folder with several files. Contains the state of the run and the list of the
    /// files.
    Parts(RunState<'static>, CheckpointParts),
}

impl LatestCheckpoint {
    /// Finds the latest checkpoint in the output folder `folder`. A checkpoint is a single file or
    /// is split into several files. If a run was killed between writing one kind and removing the
    /// other, both exist. In this case, returns the one with more progress.
    ///
    /// # Errors
    /// Returns [`RunError::Resume`] if there is no checkpoint or it cannot be used.
    pub(in crate::run) fn find(folder: &Path) -> Result<Self, RunError> {
        let (in_file, in_parts) =
            (folder.join(CHECKPOINT_FILE), folder.join(CHECKPOINT_PARTS_FOLDER));
        let both = in_file.exists() && parts::has_manifest(folder);
        let to_error = |path: PathBuf, problem: String, other: &Path| RunError::Resume {
            path,
            problem: match both {
                true => format!("{problem}; remove it to resume from {}", other.display()),
                false => problem,
            },
        };
        let of_file = || {
            let found = Checkpoint::read(&in_file, FILE_MAGIC).map(Self::File);
            found.map_err(|problem| to_error(in_file.clone(), problem, &in_parts))
        };
        let of_parts = || {
            let found =
                parts::read_manifest(&in_parts).map(|(head, contents)| Self::Parts(head, contents));
            found.map_err(|(path, problem)| to_error(path, problem, &in_file))
        };
        if !parts::has_manifest(folder) {
            return of_file();
        }
        let in_parts = of_parts()?;
        if !both {
            return Ok(in_parts);
        }
        let in_file = of_file()?;
        let is_further = in_file.run_state().progress() > in_parts.run_state().progress();
        Ok(if is_further { in_file } else { in_parts })
    }

    /// Creates the error for an output folder `folder` that contains no checkpoint.
    pub(in crate::run) fn missing_error(folder: &Path) -> RunError {
        let in_parts = folder.join(CHECKPOINT_PARTS_FOLDER);
        // A distributed run that was killed early leaves a folder without a manifest.
        let (path, ended) = match in_parts.exists() {
            true => (
                in_parts.join(parts::MANIFEST),
                "before its first checkpoint was complete, or the file was removed",
            ),
            false => (folder.join(CHECKPOINT_FILE), "before it wrote its first checkpoint"),
        };
        let problem = format!(
            "does not exist: the run in this folder ended {ended}; start it again without resuming"
        );
        RunError::Resume { path, problem }
    }

    /// Returns the state of the run without the state of the world.
    pub(in crate::run) fn run_state(&self) -> &RunState<'static> {
        match self {
            Self::File(checkpoint) => &checkpoint.head,
            Self::Parts(head, _) => head,
        }
    }

    /// Returns the path of this checkpoint in the output folder `folder`.
    pub(in crate::run) fn path(&self, folder: &Path) -> PathBuf {
        folder.join(match self {
            Self::File(_) => CHECKPOINT_FILE,
            Self::Parts(..) => CHECKPOINT_PARTS_FOLDER,
        })
    }

    /// Restores the state of the world in `executor` from this checkpoint, and removes the files of
    /// other checkpoints. Returns the state of the run.
    ///
    /// # Errors
    /// Returns a message if the checkpoint is damaged or does not fit the scene.
    pub(in crate::run) fn resume(
        self,
        executor: &mut dyn Executor,
        folder: &Path,
    ) -> Result<RunState<'static>, String> {
        let (head, contents) = match self {
            Self::File(checkpoint) => {
                let (head, mut state) = checkpoint.into_state();
                executor.restore_state(&mut state)?;
                (head, None)
            }
            Self::Parts(head, contents) => {
                executor.restore_parts(&folder.join(CHECKPOINT_PARTS_FOLDER), &contents)?;
                (head, Some(contents))
            }
        };
        // Ignored, because stale files are harmless.
        let _ = parts::remove_stale_files(folder, contents.as_ref());
        Ok(head)
    }
}

/// Returns the path of the checkpoint of an unfinished run in an output folder. The path leads to a
/// file, or to a folder if the checkpoint is split into several files. Returns `None` if there is
/// no checkpoint.
pub fn find_checkpoint(folder: &Path) -> Option<PathBuf> {
    let (in_file, in_parts) = (folder.join(CHECKPOINT_FILE), folder.join(CHECKPOINT_PARTS_FOLDER));
    match parts::has_manifest(folder) {
        true => Some(in_parts),
        false => in_file.is_file().then_some(in_file),
    }
}
