//! What a run draws: numbered frames, the last picture, and the animation.

use super::executor::Executor;
use crate::picture::{write_gif, write_png};
use std::path::{Path, PathBuf};
use std::time::Duration;
use web_time::Instant;

/// The pictures of a run, in one folder.
pub(super) struct Frames {
    folder: PathBuf,
    pub(super) count: u32,
    /// Time taken by painting, and by writing what was painted.
    pub(super) painting: Duration,
    pub(super) writing: Duration,
}

/// Width to which the animation is reduced (pixels): a GIF is for showing around.
const GIF_WIDTH: u32 = 640;

/// The name of the picture of the last state.
pub(super) const FINAL: &str = "final.png";
const ANIMATION: &str = "animation.gif";

/// The name of a frame, counted from 1.
fn frame_name(number: u32) -> String {
    format!("frame-{number:04}.png")
}

/// True of the names of pictures that any run may make.
pub(super) fn is_picture(name: &str) -> bool {
    [FINAL, ANIMATION].contains(&name) || is_frame(name)
}

/// True of the names that [`frame_name`] gives.
fn is_frame(name: &str) -> bool {
    let number = name.strip_prefix("frame-").and_then(|name| name.strip_suffix(".png"));
    number.and_then(|number| number.parse().ok()).is_some_and(|number| frame_name(number) == name)
}

impl Frames {
    pub(super) fn new(folder: &Path) -> Self {
        Self { folder: folder.into(), count: 0, painting: Duration::ZERO, writing: Duration::ZERO }
    }

    /// Draws the next frame.
    pub(super) fn frame(&mut self, executor: &mut dyn Executor) -> Result<(), String> {
        self.count += 1;
        self.draw(executor, &frame_name(self.count)).map(|_| ())
    }

    /// Draws the world into the file of that name.
    pub(super) fn draw(
        &mut self,
        executor: &mut dyn Executor,
        name: &str,
    ) -> Result<PathBuf, String> {
        let begun = Instant::now();
        let picture = executor.paint().map_err(|error| error.to_string())?;
        let path = self.folder.join(name);
        let painted = Instant::now();
        self.painting += painted - begun;
        write_png(&path, &picture).map_err(|error| error.to_string())?;
        self.writing += painted.elapsed();
        Ok(path)
    }

    /// The frames drawn so far, as far as they are still there.
    pub(super) fn frame_paths(&self) -> Vec<PathBuf> {
        let paths = (1..=self.count).map(|number| self.folder.join(frame_name(number)));
        paths.filter(|path| path.is_file()).collect()
    }

    /// Makes the animation of the frames.
    pub(super) fn animate(&mut self, fps: u32) -> Result<PathBuf, String> {
        let path = self.folder.join(ANIMATION);
        let delay = Duration::from_secs_f64(1.0 / f64::from(fps));
        let begun = Instant::now();
        write_gif(&path, &self.frame_paths(), delay, Some(GIF_WIDTH))
            .map_err(|error| error.to_string())?;
        self.writing += begun.elapsed();
        Ok(path)
    }
}
