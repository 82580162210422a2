//! [`Source`]: where a scene comes from, and the methods that create a world from it.

use super::error::FacadeError;
use super::facade::Facade;
use crate::library;
use crate::live::Live;
use crate::scene::{Files, Reader};
use std::path::Path;

/// Source of a scene: a built-in scene, a file or a text.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Source<'a> {
    /// Scene of the library, given by name.
    Library(&'a str),
    /// Scene file, given by path. Relative paths in the scene start at the file's directory.
    File(&'a Path),
    /// Scene given as text.
    Text {
        /// Name of the scene, used in messages.
        name: &'a str,
        /// Text of the scene (TOML).
        text: &'a str,
        /// Directory at which relative paths in the scene start; the current directory if `None`.
        directory: Option<&'a Path>,
        /// Access to the files named in the scene, such as terrain rasters.
        files: &'a Files,
    },
}

impl Source<'_> {
    /// Creates the world of this scene as [`Facade::create`] does, but with a given scene reader,
    /// which may support additional models.
    ///
    /// # Errors
    /// See [`Facade::create`].
    pub fn world(
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
                let text = crate::scene::text_of(path)?;
                let name = path.display().to_string();
                let reader = reader.clone().in_directory(path.parent());
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
    /// Creates the world of a scene. `overrides` are `(key, value)` pairs such as `("grid.nx",
    /// "512")`, applied to the scene first.
    ///
    /// # Errors
    /// Returns [`FacadeError`] with all problems if the scene does not exist or is not valid.
    pub fn create(source: &Source, overrides: &[(String, String)]) -> Result<Self, FacadeError> {
        source.world(&Reader::default(), overrides)
    }

    /// Checks the text of a scene with its overrides, without creating the world.
    ///
    /// # Errors
    /// Returns [`FacadeError`] with all problems if the scene is not valid.
    pub fn check(text: &str, overrides: &[(String, String)]) -> Result<(), FacadeError> {
        Ok(Reader::default().parse("scene", text, overrides).map(|_| ())?)
    }

    /// Returns the names of the library's scenes, the introductory one first.
    pub fn scenes() -> impl ExactSizeIterator<Item = &'static str> {
        library::SCENES.iter().map(|known| known.name)
    }

    /// Returns the text of the library scene called `name`.
    ///
    /// # Errors
    /// Returns [`FacadeError`] if the library has no scene of that name.
    pub fn scene_text(name: &str) -> Result<&'static str, FacadeError> {
        library::scene(name).map(|known| known.text).ok_or_else(|| {
            let names: Vec<_> = Self::scenes().collect();
            FacadeError::input("a scene of the library", format!("\"{name}\""), names.join(", "))
        })
    }
}
