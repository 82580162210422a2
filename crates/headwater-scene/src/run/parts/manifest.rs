//! Folder of a checkpoint in parts. It contains the part files, and a manifest that is written when
//! all part files are complete.
//!
//! Each checkpoint uses new names for its part files. The manifest lists these names and atomically
//! replaces the previous manifest. So if a run is killed while it writes a checkpoint, the previous
//! checkpoint stays intact. The incomplete new files are removed later, because no manifest lists
//! them.

use super::contents::{CheckpointParts, check_part_files, is_part_file_name};
use crate::atomic;
use crate::run::checkpoint::postcard_io;
use crate::run::checkpoint::{self, Checkpoint, MANIFEST_MAGIC, RunState};
use crate::run::output::names::CHECKPOINT_PARTS_FOLDER;
use std::ffi::OsStr;
use std::fs;
use std::hash::{BuildHasher as _, Hasher as _, RandomState};
use std::io::{self, ErrorKind, Read as _};
use std::path::{Path, PathBuf};

/// File name of the manifest in the checkpoint folder.
pub(in crate::run) const MANIFEST: &str = "manifest";

/// Returns whether an output folder contains a checkpoint that is split into several files.
pub(in crate::run) fn has_manifest(folder: &Path) -> bool {
    folder.join(CHECKPOINT_PARTS_FOLDER).join(MANIFEST).exists()
}

/// Writes a checkpoint that is split into several files into an output folder, and returns the
/// folder of the checkpoint. The previous checkpoint stays until the new one is complete. `write`
/// is called with the folder of the checkpoint and a unique string for the names of the part files.
/// It must write the part files, and then the manifest with [`write_manifest`].
///
/// # Errors
/// Returns an error if a file cannot be written. The new files are removed in this case.
pub(in crate::run) fn write_checkpoint(
    folder: &Path,
    write: impl FnOnce(&Path, &str) -> io::Result<CheckpointParts>,
) -> io::Result<PathBuf> {
    let path = folder.join(CHECKPOINT_PARTS_FOLDER);
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
            let _ = remove_part_files(&path, |name| contents.contains_file(name));
            Ok(path)
        }
        Err(error) => {
            let _ = remove_part_files(&path, |name| !name.contains(&generation));
            // Removing the folder fails if it contains a previous checkpoint, which must stay.
            let _ = fs::remove_dir(&path);
            Err(error)
        }
    }
}

/// Writes the manifest of a checkpoint: the state of the run and the list of part files. All part
/// files must be complete.
///
/// # Errors
/// Returns an error if the manifest cannot be written.
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

/// Reads the manifest of a checkpoint from the checkpoint folder `path`. Checks the lengths of the
/// part files, but does not read their contents.
///
/// # Errors
/// Returns the path of the file that cannot be used, and a description of the problem.
pub(in crate::run) fn read_manifest(
    path: &Path,
) -> Result<(RunState<'static>, CheckpointParts), (PathBuf, String)> {
    let manifest = path.join(MANIFEST);
    let of_manifest = || {
        let (head, mut state) = Checkpoint::read(&manifest, MANIFEST_MAGIC)?.into_state();
        let mut bytes = Vec::new();
        state.read_to_end(&mut bytes).map_err(|error| format!("cannot be read: {error}"))?;
        let contents: CheckpointParts =
            postcard::from_bytes(&bytes).map_err(|error| format!("is damaged: {error}"))?;
        let all_plain = contents.parts.iter().all(|part| is_part_file_name(&part.name));
        if all_plain {
            Ok((head, contents))
        } else {
            Err("is damaged: it names other files".into())
        }
    };
    let (head, contents) = of_manifest().map_err(|problem: String| (manifest.clone(), problem))?;
    check_part_files(path, &contents.parts).map_err(|problem| (path.into(), problem))?;
    Ok((head, contents))
}

/// Removes outdated part files from an output folder. `contents` lists the part files of the
/// checkpoint from which the run resumes; these are kept. If `contents` is `None`, the run resumes
/// from a single file. Then all part files are removed, unless they have a manifest and so form a
/// complete checkpoint.
///
/// # Errors
/// Returns an error if a file cannot be removed.
pub(in crate::run) fn remove_stale_files(
    folder: &Path,
    contents: Option<&CheckpointParts>,
) -> io::Result<()> {
    match contents {
        Some(contents) => {
            let path = folder.join(CHECKPOINT_PARTS_FOLDER);
            atomic::remove_temporaries(&path)?;
            remove_part_files(&path, |name| contents.contains_file(name))
        }
        // This checkpoint belongs to a later time than the resumed one. The next checkpoint
        // replaces it.
        None if has_manifest(folder) => Ok(()),
        None => remove_checkpoint(folder),
    }
}

/// Removes the part files and the manifest of a checkpoint from an output folder. Does nothing if
/// there are none. The checkpoint may be incomplete.
///
/// # Errors
/// Returns an error if a file cannot be removed.
pub(in crate::run) fn remove_checkpoint(folder: &Path) -> io::Result<()> {
    let path = folder.join(CHECKPOINT_PARTS_FOLDER);
    if !path.is_dir() {
        return Ok(());
    }
    // The manifest is removed first, so that it never lists missing files.
    match fs::remove_file(path.join(MANIFEST)) {
        Err(error) if error.kind() != ErrorKind::NotFound => return Err(error),
        _ => atomic::sync_folder(&path),
    }
    atomic::remove_temporaries(&path)?;
    remove_part_files(&path, |_| false)?;
    // Removing the folder fails if it contains other files, which must stay.
    let _ = fs::remove_dir(&path);
    Ok(())
}

/// Returns whether the folder `path` exists and contains only part files of checkpoints and
/// temporary files.
pub(in crate::run) fn has_only_part_files(path: &Path) -> bool {
    let ours =
        |name: &OsStr| name.to_str().is_some_and(is_part_file_name) || atomic::is_temporary(name);
    let entries = fs::read_dir(path).into_iter().flatten().flatten();
    path.is_dir() && entries.map(|entry| entry.file_name()).all(|name| ours(&name))
}

/// Removes the part files in the folder `path`, except those for whose names `is_kept` returns
/// true.
fn remove_part_files(path: &Path, is_kept: impl Fn(&str) -> bool) -> io::Result<()> {
    for entry in fs::read_dir(path)? {
        let entry = entry?;
        let name = entry.file_name();
        let is_removed =
            name.to_str().is_some_and(|name| is_part_file_name(name) && !is_kept(name));
        if is_removed && entry.file_type()?.is_file() {
            fs::remove_file(entry.path())?;
        }
    }
    Ok(())
}
