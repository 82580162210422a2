//! [`FolderLock`]: a folder that a run has to itself while it lasts.

use super::error::RunError;
use crate::atomic;
use std::fs::File;
#[cfg(unix)]
use std::fs::TryLockError;
use std::io::{self, ErrorKind};
use std::path::Path;
use std::thread;
use std::time::Duration;
use web_time::Instant;

/// How long a run that was killed may be about to go, and how often to look.
const ACQUIRE_TIMEOUT: Duration = Duration::from_secs(3);
const RETRY_INTERVAL: Duration = Duration::from_millis(50);

/// A folder that no other run can take until this is dropped; the system lets go of it too when a run is killed.
pub(super) struct FolderLock {
    /// Nothing where the file system knows no locks: runs are worth more there than the lock is.
    _lock: Option<File>,
}

impl FolderLock {
    /// As [`acquire`](Self::acquire), of a folder whose run may just have been killed: it may be a few seconds until the system has let go of it.
    pub(super) fn acquire_within_timeout(folder: &Path) -> Result<Self, RunError> {
        let begun = Instant::now();
        loop {
            match Self::acquire(folder) {
                Err(RunError::InUse { .. }) if begun.elapsed() < ACQUIRE_TIMEOUT => {
                    thread::sleep(RETRY_INTERVAL)
                }
                taken => return taken,
            }
        }
    }

    /// Takes a folder that is there, tries whether it can be written in, and clears away what writes that were killed have left half
    /// done.
    pub(super) fn acquire(folder: &Path) -> Result<Self, RunError> {
        let failed =
            |error: io::Error| RunError::Output { path: folder.into(), problem: error.to_string() };
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

/// Locks the folder itself, so that no file is left behind.
#[cfg(unix)]
fn lock(folder: &Path) -> io::Result<Option<File>> {
    let handle = File::open(folder)?;
    match handle.try_lock() {
        Ok(()) => Ok(Some(handle)),
        Err(TryLockError::WouldBlock) => Err(ErrorKind::WouldBlock.into()),
        Err(TryLockError::Error(_)) => Ok(None),
    }
}

/// Opens a file that nobody else can open and that goes with its handle, for folders cannot be locked here.
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

/// Nothing is locked where there is neither.
#[cfg(not(any(unix, windows)))]
fn lock(_: &Path) -> io::Result<Option<File>> {
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_run_at_a_time_has_a_folder() {
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
