//! [`Files`]: where a scene's files come from: the disk, or memory where there is none.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use xxhash_rust::xxh3::Xxh3;

/// Where the files come from that a scene names. Cheap to clone.
///
/// ```
/// use headwater_scene::scene::{self, Files};
/// let hill = "ncols 3\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 10\n7 8 9\n4 5 6\n";
/// let files = Files::held_only().with("hill.asc", hill);
/// let text = "model = 'flow'\n[time]\nuntil = 1\n[terrain]\nfile = 'hill.asc'\n";
/// let scene = scene::parse_with("hill.toml", text, &[], &files)?;
/// let world = headwater_scene::run::simulation(&scene)?;
/// assert_eq!((world.grid().nx, world.grid().ny), (3, 2));
/// # Ok::<(), scene::SceneError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Files {
    held: Arc<BTreeMap<PathBuf, Arc<[u8]>>>,
    disk: bool,
}

impl Default for Files {
    fn default() -> Self {
        Self::disk()
    }
}

impl Files {
    /// Those of the disk.
    #[must_use]
    pub fn disk() -> Self {
        Self { held: Arc::default(), disk: true }
    }

    /// None but those that are held in memory: none yet.
    #[must_use]
    pub fn held_only() -> Self {
        Self { held: Arc::default(), disk: false }
    }

    /// The same files and one held in memory, which stands for any of that name on the disk. Its name is what a scene
    /// says, such as `maps/hill.asc`.
    #[must_use]
    pub fn with(mut self, name: impl AsRef<Path>, bytes: impl AsRef<[u8]>) -> Self {
        let name = plain(name.as_ref());
        Arc::make_mut(&mut self.held).insert(name, bytes.as_ref().into());
        self
    }

    /// Whether a file of that name is held in memory.
    #[must_use]
    pub fn holds(&self, name: impl AsRef<Path>) -> bool {
        self.held.contains_key(&plain(name.as_ref()))
    }

    /// Whether a path leads to a Zarr store on the disk, or to an array of one: a folder with such metadata.
    #[must_use]
    pub fn is_store(&self, path: &Path) -> bool {
        const METADATA: [&str; 3] = ["zarr.json", ".zgroup", ".zarray"];
        self.disk
            && self.held(path).is_none()
            && METADATA.iter().any(|name| path.join(name).is_file())
    }

    /// A hash of a file's content; of a store, of all files in it.
    pub(crate) fn hash(&self, path: &Path) -> io::Result<u64> {
        let mut hash = Xxh3::new();
        if let Some(bytes) = self.held(path) {
            hash.update(bytes);
            return Ok(hash.digest());
        }
        let files = if self.is_store(path) { all_within(path)? } else { vec![path.to_owned()] };
        let mut room = vec![0; 1 << 16];
        for one in files {
            let within = one.strip_prefix(path).unwrap_or(&one);
            hash.update(within.as_os_str().as_encoded_bytes());
            let mut file = self.open(&one)?;
            loop {
                match file.read(&mut room) {
                    Ok(0) => break,
                    Ok(count) => hash.update(&room[..count]),
                    Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                    Err(error) => return Err(error),
                }
            }
        }
        Ok(hash.digest())
    }

    /// The first `most` bytes of a file, or all if there are fewer.
    pub(crate) fn read(&self, path: &Path, most: u64) -> io::Result<Cow<'_, [u8]>> {
        if let Some(bytes) = self.held(path) {
            let end = usize::try_from(most).map_or(bytes.len(), |most| most.min(bytes.len()));
            return Ok(Cow::Borrowed(&bytes[..end]));
        }
        let mut bytes = Vec::new();
        self.open(path)?.take(most).read_to_end(&mut bytes)?;
        Ok(Cow::Owned(bytes))
    }

    /// The content of a file that is held in memory.
    pub(crate) fn held(&self, path: &Path) -> Option<&[u8]> {
        self.held.get(&plain(path)).map(|bytes| &**bytes)
    }

    pub(crate) fn open(&self, path: &Path) -> io::Result<File> {
        if !self.disk {
            return Err(io::Error::new(io::ErrorKind::NotFound, "no such file was handed over"));
        }
        open_file(path)
    }
}

/// All files in a folder and in those within, in an order that does not depend on the disk.
fn all_within(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        match entry.file_type()?.is_dir() {
            true => files.extend(all_within(&entry.path())?),
            false => files.push(entry.path()),
        }
    }
    files.sort();
    Ok(files)
}

/// Opens a file of the disk for reading. A folder, and a pipe or device, which may have no end or nothing to give, are refused at
/// once.
///
/// # Errors
/// The reason why it cannot be read.
pub fn open_file(path: &Path) -> io::Result<File> {
    let kind = std::fs::metadata(path)?.file_type();
    if kind.is_file() {
        return File::open(path);
    }
    let found = if kind.is_dir() { "a folder" } else { "a pipe or device" };
    Err(io::Error::new(io::ErrorKind::InvalidInput, format!("found {found}, needs a file")))
}

/// A path without the parts that say nothing, so that `./hill.asc` is `hill.asc`.
fn plain(path: &Path) -> PathBuf {
    path.components().filter(|part| *part != std::path::Component::CurDir).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_held_stands_before_the_disk() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.txt");
        std::fs::write(&path, "from the disk").unwrap();
        let disk = Files::default();
        assert_eq!(*disk.read(&path, 8).unwrap(), *b"from the");
        let both = disk.clone().with(&path, "held");
        assert_eq!(*both.read(&path, 100).unwrap(), *b"held");
        assert_eq!(*both.read(&path, 2).unwrap(), *b"he");
        assert!(both.holds(&path) && !disk.holds(&path));
        let held = Files::held_only().with("./maps/a.txt", "held");
        assert_eq!(*held.read(Path::new("maps/./a.txt"), 100).unwrap(), *b"held");
        let error = held.read(&path, 100).unwrap_err();
        assert_eq!(error.to_string(), "no such file was handed over");
    }
}
