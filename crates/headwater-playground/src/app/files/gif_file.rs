//! Encoding of screenshots as an animated GIF.

use headwater_scene::picture::write_gif;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Largest width of the animation (pixels).
const WIDTH: u32 = 720;

/// Writes PNG pictures of equal size as an animated GIF with `delay` s between them.
pub(in crate::app) fn write(path: &Path, pictures: &[Vec<u8>], delay: f64) -> Result<(), String> {
    let message = |error: &dyn std::fmt::Display| format!("no animation: {error}");
    let folder = tempfile::tempdir().map_err(|error| message(&error))?;
    let mut frames: Vec<PathBuf> = Vec::new();
    for (number, picture) in pictures.iter().enumerate() {
        let frame = folder.path().join(format!("{number:04}.png"));
        std::fs::write(&frame, picture).map_err(|error| message(&error))?;
        frames.push(frame);
    }
    let delay = Duration::from_secs_f64(delay);
    write_gif(path, &frames, delay, Some(WIDTH)).map_err(|error| message(&error))
}

#[cfg(test)]
mod tests {
    use super::*;
    use headwater_scene::picture::{Picture, to_png};

    #[test]
    fn pictures_become_an_animation() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("some.gif");
        let picture = |red| to_png(&Picture::from_fn(32, 20, |_, _| [red, 90, 40])).unwrap();
        write(&path, &[picture(0), picture(120), picture(250)], 0.1).unwrap();
        assert!(std::fs::read(&path).unwrap().starts_with(b"GIF89a"));
        assert!(write(&path, &[], 0.1).unwrap_err().starts_with("no animation: "));
    }
}
