//! [`Source`]: source of a scene, and the creation of worlds.

use super::error::FacadeError;
use super::facade::Facade;
use crate::library;
use crate::live::Live;
use crate::scene::{Files, Reader};
use std::path::Path;

/// Source of a scene.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Source<'a> {
    /// Name of a scene of the library.
    Library(&'a str),
    /// Path of a scene file. Paths in the scene are relative to it.
    File(&'a Path),
    /// Text of a scene.
    Text {
        /// Name of the scene in messages.
        name: &'a str,
        /// Text of the scene.
        text: &'a str,
        /// Directory for relative paths; the current one if `None`.
        directory: Option<&'a Path>,
        /// Source of the files that the scene names.
        files: &'a Files,
    },
}

impl Source<'_> {
    /// Creates the world as [`Facade::create`] does, with a reader that may support other models.
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
    /// Creates the world of a scene with `(key, value)` overrides such as `("grid.nx", "512")`.
    ///
    /// # Errors
    /// [`FacadeError`] with all problems if the scene does not exist or is not valid.
    pub fn create(source: &Source, overrides: &[(String, String)]) -> Result<Self, FacadeError> {
        source.world(&Reader::default(), overrides)
    }

    /// Checks a scene's text without creating its world.
    ///
    /// # Errors
    /// See [`create`](Self::create).
    pub fn check(text: &str, overrides: &[(String, String)]) -> Result<(), FacadeError> {
        Ok(Reader::default().parse("scene", text, overrides).map(|_| ())?)
    }

    /// Returns the names of the library's scenes, the introductory one first.
    pub fn scenes() -> impl ExactSizeIterator<Item = &'static str> {
        library::SCENES.iter().map(|known| known.name)
    }

    /// Returns the text of a scene of the library.
    ///
    /// # Errors
    /// [`FacadeError`] if there is no scene of that name.
    pub fn scene_text(name: &str) -> Result<&'static str, FacadeError> {
        library::scene(name).map(|known| known.text).ok_or_else(|| {
            let names: Vec<_> = Self::scenes().collect();
            FacadeError::input("a scene of the library", format!("\"{name}\""), names.join(", "))
        })
    }
}
