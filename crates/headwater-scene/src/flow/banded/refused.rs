//! What a scene cannot ask for of a world of which only some rows are in memory at a time.

use crate::flow::{BoundaryKind, FlowScene, Solitary};
use crate::scene::{Alone, LayerFormat, SceneError, Tables};
use headwater::flow::View;

/// Why, after what it is.
const AT_ONCE: &str =
    "not with --memory or --world spread, where no process has all rows of the world at a time";

/// Checks that a scene asks for nothing that is not done so.
///
/// # Errors
/// [`SceneError`] with all that it asks for.
pub(super) fn check(scene: &FlowScene) -> Result<(), SceneError> {
    let FlowScene { water, output, .. } = scene;
    let given: [(&str, bool); 11] = [
        ("settle", scene.settle.is_some()),
        ("carve", scene.carve.is_some()),
        ("water.lake", !water.lakes.is_empty() && scene.grid.lattice != Default::default()),
        ("culvert", !scene.culverts.is_empty()),
        ("gate", !scene.gates.is_empty()),
        ("weir", !scene.weirs.is_empty()),
        ("body", !scene.bodies.is_empty()),
        ("particles", scene.particles.as_ref().is_some_and(|one| one.keys.count > 0)),
        ("output.mesh", output.mesh.is_some()),
        ("output.flow_map", output.flow_map.is_some()),
        (
            "output.layer_format",
            !output.layers.is_empty() && output.layer_format == LayerFormat::Png,
        ),
    ];
    let mut problems: Vec<(String, String)> = given
        .into_iter()
        .filter(|(_, is)| *is)
        .map(|(key, _)| (key.to_owned(), AT_ONCE.to_owned()))
        .collect();
    for (i, boundary) in scene.boundaries.iter().enumerate() {
        if let BoundaryKind::Solitary(Alone(Solitary { depth: None, .. })) = &boundary.kind {
            let message = format!("to be taken from the ground along the edge: {AT_ONCE}; say it");
            problems.push((format!("boundary[{i}].depth"), message));
        }
    }
    for (i, boundary) in scene.boundaries.iter().enumerate() {
        if matches!(boundary.kind, BoundaryKind::Periodic(_)) && !boundary.stretch.edge.is_x() {
            let message = format!("\"periodic\" in the north and south: {AT_ONCE}");
            problems.push((format!("boundary[{i}].kind"), message));
        }
    }
    for (key, _) in scene.common().actions() {
        problems.push((key, format!("what changes the world: {AT_ONCE}")));
    }
    let on_map = matches!(output.layer_format, LayerFormat::Zarr | LayerFormat::Geotiff);
    if on_map && !output.layers.is_empty() && scene.grid.lattice != Default::default() {
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
