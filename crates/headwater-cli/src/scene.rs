//! How every command takes a scene: a file or a name of the library, and overrides.

use crate::usage::Usage;
use anyhow::Result;
use headwater_scene::{Scene, library, scene};
use std::path::Path;

/// A scene and what is changed of it.
#[derive(clap::Args)]
// Named by its type, its group would clash with that of `run`, which is called `Args` as well.
#[group(skip)]
pub(crate) struct Args {
    /// A scene file, or the name of a scene of the library.
    #[arg(value_name = "SCENE")]
    pub(crate) scene: String,
    /// Set a key of the scene, as in `--set grid.nx=512` or `--set source[0].rate=3`; may be given
    /// again and again.
    #[arg(long = "set", value_name = "KEY=VALUE", value_parser = key_value)]
    set: Vec<(String, String)>,
}

fn key_value(text: &str) -> Result<(String, String), String> {
    let (key, value) = text.split_once('=').ok_or("found no `=`, needs KEY=VALUE")?;
    Ok((key.trim().to_owned(), value.trim().to_owned()))
}

impl Args {
    /// The name of the scene, for its folder and its summary.
    pub(crate) fn name(&self) -> String {
        let stem = Path::new(&self.scene).file_stem();
        stem.map_or_else(|| "scene".into(), |stem| stem.to_string_lossy().into_owned())
    }

    /// Whether keys are set on the command line.
    pub(crate) fn sets_keys(&self) -> bool {
        !self.set.is_empty()
    }

    /// The scene of a text with a file in it, for the file that is given in its place: `key` is that of the file.
    pub(crate) fn with_file(&self, text: &str, key: &str) -> Result<Scene> {
        let set = [&[(key.to_owned(), self.scene.clone())], &self.set[..]].concat();
        Ok(scene::parse(&self.scene, text, &set)?)
    }

    /// Reads and checks the scene, with `more` overrides after those of the command line.
    pub(crate) fn load(&self, more: &[(String, String)]) -> Result<Scene> {
        let set = [&self.set[..], more].concat();
        let path = Path::new(&self.scene);
        match in_library(&self.scene) {
            Some(known) => Ok(scene::parse(&self.scene, known.text, &set)?),
            None if path.exists() || self.scene.contains(['/', '.']) => {
                Ok(scene::load(path, &set)?)
            }
            None => Err(Usage(unknown(&self.scene)).into()),
        }
    }
}

/// The scene of the library of that name, unless there is such a file. A folder of a scene's results may have its name.
pub(crate) fn in_library(name: &str) -> Option<library::LibraryScene> {
    library::scene(name).filter(|_| !Path::new(name).is_file())
}

/// What to say of a name that is not in the library.
pub(crate) fn unknown(name: &str) -> String {
    let names: Vec<&str> = library::SCENES.iter().map(|scene| scene.name).collect();
    format!("there is no file or scene `{name}`; the library has: {}", names.join(", "))
}
