//! [`Script`] and [`Land`]: what worlds are opened from.

use headwater_scene::scene::Files;
use std::path::PathBuf;

#[derive(Clone)]
pub(super) struct Script {
    pub(super) text: String,
    /// Keys and values in place of the text's.
    pub(super) overrides: Vec<(String, String)>,
    pub(super) files: Files,
    /// What the paths in it are relative to, if not the current directory.
    pub(super) directory: Option<PathBuf>,
    pub(super) seed: Option<u32>,
    /// A file that somebody has handed in: its name and contents.
    pub(super) file: Option<(String, Vec<u8>)>,
    /// How many cells lie along one of the scene's own.
    pub(super) brush: f64,
}

impl Script {
    /// Lays a value over it, in the place of one that was laid there before.
    pub(super) fn lay(&mut self, key: &str, value: String) {
        self.overrides.retain(|(known, _)| known != key);
        self.overrides.push((key.into(), value));
    }

    pub(super) fn new(text: &str) -> Self {
        Self {
            text: text.into(),
            overrides: Vec::new(),
            files: Files::disk(),
            directory: None,
            seed: None,
            file: None,
            brush: 1.0,
        }
    }

    /// Whether the text is all that the world was made of.
    pub(super) fn is_text_alone(&self) -> bool {
        self.directory.is_none() && self.file.is_none()
    }

    /// Keys and values that are laid over the text, that of its seed too.
    pub(super) fn overrides(&self) -> Vec<(String, String)> {
        let seed = self.seed.map(|seed| ("seed".to_owned(), seed.to_string()));
        self.overrides.iter().cloned().chain(seed).collect()
    }
}

/// A heightmap of one's own.
pub(super) struct Land {
    pub(super) file: String,
    pub(super) bytes: Vec<u8>,
    /// Keys of the scene and their values.
    pub(super) keys: Vec<(String, String)>,
}
