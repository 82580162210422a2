//! Functions that recognise and describe checkpoints, for the command `headwater info`.

use super::{Checkpoint, CheckpointInfo, FILE_MAGIC, MANIFEST_MAGIC};
use crate::run::parts::{self, MANIFEST};
use headwater_io::open_file;
use std::io::Read as _;
use std::path::Path;

/// Returns whether a file is a checkpoint file, or the manifest of a checkpoint that is split into
/// several files. `first_bytes` contains the first bytes of the file.
pub fn is_checkpoint(first_bytes: &[u8]) -> bool {
    [FILE_MAGIC, MANIFEST_MAGIC].iter().any(|magic| first_bytes.starts_with(magic))
}

/// Returns whether `folder` is a checkpoint that is split into several files.
pub fn is_checkpoint_in_parts(folder: &Path) -> bool {
    folder.is_dir() && has_manifest_magic(&folder.join(MANIFEST))
}

fn has_manifest_magic(path: &Path) -> bool {
    let mut start = Vec::new();
    let read =
        open_file(path).map(|file| file.take(MANIFEST_MAGIC.len() as u64).read_to_end(&mut start));
    matches!(read, Ok(Ok(_))) && start == MANIFEST_MAGIC
}

/// Returns the description of a checkpoint. `path` is a checkpoint file or, for a checkpoint that
/// is split into several files, its folder or manifest. Reads the entire checkpoint to verify its
/// checksums.
///
/// # Errors
/// Returns a message that names the file that cannot be read or is damaged.
pub fn checkpoint_info(path: &Path) -> Result<CheckpointInfo, String> {
    let folder = match path.is_dir() {
        true => Some(path),
        false => path.parent().filter(|_| has_manifest_magic(path)),
    };
    let Some(folder) = folder else {
        return Ok(Checkpoint::read(path, FILE_MAGIC)?.head.info);
    };
    let (head, contents) =
        parts::read_manifest(folder).map_err(|(wrong, problem)| match wrong == folder {
            true => problem,
            false => format!("{MANIFEST} {problem}"),
        })?;
    #[cfg(not(target_family = "wasm"))]
    parts::PartReader::new(folder, &contents.parts)
        .read_all()
        .map_err(|error| error.to_string())?;
    #[cfg(target_family = "wasm")]
    let _ = contents;
    Ok(head.info)
}
