//! Validation of scenes of the model `waves`: value ranges, and positions on the grid.

use super::{
    Added, FallingDrop, InitialDisturbance, MakerEnds, SteeredBody, Stroke, WavesAction, WavesScene,
};
use crate::scene::check::{Checker, MAX_ENTRIES, MAX_LENGTH, MAX_TIME, format_number};
use crate::scene::{
    ExtendedKeys, Extent, Keys, Line, MAX_CELLS, NonAreaAction, Places, SceneModel,
};
use headwater::parameter::{Parameters, Range};
use headwater::waves::{Body, Params, Rain, WaveMaker, Waves, Wind};
use headwater::{InputError, Lattice};

/// Minimum and maximum side length or radius of a body (m).
const BODY_SIZE_RANGE: [f64; 2] = [1e-3, 1e6];

/// Collects the positions and areas of a scene in `places`. Excludes the positions and areas of
/// event actions.
pub(super) fn collect_places(scene: &WavesScene, places: &mut Places) {
    for (i, land) in scene.land.iter().enumerate() {
        places.add_extent(format!("land[{i}]"), &land.extent);
    }
    for (i, start) in scene.starts.iter().enumerate() {
        if let InitialDisturbance::Drop(drop) = start {
            places.add_position(format!("start[{i}].at"), drop.at);
        }
    }
    for (key, gauge) in scene.common_tables().all_gauges() {
        places.add_gauge(&key, gauge.at, None, None);
    }
}

/// Checks the values of a scene. Excludes the values of event actions.
pub(super) fn check_values(check: &mut Checker, scene: &WavesScene) {
    check_grid(check, scene);
    check_physics(check, scene);
    check_disturbances(check, scene);
    check.check_entry_count("body", scene.bodies.len());
    for (i, one) in scene.bodies.iter().enumerate().take(MAX_ENTRIES) {
        check_body(check, &format!("body[{i}]"), one, scene.physics.highest);
    }
    for (key, gauge) in scene.common_tables().all_gauges() {
        let keys = [("at", gauge.at.is_some()), ("measure", gauge.measure.is_some())];
        check.check_exactly_one_of_two(&key, keys);
    }
}

/// Checks that the wave model accepts the time step, the wave speed and the depth for this cell
/// size, and that the pressures of the wind gusts fit in memory.
pub(super) fn check_against_lattice(check: &mut Checker, scene: &WavesScene, _: &Lattice) {
    let Some(square) = scene.square_grid() else { return };
    if let Some(wind) = &scene.wind {
        // The pressures of all gusts are in memory during a step, with 16 bytes per cell.
        let side = |cells: usize| (2.0 * wind.radius / square.dx() + 1.0).min(cells as f64);
        let bytes = 16.0 * wind.gusts as f64 * side(square.nx()) * side(square.ny());
        if let Err(message) = scene.origin.limits.check_memory(bytes as u64) {
            check.add_problem("wind.gusts", message);
        }
    }
    // The limits depend only on the cell size.
    let one = headwater::Square::new(1, 1, square.dx(), square.dy());
    let Ok(one) = one else { return };
    if let Err(error) = Waves::new(one, scene.params()) {
        check.add_input_error("physics", &error);
    }
}

fn check_grid(check: &mut Checker, scene: &WavesScene) {
    let grid = scene.grid;
    for (key, n) in [("nx", grid.nx), ("ny", grid.ny)] {
        if n == 0 || n > MAX_CELLS {
            check.add_problem(
                format!("grid.{key}"),
                format!("found {n}, allowed is 1 to {MAX_CELLS}"),
            );
        }
    }
    if let Err(message) = scene.check_cells([grid.nx, grid.ny]) {
        check.add_problem("grid", message);
    }
    check.check_range("grid.cell", grid.cell, 1e-4, 1e5, " m");
}

fn check_physics(check: &mut Checker, scene: &WavesScene) {
    let physics = &scene.physics;
    physics.report_problems(check, "physics");
    if physics.is_given("speed") && physics.dispersion {
        let message = "does not apply with `dispersion`: speeds follow from `depth`";
        check.add_problem("physics.speed", message);
    }
    if let (Ok(()), Err(error)) = (Params::check(physics), scene.params().validate()) {
        check.add_input_error("", &error);
    }
    let steps = scene.time.until / physics.step;
    if steps > 1e9 {
        let message = format!("makes {} steps, allowed is up to 1e9", format_number(steps.floor()));
        check.add_problem("time.until", message);
    }
}

/// Checks that the depth of a depression (m) is within the limit `max_height` on the wave height. A
/// negative depth raises the surface.
fn check_depth(check: &mut Checker, key: &str, depth: f64, max_height: f64) {
    let allowed = Range::new(-max_height, max_height).depends_on("physics.highest");
    if let Err(error) = allowed.check("depth", depth, "m") {
        check.add_input_error(key, &error);
    }
}

/// Checks land, initial disturbances, wave makers, rain and wind.
fn check_disturbances(check: &mut Checker, scene: &WavesScene) {
    let max_height = scene.physics.highest;
    check.check_entry_count("land", scene.land.len());
    check.check_entry_count("start", scene.starts.len());
    for (i, start) in scene.starts.iter().enumerate().take(MAX_ENTRIES) {
        let key = format!("start[{i}]");
        match start {
            InitialDisturbance::Drop(drop) => check_falling_drop(check, &key, drop, max_height),
            InitialDisturbance::Stroke(line, depth) => {
                check_stroke_line(check, &format!("{key}.stroke"), line);
                self::check_depth(check, &key, *depth, max_height);
            }
        }
    }
    check.check_entry_count("maker", scene.makers.len());
    for (i, maker) in scene.makers.iter().enumerate().take(MAX_ENTRIES) {
        self::check_maker(check, &format!("maker[{i}]"), maker, max_height);
    }
    if let Some(rain) = &scene.rain {
        check_parameters(check, "rain", rain, Rain::check_with_height_limit, max_height);
    }
    if let Some(wind) = &scene.wind {
        check_parameters(check, "wind", wind, Wind::check_with_height_limit, max_height);
    }
}

/// Checks a table of parameters. Adds problems for missing keys, for values out of range, and for
/// wave heights above the limit `max_height` (m).
fn check_parameters<P: Parameters>(
    check: &mut Checker,
    table: &str,
    keys: &Keys<P>,
    check_in_world: fn(&P, f64) -> Result<(), InputError>,
    max_height: f64,
) {
    keys.check_required(check, table);
    keys.report_problems(check, table);
    if let (Ok(()), Err(error)) = (P::check(keys), check_in_world(keys, max_height)) {
        check.add_input_error(table, &error);
    }
}

fn check_maker(
    check: &mut Checker,
    key: &str,
    maker: &ExtendedKeys<WaveMaker, MakerEnds>,
    max_height: f64,
) {
    check.check_position(format!("{key}.from"), maker.from);
    check.check_position(format!("{key}.to"), maker.to);
    check_parameters(check, key, &maker.keys, WaveMaker::check_with_height_limit, max_height);
}

fn check_falling_drop(check: &mut Checker, key: &str, drop: &FallingDrop, max_height: f64) {
    check.check_positive(format!("{key}.radius"), drop.radius, MAX_LENGTH, " m");
    check_depth(check, key, drop.depth, max_height);
}

fn check_stroke_line(check: &mut Checker, key: &str, line: &Line) {
    check.check_positive(format!("{key}.width"), line.width, MAX_LENGTH, " m");
    check.check_points(format!("{key}.points"), &line.points, 1);
}

fn check_body(
    check: &mut Checker,
    key: &str,
    body: &ExtendedKeys<Body, SteeredBody>,
    max_height: f64,
) {
    check.check_position(format!("{key}.at"), body.at);
    check.check_exactly_one_of_two(
        key,
        [("radius", body.radius.is_some()), ("size", body.size.is_some())],
    );
    if let Some(radius) = body.radius {
        check.check_range(
            format!("{key}.radius"),
            radius,
            BODY_SIZE_RANGE[0],
            BODY_SIZE_RANGE[1],
            " m",
        );
    }
    for (i, size) in body.size.into_iter().flatten().enumerate() {
        check.check_range(
            format!("{key}.size[{i}]"),
            size,
            BODY_SIZE_RANGE[0],
            BODY_SIZE_RANGE[1],
            " m",
        );
    }
    check.check_range(format!("{key}.heading"), body.heading, -360.0, 360.0, " degrees");
    check_parameters(check, key, &body.keys, Body::check_with_height_limit, max_height);
    if let Some(path) = &body.path {
        if body.keys.is_given("velocity") {
            let message = "found both velocity and path, needs only one of them";
            check.add_problem(format!("{key}.path"), message);
        }
        check.check_points(format!("{key}.path.points"), &path.points, 1);
        check.check_positive(format!("{key}.path.speed"), path.speed, 1000.0, " m/s");
        check.check_range(format!("{key}.path.from"), path.from, 0.0, MAX_TIME, " s");
    }
}

/// Collects the positions and areas of an event action in `places`.
pub(super) fn collect_action_places(key: &str, action: &WavesAction, places: &mut Places) {
    match action {
        WavesAction::Drop(NonAreaAction(drop)) => {
            places.add_position(format!("{key}.at"), drop.at);
        }
        WavesAction::Stroke(NonAreaAction(Stroke { line, .. })) => {
            places.add_extent(key, &Extent::Line(line.clone()));
        }
        WavesAction::Land(land) | WavesAction::Water(land) => places.add_extent(key, &land.extent),
        WavesAction::Rain(_) | WavesAction::Wind(_) | WavesAction::Add(_) => {}
    }
}

pub(super) fn check_action(
    check: &mut Checker,
    key: &str,
    action: &WavesAction,
    scene: &WavesScene,
) {
    let max_height = scene.physics.highest;
    match action {
        WavesAction::Drop(NonAreaAction(drop)) => check_falling_drop(check, key, drop, max_height),
        WavesAction::Stroke(NonAreaAction(stroke)) => {
            check_depth(check, key, stroke.depth, max_height);
        }
        WavesAction::Land(_) | WavesAction::Water(_) => {}
        WavesAction::Rain(NonAreaAction(new)) => {
            if let Err(error) = (Rain { rate: new.rate, ..Rain::default() }.check()) {
                check.add_input_error(key, &error);
            }
            if scene.rain.is_none() {
                check.add_problem(key, "\"rain\" changes the table `[rain]`, which is missing");
            }
        }
        WavesAction::Wind(NonAreaAction(new)) => {
            let now = Wind::default();
            let velocity = new.velocity.unwrap_or(now.velocity);
            let wind = Wind { velocity, head: new.head.unwrap_or(now.head), ..now };
            if let Err(error) = wind.check_with_height_limit(max_height) {
                check.add_input_error(key, &error);
            }
            if scene.wind.is_none() && new.head.is_none() {
                let message = "is missing: \"wind\" needs it if the scene has no table `[wind]`";
                check.add_problem(format!("{key}.head"), message);
            } else if new.velocity.is_none() && new.head.is_none() {
                check.add_problem(
                    format!("{key}.velocity"),
                    "is missing, \"wind\" needs it or `head`",
                );
            }
        }
        WavesAction::Add(NonAreaAction(Added::Body(body))) => {
            let key = format!("{key}.body");
            self::check_body(check, &key, body, max_height);
            if body.path.is_some() {
                let message = "does not apply to a body that an event adds";
                check.add_problem(format!("{key}.path"), message);
            }
        }
        WavesAction::Add(NonAreaAction(Added::Maker(maker))) => {
            self::check_maker(check, &format!("{key}.maker"), maker, max_height);
        }
    }
}
