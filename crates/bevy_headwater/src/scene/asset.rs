//! [`WaterScene`]: a scene file as an asset, with the files that it names.

use bevy::asset::io::Reader;
use bevy::asset::{Asset, AssetLoader, LoadContext};
use bevy::prelude::TypePath;
use headwater_scene::live::Live;
use headwater_scene::run::RunError;
use headwater_scene::scene::{self, Files, SceneError};
use toml::Value;

/// Endings of files that a scene may name.
const NAMED: [&str; 9] = ["asc", "csv", "geojson", "npy", "png", "r16", "tif", "tiff", "txt"];

/// A scene that was read and checked, with all that it names.
#[derive(Asset, TypePath, Clone, Debug)]
pub struct WaterScene {
    name: String,
    text: String,
    files: Files,
    /// Files that may be named, and were not found, as paths of assets.
    missing: Vec<String>,
}

/// Why a scene file cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WaterSceneError {
    /// It cannot be read.
    #[error("cannot be read: {0}")]
    Io(#[from] std::io::Error),
    /// It is no text.
    #[error("is no UTF-8: {0}")]
    Text(#[from] std::string::FromUtf8Error),
    /// Something in it is wrong; the message names lines and keys.
    #[error(transparent)]
    Scene(#[from] SceneError),
}

impl WaterScene {
    /// A scene of a text, called `name` in messages, for worlds that do not come from files.
    ///
    /// # Errors
    /// [`SceneError`] with all that is wrong.
    pub fn new(name: &str, text: &str, files: Files) -> Result<Self, SceneError> {
        scene::parse_with(name, text, &[], &files)?;
        Ok(Self { name: name.into(), text: text.into(), files, missing: Vec::new() })
    }

    /// One of the scenes built in, by name, such as `"dam-breach"`; `None` if there is none of it.
    pub fn of_library(name: &str) -> Option<Self> {
        let known = headwater_scene::library::scene(name)?;
        Self::new(known.name, known.text, Files::held_only()).ok()
    }

    /// What it is called in messages: its path, if it came from a file.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Which files were looked for and not found, as the end of a message.
    pub(crate) fn sought(&self) -> String {
        if self.missing.is_empty() {
            String::new()
        } else {
            format!(" (not found: {})", self.missing.join(", "))
        }
    }

    /// Its text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Its world, as it is at the start.
    ///
    /// # Errors
    /// [`RunError`] if a file that it names cannot be used, or the model refuses something.
    pub fn world(&self) -> Result<Live, RunError> {
        Live::with_options(&self.name, &self.text, &[], None, &self.files)
    }
}

/// Loads [`WaterScene`]s: `*.water.toml`, and other TOML files that are asked for as this asset. Files that a scene names are
/// found as assets beside it, and change it when they do.
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
        // What is no TOML names no files; the scene's own reader says so better.
        if let Ok(table) = text.parse::<toml::Table>() {
            named(&Value::Table(table), &mut names);
        }
        let mut files = Files::held_only();
        let mut missing = Vec::new();
        for name in names {
            let Ok(path) = context.path().resolve_embed_str(&name) else { continue };
            // One that is not there is the scene's own to complain about.
            match context.read_asset_bytes(path.clone()).await {
                Ok(bytes) => files = files.with(name, bytes),
                Err(_) => missing.push(path.to_string()),
            }
        }
        Ok(WaterScene { missing, ..WaterScene::new(&context.path().to_string(), &text, files)? })
    }

    fn extensions(&self) -> &[&str] {
        &["water.toml"]
    }
}

/// Adds the strings of a table that may be names of files.
fn named(value: &Value, names: &mut Vec<String>) {
    match value {
        Value::String(text) => {
            let ending = text.rsplit_once('.').map_or("", |(_, ending)| ending);
            if NAMED.contains(&ending.to_ascii_lowercase().as_str()) && !names.contains(text) {
                names.push(text.clone());
            }
        }
        Value::Array(all) => all.iter().for_each(|value| named(value, names)),
        Value::Table(all) => all.values().for_each(|value| named(value, names)),
        _ => {}
    }
}
