//! Validation of a `flow` scene: value ranges, and whether positions and areas lie on the grid.

mod body;
mod carve;
mod cover;
pub(super) mod event;
mod fit;
pub(crate) mod ground;
mod run;
mod structure;
mod water;

use super::FlowScene;
use crate::scene::place::Area;
use crate::scene::{Checker, Places, SceneModel};
use headwater::Lattice;

/// Adds the positions and areas in the tables of a scene, except those in event actions, to
/// `places`. `places` is used later to check that they lie on the grid.
pub(in crate::flow) fn collect_places(scene: &FlowScene, places: &mut Places) {
    for (i, shape) in scene.terrain.shapes.iter().enumerate() {
        places.add_area(format!("terrain.shape[{i}]"), shape.area());
    }
    for (i, lake) in scene.water.lakes.iter().enumerate() {
        places.add_position(format!("water.lake[{i}].at"), lake.at);
    }
    for (key, sources) in [("source", &scene.sources), ("drain", &scene.drains)] {
        for (i, source) in sources.iter().enumerate() {
            places.add_position(format!("{key}[{i}].at"), source.at);
        }
    }
    for ends in scene.structures() {
        places.add_position(format!("{}.from", ends.key), ends.at[0]);
        places.add_position(format!("{}.to", ends.key), ends.at[1]);
    }
    for (i, area) in scene.obstacles.iter().enumerate() {
        places.add_area(format!("obstacle[{i}]"), area.clone());
    }
    for (i, body) in scene.bodies.iter().enumerate() {
        places.add_position(format!("body[{i}].at"), body.at);
    }
    for (key, gauge) in scene.common_tables().all_gauges() {
        if let Some(polygon) = gauge.polygon.clone() {
            places.add_area(&key, Area { polygon: Some(polygon), ..Area::default() });
        }
        places.add_gauge(&key, gauge.at, gauge.disc, gauge.rect);
    }
    for (i, area) in scene.particles.iter().flat_map(|p| &p.emitters).enumerate() {
        places.add_area(format!("particles.emitter[{i}]"), area.clone());
    }
}

/// Checks the values in the tables of a scene, except those in event actions.
pub(in crate::flow) fn check_values(check: &mut Checker, scene: &FlowScene) {
    run::check_run(check, scene);
    ground::check_flow_terrain(check, scene);
    carve::check_carve(check, scene);
    water::check_water(check, scene);
    cover::check_covers(check, scene);
    structure::check_structures(check, scene);
    body::check_bodies(check, scene);
}

/// Checks that gauge lines and boundary conditions of a scene lie on its lattice.
pub(in crate::flow) fn check_against_lattice(
    check: &mut Checker,
    scene: &FlowScene,
    lattice: &Lattice,
) {
    fit::check_lines_and_boundaries(check, scene, lattice);
}
