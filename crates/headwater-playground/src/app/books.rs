//! The scenes of the library, as the shelf shows them.

use headwater_scene::library::{LibraryScene, SCENES};

pub(super) struct Book {
    pub(super) known: LibraryScene,
    pub(super) model: &'static str,
    pub(super) title: String,
    pub(super) about: String,
}

/// What the playground says otherwise in a scene of the library: where a scene shows what will be done, it waits for a hand first.
pub(super) fn patience(name: &str) -> Vec<(String, String)> {
    const DAM: [(&str, &str); 7] = [
        ("event[0].time", "900"),
        ("event[1].time", "912"),
        ("event[1].until", "936"),
        ("event[2].time", "942"),
        ("event[2].until", "966"),
        ("event[3].time", "972"),
        ("event[3].until", "1008"),
    ];
    let keys: &[(&str, &str)] = if name == "dam-breach" { &DAM } else { &[] };
    keys.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect()
}

/// All scenes of the library that are sound, which all are.
pub(super) fn books() -> Vec<Book> {
    let book = |known: LibraryScene| {
        let scene = headwater_scene::scene::parse(known.name, known.text, &[]).ok()?;
        let model = scene.model();
        let (title, about) = (scene.title().to_owned(), scene.description().to_owned());
        Some(Book { known, model, title, about })
    };
    SCENES.into_iter().filter_map(book).collect()
}

/// The scene with which a tab opens: one in which something goes on.
pub(super) fn first_of(books: &[Book], model: &'static str) -> Option<LibraryScene> {
    if model == headwater_scene::BLOCKS.name {
        return headwater_scene::library::scene("terraria");
    }
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
