//! [`Scratch`]: a folder in which bands lie that are not in memory.

use headwater::distributed::PageStore;
use std::io;
use std::path::{Path, PathBuf};

/// A folder of a world's own. It goes with this.
#[derive(Debug)]
pub(super) struct Scratch(PathBuf);

impl Scratch {
    /// Makes the folder; what a run that was killed has left there is gone.
    ///
    /// # Errors
    /// Why it cannot be made.
    pub(super) fn new(folder: &Path) -> io::Result<Self> {
        match std::fs::remove_dir_all(folder) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => std::fs::create_dir(folder)?,
        }
        Ok(Self(folder.into()))
    }

    /// Where it is.
    pub(super) fn path(&self) -> &Path {
        &self.0
    }

    fn file(&self, [band, field]: [usize; 2]) -> PathBuf {
        self.0.join(format!("{band}-{field}"))
    }
}

impl PageStore for Scratch {
    fn put(&mut self, key: [usize; 2], bytes: &[u8]) -> io::Result<()> {
        std::fs::write(self.file(key), bytes)
    }

    fn get(&mut self, key: [usize; 2]) -> io::Result<Vec<u8>> {
        std::fs::read(self.file(key))
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // What cannot be removed is, by the next run in the folder.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
