//! [`Script`] and [`Land`]: sources of worlds.

use headwater_scene::scene::Files;
use std::path::PathBuf;

/// A scene text with overrides and files.
#[derive(Clone)]
pub(super) struct Script {
    pub(super) text: String,
    /// Overridden keys and values.
    pub(super) overrides: Vec<(String, String)>,
    pub(super) files: Files,
    /// Folder of relative paths; `None` for the current directory.
    pub(super) directory: Option<PathBuf>,
    pub(super) seed: Option<u32>,
    /// A file provided by the user: name and contents.
    pub(super) file: Option<(String, Vec<u8>)>,
    /// Number of cells along a cell of the original scene.
    pub(super) brush: f64,
}

impl Script {
    /// Overrides a value, replacing an earlier override.
    pub(super) fn override_value(&mut self, key: &str, value: String) {
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

    /// Returns true if the world needs no local files.
    pub(super) fn is_text_alone(&self) -> bool {
        self.directory.is_none() && self.file.is_none()
    }

    /// Returns the overridden keys and values, including the seed.
    pub(super) fn overrides(&self) -> Vec<(String, String)> {
        let seed = self.seed.map(|seed| ("seed".to_owned(), seed.to_string()));
        self.overrides.iter().cloned().chain(seed).collect()
    }
}

/// A heightmap provided by the user.
pub(super) struct Land {
    pub(super) file: String,
    pub(super) bytes: Vec<u8>,
    /// Overridden keys and values of the scene.
    pub(super) keys: Vec<(String, String)>,
}
