//! The folder of a checkpoint in parts: a file of each part, and a manifest, which is there as soon as all of these are.
//!
//! The files of parts have names of their own each time that one is written; the manifest names those that it is of, and takes the place of the one
//! before at once. So whoever is killed in between leaves the one before, whole, and files that no manifest names, which go with the next that is
//! written or gone on from.

use super::kept::{Kept, check, is_part_name};
use crate::atomic;
use crate::run::bytes;
use crate::run::checkpoint::{self, Checkpoint, Head, IN_PARTS};
use crate::run::names::PARTS;
use std::ffi::OsStr;
use std::fs;
use std::hash::{BuildHasher as _, Hasher as _, RandomState};
use std::io::{self, ErrorKind, Read as _};
use std::path::{Path, PathBuf};

/// The name of the manifest in the folder of a checkpoint in parts.
pub(in crate::run) const MANIFEST: &str = "manifest";

/// Whether there is a checkpoint in parts in the folder of a run.
pub(in crate::run) fn is_there(folder: &Path) -> bool {
    folder.join(PARTS).join(MANIFEST).exists()
}

/// Writes one into the folder of a run, where the one before stays until this one is whole: `keep` has the parts written into the folder that it is
/// told, under names with the word that it is told, and `head` says what the run knows of itself. Returns its folder.
///
/// # Errors
/// The reason why it cannot be written; then nothing of it is left.
pub(in crate::run) fn write<'a>(
    folder: &Path,
    keep: impl FnOnce(&Path, &str) -> io::Result<Kept>,
    head: impl FnOnce(&Kept) -> Head<'a>,
) -> io::Result<PathBuf> {
    let path = folder.join(PARTS);
    match fs::create_dir(&path) {
        Err(error) if error.kind() != ErrorKind::AlreadyExists => return Err(error),
        _ => {}
    }
    // No other has it: whoever is late with what he was told before he was killed writes into nothing of this.
    let generation = format!("{:016x}", RandomState::new().build_hasher().finish());
    let written = keep(&path, &generation).and_then(|kept| {
        atomic::settle(&path);
        let manifest = path.join(MANIFEST);
        checkpoint::write(&manifest, IN_PARTS, &head(&kept), |into| bytes::write(&kept, into))
            .map_err(|error| io::Error::new(error.kind(), format!("{MANIFEST} {error}")))?;
        Ok(kept)
    });
    match written {
        Ok(kept) => {
            // Before anything goes that the one before needs.
            atomic::settle(&path);
            let _ = clear(&path, |name| kept.has(name));
            Ok(path)
        }
        Err(error) => {
            let _ = clear(&path, |name| !name.contains(&generation));
            // It has something in it, if there is one before.
            let _ = fs::remove_dir(&path);
            Err(error)
        }
    }
}

/// Reads the one in a folder of its own, all but its parts, which have to be there in their lengths.
///
/// # Errors
/// The file that is wrong, and in words how.
pub(in crate::run) fn read(path: &Path) -> Result<(Head<'static>, Kept), (PathBuf, String)> {
    let manifest = path.join(MANIFEST);
    let of_manifest = || {
        let (head, mut state) = Checkpoint::read(&manifest, IN_PARTS)?.into_state();
        let mut bytes = Vec::new();
        state.read_to_end(&mut bytes).map_err(|error| format!("cannot be read: {error}"))?;
        let kept: Kept =
            postcard::from_bytes(&bytes).map_err(|error| format!("is damaged: {error}"))?;
        let all_plain = kept.parts.iter().all(|part| is_part_name(&part.name));
        if all_plain { Ok((head, kept)) } else { Err("is damaged: it names other files".into()) }
    };
    let (head, kept) = of_manifest().map_err(|problem: String| (manifest.clone(), problem))?;
    check(path, &kept.parts).map_err(|problem| (path.into(), problem))?;
    Ok((head, kept))
}

/// Clears away what no manifest names in the folder of a run that goes on from what was `kept`, or from none in parts.
///
/// # Errors
/// The reason why it cannot be removed.
pub(in crate::run) fn tidy(folder: &Path, kept: Option<&Kept>) -> io::Result<()> {
    match kept {
        Some(kept) => {
            let path = folder.join(PARTS);
            atomic::sweep(&path)?;
            clear(&path, |name| kept.has(name))
        }
        // Of a run that has come further since, and is not gone on from: the next that is written takes its place.
        None if is_there(folder) => Ok(()),
        None => remove(folder),
    }
}

/// Removes the one in the folder of a run, whole or not, if there is one, and nothing else.
///
/// # Errors
/// The reason why it cannot be removed.
pub(in crate::run) fn remove(folder: &Path) -> io::Result<()> {
    let path = folder.join(PARTS);
    if !path.is_dir() {
        return Ok(());
    }
    // What names the others goes first.
    match fs::remove_file(path.join(MANIFEST)) {
        Err(error) if error.kind() != ErrorKind::NotFound => return Err(error),
        _ => atomic::settle(&path),
    }
    atomic::sweep(&path)?;
    clear(&path, |_| false)?;
    // Unless somebody has put something there.
    let _ = fs::remove_dir(&path);
    Ok(())
}

/// Whether all that is in the folder of a checkpoint in parts may be left there by a run.
pub(in crate::run) fn holds_only_parts(path: &Path) -> bool {
    let ours = |name: &OsStr| name.to_str().is_some_and(is_part_name) || atomic::is_temporary(name);
    let entries = fs::read_dir(path).into_iter().flatten().flatten();
    path.is_dir() && entries.map(|entry| entry.file_name()).all(|name| ours(&name))
}

/// Removes the files of parts in a folder, but for those to stay.
fn clear(path: &Path, stays: impl Fn(&str) -> bool) -> io::Result<()> {
    for entry in fs::read_dir(path)? {
        let entry = entry?;
        let name = entry.file_name();
        let goes = name.to_str().is_some_and(|name| is_part_name(name) && !stays(name));
        if goes && entry.file_type()?.is_file() {
            fs::remove_file(entry.path())?;
        }
    }
    Ok(())
}
