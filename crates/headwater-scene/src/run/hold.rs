//! [`Hold`]: a folder that a run has to itself while it lasts.

use super::error::RunError;
use crate::atomic;
use std::fs::{File, TryLockError};
use std::io;
use std::path::Path;

/// A folder that no other run can take until this is dropped; the system lets go of it too when a run is killed.
pub(super) struct Hold {
    /// Nothing where the file system knows no locks: runs are worth more there than the lock is.
    _lock: Option<File>,
}

impl Hold {
    /// Takes a folder that is there, tries whether it can be written in, and clears away what writes that were killed have left half
    /// done.
    ///
    /// # Errors
    /// [`RunError::InUse`] if another run has it, [`RunError::Output`] if nothing can be written there.
    pub(super) fn take(folder: &Path) -> Result<Self, RunError> {
        let failed =
            |error: io::Error| RunError::Output { path: folder.into(), problem: error.to_string() };
        let lock = handle(folder).map_err(failed)?;
        let lock = match lock.as_ref().map(File::try_lock) {
            Some(Err(TryLockError::WouldBlock)) => {
                return Err(RunError::InUse { folder: folder.into() });
            }
            Some(Err(TryLockError::Error(_))) | None => None,
            Some(Ok(())) => lock,
        };
        atomic::sweep(folder).and_then(|()| atomic::try_writing(folder)).map_err(failed)?;
        Ok(Self { _lock: lock })
    }
}

/// What is locked: the folder itself, so that no file is left behind.
#[cfg(unix)]
fn handle(folder: &Path) -> io::Result<Option<File>> {
    File::open(folder).map(Some)
}

/// What is locked: a file that goes with its handle, for folders cannot be locked here.
#[cfg(windows)]
fn handle(folder: &Path) -> io::Result<Option<File>> {
    use std::os::windows::fs::OpenOptionsExt;
    const FILE_FLAG_DELETE_ON_CLOSE: u32 = 0x0400_0000;
    let mut options = File::options();
    options.write(true).create(true).custom_flags(FILE_FLAG_DELETE_ON_CLOSE);
    options.open(folder.join(".headwater-lock")).map(Some)
}

/// Nothing is locked.
#[cfg(not(any(unix, windows)))]
fn handle(_: &Path) -> io::Result<Option<File>> {
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_run_at_a_time_has_a_folder() {
        let folder = tempfile::tempdir().unwrap();
        let first = Hold::take(folder.path()).unwrap();
        assert!(matches!(Hold::take(folder.path()), Err(RunError::InUse { .. })));
        drop(first);
        Hold::take(folder.path()).unwrap();
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    }
}
