//! What a scene cannot ask for of a world of which only some rows are in memory at a time.

use crate::flow::{Action, Added, BoundaryKind, FlowScene};
use crate::scene::{Alone, LayerFormat, SceneError, Tables};
use headwater::flow::View;

/// Why, after what it is.
const AT_ONCE: &str =
    "not with --memory or on several ranks, where no process has all rows of the world at a time";

/// Checks that a scene asks for nothing that is not done so.
///
/// # Errors
/// [`SceneError`] with all that it asks for.
pub(super) fn check(scene: &FlowScene) -> Result<(), SceneError> {
    let FlowScene { water, output, .. } = scene;
    let rain = scene.rain.as_ref();
    let given: [(&str, bool); 16] = [
        ("settle", scene.settle.is_some()),
        ("carve", scene.carve.is_some()),
        ("water.depth_map", water.depth_map.is_some()),
        ("water.level_map", water.level_map.is_some()),
        ("water.velocity_map", water.velocity_map.is_some()),
        ("water.discharge_map", water.discharge_map.is_some()),
        ("water.lake", !water.lakes.is_empty() && scene.grid.lattice != Default::default()),
        ("cover", !scene.covers.is_empty()),
        ("physics.manning_map", scene.physics.manning_map.is_some()),
        ("rain.map", rain.is_some_and(|rain| rain.map.is_some())),
        ("rain.raster", rain.is_some_and(|rain| !rain.own.rasters.is_empty())),
        ("body", !scene.bodies.is_empty()),
        ("particles", scene.particles.as_ref().is_some_and(|one| one.keys.count > 0)),
        ("output.mesh", output.mesh.is_some()),
        ("output.flow_map", output.flow_map.is_some()),
        (
            "output.layer_format",
            !output.layers.is_empty()
                && !matches!(output.layer_format, LayerFormat::Npy | LayerFormat::Zarr),
        ),
    ];
    let mut problems: Vec<(String, String)> = given
        .into_iter()
        .filter(|(_, is)| *is)
        .map(|(key, _)| (key.to_owned(), AT_ONCE.to_owned()))
        .collect();
    for (i, boundary) in scene.boundaries.iter().enumerate() {
        if matches!(boundary.kind, BoundaryKind::Periodic(_)) && !boundary.stretch.edge.is_x() {
            let message = format!("\"periodic\" in the north and south: {AT_ONCE}");
            problems.push((format!("boundary[{i}].kind"), message));
        }
    }
    for (key, action) in scene.common().actions() {
        if matches!(action, Action::Add(Alone(Added::Body(_)))) {
            problems.push((format!("{key}.body"), AT_ONCE.to_owned()));
        }
    }
    let zarr = output.layer_format == LayerFormat::Zarr && !output.layers.is_empty();
    if zarr && scene.grid.lattice != Default::default() {
        let message = format!("hexagons become squares as a whole: {AT_ONCE}");
        problems.push(("output.layer_format".into(), message));
    }
    let foam = output.layers.iter().any(|layer| layer.name() == View::Foam.layer().name);
    if foam && scene.grid.lattice != Default::default() {
        let message = format!("foam on hexagons: {AT_ONCE}");
        problems.push(("output.layers".into(), message));
    }
    match problems.is_empty() {
        true => Ok(()),
        false => Err(scene.common().origin.locate(problems)),
    }
}
