//! Files that are there whole or not at all.
//!
//! Pictures, layers and checkpoints are written under a temporary name in the same folder and
//! renamed when complete, so that a reader, or a run that is stopped half-way, never meets half a
//! file. What goes into the file is the caller's business.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;
use tempfile::NamedTempFile;

/// What the content is written to: buffered, and seekable.
pub type Sink<'a> = BufWriter<&'a File>;

/// Writes a file by `write` and moves it to `path`, replacing what was there.
///
/// The file gets the permissions any new file gets: 0666 minus the umask, mostly 0644. It is on the
/// disk before it gets its name, so that a power cut leaves the old file or the new one.
///
/// # Errors
/// What `write` returns, or the reason why the file cannot be created, filled or renamed. The old
/// file is then still there and the temporary one is gone.
pub fn write_atomically(
    path: &Path,
    write: impl FnOnce(&mut Sink<'_>) -> io::Result<()>,
) -> io::Result<()> {
    // The parent of a bare file name is the empty path, which is no folder to create files in.
    let folder = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let temporary = temporary_in(folder)?;
    let mut sink = BufWriter::new(temporary.as_file());
    write(&mut sink)?;
    sink.flush()?;
    drop(sink);
    temporary.as_file().sync_all()?;
    temporary.persist(path)?;
    Ok(())
}

/// The same of a file that several write at once: `begin` writes the first of it, and says at which byte the rest begins and at which it ends; `fill`
/// is told by what name the file goes meanwhile, and where the rest begins.
#[cfg(not(target_family = "wasm"))]
pub(crate) fn write_shared(
    path: &Path,
    begin: impl FnOnce(&mut Sink<'_>) -> io::Result<[u64; 2]>,
    fill: impl FnOnce(&Path, u64) -> io::Result<()>,
) -> io::Result<()> {
    let folder = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let temporary = temporary_in(folder)?;
    let mut sink = BufWriter::new(temporary.as_file());
    let [start, end] = begin(&mut sink)?;
    sink.flush()?;
    drop(sink);
    temporary.as_file().set_len(end)?;
    fill(temporary.path(), start)?;
    temporary.as_file().sync_all()?;
    temporary.persist(path)?;
    Ok(())
}

/// What the names of temporary files begin with, and how many letters and digits follow.
const PREFIX: &str = ".headwater-";
const RANDOM: usize = 6;

fn temporary_in(folder: &Path) -> io::Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    builder.prefix(PREFIX).rand_bytes(RANDOM).tempfile_in(folder)
}

/// Whether a temporary file may have that name.
pub(crate) fn is_temporary(name: &OsStr) -> bool {
    let random = name.to_str().and_then(|name| name.strip_prefix(PREFIX));
    random.is_some_and(|random| {
        random.len() == RANDOM && random.bytes().all(|byte| byte.is_ascii_alphanumeric())
    })
}

/// Has the names that files have in a folder now on the disk before whatever comes after, where the system knows how.
pub(crate) fn sync_folder(folder: &Path) {
    // Where it does not, names come there in the order in which they were given, or nobody can say.
    #[cfg(unix)]
    let _ = File::open(folder).and_then(|folder| folder.sync_all());
    #[cfg(not(unix))]
    let _ = folder;
}

/// Removes the temporary files that writes into `folder` have left which were killed. To be called only while nobody else writes
/// there.
pub(crate) fn remove_temporaries(folder: &Path) -> io::Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        if is_temporary(&entry.file_name()) && entry.file_type()?.is_file() {
            std::fs::remove_file(entry.path())?;
        }
    }
    Ok(())
}

/// Tries whether files can be written into `folder`, and leaves none.
pub(crate) fn check_writable(folder: &Path) -> io::Result<()> {
    let mut temporary = temporary_in(folder)?;
    // As much as a full disk has no room for: a block.
    temporary.write_all(&[0; 4096])?;
    temporary.close()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names_in(folder: &Path) -> Vec<String> {
        std::fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect()
    }

    #[test]
    fn a_file_is_replaced_whole() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.txt");
        for text in ["the first", "second"] {
            write_atomically(&path, |sink| sink.write_all(text.as_bytes())).unwrap();
            assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
        }
        assert_eq!(names_in(folder.path()), ["a.txt"]);
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
        assert_eq!(names_in(folder.path()), ["a.txt"]);
        assert!(write_atomically(&folder.path().join("no/such/folder"), |_| Ok(())).is_err());
    }

    #[test]
    fn what_a_kill_has_left_is_swept_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let mut stay = [".headwater-", ".headwater-lock", ".headwater-abc-12", "headwater-abc123"];
        for name in stay.iter().chain(&[".headwater-a1B2c3"]) {
            std::fs::write(folder.path().join(name), "").unwrap();
        }
        std::fs::create_dir(folder.path().join(".headwater-folder")).unwrap();
        let killed = temporary_in(folder.path()).unwrap().keep().unwrap();
        remove_temporaries(folder.path()).unwrap();
        check_writable(folder.path()).unwrap();
        let mut names = names_in(folder.path());
        names.retain(|name| name != ".headwater-folder");
        names.sort_unstable();
        stay.sort_unstable();
        assert_eq!(names, stay, "{killed:?}");
        assert!(check_writable(&folder.path().join("no/such/folder")).is_err());
    }

    #[cfg(unix)]
    #[test]
    fn permissions_are_those_of_any_new_file() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let (ours, plain) = (folder.path().join("ours"), folder.path().join("plain"));
        write_atomically(&ours, |_| Ok(())).unwrap();
        File::create(&plain).unwrap();
        let mode = |path: &Path| std::fs::metadata(path).unwrap().permissions().mode();
        assert_eq!(mode(&ours), mode(&plain));
    }
}
