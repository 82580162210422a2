//! Folder of a checkpoint in parts: part files, and a manifest that is written when all of them are
//! complete.
//!
//! Part files have new names in each checkpoint. The manifest names the files of its checkpoint and
//! atomically replaces the previous one. So a run that is killed meanwhile leaves the previous
//! checkpoint intact, and files without a manifest, which are removed later.

use super::contents::{CheckpointParts, check, is_part_name};
use crate::atomic;
use crate::run::checkpoint::{self, Checkpoint, MANIFEST_MAGIC, RunState};
use crate::run::names::PARTS;
use crate::run::postcard_io;
use std::ffi::OsStr;
use std::fs;
use std::hash::{BuildHasher as _, Hasher as _, RandomState};
use std::io::{self, ErrorKind, Read as _};
use std::path::{Path, PathBuf};

/// Name of the manifest in the folder of a checkpoint.
pub(in crate::run) const MANIFEST: &str = "manifest";

/// Returns whether the folder of a run has a checkpoint in parts.
pub(in crate::run) fn has_manifest(folder: &Path) -> bool {
    folder.join(PARTS).join(MANIFEST).exists()
}

/// Writes a checkpoint into the folder of a run. The previous one stays until the new one is
/// complete. `write` writes the parts into a folder, with a generation in their names, then
/// [their manifest](write_manifest). Returns the checkpoint's folder.
///
/// # Errors
/// The reason why it cannot be written. The new files are removed.
pub(in crate::run) fn write(
    folder: &Path,
    write: impl FnOnce(&Path, &str) -> io::Result<CheckpointParts>,
) -> io::Result<PathBuf> {
    let path = folder.join(PARTS);
    match fs::create_dir(&path) {
        Err(error) if error.kind() != ErrorKind::AlreadyExists => return Err(error),
        _ => {}
    }
    // Unique, so delayed writes of a killed run cannot reach these files.
    let generation = format!("{:016x}", RandomState::new().build_hasher().finish());
    match write(&path, &generation) {
        Ok(contents) => {
            // The manifest must be on disk before files of the previous checkpoint are removed.
            atomic::sync_folder(&path);
            let _ = clear(&path, |name| contents.contains_file(name));
            Ok(path)
        }
        Err(error) => {
            let _ = clear(&path, |name| !name.contains(&generation));
            // Fails if there is a previous checkpoint, which stays.
            let _ = fs::remove_dir(&path);
            Err(error)
        }
    }
}

/// Writes the manifest of parts that are complete, with the run's own state.
///
/// # Errors
/// The reason why it cannot be written.
pub(in crate::run) fn write_manifest(
    path: &Path,
    head: &RunState<'_>,
    contents: &CheckpointParts,
) -> io::Result<()> {
    atomic::sync_folder(path);
    checkpoint::write(&path.join(MANIFEST), MANIFEST_MAGIC, head, |into| {
        postcard_io::write(contents, into)
    })
    .map_err(|error| io::Error::new(error.kind(), format!("{MANIFEST} {error}")))
}

/// Reads a checkpoint from its folder without the contents of its parts, whose lengths are checked.
///
/// # Errors
/// The file at fault and its problem.
pub(in crate::run) fn read(
    path: &Path,
) -> Result<(RunState<'static>, CheckpointParts), (PathBuf, String)> {
    let manifest = path.join(MANIFEST);
    let of_manifest = || {
        let (head, mut state) = Checkpoint::read(&manifest, MANIFEST_MAGIC)?.into_state();
        let mut bytes = Vec::new();
        state.read_to_end(&mut bytes).map_err(|error| format!("cannot be read: {error}"))?;
        let contents: CheckpointParts =
            postcard::from_bytes(&bytes).map_err(|error| format!("is damaged: {error}"))?;
        let all_plain = contents.parts.iter().all(|part| is_part_name(&part.name));
        if all_plain {
            Ok((head, contents))
        } else {
            Err("is damaged: it names other files".into())
        }
    };
    let (head, contents) = of_manifest().map_err(|problem: String| (manifest.clone(), problem))?;
    check(path, &contents.parts).map_err(|problem| (path.into(), problem))?;
    Ok((head, contents))
}

/// Removes files that no manifest names from the folder of a run that resumes from `contents`, or
/// from another kind of checkpoint if `None`.
///
/// # Errors
/// The reason why a file cannot be removed.
pub(in crate::run) fn remove_stale(
    folder: &Path,
    contents: Option<&CheckpointParts>,
) -> io::Result<()> {
    match contents {
        Some(contents) => {
            let path = folder.join(PARTS);
            atomic::remove_temporaries(&path)?;
            clear(&path, |name| contents.contains_file(name))
        }
        // This checkpoint belongs to a later time that is not resumed. The next one replaces it.
        None if has_manifest(folder) => Ok(()),
        None => remove(folder),
    }
}

/// Removes the checkpoint in parts from the folder of a run, complete or not, if there is one.
///
/// # Errors
/// The reason why it cannot be removed.
pub(in crate::run) fn remove(folder: &Path) -> io::Result<()> {
    let path = folder.join(PARTS);
    if !path.is_dir() {
        return Ok(());
    }
    // The manifest goes first, so that it never names missing files.
    match fs::remove_file(path.join(MANIFEST)) {
        Err(error) if error.kind() != ErrorKind::NotFound => return Err(error),
        _ => atomic::sync_folder(&path),
    }
    atomic::remove_temporaries(&path)?;
    clear(&path, |_| false)?;
    // Fails if the folder has other files, which stay.
    let _ = fs::remove_dir(&path);
    Ok(())
}

/// Returns whether a folder has only files that checkpoints in parts write.
pub(in crate::run) fn has_only_part_files(path: &Path) -> bool {
    let ours = |name: &OsStr| name.to_str().is_some_and(is_part_name) || atomic::is_temporary(name);
    let entries = fs::read_dir(path).into_iter().flatten().flatten();
    path.is_dir() && entries.map(|entry| entry.file_name()).all(|name| ours(&name))
}

/// Removes the part files in a folder except those for which `is_kept` is true.
fn clear(path: &Path, is_kept: impl Fn(&str) -> bool) -> io::Result<()> {
    for entry in fs::read_dir(path)? {
        let entry = entry?;
        let name = entry.file_name();
        let is_removed = name.to_str().is_some_and(|name| is_part_name(name) && !is_kept(name));
        if is_removed && entry.file_type()?.is_file() {
            fs::remove_file(entry.path())?;
        }
    }
    Ok(())
}
