//! Pictures to files. A file appears whole or not at all: it is written under another name in the
//! same folder and renamed when it is complete.

use image::{ImageFormat, RgbImage};
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// Why a picture was not written.
#[derive(Debug, thiserror::Error)]
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
        source: image::ImageError,
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
        found: (u32, u32),
        /// Width and height of the first frame.
        first: (u32, u32),
    },
    /// A picture too large for a GIF.
    #[error("{}: a GIF has at most 65535 × 65535 pixels, found {width} × {height}", path.display())]
    TooLarge {
        /// The file.
        path: PathBuf,
        /// Width of the frames.
        width: u32,
        /// Height of the frames.
        height: u32,
    },
}

/// Writes a picture as PNG.
///
/// # Errors
/// [`WriteError`] if the file cannot be made.
pub fn write_png(path: impl AsRef<Path>, picture: &RgbImage) -> Result<(), WriteError> {
    let path = path.as_ref();
    atomically(path, |file| {
        let mut seekable = io::Cursor::new(Vec::new());
        picture
            .write_to(&mut seekable, ImageFormat::Png)
            .map_err(|source| WriteError::Image { path: path.into(), source })?;
        file.write_all(seekable.get_ref())
            .map_err(|source| WriteError::Io { path: path.into(), source })
    })
}

/// Lets `write` fill a new file beside `path` and renames it to `path`; on an error the new file
/// is removed and an old one at `path` stays as it was.
pub(super) fn atomically(
    path: &Path,
    write: impl FnOnce(&mut BufWriter<File>) -> Result<(), WriteError>,
) -> Result<(), WriteError> {
    let failed = |source| WriteError::Io { path: path.into(), source };
    let name = path
        .file_name()
        .ok_or_else(|| failed(io::Error::new(io::ErrorKind::InvalidInput, "not a file's name")))?;
    let mut temporary = std::ffi::OsString::from(".");
    temporary.push(name);
    temporary.push(format!(".{}.part", std::process::id()));
    let temporary = path.with_file_name(temporary);
    let result = File::create(&temporary).map_err(failed).and_then(|file| {
        let mut file = BufWriter::new(file);
        write(&mut file)?;
        let file = file.into_inner().map_err(|error| failed(error.into_error()))?;
        file.sync_all().map_err(failed)?;
        fs::rename(&temporary, path).map_err(failed)
    });
    if result.is_err() {
        // The first error is the one to report; that nothing was left to remove is none.
        let _ = fs::remove_file(&temporary);
    }
    result
}
