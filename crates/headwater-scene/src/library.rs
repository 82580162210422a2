//! The library of scenes that comes with Headwater. Documentation, tests and benches use the same.

/// A scene of the library.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Known {
    /// Its name, which is its file's without `.toml`.
    pub name: &'static str,
    /// Its text.
    pub text: &'static str,
}

/// Every scene of the library, the one to begin with first.
pub const SCENES: [Known; 38] = [
    Known { name: "dam-breach", text: include_str!("../../../scenes/dam-breach.toml") },
    Known { name: "river-divert", text: include_str!("../../../scenes/river-divert.toml") },
    Known { name: "lake-at-rest", text: include_str!("../../../scenes/lake-at-rest.toml") },
    Known { name: "rain-on-hills", text: include_str!("../../../scenes/rain-on-hills.toml") },
    Known { name: "tide", text: include_str!("../../../scenes/tide.toml") },
    Known { name: "breakwater", text: include_str!("../../../scenes/breakwater.toml") },
    Known { name: "lowland-river", text: include_str!("../../../scenes/lowland-river.toml") },
    Known { name: "polder", text: include_str!("../../../scenes/polder.toml") },
    Known { name: "hex-valley", text: include_str!("../../../scenes/hex-valley.toml") },
    Known { name: "lava", text: include_str!("../../../scenes/lava.toml") },
    Known { name: "drifting-logs", text: include_str!("../../../scenes/drifting-logs.toml") },
    Known { name: "pond", text: include_str!("../../../scenes/pond.toml") },
    Known { name: "pool-of-acid", text: include_str!("../../../scenes/pool-of-acid.toml") },
    Known { name: "harbour", text: include_str!("../../../scenes/harbour.toml") },
    Known { name: "rain-on-pond", text: include_str!("../../../scenes/rain-on-pond.toml") },
    Known { name: "u-tube", text: include_str!("../../../scenes/u-tube.toml") },
    Known { name: "terraria", text: include_str!("../../../scenes/terraria.toml") },
    Known { name: "comb", text: include_str!("../../../scenes/comb.toml") },
    Known { name: "diving-bell", text: include_str!("../../../scenes/diving-bell.toml") },
    Known { name: "siphon", text: include_str!("../../../scenes/siphon.toml") },
    Known { name: "waterfall", text: include_str!("../../../scenes/waterfall.toml") },
    Known { name: "ledge", text: include_str!("../../../scenes/ledge.toml") },
    Known { name: "lava-meets-water", text: include_str!("../../../scenes/lava-meets-water.toml") },
    Known { name: "castle-cistern", text: include_str!("../../../scenes/castle-cistern.toml") },
    Known {
        name: "communicating-vessels",
        text: include_str!("../../../scenes/communicating-vessels.toml"),
    },
    Known { name: "winter", text: include_str!("../../../scenes/winter.toml") },
    Known { name: "kettle", text: include_str!("../../../scenes/kettle.toml") },
    Known { name: "storm", text: include_str!("../../../scenes/storm.toml") },
    Known { name: "drain-the-keep", text: include_str!("../../../scenes/drain-the-keep.toml") },
    Known { name: "blocks-to-pools", text: include_str!("../../../scenes/blocks-to-pools.toml") },
    Known { name: "young-range", text: include_str!("../../../scenes/young-range.toml") },
    Known { name: "lake-district", text: include_str!("../../../scenes/lake-district.toml") },
    Known { name: "plateau-canyon", text: include_str!("../../../scenes/plateau-canyon.toml") },
    Known { name: "archipelago", text: include_str!("../../../scenes/archipelago.toml") },
    Known { name: "three-ways", text: include_str!("../../../scenes/three-ways.toml") },
    Known { name: "front-range", text: include_str!("../../../scenes/front-range.toml") },
    Known { name: "carve-then-flow", text: include_str!("../../../scenes/carve-then-flow.toml") },
    Known { name: "your-terrain", text: include_str!("../../../scenes/your-terrain.toml") },
];

/// The scene of that name.
pub fn scene(name: &str) -> Option<Known> {
    SCENES.into_iter().find(|known| known.name == name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_scene_file_is_in_the_library() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../scenes");
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
