//! The scenes of the built-in library, as listed in the scene browser.

use headwater_scene::library::{LibraryScene, SCENES};

/// A scene of the built-in library with its title and description.
pub(in crate::app) struct CatalogScene {
    pub(in crate::app) known: LibraryScene,
    pub(in crate::app) model: &'static str,
    pub(in crate::app) title: String,
    pub(in crate::app) about: String,
}

/// Returns the scene keys that the playground overrides in the library scene `name`, each with its
/// new value. The overrides delay scripted events, so that the player can act first.
pub(in crate::app) fn delayed_events(name: &str) -> Vec<(String, String)> {
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

/// Returns all valid scenes of the library, for the scene browser.
pub(in crate::app) fn catalog_scenes() -> Vec<CatalogScene> {
    let read_entry = |known: LibraryScene| {
        let scene = headwater_scene::scene::parse(known.name, known.text, &[]).ok()?;
        let model = scene.model();
        let (title, about) = (scene.title().to_owned(), scene.description().to_owned());
        Some(CatalogScene { known, model, title, about })
    };
    SCENES.into_iter().filter_map(read_entry).collect()
}

/// Returns the scene that is shown when the tab of a model is first opened.
pub(in crate::app) fn first_scene(
    catalog_scenes: &[CatalogScene],
    model: &'static str,
) -> Option<LibraryScene> {
    if model == headwater_scene::BLOCKS.name {
        return headwater_scene::library::find_scene("terraria");
    }
    catalog_scenes.iter().find(|entry| entry.model == model).map(|entry| entry.known)
}

#[cfg(test)]
mod tests {
    use super::*;
    use headwater_scene::MODELS;

    #[test]
    fn every_model_has_scenes_and_every_scene_is_listed() {
        let catalog_scenes = catalog_scenes();
        assert_eq!(catalog_scenes.len(), SCENES.len());
        for model in MODELS {
            assert!(first_scene(&catalog_scenes, model.name).is_some(), "{}", model.name);
        }
    }
}
