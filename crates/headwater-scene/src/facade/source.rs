//! [`Source`]: the source of a scene, and methods that create a world from it.

use super::error::FacadeError;
use super::facade::Facade;
use crate::library;
use crate::live::Live;
use crate::scene::Reader;
use headwater_io::Files;
use std::path::Path;

/// Source of a scene: the library of built-in scenes, a file, or a string.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Source<'a> {
    /// Built-in scene, given by its name.
    Library(&'a str),
    /// Scene file, given by its path. Relative paths in the scene start at the directory of the
    /// file.
    File(&'a Path),
    /// Scene given as a string.
    Text {
        /// Name of the scene, which is used in error messages.
        name: &'a str,
        /// TOML source of the scene.
        text: &'a str,
        /// Directory at which relative paths in the scene start. If `None`, they start at the
        /// current directory.
        directory: Option<&'a Path>,
        /// Provides the contents of the files that the scene refers to, such as terrain rasters.
        files: &'a Files,
    },
}

impl Source<'_> {
    /// Creates the world of this scene like [`Facade::create`], but reads the scene with `reader`,
    /// which may support additional models. `overrides` contains (key, value) pairs that replace
    /// values of the scene.
    ///
    /// # Errors
    /// Returns the errors of [`Facade::create`].
    pub fn create_world(
        &self,
        reader: &Reader,
        overrides: &[(String, String)],
    ) -> Result<Facade, FacadeError> {
        let live = match *self {
            Source::Library(name) => {
                let text = Facade::scene_text(name)?;
                Live::with_reader(name, text, overrides, reader)?
            }
            Source::File(path) => {
                let reader = reader.clone().in_directory(path.parent());
                let text = reader.read_source(path)?;
                let name = path.display().to_string();
                Live::with_reader(&name, &text, overrides, &reader)?
            }
            Source::Text { name, text, directory, files } => {
                let reader = reader.clone().with_files(files).in_directory(directory);
                Live::with_reader(name, text, overrides, &reader)?
            }
        };
        Ok(Facade::new(live))
    }
}

impl Facade {
    /// Creates the world of a scene. `overrides` contains (key, value) pairs that replace values of
    /// the scene, such as `("grid.nx", "512")`.
    ///
    /// # Errors
    /// Returns [`FacadeError`] with all problems if the scene does not exist or is not valid.
    pub fn create(source: &Source, overrides: &[(String, String)]) -> Result<Self, FacadeError> {
        source.create_world(&Reader::default(), overrides)
    }

    /// Checks a scene without creating its world. `text` is the TOML source of the scene.
    /// `overrides` contains (key, value) pairs that replace values of the scene.
    ///
    /// # Errors
    /// Returns [`FacadeError`] with all problems if the scene is not valid.
    pub fn check(text: &str, overrides: &[(String, String)]) -> Result<(), FacadeError> {
        Ok(Reader::default().parse("scene", text, overrides).map(|_| ())?)
    }

    /// Returns the names of the built-in scenes. The introductory scene is the first.
    pub fn scenes() -> impl ExactSizeIterator<Item = &'static str> {
        library::SCENES.iter().map(|known| known.name)
    }

    /// Returns the TOML source of the built-in scene with the given name.
    ///
    /// # Errors
    /// Returns [`FacadeError`] if there is no built-in scene with the given name.
    pub fn scene_text(name: &str) -> Result<&'static str, FacadeError> {
        library::find_scene(name).map(|known| known.text).ok_or_else(|| {
            let names: Vec<_> = Self::scenes().collect();
            FacadeError::invalid_argument(
                "a scene of the library",
                format!("\"{name}\""),
                names.join(", "),
            )
        })
    }
}
