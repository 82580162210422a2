//! Atomic writing of pictures to files. The content is first written to a temporary file in the
//! same folder. The complete file is then renamed.

use super::file::{Picture, to_png};
use headwater_io::atomic::{Sink, write_atomically};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Error returned if a picture cannot be written to a file, or if a frame of an animation cannot be
/// read.
#[derive(Debug, thiserror::Error)]
#[error("{}: {problem}", path.display())]
pub struct WriteError {
    /// Path of the file that could not be written or read.
    pub path: PathBuf,
    /// Description of the cause.
    pub problem: String,
}

impl WriteError {
    pub(crate) fn new(path: &Path, problem: impl ToString) -> Self {
        Self { path: path.into(), problem: problem.to_string() }
    }
}

/// Writes a picture as a PNG file, atomically.
///
/// # Errors
/// Returns [`WriteError`] if the picture has no pixels or the file cannot be written.
pub fn write_png(path: impl AsRef<Path>, picture: &Picture) -> Result<(), WriteError> {
    let path = path.as_ref();
    write_picture_atomically(path, |file| {
        let png = to_png(picture).map_err(|error| WriteError::new(path, io::Error::from(error)))?;
        file.write_all(&png).map_err(|error| WriteError::new(path, error))
    })
}

/// Writes a picture file like [`write_atomically`], for contents whose creation can fail with a
/// [`WriteError`].
pub(crate) fn write_picture_atomically(
    path: &Path,
    write: impl FnOnce(&mut Sink<'_>) -> Result<(), WriteError>,
) -> Result<(), WriteError> {
    let mut reason = None;
    let written = write_atomically(path, |sink| {
        write(sink).map_err(|error| {
            reason = Some(error);
            io::Error::other("the content failed")
        })
    });
    match (written, reason) {
        (Ok(()), _) => Ok(()),
        (Err(_), Some(reason)) => Err(reason),
        (Err(error), None) => Err(WriteError::new(path, error)),
    }
}
