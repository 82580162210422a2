//! Atomic writing of files.
//!
//! Each file is written under a temporary name in the same folder and renamed when it is complete.
//! As a result, readers never see an incomplete file, even if the writing process is killed.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;
use tempfile::NamedTempFile;

/// Buffered, seekable writer to an open file.
pub type Sink<'a> = BufWriter<&'a File>;

/// Writes a file atomically: creates a temporary file, calls `write` to write its content, and
/// renames it to `path`. An existing file at `path` is replaced.
///
/// The file has the permissions of any new file: 0666 minus the umask, usually 0644. The file is
/// synced to disk before it is renamed, so that a power failure leaves either the old file or the
/// complete new one.
///
/// # Errors
/// Returns the error of `write`, or an error if the file cannot be created, written or renamed. In
/// these cases the old file is unchanged, and the temporary file is removed.
pub fn write_atomically(
    path: &Path,
    write: impl FnOnce(&mut Sink<'_>) -> io::Result<()>,
) -> io::Result<()> {
    // The parent of a bare file name is the empty path.
    let folder = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let temporary = create_temporary(folder)?;
    let mut sink = BufWriter::new(temporary.as_file());
    write(&mut sink)?;
    sink.flush()?;
    drop(sink);
    temporary.as_file().sync_all()?;
    temporary.persist(path)?;
    Ok(())
}

/// Writes a file atomically in two parts, like [`write_atomically`], so that several processes can
/// write the second part. The function `write_header` writes the first part and returns two byte
/// offsets: the start of the second part, and the end of the file. The function `write_rest` writes
/// the second part. Its arguments are the path of the temporary file and the byte offset at which
/// the second part starts.
#[cfg(not(target_family = "wasm"))]
pub fn write_atomically_shared(
    path: &Path,
    write_header: impl FnOnce(&mut Sink<'_>) -> io::Result<[u64; 2]>,
    write_rest: impl FnOnce(&Path, u64) -> io::Result<()>,
) -> io::Result<()> {
    let folder = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let temporary = create_temporary(folder)?;
    let mut sink = BufWriter::new(temporary.as_file());
    let [start, end] = write_header(&mut sink)?;
    sink.flush()?;
    drop(sink);
    temporary.as_file().set_len(end)?;
    write_rest(temporary.path(), start)?;
    temporary.as_file().sync_all()?;
    temporary.persist(path)?;
    Ok(())
}

/// Prefix of the names of temporary files, which is followed by [`RANDOM_SUFFIX_LEN`] random
/// characters.
const PREFIX: &str = ".headwater-temporary-";
const RANDOM_SUFFIX_LEN: usize = 6;

fn create_temporary(folder: &Path) -> io::Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    builder.prefix(PREFIX).rand_bytes(RANDOM_SUFFIX_LEN).tempfile_in(folder)
}

/// Returns true if `name` has the form of the temporary file names that this module creates.
pub fn is_temporary(name: &OsStr) -> bool {
    let random = name.to_str().and_then(|name| name.strip_prefix(PREFIX));
    random.is_some_and(|random| {
        random.len() == RANDOM_SUFFIX_LEN && random.bytes().all(|byte| byte.is_ascii_alphanumeric())
    })
}

/// Syncs the directory entries of a folder to disk (`fsync`). As a result, files that were renamed
/// before this call reach the disk before any later change. Does nothing on systems that cannot
/// sync folders.
pub fn sync_folder(folder: &Path) {
    // Other systems cannot sync a folder.
    #[cfg(unix)]
    let _ = File::open(folder).and_then(|folder| folder.sync_all());
    #[cfg(not(unix))]
    let _ = folder;
}

/// Removes the temporary files that killed processes have left in `folder`. No other process may
/// write to the folder at the same time.
pub fn remove_temporaries(folder: &Path) -> io::Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        if is_temporary(&entry.file_name()) && entry.file_type()?.is_file() {
            std::fs::remove_file(entry.path())?;
        }
    }
    Ok(())
}

/// Checks that files can be written to `folder`, by writing and removing a temporary file.
pub fn check_writable(folder: &Path) -> io::Result<()> {
    let mut temporary = create_temporary(folder)?;
    // Writes one disk block, which fails on a full disk.
    temporary.write_all(&[0; 4096])?;
    temporary.close()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file_names_in(folder: &Path) -> Vec<String> {
        std::fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect()
    }

    #[test]
    fn a_file_is_replaced_completely() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.txt");
        for text in ["the first", "second"] {
            write_atomically(&path, |sink| sink.write_all(text.as_bytes())).unwrap();
            assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
        }
        assert_eq!(file_names_in(folder.path()), ["a.txt"]);
    }

    #[test]
    fn a_failed_write_leaves_the_old_file_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.txt");
        std::fs::write(&path, "old").unwrap();
        let failed = write_atomically(&path, |sink| {
            sink.write_all(b"half")?;
            Err(io::Error::other("stopped"))
        });
        assert_eq!(failed.unwrap_err().to_string(), "stopped");
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "old");
        assert_eq!(file_names_in(folder.path()), ["a.txt"]);
        assert!(write_atomically(&folder.path().join("no/such/folder"), |_| Ok(())).is_err());
    }

    #[test]
    fn only_temporary_files_of_killed_writers_are_removed() {
        let folder = tempfile::tempdir().unwrap();
        let mut stay = [
            ".headwater-temporary-",
            ".headwater-backup",
            ".headwater-temporary-abc-12",
            "headwater-temporary-abc123",
        ];
        for name in stay.iter().chain(&[".headwater-temporary-a1B2c3"]) {
            std::fs::write(folder.path().join(name), "").unwrap();
        }
        std::fs::create_dir(folder.path().join(".headwater-temporary-folder")).unwrap();
        let killed = create_temporary(folder.path()).unwrap().keep().unwrap();
        remove_temporaries(folder.path()).unwrap();
        check_writable(folder.path()).unwrap();
        let mut names = file_names_in(folder.path());
        names.retain(|name| name != ".headwater-temporary-folder");
        names.sort_unstable();
        stay.sort_unstable();
        assert_eq!(names, stay, "{killed:?}");
        assert!(check_writable(&folder.path().join("no/such/folder")).is_err());
    }

    #[cfg(unix)]
    #[test]
    fn written_files_have_default_permissions() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let (ours, plain) = (folder.path().join("ours"), folder.path().join("plain"));
        write_atomically(&ours, |_| Ok(())).unwrap();
        File::create(&plain).unwrap();
        let mode = |path: &Path| std::fs::metadata(path).unwrap().permissions().mode();
        assert_eq!(mode(&ours), mode(&plain));
    }
}
