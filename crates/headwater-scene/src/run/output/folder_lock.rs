//! [`FolderLock`]: a lock that reserves an output folder for one run.

use crate::atomic;
use crate::run::error::RunError;
use std::fs::File;
#[cfg(unix)]
use std::fs::TryLockError;
use std::io::{self, ErrorKind};
use std::path::Path;
use std::thread;
use std::time::Duration;
use web_time::Instant;

/// Maximum time to wait for a lock. A wait is needed because the lock of a killed process may be
/// released late.
const ACQUIRE_TIMEOUT: Duration = Duration::from_secs(3);
const RETRY_INTERVAL: Duration = Duration::from_millis(50);

/// Exclusive lock on a folder, released on drop. The operating system also releases it if the
/// process is killed.
pub(in crate::run) struct FolderLock {
    /// Handle of the locked file or folder. `None` if the file system does not support locks; the
    /// run then continues without one.
    _lock: Option<File>,
}

impl FolderLock {
    /// Locks a folder like [`acquire`](Self::acquire). If another run holds the lock, retries for
    /// up to [`ACQUIRE_TIMEOUT`], because that run may just have been killed.
    pub(in crate::run) fn acquire_within_timeout(folder: &Path) -> Result<Self, RunError> {
        let started_at = Instant::now();
        loop {
            match Self::acquire(folder) {
                Err(RunError::InUse { .. }) if started_at.elapsed() < ACQUIRE_TIMEOUT => {
                    thread::sleep(RETRY_INTERVAL);
                }
                taken => return taken,
            }
        }
    }

    /// Locks an existing folder, checks that it is writable, and removes incomplete files that
    /// killed runs have left. Does not wait for the lock.
    ///
    /// # Errors
    /// Returns [`RunError::InUse`] if another run holds the lock, and [`RunError::Folder`] or
    /// [`RunError::Output`] if the folder cannot be written.
    pub(in crate::run) fn acquire(folder: &Path) -> Result<Self, RunError> {
        let failed =
            |error: io::Error| RunError::unusable_folder(folder, "cannot be written", &error);
        let lock = lock(folder).map_err(|error| match error.kind() {
            ErrorKind::WouldBlock => RunError::InUse { folder: folder.into() },
            _ => failed(error),
        })?;
        atomic::remove_temporaries(folder)
            .and_then(|()| atomic::check_writable(folder))
            .map_err(failed)?;
        Ok(Self { _lock: lock })
    }
}

/// Opens and locks the folder itself, so that no lock file is needed. Returns `None` if the file
/// system does not support locks.
#[cfg(unix)]
fn lock(folder: &Path) -> io::Result<Option<File>> {
    let handle = File::open(folder)?;
    match handle.try_lock() {
        Ok(()) => Ok(Some(handle)),
        Err(TryLockError::WouldBlock) => Err(ErrorKind::WouldBlock.into()),
        Err(TryLockError::Error(_)) => Ok(None),
    }
}

/// Opens a lock file in the folder for exclusive use, because Windows cannot lock folders. The file
/// is deleted when it is closed.
#[cfg(windows)]
fn lock(folder: &Path) -> io::Result<Option<File>> {
    use std::os::windows::fs::OpenOptionsExt;
    const FILE_FLAG_DELETE_ON_CLOSE: u32 = 0x0400_0000;
    const ERROR_SHARING_VIOLATION: i32 = 32;
    let mut options = File::options();
    options.write(true).create(true).truncate(false);
    options.share_mode(0).custom_flags(FILE_FLAG_DELETE_ON_CLOSE);
    options.open(folder.join(".headwater-lock")).map(Some).map_err(|error| {
        let taken = error.raw_os_error() == Some(ERROR_SHARING_VIOLATION);
        if taken { ErrorKind::WouldBlock.into() } else { error }
    })
}

/// Returns `None`, because this system has no file locks.
#[cfg(not(any(unix, windows)))]
fn lock(_: &Path) -> io::Result<Option<File>> {
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_can_be_locked_by_one_run_at_a_time() {
        let folder = tempfile::tempdir().unwrap();
        let first = FolderLock::acquire(folder.path()).unwrap();
        assert!(matches!(FolderLock::acquire(folder.path()), Err(RunError::InUse { .. })));
        drop(first);
        let second = FolderLock::acquire(folder.path()).unwrap();
        thread::scope(|scope| {
            let waits = scope.spawn(|| FolderLock::acquire_within_timeout(folder.path()).map(drop));
            thread::sleep(4 * RETRY_INTERVAL);
            drop(second);
            waits.join().unwrap().unwrap();
        });
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    }
}
