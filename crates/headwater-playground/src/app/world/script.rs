//! [`Script`] and [`ImportedHeightmap`]: the inputs from which worlds are created.

use headwater_scene::scene::Files;
use std::path::PathBuf;

/// TOML source of a scene, with overridden values and the files that the scene needs.
#[derive(Clone)]
pub(in crate::app) struct Script {
    pub(in crate::app) text: String,
    /// Overridden scene keys and their values.
    pub(in crate::app) overrides: Vec<(String, String)>,
    pub(in crate::app) files: Files,
    /// Folder to which relative paths in the scene refer; `None` for the current directory.
    pub(in crate::app) directory: Option<PathBuf>,
    pub(in crate::app) seed: Option<u32>,
    /// Name and contents of the file that the user provided for the scene, if any.
    pub(in crate::app) file: Option<(String, Vec<u8>)>,
    /// Number of cells of this world that span one cell of the original scene. Brush radii are
    /// multiples of the cell size of the original scene.
    pub(in crate::app) brush: f64,
}

impl Script {
    /// Overrides the value of a scene key, replacing an earlier override.
    pub(in crate::app) fn override_value(&mut self, key: &str, value: String) {
        self.overrides.retain(|(known, _)| known != key);
        self.overrides.push((key.into(), value));
    }

    pub(in crate::app) fn new(text: &str) -> Self {
        Self {
            text: text.into(),
            overrides: Vec::new(),
            files: Files::from_disk(),
            directory: None,
            seed: None,
            file: None,
            brush: 1.0,
        }
    }

    /// Returns true if the world needs no local files, so that it can be shared as TOML source.
    pub(in crate::app) fn needs_no_files(&self) -> bool {
        self.directory.is_none() && self.file.is_none()
    }

    /// Returns the overridden scene keys and their values, including the seed.
    pub(in crate::app) fn overrides(&self) -> Vec<(String, String)> {
        let seed = self.seed.map(|seed| ("seed".to_owned(), seed.to_string()));
        self.overrides.iter().cloned().chain(seed).collect()
    }
}

/// A heightmap that the user provided.
pub(in crate::app) struct ImportedHeightmap {
    pub(in crate::app) file: String,
    pub(in crate::app) bytes: Vec<u8>,
    /// Scene keys that are overridden in a world made from the heightmap, with their values.
    pub(in crate::app) keys: Vec<(String, String)>,
}
