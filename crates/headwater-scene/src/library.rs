//! Library of scenes that is built into this crate. Documentation, tests and benchmarks use the
//! same scenes.

use crate::scene::spelling_hint;

/// Scene of the built-in library.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LibraryScene {
    /// Name of the scene: the name of its file without `.toml`.
    pub name: &'static str,
    /// Content of the scene file (TOML).
    pub text: &'static str,
}

/// Creates an array of the library scenes with the given names. Their files are included from the
/// folder `scenes` of this crate.
macro_rules! scenes {
    ($($name:literal),* $(,)?) => {
        [$(LibraryScene { name: $name, text: include_str!(concat!("../scenes/", $name, ".toml")) }),*]
    };
}

/// All scenes of the library. The first scene is a good introduction for new users.
pub const SCENES: [LibraryScene; 42] = scenes![
    "dam-breach",
    "river-divert",
    "lake-at-rest",
    "rain-on-hills",
    "tide",
    "breakwater",
    "conical-island",
    "run-up",
    "lowland-river",
    "polder",
    "hex-valley",
    "lava",
    "drifting-logs",
    "pond",
    "pool-of-acid",
    "harbour",
    "rain-on-pond",
    "u-tube",
    "terraria",
    "comb",
    "diving-bell",
    "siphon",
    "waterfall",
    "ledge",
    "lava-meets-water",
    "castle-cistern",
    "communicating-vessels",
    "winter",
    "kettle",
    "storm",
    "drain-the-keep",
    "blocks-to-pools",
    "young-range",
    "mountain-range",
    "lake-district",
    "plateau-canyon",
    "archipelago",
    "three-ways",
    "three-ages",
    "front-range",
    "carve-then-flow",
    "your-terrain",
];

/// Returns the scene with the given name, or `None` if the library does not contain it.
pub fn find_scene(name: &str) -> Option<LibraryScene> {
    SCENES.into_iter().find(|known| known.name == name)
}

/// Returns the error message for a name that is neither a file nor a scene of the library. The
/// message suggests the library scene with the most similar name, if there is one.
pub fn unknown_scene_message(name: &str) -> String {
    let hint = spelling_hint(name, &SCENES.map(|known| known.name), '`');
    format!(
        "there is no file or scene `{name}`;{hint} `headwater scenes` lists the built-in scenes"
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn similar_names_are_suggested() {
        let message = unknown_scene_message("pnod");
        assert!(message.contains("`pnod`; did you mean `pond`? `headwater scenes`"), "{message}");
        assert!(!unknown_scene_message("nowhere").contains("did you mean"));
    }

    #[test]
    fn every_scene_file_is_in_the_library() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/scenes");
        let files: BTreeSet<String> = std::fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .filter(|path| path.extension().is_some_and(|extension| extension == "toml"))
            .map(|path| path.file_stem().unwrap().to_string_lossy().into_owned())
            .collect();
        let names: BTreeSet<String> = SCENES.iter().map(|known| known.name.to_owned()).collect();
        assert_eq!(files, names);
    }
}
