//! Scene arguments of all commands: a file or a built-in scene, and overrides of its keys.

use anyhow::Result;
use headwater_cli::usage::UserError;
use headwater_scene::{Scene, library, scene};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// A scene and overrides of its keys.
#[derive(clap::Args)]
// Skip the group: its default name is the type's, which `run` uses too.
#[group(skip)]
pub(crate) struct Args {
    /// Scene file, or name of a built-in scene.
    #[arg(value_name = "SCENE")]
    pub(crate) scene: PathBuf,
    /// Set a key of the scene, as in `--set grid.nx=512` or `--set source[0].rate=3`; can be given
    /// several times.
    #[arg(long = "set", value_name = "KEY=VALUE", value_parser = parse_override)]
    set: Vec<(String, String)>,
}

fn parse_override(text: &str) -> Result<(String, String), String> {
    let (key, value) = text.split_once('=').ok_or("found no `=`, needs KEY=VALUE")?;
    Ok((key.trim().to_owned(), value.trim().to_owned()))
}

impl Args {
    /// Returns the file name of the scene without its extension. The output folder has this name,
    /// and the summary contains it.
    pub(crate) fn name(&self) -> &OsStr {
        self.scene.file_stem().unwrap_or("scene".as_ref())
    }

    /// Returns whether the command line contains overrides of keys (`--set`).
    pub(crate) fn has_overrides(&self) -> bool {
        !self.set.is_empty()
    }

    /// Parses the scene whose TOML source is `text`, after setting the scene key `key` to the path
    /// that the argument SCENE contains. Other overrides of the command line apply too.
    pub(crate) fn parse_with_file(&self, text: &str, key: &str) -> Result<Scene> {
        let file = self.scene.to_string_lossy().into_owned();
        let set = [&[(key.to_owned(), file.clone())], &self.set[..]].concat();
        Ok(scene::parse(&file, text, &set)?)
    }

    /// Loads and validates the scene. The overrides in `more` are applied after those of the
    /// command line.
    pub(crate) fn load(&self, more: &[(String, String)]) -> Result<Scene> {
        let set = [&self.set[..], more].concat();
        let (path, name) = (&*self.scene, self.scene.to_string_lossy());
        match library_scene(path) {
            Some(known) => Ok(scene::parse(known.name, known.text, &set)?),
            None if path.exists() || name.contains(['/', '.']) => Ok(scene::load(path, &set)?),
            None => Err(UserError(library::unknown_scene_message(&name)).into()),
        }
    }
}

/// Returns the scene of the library with the given name. Returns `None` if the library has no such
/// scene, or if there is a file of that name. A folder of that name does not matter, because runs
/// write their results to such a folder.
pub(crate) fn library_scene(name: &Path) -> Option<library::LibraryScene> {
    library::find_scene(name.to_str()?).filter(|_| !name.is_file())
}
