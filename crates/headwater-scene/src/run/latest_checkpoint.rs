//! [`LatestCheckpoint`]: the checkpoint that a run goes on from, in whichever of its forms.

use super::checkpoint::{Checkpoint, FILE_MAGIC, Head};
use super::error::RunError;
use super::executor::Executor;
use super::names::{CHECKPOINT, PARTS};
use super::parts::{self, CheckpointParts};
use std::path::{Path, PathBuf};

/// The last checkpoint of a run.
pub(super) enum LatestCheckpoint {
    /// In one file.
    File(Checkpoint),
    /// In a folder, with a file of each part.
    Parts(Head<'static>, CheckpointParts),
}

impl LatestCheckpoint {
    /// That in a folder. One form goes as soon as the other is whole; whoever was killed in between leaves both, of which that is the last which has
    /// come further.
    pub(super) fn find(folder: &Path) -> Result<Self, RunError> {
        let (in_file, in_parts) = (folder.join(CHECKPOINT), folder.join(PARTS));
        let both = in_file.exists() && parts::has_manifest(folder);
        let refuse = |path: PathBuf, problem: String, other: &Path| RunError::Resume {
            path,
            problem: match both {
                true => format!("{problem}; remove it to go on from {}", other.display()),
                false => problem,
            },
        };
        let of_file = || {
            let found = Checkpoint::read(&in_file, FILE_MAGIC).map(Self::File);
            found.map_err(|problem| refuse(in_file.clone(), problem, &in_parts))
        };
        let of_parts = || {
            let found = parts::read(&in_parts).map(|(head, kept)| Self::Parts(head, kept));
            found.map_err(|(path, problem)| refuse(path, problem, &in_file))
        };
        if !parts::has_manifest(folder) {
            return of_file();
        }
        let in_parts = of_parts()?;
        if !both {
            return Ok(in_parts);
        }
        let in_file = of_file()?;
        let is_further = in_file.head().progress() > in_parts.head().progress();
        Ok(if is_further { in_file } else { in_parts })
    }

    /// That there is none in the folder of a run that has begun and not ended.
    pub(super) fn missing(folder: &Path) -> RunError {
        let in_parts = folder.join(PARTS);
        // A run that was spread has left a folder, if no manifest.
        let (path, ended) = match in_parts.exists() {
            true => (
                in_parts.join(parts::MANIFEST),
                "before its first was whole, or it has been removed",
            ),
            false => (folder.join(CHECKPOINT), "before it wrote its first"),
        };
        let problem = format!(
            "is not there: the run in this folder ended {ended}; begin it anew, without resuming"
        );
        RunError::Resume { path, problem }
    }

    /// What the run knows of itself.
    pub(super) fn head(&self) -> &Head<'static> {
        match self {
            Self::File(checkpoint) => &checkpoint.head,
            Self::Parts(head, _) => head,
        }
    }

    /// Where it is in a folder.
    pub(super) fn path(&self, folder: &Path) -> PathBuf {
        folder.join(match self {
            Self::File(_) => CHECKPOINT,
            Self::Parts(..) => PARTS,
        })
    }

    /// Has a world go on from it, and clears away what a run that was killed has left of others.
    pub(super) fn resume(
        self,
        executor: &mut dyn Executor,
        folder: &Path,
    ) -> Result<Head<'static>, String> {
        let (head, kept) = match self {
            Self::File(checkpoint) => {
                let (head, mut state) = checkpoint.into_state();
                executor.restore_from(&mut state)?;
                (head, None)
            }
            Self::Parts(head, kept) => {
                executor.restore_parts(&folder.join(PARTS), &kept)?;
                (head, Some(kept))
            }
        };
        // What cannot be removed is of no harm.
        let _ = parts::remove_stale(folder, kept.as_ref());
        Ok(head)
    }
}

/// The checkpoint that a run which has not ended has left in a folder, if it has: a file, or a folder of parts.
pub fn checkpoint_in(folder: &Path) -> Option<PathBuf> {
    let (in_file, in_parts) = (folder.join(CHECKPOINT), folder.join(PARTS));
    match parts::has_manifest(folder) {
        true => Some(in_parts),
        false => in_file.is_file().then_some(in_file),
    }
}
