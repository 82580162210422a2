//! [`FrameWriter`]: writes numbered pictures (frames), the final picture and the animation of a
//! run.

use crate::picture::{write_gif, write_png};
use crate::run::executor::Executor;
use std::path::{Path, PathBuf};
use std::time::Duration;
use web_time::Instant;

/// Writer of the pictures of a run. All pictures are written to one folder.
pub(in crate::run) struct FrameWriter {
    folder: PathBuf,
    pub(in crate::run) count: u32,
    /// Wall time spent on drawing pictures, excluding the writing of their files.
    pub(in crate::run) painting_time: Duration,
    pub(in crate::run) writing_time: Duration,
}

/// Maximum width of the animation (pixels), which limits the size of the GIF file.
const GIF_WIDTH: u32 = 640;

/// File name of the picture of the final state.
pub(in crate::run) const FINAL_PICTURE_FILE: &str = "final.png";
const ANIMATION: &str = "animation.gif";

/// Returns the file name of the frame with the given number, counted from 1.
fn frame_name(number: u32) -> String {
    format!("frame-{number:04}.png")
}

/// Returns whether `name` is the file name of a picture or an animation that a run writes.
pub(in crate::run) fn is_picture_name(name: &str) -> bool {
    [FINAL_PICTURE_FILE, ANIMATION].contains(&name) || is_frame_name(name)
}

/// Returns whether `name` is a file name that [`frame_name`] can return.
fn is_frame_name(name: &str) -> bool {
    let number = name.strip_prefix("frame-").and_then(|name| name.strip_suffix(".png"));
    number.and_then(|number| number.parse().ok()).is_some_and(|number| frame_name(number) == name)
}

impl FrameWriter {
    pub(in crate::run) fn new(folder: &Path) -> Self {
        Self {
            folder: folder.into(),
            count: 0,
            painting_time: Duration::ZERO,
            writing_time: Duration::ZERO,
        }
    }

    /// Draws the current state of the world as the next frame and writes it to a file.
    pub(in crate::run) fn write_next_frame(
        &mut self,
        executor: &mut dyn Executor,
    ) -> Result<(), String> {
        self.count += 1;
        self.write_picture(executor, &frame_name(self.count)).map(|_| ())
    }

    /// Draws the current state of the world, writes the picture to the file `name`, and returns the
    /// path of the file.
    pub(in crate::run) fn write_picture(
        &mut self,
        executor: &mut dyn Executor,
        name: &str,
    ) -> Result<PathBuf, String> {
        let started_at = Instant::now();
        let picture = executor.draw_picture().map_err(|error| error.to_string())?;
        let path = self.folder.join(name);
        let painted = Instant::now();
        self.painting_time += painted - started_at;
        write_png(&path, &picture).map_err(|error| error.to_string())?;
        self.writing_time += painted.elapsed();
        Ok(path)
    }

    /// Returns the paths of all frames that were written and whose files still exist.
    ///
    /// # Errors
    /// Returns a message if the system cannot determine whether a file exists.
    pub(in crate::run) fn frame_paths(&self) -> Result<Vec<PathBuf>, String> {
        existing_files((1..=self.count).map(|number| self.folder.join(frame_name(number))))
    }

    /// Writes an animated GIF that consists of all frames, and returns its path. `fps` is the
    /// number of frames per second.
    pub(in crate::run) fn write_animation(&mut self, fps: u32) -> Result<PathBuf, String> {
        let path = self.folder.join(ANIMATION);
        let delay = Duration::from_secs_f64(1.0 / f64::from(fps));
        let started_at = Instant::now();
        write_gif(&path, &self.frame_paths()?, delay, Some(GIF_WIDTH))
            .map_err(|error| error.to_string())?;
        self.writing_time += started_at.elapsed();
        Ok(path)
    }
}

/// Returns the paths in `paths` at which a file exists.
///
/// # Errors
/// Returns a message if the system cannot determine whether a file exists.
pub(in crate::run) fn existing_files(
    paths: impl Iterator<Item = PathBuf>,
) -> Result<Vec<PathBuf>, String> {
    let mut existing = Vec::new();
    for path in paths {
        let exists = path.try_exists();
        if exists.map_err(|error| format!("{}: {error}", path.display()))? {
            existing.push(path);
        }
    }
    Ok(existing)
}
