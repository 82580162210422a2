//! Checks of a scene of waves: values by themselves, and where things stand on the grid.

use super::{Added, Ends, FallingDrop, Furrow, Start, SteeredBody, WavesAction, WavesScene};
use crate::picture::StyleError;
use crate::scene::check::{Checker, MAX_ENTRIES, MAX_EVENTS, MAX_LENGTH, MAX_TIME, number};
use crate::scene::fit::OnGrid;
use crate::scene::place::{Area, Line};
use crate::scene::{Alone, Beside, Keys, MAX_CELLS};
use headwater::parameter::{Parameters, Range};
use headwater::waves::{Body, Maker, Params, Rain, Waves, Wind};
use headwater::{InputError, Lattice};

/// Bounds of what a body may measure (m).
const LENGTHS: [f64; 2] = [1e-3, 1e6];

/// All problems of a scene's values by themselves, as `(key, message)`.
pub(crate) fn problems(scene: &WavesScene) -> Vec<(String, String)> {
    let mut check = Checker::default();
    check.head(&scene.title, &scene.description, scene.time);
    if scene.time.dt.is_some() {
        check.note("time.dt", "means nothing to waves, whose step is `physics.step`");
    }
    grid(&mut check, scene);
    physics(&mut check, scene);
    stirring(&mut check, scene);
    check.entries("body", scene.bodies.len());
    for (i, one) in scene.bodies.iter().enumerate().take(MAX_ENTRIES) {
        body(&mut check, &format!("body[{i}]"), one, scene.physics.highest);
    }
    check.events(scene.events.iter().map(|event| event.times));
    for (i, one) in scene.events.iter().enumerate().take(MAX_EVENTS) {
        let key = format!("event[{i}]");
        check.times(&key, one.times, scene.time.until);
        action(&mut check, &key, &one.action, scene);
    }
    check.gauges(scene.gauges.iter().map(|gauge| gauge.name.as_str()));
    for (i, gauge) in scene.gauges.iter().enumerate().take(MAX_ENTRIES) {
        let key = format!("gauge[{i}]");
        check.either(&key, [("at", gauge.at.is_some()), ("measure", gauge.measure.is_some())]);
        if let Some(at) = gauge.at {
            check.position(format!("{key}.at"), at);
        }
        check.gauge_every(&key, gauge.every, scene.time.until);
    }
    check.output(&scene.output, scene.time);
    if scene.output.flow_map.is_some() {
        check.note("output.flow_map", "means nothing to waves: theirs is a surface without flow");
    }
    if let Err(StyleError { key, found, allowed }) = scene.picture.validate() {
        check.note(format!("picture.{key}"), format!("found {found}, allowed is {allowed}"));
    }
    check.problems
}

fn grid(check: &mut Checker, scene: &WavesScene) {
    let grid = scene.grid;
    for (key, n) in [("nx", grid.nx), ("ny", grid.ny)] {
        if n == 0 || n > MAX_CELLS {
            check.note(format!("grid.{key}"), format!("found {n}, allowed is 1 to {MAX_CELLS}"));
        }
    }
    if grid.nx.saturating_mul(grid.ny) > MAX_CELLS {
        let cells = grid.nx.saturating_mul(grid.ny);
        check.note("grid", format!("found {cells} cells, allowed is up to {MAX_CELLS}"));
    }
    check.range("grid.cell", grid.cell, 1e-4, 1e5, " m");
}

fn physics(check: &mut Checker, scene: &WavesScene) {
    let physics = &scene.physics;
    physics.check(check, "physics");
    if physics.given("speed") && physics.dispersion {
        let message = "means nothing with `dispersion`: speeds follow from `depth`";
        check.note("physics.speed", message);
    }
    if let (Ok(()), Err(error)) = (Params::check(physics), scene.params().validate()) {
        note(check, "", &error);
    }
    let steps = scene.time.until / physics.step;
    if steps > 1e9 {
        let message = format!("makes {} steps, allowed is up to 1e9", number(steps.floor()));
        check.note("time.until", message);
    }
}

/// Notes what the model says of a part of the table at `table`.
fn note(check: &mut Checker, table: &str, error: &InputError) {
    let dot = if table.is_empty() { "" } else { "." };
    let message = format!("found {}, allowed is {}", error.found, error.allowed);
    check.note(format!("{table}{dot}{}", error.what), message);
}

/// A depth of something that goes down or up.
fn depth(check: &mut Checker, key: &str, depth: f64, highest: f64) {
    let allowed = Range::new(-highest, highest).because("physics.highest");
    if let Err(error) = allowed.check("depth", depth, "m") {
        note(check, key, &error);
    }
}

/// Land, starts, makers, rain, wind.
fn stirring(check: &mut Checker, scene: &WavesScene) {
    let highest = scene.physics.highest;
    check.entries("land", scene.land.len());
    for (i, land) in scene.land.iter().enumerate().take(MAX_ENTRIES) {
        check.area(&format!("land[{i}]"), &land.extent.clone().into());
    }
    check.entries("start", scene.starts.len());
    for (i, start) in scene.starts.iter().enumerate().take(MAX_ENTRIES) {
        let key = format!("start[{i}]");
        match start {
            Start::Drop(drop) => falling(check, &key, drop, highest),
            Start::Stroke(line, depth) => {
                furrow(check, &format!("{key}.stroke"), line);
                self::depth(check, &key, *depth, highest);
            }
        }
    }
    check.entries("maker", scene.makers.len());
    for (i, maker) in scene.makers.iter().enumerate().take(MAX_ENTRIES) {
        self::maker(check, &format!("maker[{i}]"), maker, highest);
    }
    if let Some(rain) = &scene.rain {
        let needed = ("rain", &["rate", "radius", "depth"][..]);
        parameters(check, needed, rain, Rain::check_in, highest);
    }
    if let Some(wind) = &scene.wind {
        let needed = ("wind", &["velocity", "gusts", "radius", "head"][..]);
        parameters(check, needed, wind, Wind::check_in, highest);
    }
}

/// What is wrong with a table of parameters: what of it is needed and missing, out of its range, or too much for waves
/// that are up to `highest`.
fn parameters<P: Parameters>(
    check: &mut Checker,
    (table, needed): (&str, &[&str]),
    keys: &Keys<P>,
    in_world: fn(&P, f64) -> Result<(), InputError>,
    highest: f64,
) {
    keys.need(check, table, needed);
    keys.check(check, table);
    if let (Ok(()), Err(error)) = (P::check(keys), in_world(keys, highest)) {
        note(check, table, &error);
    }
}

fn maker(check: &mut Checker, key: &str, maker: &Beside<Maker, Ends>, highest: f64) {
    check.position(format!("{key}.from"), maker.from);
    check.position(format!("{key}.to"), maker.to);
    let needed = (key, &["width", "head", "period"][..]);
    parameters(check, needed, &maker.keys, Maker::check_in, highest);
}

fn falling(check: &mut Checker, key: &str, drop: &FallingDrop, highest: f64) {
    check.position(format!("{key}.at"), drop.at);
    check.positive(format!("{key}.radius"), drop.radius, MAX_LENGTH, " m");
    depth(check, key, drop.depth, highest);
}

/// The line at `key`.
fn furrow(check: &mut Checker, key: &str, line: &Line) {
    check.positive(format!("{key}.width"), line.width, MAX_LENGTH, " m");
    check.points(format!("{key}.points"), &line.points, 1);
}

fn body(check: &mut Checker, key: &str, body: &Beside<Body, SteeredBody>, highest: f64) {
    check.position(format!("{key}.at"), body.at);
    check.either(key, [("radius", body.radius.is_some()), ("size", body.size.is_some())]);
    if let Some(radius) = body.radius {
        check.range(format!("{key}.radius"), radius, LENGTHS[0], LENGTHS[1], " m");
    }
    for (i, size) in body.size.into_iter().flatten().enumerate() {
        check.range(format!("{key}.size[{i}]"), size, LENGTHS[0], LENGTHS[1], " m");
    }
    check.range(format!("{key}.heading"), body.heading, -360.0, 360.0, " degrees");
    parameters(check, (key, &["draft"]), &body.keys, Body::check_in, highest);
    if let Some(path) = &body.path {
        if body.keys.given("velocity") {
            let message = "found both velocity and path, needs only one of them";
            check.note(format!("{key}.path"), message);
        }
        check.points(format!("{key}.path.points"), &path.points, 1);
        check.positive(format!("{key}.path.speed"), path.speed, 1000.0, " m/s");
        check.range(format!("{key}.path.from"), path.from, 0.0, MAX_TIME, " s");
    }
}

fn action(check: &mut Checker, key: &str, action: &WavesAction, scene: &WavesScene) {
    let highest = scene.physics.highest;
    match action {
        WavesAction::Drop(Alone(drop)) => falling(check, key, drop, highest),
        WavesAction::Stroke(Alone(stroke)) => {
            furrow(check, &format!("{key}.line"), &stroke.line);
            depth(check, key, stroke.depth, highest);
        }
        WavesAction::Land(land) | WavesAction::Water(land) => {
            check.area(key, &land.extent.clone().into());
        }
        WavesAction::Rain(Alone(new)) => {
            if let Err(error) = (Rain { rate: new.rate, ..Rain::default() }.check()) {
                note(check, key, &error);
            }
            if scene.rain.is_none() {
                check.note(key, "\"rain\" changes the table `[rain]`, which is missing");
            }
        }
        WavesAction::Wind(Alone(new)) => {
            let now = Wind::default();
            let velocity = new.velocity.unwrap_or(now.velocity);
            let wind = Wind { velocity, head: new.head.unwrap_or(now.head), ..now };
            if let Err(error) = wind.check_in(highest) {
                note(check, key, &error);
            }
            if scene.wind.is_none() && new.head.is_none() {
                let message = "is missing: \"wind\" needs it where there is no table `[wind]`";
                check.note(format!("{key}.head"), message);
            } else if new.velocity.is_none() && new.head.is_none() {
                check.note(format!("{key}.velocity"), "is missing, \"wind\" needs it or `head`");
            }
        }
        WavesAction::Add(Alone(Added::Body(body))) => {
            let key = format!("{key}.body");
            self::body(check, &key, body, highest);
            if body.path.is_some() {
                let message = "means nothing to a body that an event adds";
                check.note(format!("{key}.path"), message);
            }
        }
        WavesAction::Add(Alone(Added::Maker(maker))) => {
            self::maker(check, &format!("{key}.maker"), maker, highest);
        }
    }
}

/// All that does not fit the lattice, as `(key, message)`.
pub(crate) fn fit(scene: &WavesScene, lattice: &Lattice) -> Vec<(String, String)> {
    let mut check = Checker::default();
    let mut on = OnGrid { check: &mut check, lattice };
    for (i, land) in scene.land.iter().enumerate() {
        on.area(&format!("land[{i}]"), &land.extent.clone().into());
    }
    for (i, start) in scene.starts.iter().enumerate() {
        if let Start::Drop(drop) = start {
            on.position(&format!("start[{i}].at"), drop.at);
        }
    }
    for (i, event) in scene.events.iter().enumerate() {
        let key = format!("event[{i}]");
        match &event.action {
            WavesAction::Drop(Alone(drop)) => on.position(&format!("{key}.at"), drop.at),
            WavesAction::Stroke(Alone(Furrow { line, .. })) => {
                on.area(&key, &Area { line: Some(line.clone()), ..Area::default() });
            }
            WavesAction::Land(land) | WavesAction::Water(land) => {
                on.area(&key, &land.extent.clone().into());
            }
            WavesAction::Rain(_) | WavesAction::Wind(_) | WavesAction::Add(_) => {}
        }
    }
    for (i, gauge) in scene.gauges.iter().enumerate() {
        if let Some(at) = gauge.at {
            on.position(&format!("gauge[{i}].at"), at);
        }
    }
    stable(&mut check, scene);
    check.problems
}

/// The step, the speed and the depth that the grid bears; the model knows best.
fn stable(check: &mut Checker, scene: &WavesScene) {
    let Some(square) = scene.square() else { return };
    // The bounds depend on the size of a cell alone.
    let one = headwater::Square::new(1, 1, square.dx(), square.dy());
    let Ok(one) = one else { return };
    if let Err(error) = Waves::new(one, scene.params()) {
        note(check, "physics", &error);
    }
}
