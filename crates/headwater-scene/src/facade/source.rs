//! [`Source`]: what a world is made of, and how it is made.

use super::error::FacadeError;
use super::facade::Facade;
use crate::library;
use crate::live::Live;
use crate::scene::{Files, Reader};
use std::path::Path;

/// Where a scene comes from.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Source<'a> {
    /// A scene of the library, by name.
    Library(&'a str),
    /// A scene file. Its paths are relative to it.
    File(&'a Path),
    /// A text.
    Text {
        /// What it is called in messages.
        name: &'a str,
        /// The text.
        text: &'a str,
        /// What its paths are relative to; the current directory, if nothing is said.
        directory: Option<&'a Path>,
        /// Where its files come from.
        files: &'a Files,
    },
}

impl Source<'_> {
    /// Its world, as [`Facade::create`] makes it, by a reader that may know fewer models or more.
    ///
    /// # Errors
    /// As of [`Facade::create`].
    pub fn world(
        &self,
        reader: &Reader,
        overrides: &[(String, String)],
    ) -> Result<Facade, FacadeError> {
        let live = match *self {
            Source::Library(name) => {
                let text = Facade::scene_text(name)?;
                Live::read(name, text, overrides, reader)?
            }
            Source::File(path) => {
                let text = crate::scene::text_of(path)?;
                let name = path.display().to_string();
                let reader = reader.clone().in_directory(path.parent());
                Live::read(&name, &text, overrides, &reader)?
            }
            Source::Text { name, text, directory, files } => {
                let reader = reader.clone().with_files(files).in_directory(directory);
                Live::read(name, text, overrides, &reader)?
            }
        };
        Ok(Facade::of(live))
    }
}

impl Facade {
    /// The world of a scene, with `(key, value)` overrides laid over it, such as `("grid.nx", "512")`.
    ///
    /// # Errors
    /// [`FacadeError`] if there is no such scene, or it cannot be used: all that is wrong with it.
    pub fn create(source: &Source, overrides: &[(String, String)]) -> Result<Self, FacadeError> {
        source.world(&Reader::default(), overrides)
    }

    /// Checks a scene's text without making its world.
    ///
    /// # Errors
    /// As [`create`](Self::create).
    pub fn check(text: &str, overrides: &[(String, String)]) -> Result<(), FacadeError> {
        Ok(Reader::default().parse("scene", text, overrides).map(|_| ())?)
    }

    /// The names of the library's scenes, the one to begin with first.
    pub fn scenes() -> impl ExactSizeIterator<Item = &'static str> {
        library::SCENES.iter().map(|known| known.name)
    }

    /// The text of a scene of the library.
    ///
    /// # Errors
    /// [`FacadeError`] if there is none of that name.
    pub fn scene_text(name: &str) -> Result<&'static str, FacadeError> {
        library::scene(name).map(|known| known.text).ok_or_else(|| {
            let names: Vec<_> = Self::scenes().collect();
            FacadeError::input("a scene of the library", format!("\"{name}\""), names.join(", "))
        })
    }
}
