//! Pictures to files. A file appears whole or not at all: it is written under another name in the
//! same folder and renamed when it is complete.

use super::file::{Picture, to_png};
use crate::atomic::{Sink, write_atomically};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Why a picture was not written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WriteError {
    /// The file could not be made.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What went wrong.
        source: io::Error,
    },
    /// A picture could not be read or written as PNG.
    #[error("{}: {source}", path.display())]
    Image {
        /// The file.
        path: PathBuf,
        /// What went wrong.
        source: io::Error,
    },
    /// An animation could not be encoded.
    #[error("{}: {source}", path.display())]
    Gif {
        /// The file.
        path: PathBuf,
        /// What went wrong.
        source: ::gif::EncodingError,
    },
    /// An animation of nothing.
    #[error("{}: an animation needs at least one frame", path.display())]
    NoFrames {
        /// The file.
        path: PathBuf,
    },
    /// Frames of different sizes.
    #[error(
        "{}: found a frame of {} × {} pixels; the first one has {} × {}",
        path.display(), found.0, found.1, first.0, first.1
    )]
    FrameSize {
        /// The frame that differs.
        path: PathBuf,
        /// Its width and height.
        found: (usize, usize),
        /// Width and height of the first frame.
        first: (usize, usize),
    },
    /// A picture too large for a GIF.
    #[error("{}: a GIF has at most 65535 × 65535 pixels, found {width} × {height}", path.display())]
    TooLarge {
        /// The file.
        path: PathBuf,
        /// Width of the frames.
        width: usize,
        /// Height of the frames.
        height: usize,
    },
}

/// Writes a picture as PNG.
///
/// # Errors
/// [`WriteError`] if the file cannot be made.
pub fn write_png(path: impl AsRef<Path>, picture: &Picture) -> Result<(), WriteError> {
    let path = path.as_ref();
    atomically(path, |file| {
        let png = to_png(picture)
            .map_err(|error| WriteError::Image { path: path.into(), source: error.into() })?;
        file.write_all(&png).map_err(|source| WriteError::Io { path: path.into(), source })
    })
}

/// [`write_atomically`], for content that can fail in more ways than the file itself.
pub(super) fn atomically(
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
        (Err(source), None) => Err(WriteError::Io { path: path.into(), source }),
    }
}
