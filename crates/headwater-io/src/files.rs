//! [`Files`]: the source from which the files of a scene are read, on disk or in memory.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::{self, Path, PathBuf};
use std::sync::Arc;
use xxhash_rust::xxh3::Xxh3;

/// Source from which the files that a scene refers to are read. Cheap to clone.
///
/// A source that reads from disk can be confined to a folder, for scenes from unknown authors.
///
/// ```
/// use headwater_io::Files;
/// use headwater_io::raster::{self, ReadOptions};
/// let hill = "ncols 3\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 10\n7 8 9\n4 5 6\n";
/// let files = Files::memory_only().with_file("hill.asc", hill);
/// let dem = raster::read_from(&files, "hill.asc".as_ref(), &ReadOptions::default())?;
/// assert_eq!((dem.info.width, dem.info.height), (3, 2));
/// # Ok::<(), raster::RasterError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Files {
    memory: Arc<BTreeMap<PathBuf, Arc<[u8]>>>,
    disk: DiskAccess,
}

/// Part of the disk from which files may be read.
#[derive(Clone, Debug, PartialEq, Eq)]
enum DiskAccess {
    None,
    /// Files in this folder and its subfolders.
    Folder(Arc<ConfinedFolder>),
    All,
}

impl Default for Files {
    fn default() -> Self {
        Self::from_disk()
    }
}

impl Files {
    /// Creates a source that reads files from disk.
    #[must_use]
    pub fn from_disk() -> Self {
        Self { memory: Arc::default(), disk: DiskAccess::All }
    }

    /// Returns this source, with disk access restricted to files in `folder` and its subfolders.
    /// Links that lead out of the folder are not followed. An empty path stands for the current
    /// directory. If the folder does not exist, nothing is read from disk.
    #[must_use]
    pub fn confined_to(self, folder: &Path) -> Self {
        let disk = match (self.disk, ConfinedFolder::new(folder)) {
            (DiskAccess::None, _) | (_, Err(_)) => DiskAccess::None,
            (_, Ok(folder)) => DiskAccess::Folder(Arc::new(folder)),
        };
        Self { disk, ..self }
    }

    /// Creates a source that never reads from disk. The source contains no files until they are
    /// added with [`with_file`](Self::with_file).
    #[must_use]
    pub fn memory_only() -> Self {
        Self { memory: Arc::default(), disk: DiskAccess::None }
    }

    /// Adds a file in memory, which is used instead of a file on disk with the same name. `name` is
    /// the path as it is written in the scene, such as `maps/hill.asc`.
    #[must_use]
    pub fn with_file(mut self, name: impl AsRef<Path>, bytes: impl AsRef<[u8]>) -> Self {
        let name = remove_dot_components(name.as_ref());
        Arc::make_mut(&mut self.memory).insert(name, bytes.as_ref().into());
        self
    }

    /// Returns whether a file with the given name has been added with
    /// [`with_file`](Self::with_file).
    #[must_use]
    pub fn is_in_memory(&self, name: impl AsRef<Path>) -> bool {
        self.memory.contains_key(&remove_dot_components(name.as_ref()))
    }

    /// Returns whether a path is a Zarr store or an array in a Zarr store. Both are folders on disk
    /// that contain Zarr metadata.
    #[must_use]
    pub fn is_zarr_store(&self, path: &Path) -> bool {
        let is_file = |path: &Path| self.allowed_path(path).is_ok_and(|path| path.is_file());
        self.memory_contents(path).is_none()
            && ZARR_METADATA.iter().any(|name| is_file(&path.join(name)))
    }

    /// Checks that all files of a Zarr store may be read. A source without restriction always
    /// passes.
    ///
    /// # Errors
    /// Returns an error if this source does not read from disk. If the source is confined to a
    /// folder, also returns an error if a file is outside it or is a pipe, device or link.
    pub fn check_store(&self, path: &Path) -> io::Result<()> {
        if self.disk == DiskAccess::All {
            return Ok(());
        }
        // Coordinates are in the store that contains an array.
        let parent = path.parent().filter(|parent| is_zarr_store(parent));
        list_files(parent.unwrap_or(path))?.iter().try_for_each(|file| {
            let is_file = fs::symlink_metadata(self.allowed_path(file)?)?.is_file();
            if is_file { Ok(()) } else { Err(not_a_file_error("a pipe, a device or a link")) }
        })
    }

    /// Returns a hash of the contents of a file. For a Zarr store, the hash covers the contents of
    /// all files in the store.
    ///
    /// # Errors
    /// Returns an error if a file cannot be read.
    pub fn hash_contents(&self, path: &Path) -> io::Result<u64> {
        let mut hash = Xxh3::new();
        if let Some(bytes) = self.memory_contents(path) {
            hash.update(bytes);
            return Ok(hash.digest());
        }
        let files =
            if self.is_zarr_store(path) { list_files(path)? } else { vec![path.to_owned()] };
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

    /// Returns the first `max_bytes` bytes of a file, or all bytes if the file is shorter.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read.
    pub fn read_prefix(&self, path: &Path, max_bytes: u64) -> io::Result<Cow<'_, [u8]>> {
        if let Some(bytes) = self.memory_contents(path) {
            let end = usize::try_from(max_bytes)
                .map_or(bytes.len(), |max_bytes| max_bytes.min(bytes.len()));
            return Ok(Cow::Borrowed(&bytes[..end]));
        }
        let mut bytes = Vec::new();
        self.open(path)?.take(max_bytes).read_to_end(&mut bytes)?;
        Ok(Cow::Owned(bytes))
    }

    /// Returns the contents of a file in memory; `None` if the file has not been added to this
    /// source.
    pub fn memory_contents(&self, path: &Path) -> Option<&[u8]> {
        self.memory.get(&remove_dot_components(path)).map(|bytes| &**bytes)
    }

    /// Opens a file on disk for reading.
    ///
    /// # Errors
    /// Returns an error if this source does not read from disk or is confined to a folder that does
    /// not contain the file, or if the file cannot be opened or is not a regular file.
    pub fn open(&self, path: &Path) -> io::Result<File> {
        open_file(&self.allowed_path(path)?)
    }

    /// Returns the path under which to open a file or folder. If this source is confined to a
    /// folder, all links in the path are resolved; otherwise the path is unchanged.
    ///
    /// # Errors
    /// Returns an error if the file may not be read. If this source is confined to a folder, also
    /// returns an error if the file does not exist.
    fn allowed_path<'a>(&self, path: &'a Path) -> io::Result<Cow<'a, Path>> {
        match &self.disk {
            DiskAccess::All => Ok(Cow::Borrowed(path)),
            DiskAccess::None => {
                Err(io::Error::new(io::ErrorKind::NotFound, "the file was not provided"))
            }
            DiskAccess::Folder(folder) => folder.resolve(path).map(Cow::Owned),
        }
    }
}

/// Folder to which reading is confined.
#[derive(Debug, PartialEq, Eq)]
struct ConfinedFolder {
    /// Absolute path of the folder with all links resolved.
    resolved_path: PathBuf,
    /// Absolute path of the folder as the caller gave it, with links.
    given_path: PathBuf,
}

/// Maximum number of links in a path.
const MAX_LINKS: usize = 40;

impl ConfinedFolder {
    fn new(folder: &Path) -> io::Result<Self> {
        let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        Ok(Self {
            resolved_path: folder.canonicalize()?,
            given_path: resolve_parent_components(&path::absolute(folder)?),
        })
    }

    /// Resolves all links in the path of a file in this folder. Accesses only this folder, so that
    /// neither the result nor the error depends on files outside the folder.
    ///
    /// # Errors
    /// Returns an error if the file does not exist, or if the path or a link in it leads out of the
    /// folder.
    fn resolve(&self, path: &Path) -> io::Result<PathBuf> {
        let outside = || {
            let message = "it is outside the folder of the scene, to which reading is confined";
            io::Error::new(io::ErrorKind::PermissionDenied, message)
        };
        let path = resolve_parent_components(&path::absolute(path)?);
        let inner =
            path.strip_prefix(&self.given_path).or_else(|_| path.strip_prefix(&self.resolved_path));
        let mut rest: Vec<OsString> =
            inner.map_err(|_| outside())?.iter().map(Into::into).collect();
        rest.reverse();
        let (mut here, mut links) = (self.resolved_path.clone(), 0);
        while let Some(part) = rest.pop() {
            let next = here.join(part);
            if !fs::symlink_metadata(&next)?.is_symlink() {
                here = next;
                continue;
            }
            links += 1;
            let target = resolve_parent_components(&here.join(fs::read_link(&next)?));
            let inner =
                target.strip_prefix(&self.resolved_path).ok().filter(|_| links <= MAX_LINKS);
            rest.extend(inner.ok_or_else(outside)?.iter().rev().map(OsString::from));
            here.clone_from(&self.resolved_path);
        }
        Ok(here)
    }
}

/// Resolves the `..` components of an absolute path: removes each of them together with the
/// component before it.
fn resolve_parent_components(path: &Path) -> PathBuf {
    let mut clean = PathBuf::new();
    for part in path.components() {
        match part {
            path::Component::ParentDir => {
                clean.pop();
            }
            part => clean.push(part),
        }
    }
    clean
}

/// Names of the metadata files of Zarr. A folder with one of these files is a Zarr store or an
/// array in one.
const ZARR_METADATA: [&str; 3] = ["zarr.json", ".zgroup", ".zarray"];

/// Returns whether a folder on disk contains Zarr metadata.
pub(crate) fn is_zarr_store(path: &Path) -> bool {
    ZARR_METADATA.iter().any(|name| path.join(name).is_file())
}

/// Returns the sorted paths of all files in a folder and its subfolders.
///
/// # Errors
/// Returns an error if a folder cannot be read.
fn list_files(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        match entry.file_type()?.is_dir() {
            true => files.extend(list_files(&entry.path())?),
            false => files.push(entry.path()),
        }
    }
    files.sort();
    Ok(files)
}

/// Opens a file on disk for reading. Rejects folders, pipes, devices and empty files. Reading from
/// a pipe or a device might block or never end. The same applies to kernel files such as
/// `/proc/kmsg`, which appear to be regular and empty.
///
/// # Errors
/// Returns an error if the file cannot be opened, is not a regular file or is empty.
pub fn open_file(path: &Path) -> io::Result<File> {
    let metadata = fs::metadata(path)?;
    let kind = metadata.file_type();
    if kind.is_file() && metadata.len() > 0 {
        return File::open(path);
    }
    if kind.is_file() {
        return Err(io::Error::new(io::ErrorKind::InvalidData, "the file is empty"));
    }
    Err(not_a_file_error(if kind.is_dir() { "a folder" } else { "a pipe or device" }))
}

fn not_a_file_error(found: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, format!("found {found}, needs a file"))
}

/// Removes `.` components from a path, so that `./hill.asc` becomes `hill.asc`.
fn remove_dot_components(path: &Path) -> PathBuf {
    path.components().filter(|part| *part != std::path::Component::CurDir).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_in_memory_hide_files_on_disk() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.txt");
        std::fs::write(&path, "from the disk").unwrap();
        let disk = Files::default();
        assert_eq!(*disk.read_prefix(&path, 8).unwrap(), *b"from the");
        std::fs::write(folder.path().join("empty"), "").unwrap();
        let error = disk.read_prefix(&folder.path().join("empty"), 8).unwrap_err();
        assert_eq!(error.to_string(), "the file is empty");
        let both = disk.clone().with_file(&path, "held");
        assert_eq!(*both.read_prefix(&path, 100).unwrap(), *b"held");
        assert_eq!(*both.read_prefix(&path, 2).unwrap(), *b"he");
        assert!(both.is_in_memory(&path) && !disk.is_in_memory(&path));
        let held = Files::memory_only().with_file("./maps/a.txt", "held");
        assert_eq!(*held.read_prefix(Path::new("maps/./a.txt"), 100).unwrap(), *b"held");
        let error = held.read_prefix(&path, 100).unwrap_err();
        assert_eq!(error.to_string(), "the file was not provided");
    }

    #[test]
    #[cfg(unix)]
    fn confined_sources_read_only_their_folder() {
        use std::os::unix::fs::symlink;
        let outer = tempfile::tempdir().unwrap();
        let folder = outer.path().join("scenes");
        fs::create_dir_all(folder.join("maps")).unwrap();
        let secret = outer.path().join("secret.asc");
        for file in [&secret, &folder.join("own.asc"), &folder.join("maps/a.asc")] {
            fs::write(file, "text").unwrap();
        }
        symlink("own.asc", folder.join("inner-link")).unwrap();
        symlink("../secret.asc", folder.join("link")).unwrap();
        symlink("../missing", folder.join("dangling")).unwrap();
        symlink(outer.path(), folder.join("up")).unwrap();
        symlink("../none", folder.join("none")).unwrap();
        symlink("loop", folder.join("loop")).unwrap();
        let through = outer.path().join("missing/../scenes/own.asc");
        symlink(through, folder.join("through")).unwrap();
        let files = Files::from_disk().confined_to(&folder);
        let read = |path: &Path| files.read_prefix(path, 9).map_err(|error| error.to_string());
        for inside in [
            "own.asc",
            "maps/a.asc",
            "maps/../own.asc",
            "inner-link",
            "../x/../scenes/own.asc",
            "through",
        ] {
            assert!(read(&folder.join(inside)).is_ok(), "{inside}");
        }
        for outside in
            // Existing and missing files, with endings and detours that reveal which is which.
            [
                "../secret.asc",
                "link",
                "link/",
                "link/.",
                "up/secret.asc",
                "up/",
                "up/scenes/own.asc",
                "dangling",
                "dangling/",
                "../missing",
                "none/",
                "none/a",
                "/dev/zero",
                "loop",
                "/root/../proc/self/cwd/own.asc",
                "/none/../proc/self/cwd/own.asc",
            ]
        {
            let message = read(&folder.join(outside)).unwrap_err();
            assert!(message.contains("outside the folder"), "{outside}: {message}");
        }
        assert!(read(&secret).is_err());
        for missing in ["maps/none.asc", "none.asc", "no/folder"] {
            let message = read(&folder.join(missing)).unwrap_err();
            assert!(message.contains("No such file"), "{missing}: {message}");
        }

        // A Zarr store whose values are elsewhere.
        fs::create_dir_all(folder.join("dem.zarr")).unwrap();
        fs::write(folder.join("dem.zarr/zarr.json"), "{}").unwrap();
        let store = folder.join("dem.zarr");
        assert!(files.is_zarr_store(&store) && files.check_store(&store).is_ok());
        symlink(&secret, store.join("c")).unwrap();
        assert!(files.check_store(&store).is_err());
        fs::create_dir(folder.join("b.zarr")).unwrap();
        symlink(&secret, folder.join("b.zarr/.zgroup")).unwrap();
        assert!(!files.is_zarr_store(&folder.join("b.zarr")));
    }
}
