//! [`WaterScene`]: asset that consists of a scene file and the files named in it.

use bevy::asset::io::Reader;
use bevy::asset::{Asset, AssetLoader, LoadContext};
use bevy::prelude::TypePath;
use headwater_scene::live::Live;
use headwater_scene::run::RunError;
use headwater_scene::scene::{self, Files, SceneError};
use toml::Value;

/// Extensions of the files that a scene may refer to.
const FILE_EXTENSIONS: [&str; 9] =
    ["asc", "csv", "geojson", "npy", "png", "r16", "tif", "tiff", "txt"];

/// Scene file that has been read and validated, together with the files named in it.
#[derive(Asset, TypePath, Clone, Debug)]
pub struct WaterScene {
    name: String,
    text: String,
    files: Files,
    /// Asset paths of files that are named in the scene and were not found.
    missing: Vec<String>,
}

/// Error that occurs when a scene file is loaded as an asset.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WaterSceneError {
    /// The scene file cannot be read.
    #[error("cannot be read: {0}")]
    Io(#[from] std::io::Error),
    /// The scene file is not UTF-8 text.
    #[error("is no UTF-8: {0}")]
    Text(#[from] std::string::FromUtf8Error),
    /// The scene is invalid. The message states the lines and keys of the problems.
    #[error(transparent)]
    Scene(#[from] SceneError),
}

impl WaterScene {
    /// Creates a scene from its TOML source. `name` identifies the scene in messages.
    ///
    /// # Errors
    /// Returns a [`SceneError`] that lists all problems if the scene is invalid.
    pub fn new(name: &str, text: &str, files: Files) -> Result<Self, SceneError> {
        scene::parse_with_files(name, text, &[], &files)?;
        Ok(Self { name: name.into(), text: text.into(), files, missing: Vec::new() })
    }

    /// Returns a built-in scene, such as `"dam-breach"`; `None` if the name is unknown.
    pub fn from_library(name: &str) -> Option<Self> {
        let known = headwater_scene::library::find_scene(name)?;
        Self::new(known.name, known.text, Files::memory_only()).ok()
    }

    /// Returns the name by which messages refer to the scene. For a scene from a file, this is the
    /// path of the file.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns a suffix for messages that lists the files that were not found; empty if all were
    /// found.
    pub(crate) fn missing_files_suffix(&self) -> String {
        if self.missing.is_empty() {
            String::new()
        } else {
            format!(" (not found: {})", self.missing.join(", "))
        }
    }

    /// Returns the TOML source of the scene.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Creates the initial world of the scene.
    ///
    /// # Errors
    /// Returns [`RunError`] if a named file cannot be used, or the model rejects a value.
    pub fn world(&self) -> Result<Live, RunError> {
        Live::with_options(&self.name, &self.text, &[], None, &self.files)
    }
}

/// Asset loader for [`WaterScene`]. Reads `*.water.toml` files, and other TOML files that are
/// requested as a `WaterScene`. Files that are named in a scene are loaded as assets relative to
/// the scene file. The scene is reloaded when one of these files changes.
#[derive(Default, TypePath)]
pub struct WaterSceneLoader;

impl AssetLoader for WaterSceneLoader {
    type Asset = WaterScene;
    type Settings = ();
    type Error = WaterSceneError;

    async fn load(
        &self,
        reader: &mut dyn Reader,
        (): &(),
        context: &mut LoadContext<'_>,
    ) -> Result<WaterScene, WaterSceneError> {
        let mut bytes = Vec::new();
        reader.read_to_end(&mut bytes).await?;
        let text = String::from_utf8(bytes)?;
        let mut names = Vec::new();
        // The parser of scenes reports invalid TOML.
        if let Ok(table) = text.parse::<toml::Table>() {
            collect_file_names(&Value::Table(table), &mut names);
        }
        let mut files = Files::memory_only();
        let mut missing = Vec::new();
        for name in names {
            let Ok(path) = context.path().resolve_embed_str(&name) else { continue };
            // The parser of scenes reports missing files.
            match context.read_asset_bytes(path.clone()).await {
                Ok(bytes) => files = files.with_file(name, bytes),
                Err(_) => missing.push(path.to_string()),
            }
        }
        Ok(WaterScene { missing, ..WaterScene::new(&context.path().to_string(), &text, files)? })
    }

    fn extensions(&self) -> &[&str] {
        &["water.toml"]
    }
}

/// Adds to `names` all strings in a TOML value that end in one of [`FILE_EXTENSIONS`], without
/// duplicates.
fn collect_file_names(value: &Value, names: &mut Vec<String>) {
    match value {
        Value::String(text) => {
            let ending = text.rsplit_once('.').map_or("", |(_, ending)| ending);
            if FILE_EXTENSIONS.contains(&ending.to_ascii_lowercase().as_str())
                && !names.contains(text)
            {
                names.push(text.clone());
            }
        }
        Value::Array(all) => all.iter().for_each(|value| collect_file_names(value, names)),
        Value::Table(all) => all.values().for_each(|value| collect_file_names(value, names)),
        _ => {}
    }
}
