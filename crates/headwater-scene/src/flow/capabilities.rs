//! Table of the features of `flow` scenes that each executor (way to run a scene) supports. The
//! constant [`FEATURES`] is the source of the error messages and of the table in docs/scale.md.
//!
//! A single process on the CPU with the whole world in memory supports all features, so it is not
//! in the table.

use super::{Action, Added, FlowScene};
use crate::scene::{LayerFormat, NonAreaAction, SceneError, SceneModel};
use headwater::flow::{Physics, View};

/// Executor (way to run a scene) that supports only some features of scenes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Executor {
    /// One process with `--memory`, or several MPI ranks. Each process has only some rows of the
    /// world in memory.
    Distributed,
    /// A GPU on which the world is stepped.
    Gpu,
}

/// Scene feature that an executor may lack. Each feature is a row of the table [`FEATURES`].
struct Feature {
    /// Name of the feature in the documentation table (Markdown).
    name: &'static str,
    /// Whether the distributed executor (first element) and the GPU (second element) support the
    /// feature.
    is_supported: [bool; 2],
    /// Returns the scene keys that use the feature. The list is empty if the scene does not use it.
    keys: fn(&FlowScene) -> Vec<String>,
}

const BOTH: [bool; 2] = [true, true];
const NO_GPU: [bool; 2] = [true, false];
const GPU_ONLY: [bool; 2] = [false, true];
const NEITHER: [bool; 2] = [false, false];

/// All features, in the order of the table in docs/scale.md.
const FEATURES: &[Feature] = &[
    Feature {
        name: "`terrain.file`, of any format and size",
        is_supported: BOTH,
        keys: |_| no_keys(),
    },
    Feature { name: "`terrain.shape`, `obstacle`", is_supported: BOTH, keys: |_| no_keys() },
    Feature {
        name: "`terrain.subgrid`",
        is_supported: NEITHER,
        keys: |scene| key_if(scene.terrain.subgrid.is_some(), "terrain.subgrid"),
    },
    Feature {
        name: "`carve`",
        is_supported: GPU_ONLY,
        keys: |scene| key_if(scene.carve.is_some(), "carve"),
    },
    Feature {
        name: "`water.level`, `water.depth`, `water.depth_map`, `water.level_map`",
        is_supported: BOTH,
        keys: |_| no_keys(),
    },
    Feature { name: "`water.lake` on squares", is_supported: BOTH, keys: |_| no_keys() },
    Feature {
        name: "`water.lake` on hexagons",
        is_supported: GPU_ONLY,
        keys: |scene| key_if(!scene.water.lakes.is_empty() && is_hex(scene), "water.lake"),
    },
    Feature {
        name: "`water.velocity_map`, `water.discharge_map`",
        is_supported: BOTH,
        keys: |_| no_keys(),
    },
    Feature {
        name: "`settle`",
        is_supported: NEITHER,
        keys: |scene| key_if(scene.settle.is_some(), "settle"),
    },
    Feature {
        name: "shallow water on hexagons",
        is_supported: NO_GPU,
        keys: |scene| {
            let shallow = scene.physics.keys.level == Physics::ShallowWater;
            key_if(shallow && is_hex(scene), "physics.level")
        },
    },
    Feature { name: "`physics.manning_map`", is_supported: BOTH, keys: |_| no_keys() },
    Feature {
        name: "`cover`",
        is_supported: NO_GPU,
        keys: |scene| key_if(!scene.covers.is_empty(), "cover"),
    },
    Feature { name: "`rain`, `rain.map`, `evaporation`", is_supported: BOTH, keys: |_| no_keys() },
    Feature {
        name: "`rain.raster`",
        is_supported: NO_GPU,
        keys: |scene| {
            let any = scene.rain.as_ref().is_some_and(|rain| !rain.extra.rasters.is_empty());
            key_if(any, "rain.raster")
        },
    },
    Feature { name: "`infiltration`", is_supported: BOTH, keys: |_| no_keys() },
    Feature {
        name: "`infiltration.deficit`",
        is_supported: NO_GPU,
        keys: |scene| {
            let soil = scene.infiltration.as_ref();
            key_if(soil.is_some_and(|soil| soil.deficit > 0.0), "infiltration.deficit")
        },
    },
    Feature { name: "`source`, `drain`", is_supported: BOTH, keys: |_| no_keys() },
    Feature {
        name: "`culvert`, `gate`, `weir`",
        is_supported: NO_GPU,
        keys: |scene| {
            let mut keys = key_if(!scene.culverts.is_empty(), "culvert");
            keys.extend(key_if(!scene.gates.is_empty(), "gate"));
            keys.extend(key_if(!scene.weirs.is_empty(), "weir"));
            keys
        },
    },
    Feature {
        name: "`boundary` of any kind but the next two",
        is_supported: BOTH,
        keys: |_| no_keys(),
    },
    Feature {
        name: "`boundary` with `level` or `along` of an inflow",
        is_supported: NO_GPU,
        keys: |scene| boundary_keys(scene, |boundary| !boundary.shallow_water_keys().is_empty()),
    },
    Feature {
        name: "`boundary` that joins north and south (`periodic`)",
        is_supported: GPU_ONLY,
        keys: |scene| {
            boundary_keys(scene, |boundary| {
                boundary.is_periodic() && !boundary.stretch.edge.has_x_faces()
            })
        },
    },
    Feature {
        name: "`body`",
        is_supported: NEITHER,
        keys: |scene| key_if(!scene.bodies.is_empty(), "body"),
    },
    Feature {
        name: "`particles` (`particles.count=0` leaves them out)",
        is_supported: GPU_ONLY,
        keys: |scene| {
            let count = scene.particles.as_ref().map_or(0, |particles| particles.keys.count);
            key_if(count > 0, "particles")
        },
    },
    Feature {
        name: "`event` that changes ground, water or closed cells, adds a source or drain, or changes a gauge",
        is_supported: BOTH,
        keys: |_| no_keys(),
    },
    Feature {
        name: "`event` that adds a body",
        is_supported: NEITHER,
        keys: |scene| {
            let adds =
                |action: &Action| matches!(action, Action::Add(NonAreaAction(Added::Body(_))));
            let actions = scene.common_tables().actions();
            actions.filter(|(_, action)| adds(action)).map(|(key, _)| key + ".body").collect()
        },
    },
    Feature { name: "`gauge` of any kind but bodies", is_supported: BOTH, keys: |_| no_keys() },
    Feature {
        name: "`flood`",
        is_supported: NO_GPU,
        keys: |scene| key_if(scene.flood.is_some(), "flood"),
    },
    Feature { name: "layers as NPY, GeoTIFF and Zarr", is_supported: BOTH, keys: |_| no_keys() },
    Feature {
        name: "layers as PNG",
        is_supported: GPU_ONLY,
        keys: |scene| {
            let png = scene.output.layer_format == LayerFormat::Png;
            key_if(png && !scene.output.layers.is_empty(), "output.layer_format")
        },
    },
    Feature {
        name: "layers of hexagons as GeoTIFF or Zarr",
        is_supported: GPU_ONLY,
        keys: |scene| {
            let output = &scene.output;
            let squares = matches!(output.layer_format, LayerFormat::Zarr | LayerFormat::Geotiff);
            key_if(squares && is_hex(scene) && !output.layers.is_empty(), "output.layer_format")
        },
    },
    Feature {
        name: "the layer `foam` of hexagons",
        is_supported: GPU_ONLY,
        keys: |scene| {
            let foam = View::Foam.layer().name;
            let foam = scene.output.layers.iter().any(|layer| layer.name() == foam);
            key_if(foam && is_hex(scene), "output.layers")
        },
    },
    Feature {
        name: "`output.mesh`",
        is_supported: GPU_ONLY,
        keys: |scene| key_if(scene.output.mesh.is_some(), "output.mesh"),
    },
];

fn no_keys() -> Vec<String> {
    Vec::new()
}

fn key_if(condition: bool, key: &str) -> Vec<String> {
    if condition { vec![key.into()] } else { Vec::new() }
}

fn is_hex(scene: &FlowScene) -> bool {
    scene.grid.lattice != Default::default()
}

fn boundary_keys(scene: &FlowScene, predicate: impl Fn(&super::Boundary) -> bool) -> Vec<String> {
    let all = scene.boundaries.iter().enumerate();
    all.filter(|(_, one)| predicate(one)).map(|(i, _)| format!("boundary[{i}].kind")).collect()
}

/// Checks that an executor supports all features that a scene uses.
///
/// # Errors
/// Returns [`SceneError`], with one message for each key that uses an unsupported feature.
pub(super) fn check_features(scene: &FlowScene, executor: Executor) -> Result<(), SceneError> {
    let place = match executor {
        Executor::Distributed => "with --memory or on several ranks",
        Executor::Gpu => "on a GPU",
    };
    let unsupported = FEATURES.iter().filter(|feature| !feature.is_supported[executor as usize]);
    let problems = unsupported.flat_map(|feature| {
        let message = format!("not supported {place}: {}", feature.name);
        (feature.keys)(scene).into_iter().map(move |key| (key, message.clone()))
    });
    let problems: Vec<_> = problems.collect();
    if problems.is_empty() {
        Ok(())
    } else {
        Err(scene.common_tables().origin.locate_problems(problems))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the table of features in Markdown, in the form that docs/scale.md contains.
    fn feature_table() -> String {
        let mut text = String::from(
            "| feature of a scene | one process | `--memory`, ranks | GPU |\n|---|---|---|---|\n",
        );
        for Feature { name, is_supported, .. } in FEATURES {
            let [distributed, gpu] =
                is_supported.map(|is_supported| if is_supported { "yes" } else { "no" });
            text += &format!("| {name} | yes | {distributed} | {gpu} |\n");
        }
        text
    }

    #[test]
    fn the_table_in_the_documentation_is_up_to_date() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/scale.md");
        // The packaged crate does not contain docs/.
        let Ok(text) = std::fs::read_to_string(path) else { return };
        assert!(
            text.contains(&feature_table()),
            "docs/scale.md needs this table:\n{}",
            feature_table()
        );
    }

    #[test]
    fn errors_list_every_unsupported_key_with_its_line() {
        let text = "model = 'flow'\n[time]\nuntil = 1\n[particles]\ncount = 9\n[settle]\n[flood]\n[terrain.plane]\n";
        let scene = crate::scene::parse("some.toml", text, &[]).unwrap();
        let scene = scene.flow().unwrap();
        let message = check_features(scene, Executor::Distributed).unwrap_err().to_string();
        for line in ["some.toml:4:2: particles: not", "some.toml:6:2: settle: not supported"] {
            assert!(message.contains(line), "{message}");
        }
        assert!(!message.contains("flood"), "{message}");
        let message = check_features(scene, Executor::Gpu).unwrap_err().to_string();
        assert!(message.contains("flood: not supported on a GPU: `flood`"), "{message}");
        assert!(!message.contains("particles"), "{message}");
    }
}
