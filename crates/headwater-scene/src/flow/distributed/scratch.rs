//! [`ScratchFolder`]: a temporary folder for rows that do not fit in memory.

use headwater::distributed::PageStore;
use std::io;
use std::path::{Path, PathBuf};

/// Temporary folder for blocks of rows that do not fit in memory. The folder is removed on drop.
#[derive(Debug)]
pub(super) struct ScratchFolder(PathBuf);

impl ScratchFolder {
    /// Creates the folder. First removes any files that an aborted run left at the same path.
    ///
    /// # Errors
    /// Returns an error if the folder cannot be created.
    pub(super) fn new(folder: &Path) -> io::Result<Self> {
        match std::fs::remove_dir_all(folder) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => std::fs::create_dir(folder)?,
        }
        Ok(Self(folder.into()))
    }

    /// Returns the path of the folder.
    pub(super) fn path(&self) -> &Path {
        &self.0
    }

    fn page_path(&self, [block, field]: [usize; 2]) -> PathBuf {
        self.0.join(format!("{block}-{field}"))
    }
}

impl PageStore for ScratchFolder {
    fn put(&mut self, key: [usize; 2], bytes: &[u8]) -> io::Result<()> {
        std::fs::write(self.page_path(key), bytes)
    }

    fn get(&mut self, key: [usize; 2]) -> io::Result<Vec<u8>> {
        std::fs::read(self.page_path(key))
    }
}

impl Drop for ScratchFolder {
    fn drop(&mut self) {
        // If this fails, the next run that uses this folder removes it.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
