//! Validation of scenes of the model `columns`.

use super::{
    Added, BodyShape, ColumnsAction, ColumnsBody, ColumnsHeater, ColumnsMeasure, ColumnsScene,
    ColumnsSource, ColumnsTarget,
};
use crate::blocks::BlocksWorldTable;
use crate::blocks::check::check_world as check_blocks_world;
use crate::scene::{Checker, Extent, NonAreaAction, Places, SceneModel};
use headwater::columns::{MAX_SIDE, Motion, read_map};
use headwater::{Lattice, blocks};

const MAX_STEPS: f64 = 1e9;
/// Maximum side length or radius of a body (m).
const MAX_BODY_SIZE: f64 = 1e4;
/// Maximum volume of water in an event (m³ for a world 1 m thick).
const MAX_VOLUME: f64 = 1e9;

/// Adds the positions and areas in the tables of a scene, except those in event actions, to
/// `places`. `places` is used later to check that they lie on the grid.
pub(super) fn collect_places(scene: &ColumnsScene, places: &mut Places) {
    for (i, wall) in scene.walls.iter().enumerate() {
        places.add_extent(format!("wall[{i}]"), &wall.extent);
    }
    for (list, entries) in [("source", &scene.sources), ("drain", &scene.drains)] {
        for (i, entry) in entries.iter().enumerate() {
            places.add_extent(format!("{list}[{i}]"), &entry.extra);
        }
    }
    for (i, heater) in scene.heaters.iter().enumerate() {
        places.add_extent(format!("heater[{i}]"), &heater.extra);
    }
    for (i, anchor) in scene.anchors.iter().enumerate() {
        places.add_position(format!("anchor[{i}].at"), anchor.at);
    }
    for (i, body) in scene.bodies.iter().enumerate() {
        places.add_position(format!("body[{i}].at"), body.at);
    }
    for (key, gauge) in scene.common_tables().all_gauges() {
        match gauge.target {
            ColumnsTarget::Point(at) => places.add_position(format!("{key}.at"), at),
            ColumnsTarget::Disc(disc) => places.add_extent(key, &Extent::Disc(disc)),
            ColumnsTarget::Rect(rect) => places.add_extent(key, &Extent::Rect(rect)),
            ColumnsTarget::Whole(_) => {}
        }
    }
}

/// Checks the values in the tables of a scene, except those in event actions.
pub(super) fn check_values(check: &mut Checker, scene: &ColumnsScene) {
    check_physics(check, scene);
    check_world(check, scene);
    check_sources_and_heaters(check, scene);
    for (key, one) in scene.common_tables().all_gauges() {
        if one.target == ColumnsTarget::Whole(ColumnsMeasure::Heat) && !scene.has_heat() {
            let message = "needs a world with heat: weather.air, a heater or physics.heat";
            check.add_problem(format!("{key}.measure"), message);
        }
    }
}

fn check_physics(check: &mut Checker, scene: &ColumnsScene) {
    let problems = check.problems.len();
    scene.physics.keys.report_problems(check, "physics");
    if let Some(heat) = &scene.physics.heat {
        heat.report_problems(check, "physics.heat");
    }
    let steps = scene.time.until / scene.physics.keys.step;
    if check.problems.len() == problems && steps > MAX_STEPS {
        let message = format!("makes {steps:.0} steps of the run, allowed is up to {MAX_STEPS:.0}");
        check.add_problem("physics.step", message);
    }
}

fn check_world(check: &mut Checker, scene: &ColumnsScene) {
    let table = &scene.world;
    let is_sized = table.nx.is_some() || table.ny.is_some();
    let given = [
        ("map", table.map.is_some()),
        ("file", table.file.is_some()),
        ("blocks", table.blocks.is_some()),
        ("nx and ny", is_sized),
    ];
    check.check_exactly_one("world", &given);
    check.check_range("world.cell", table.cell, 1e-6, 1e6, " m");
    for (key, side) in [("world.nx", table.nx), ("world.ny", table.ny)] {
        match side {
            Some(side) => check.check_range(key, side as f64, 1.0, MAX_SIDE as f64, " cells"),
            None if is_sized => {
                check.add_problem(key, "is missing, a grid of air has both nx and ny");
            }
            None => {}
        }
    }
    if let Some(blocks) = &table.blocks {
        check_world_from_blocks(check, scene, blocks);
    }
    if let Some((nx, ny)) = table.size()
        && let Err(message) = scene.check_cells([nx, ny])
    {
        check.add_problem("world", message);
    } else if let Some(map) = &table.map
        && let Err(error) = read_map(map, 1.0)
    {
        check.add_map_error("world.map", &error);
    }
    check.check_entry_count("wall", scene.walls.len());
    check.check_entry_count("anchor", scene.anchors.len());
}

/// Checks the restrictions that apply if the initial water comes from a world of the model
/// `blocks`.
fn check_world_from_blocks(check: &mut Checker, scene: &ColumnsScene, blocks: &BlocksWorldTable) {
    let limits = &scene.origin.limits;
    check_blocks_world(check, "world.blocks", blocks, &blocks::Params::default(), limits);
    for (key, is_given) in
        [("wall", !scene.walls.is_empty()), ("anchor", !scene.anchors.is_empty())]
    {
        if is_given {
            check.add_problem(
                key,
                "does not apply with world.blocks, which contains the walls and the water",
            );
        }
    }
}

fn check_sources_and_heaters(check: &mut Checker, scene: &ColumnsScene) {
    for (list, entries) in [("source", &scene.sources), ("drain", &scene.drains)] {
        check.check_entry_count(list, entries.len());
        for (i, entry) in entries.iter().enumerate() {
            check_source(check, &format!("{list}[{i}]"), entry, scene);
        }
    }
    scene.weather.report_problems(check, "weather");
    for key in ["rain", "evaporation"].into_iter().filter(|key| scene.weather.is_given(key)) {
        check_motion_transports_volume(check, scene, &format!("weather.{key}"));
    }
    check.check_entry_count("heater", scene.heaters.len());
    for (i, heater) in scene.heaters.iter().enumerate() {
        self::check_heater(check, &format!("heater[{i}]"), heater);
    }
    check.check_entry_count("body", scene.bodies.len());
    for (i, one) in scene.bodies.iter().enumerate() {
        check_body(check, &format!("body[{i}]"), one);
    }
    if let Some(wind) = &scene.wind {
        wind.report_problems(check, "wind");
    }
}

fn check_source(check: &mut Checker, key: &str, source: &ColumnsSource, scene: &ColumnsScene) {
    source.keys.check_required(check, key);
    source.keys.report_problems(check, key);
    check_motion_transports_volume(check, scene, key);
}

fn check_heater(check: &mut Checker, key: &str, heater: &ColumnsHeater) {
    heater.keys.check_required(check, key);
    heater.keys.report_problems(check, key);
}

fn check_body(check: &mut Checker, key: &str, body: &ColumnsBody) {
    match body.extents {
        BodyShape::Size(size) => {
            for (i, size) in size.into_iter().enumerate() {
                check.check_positive(format!("{key}.size[{i}]"), size, MAX_BODY_SIZE, " m");
            }
        }
        BodyShape::Radius(radius) => {
            check.check_positive(format!("{key}.radius"), radius, MAX_BODY_SIZE, " m");
        }
    }
    check.check_range(format!("{key}.density"), body.density, 1.0, 1e5, " kg/m³");
    for (i, speed) in body.velocity.into_iter().enumerate() {
        check.check_range(format!("{key}.velocity[{i}]"), speed, -100.0, 100.0, " m/s");
    }
    check.check_range(format!("{key}.drag"), body.drag, 0.0, 100.0, "");
}

/// Records a problem for the table at the path `key` if the scene uses `Motion::Springs`. This
/// motion model moves the water surface but transports no volumes of water, so the table would have
/// no effect.
fn check_motion_transports_volume(check: &mut Checker, scene: &ColumnsScene, key: &str) {
    if scene.physics.keys.motion == Motion::Springs {
        check.add_problem(
            key,
            "does not apply to springs, which move no water; see `physics.motion`",
        );
    }
}

/// Adds the positions and areas of the event action at the key path `key` to `places`, which is
/// used later to check that they lie on the grid.
pub(super) fn collect_action_places(key: &str, action: &ColumnsAction, places: &mut Places) {
    match action {
        ColumnsAction::Pour(on) | ColumnsAction::Remove(on) => places.add_extent(key, &on.extent),
        ColumnsAction::Splash(on) => places.add_extent(key, &on.extent),
        ColumnsAction::Push(on) => places.add_extent(key, &on.extent),
        ColumnsAction::Dig(on) | ColumnsAction::Build(on) => places.add_extent(key, &on.extent),
        ColumnsAction::Stand(NonAreaAction(stand)) => {
            places.add_position(format!("{key}.at"), stand.at);
        }
        ColumnsAction::Wind(_) => {}
        ColumnsAction::Add(NonAreaAction(added)) => match added {
            Added::Source(one) => places.add_extent(format!("{key}.source"), &one.extra),
            Added::Drain(one) => places.add_extent(format!("{key}.drain"), &one.extra),
            Added::Heater(one) => places.add_extent(format!("{key}.heater"), &one.extra),
            Added::Body(one) => places.add_position(format!("{key}.body.at"), one.at),
        },
    }
}

/// Checks that the height of a splash, the depth by which it depresses the surface, is at most the
/// height of the grid.
pub(super) fn check_action_against_lattice(
    check: &mut Checker,
    key: &str,
    action: &ColumnsAction,
    lattice: &Lattice,
) {
    if let ColumnsAction::Splash(splash) = action {
        let (high, height) = (lattice.height(), splash.value.height);
        check.check_range(format!("{key}.height"), height, -high, high, " m, the grid's height");
    }
}

pub(super) fn check_action(
    check: &mut Checker,
    key: &str,
    action: &ColumnsAction,
    scene: &ColumnsScene,
) {
    match action {
        ColumnsAction::Pour(on) | ColumnsAction::Remove(on) => {
            check.check_positive(format!("{key}.volume"), on.value.volume, MAX_VOLUME, " m³");
            check_motion_transports_volume(check, scene, key);
        }
        ColumnsAction::Splash(on) => check.check_height(format!("{key}.height"), on.value.height),
        ColumnsAction::Push(on) => {
            check.check_range(format!("{key}.velocity"), on.value.velocity, -100.0, 100.0, " m/s");
        }
        ColumnsAction::Stand(_) => {
            check_motion_transports_volume(check, scene, &format!("{key}.at"));
        }
        ColumnsAction::Wind(NonAreaAction(blow)) => {
            check.check_range(format!("{key}.acceleration"), blow.acceleration, -1.0, 1.0, " m/s²");
        }
        ColumnsAction::Dig(_) | ColumnsAction::Build(_) => {}
        ColumnsAction::Add(NonAreaAction(Added::Source(one))) => {
            check_source(check, &format!("{key}.source"), one, scene);
        }
        ColumnsAction::Add(NonAreaAction(Added::Drain(one))) => {
            check_source(check, &format!("{key}.drain"), one, scene);
        }
        ColumnsAction::Add(NonAreaAction(Added::Heater(one))) => {
            check_heater(check, &format!("{key}.heater"), one);
        }
        ColumnsAction::Add(NonAreaAction(Added::Body(one))) => {
            check_body(check, &format!("{key}.body"), one);
        }
    }
}
