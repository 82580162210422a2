//! [`Script`] and [`Land`]: the inputs from which worlds are created.

use headwater_scene::scene::Files;
use std::path::PathBuf;

/// TOML source of a scene, with overridden values and the files that the scene needs.
#[derive(Clone)]
pub(super) struct Script {
    pub(super) text: String,
    /// Overridden scene keys and their values.
    pub(super) overrides: Vec<(String, String)>,
    pub(super) files: Files,
    /// Folder to which relative paths in the scene refer; `None` for the current directory.
    pub(super) directory: Option<PathBuf>,
    pub(super) seed: Option<u32>,
    /// Name and contents of the file that the user provided for the scene, if any.
    pub(super) file: Option<(String, Vec<u8>)>,
    /// Unit of brush radii: number of cells of this world along one cell of the original scene.
    pub(super) brush: f64,
}

impl Script {
    /// Overrides the value of a scene key, replacing an earlier override.
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

    /// Returns true if the world needs no local files, so that it can be shared as TOML source.
    pub(super) fn is_text_alone(&self) -> bool {
        self.directory.is_none() && self.file.is_none()
    }

    /// Returns the overridden scene keys and their values, including the seed.
    pub(super) fn overrides(&self) -> Vec<(String, String)> {
        let seed = self.seed.map(|seed| ("seed".to_owned(), seed.to_string()));
        self.overrides.iter().cloned().chain(seed).collect()
    }
}

/// A heightmap that the user provided.
pub(super) struct Land {
    pub(super) file: String,
    pub(super) bytes: Vec<u8>,
    /// Overridden scene keys and their values for the world of the heightmap.
    pub(super) keys: Vec<(String, String)>,
}
