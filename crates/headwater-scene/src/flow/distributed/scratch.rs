//! [`ScratchFolder`]: a temporary folder for rows that do not fit in memory.

use headwater::distributed::PageStore;
use std::io;
use std::path::{Path, PathBuf};

/// Name of the file for the elevations of the ground.
const GROUND: &str = "ground";

/// Temporary folder for blocks of rows that do not fit in memory. The folder is removed on drop.
#[derive(Debug)]
pub(super) struct ScratchFolder(PathBuf);

impl ScratchFolder {
    /// Creates the folder. First removes the folder that an aborted run left at the same path.
    ///
    /// # Errors
    /// Returns an error if the folder contains other files or cannot be created.
    pub(super) fn new(folder: &Path) -> io::Result<Self> {
        remove_scratch_folder(folder)?;
        std::fs::create_dir(folder)?;
        Ok(Self(folder.into()))
    }

    /// Returns the path of the file for the elevations of the ground.
    pub(super) fn ground_path(&self) -> PathBuf {
        self.0.join(GROUND)
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
        let _ = remove_scratch_folder(&self.0);
    }
}

/// Removes the folder that an aborted run left at the path `folder`, if there is one.
///
/// # Errors
/// Returns an error if the folder contains anything else than files of a [`ScratchFolder`]. Nothing
/// is removed then.
pub(crate) fn remove_scratch_folder(folder: &Path) -> io::Result<()> {
    match folder.symlink_metadata() {
        Ok(found) if found.is_dir() => {}
        Ok(_) => return Err(io::Error::other("is not a folder; move it or choose another --out")),
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(error),
    }
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name();
        if !(entry.file_type()?.is_file() && name.to_str().is_some_and(is_scratch_file_name)) {
            let name = name.display();
            let problem = format!(
                "contains `{name}`, which is no temporary file of a run; move it or choose another \
                 --out"
            );
            return Err(io::Error::other(problem));
        }
    }
    std::fs::remove_dir_all(folder)
}

/// Returns whether a [`ScratchFolder`] uses the file name `name`.
fn is_scratch_file_name(name: &str) -> bool {
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    name == GROUND
        || name.split_once('-').is_some_and(|(block, field)| is_number(block) && is_number(field))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_files_of_aborted_runs_are_removed() {
        let out = tempfile::tempdir().unwrap();
        let folder = out.path().join("scratch");
        let aborted = || {
            let mut scratch = std::mem::ManuallyDrop::new(ScratchFolder::new(&folder).unwrap());
            scratch.put([0, 12], b"page").unwrap();
            std::fs::write(scratch.ground_path(), b"elevations").unwrap();
        };
        aborted();
        aborted();
        for name in ["notes.txt", "-1", "1-", "1-2-3", "a-1"] {
            std::fs::write(folder.join(name), b"mine").unwrap();
            let refused = ScratchFolder::new(&folder).unwrap_err().to_string();
            assert!(refused.contains(&format!("contains `{name}`")), "{refused}");
            assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 3);
            std::fs::remove_file(folder.join(name)).unwrap();
        }
        drop(ScratchFolder::new(&folder).unwrap());
        assert!(!folder.exists());
        std::fs::write(&folder, b"mine").unwrap();
        assert!(ScratchFolder::new(&folder).unwrap_err().to_string().contains("is not a folder"));
    }
}
