//! The scenes of the library, as the shelf shows them.

use headwater_scene::library::{Known, SCENES};

/// A scene of the library, as the shelf shows it.
pub(super) struct Book {
    /// The scene.
    pub(super) known: Known,
    /// Which model runs it.
    pub(super) model: &'static str,
    /// What it is called.
    pub(super) title: String,
    /// What there is to see.
    pub(super) about: String,
}

/// All scenes of the library that are sound, which all are.
pub(super) fn books() -> Vec<Book> {
    let book = |known: Known| {
        let scene = headwater_scene::scene::parse(known.name, known.text, &[]).ok()?;
        let model = scene.model();
        let (title, about) = (scene.title().to_owned(), scene.description().to_owned());
        Some(Book { known, model, title, about })
    };
    SCENES.into_iter().filter_map(book).collect()
}

/// The scene with which a tab opens.
pub(super) fn first_of(books: &[Book], model: &'static str) -> Option<Known> {
    books.iter().find(|book| book.model == model).map(|book| book.known)
}

#[cfg(test)]
mod tests {
    use super::*;
    use headwater_scene::MODELS;

    #[test]
    fn every_tab_has_scenes_and_every_scene_a_tab() {
        let books = books();
        assert_eq!(books.len(), SCENES.len());
        for model in MODELS {
            assert!(first_of(&books, model.name).is_some(), "{}", model.name);
        }
    }
}
