//! Checks of a scene of waves: values by themselves, and where things stand on the grid.

use super::{Maker, Swimmer, WavesEvent, WavesOp, WavesScene};
use crate::picture::StyleError;
use crate::scene::MAX_CELLS;
use crate::scene::check::{Checker, MAX_ENTRIES, MAX_EVENTS, MAX_LENGTH, MAX_TIME, number};
use crate::scene::fit::OnGrid;
use crate::scene::setting::Timed;
use headwater::Lattice;
use headwater::waves::Waves;

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
    check.events(scene.events.iter().map(Timed::times));
    for (i, one) in scene.events.iter().enumerate().take(MAX_EVENTS) {
        event(&mut check, &format!("event[{i}]"), one, scene);
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
    if let Some(speed) = physics.speed {
        check.positive("physics.speed", speed, 1e5, " m/s");
        if physics.dispersion {
            let message = "means nothing with `dispersion`: speeds follow from `depth`";
            check.note("physics.speed", message);
        }
    }
    check.positive("physics.gravity", physics.gravity, 1000.0, " m/s²");
    check.range("physics.damping", physics.damping, 0.0, 1e4, " 1/s");
    check.positive("physics.step", physics.step, 1e4, " s");
    check.positive("physics.depth", physics.depth, 1e5, " m");
    check.range("physics.highest", physics.highest, 1e-6, 1e6, " m");
    let cells = physics.absorbing_cells;
    check.range("physics.absorbing_cells", cells as f64, 4.0, 256.0, " cells");
    if let Err(error) = physics.params(scene.edges).validate()
        && error.what.starts_with("edges.")
    {
        check.note("edges", error.to_string());
    }
    let steps = scene.time.until / physics.step;
    if steps > 1e9 {
        let message = format!("makes {} steps, allowed is up to 1e9", number(steps.floor()));
        check.note("time.until", message);
    }
}

/// A depth of something that goes down or up.
fn depth(check: &mut Checker, key: String, depth: f64, highest: f64) {
    check.range(key, depth, -highest, highest, " m (`physics.highest`)");
}

fn head(check: &mut Checker, key: String, head: f64, highest: f64) {
    check.range(key, head, 0.0, highest, " m (`physics.highest`)");
}

/// Land, starts, makers, rain, wind.
fn stirring(check: &mut Checker, scene: &WavesScene) {
    let highest = scene.physics.highest;
    check.entries("land", scene.land.len());
    for (i, land) in scene.land.iter().enumerate().take(MAX_ENTRIES) {
        check.area(&format!("land[{i}]"), &land.area());
    }
    check.entries("start", scene.starts.len());
    for (i, start) in scene.starts.iter().enumerate().take(MAX_ENTRIES) {
        let key = format!("start[{i}]");
        check.either(&key, [("at", start.at.is_some()), ("stroke", start.stroke.is_some())]);
        let drop = start.at.is_some();
        check.only_if(format!("{key}.radius"), start.radius.is_some(), drop, Drop(drop));
        round(check, &key, start.at, start.radius);
        if let Some(line) = &start.stroke {
            check.positive(format!("{key}.stroke.width"), line.width, MAX_LENGTH, " m");
            check.points(format!("{key}.stroke.points"), &line.points, 1);
        }
        depth(check, format!("{key}.depth"), start.depth, highest);
    }
    check.entries("maker", scene.makers.len());
    for (i, maker) in scene.makers.iter().enumerate().take(MAX_ENTRIES) {
        self::maker(check, &format!("maker[{i}]"), maker, highest);
    }
    if let Some(rain) = &scene.rain {
        check.range("rain.rate", rain.rate, 0.0, 1e6, " drops per s and m²");
        check.positive("rain.radius", rain.radius, MAX_LENGTH, " m");
        head(check, "rain.depth".into(), rain.depth, highest);
    }
    if let Some(wind) = &scene.wind {
        velocity(check, "wind.velocity", wind.velocity);
        check.range("wind.gusts", wind.gusts as f64, 1.0, 1e4, "");
        check.positive("wind.radius", wind.radius, MAX_LENGTH, " m");
        head(check, "wind.head".into(), wind.head, highest);
        check.positive("wind.lifetime", wind.lifetime, 1e6, " s");
    }
}

fn maker(check: &mut Checker, key: &str, maker: &Maker, highest: f64) {
    check.position(format!("{key}.from"), maker.from);
    check.position(format!("{key}.to"), maker.to);
    check.positive(format!("{key}.width"), maker.width, MAX_LENGTH, " m");
    head(check, format!("{key}.head"), maker.head, highest);
    check.positive(format!("{key}.period"), maker.period, 1e6, " s");
}

/// What a start with or without `at` is called in a message.
struct Drop(bool);

impl std::fmt::Debug for Drop {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(if self.0 { "at" } else { "stroke" })
    }
}

/// The place and size of a drop.
fn round(check: &mut Checker, key: &str, at: Option<crate::scene::Position>, radius: Option<f64>) {
    if let Some(at) = at {
        check.position(format!("{key}.at"), at);
    }
    if let Some(radius) = radius {
        check.positive(format!("{key}.radius"), radius, MAX_LENGTH, " m");
    }
}

fn velocity(check: &mut Checker, key: &str, velocity: [f64; 2]) {
    for (i, v) in velocity.into_iter().enumerate() {
        check.range(format!("{key}[{i}]"), v, -1000.0, 1000.0, " m/s");
    }
}

fn body(check: &mut Checker, key: &str, body: &Swimmer, highest: f64) {
    check.position(format!("{key}.at"), body.at);
    check.either(key, [("radius", body.radius.is_some()), ("size", body.size.is_some())]);
    let sizes = [("radius", body.radius)].into_iter();
    let sizes = sizes.chain(
        body.size
            .into_iter()
            .flat_map(|[length, width]| [("size[0]", Some(length)), ("size[1]", Some(width))]),
    );
    for (name, size) in sizes {
        if let Some(size) = size {
            check.range(format!("{key}.{name}"), size, LENGTHS[0], LENGTHS[1], " m");
        }
    }
    check.range(format!("{key}.heading"), body.heading, -360.0, 360.0, " degrees");
    head(check, format!("{key}.draft"), body.draft, highest);
    if let Some(v) = body.velocity {
        velocity(check, &format!("{key}.velocity"), v);
    }
    if let Some(path) = &body.path {
        if body.velocity.is_some() {
            let message = "found both velocity and path, needs only one of them";
            check.note(format!("{key}.path"), message);
        }
        check.points(format!("{key}.path.points"), &path.points, 1);
        check.positive(format!("{key}.path.speed"), path.speed, 1000.0, " m/s");
        check.range(format!("{key}.path.from"), path.from, 0.0, MAX_TIME, " s");
    }
}

fn event(check: &mut Checker, key: &str, event: &WavesEvent, scene: &WavesScene) {
    use WavesOp::{Add, Drop, Land, Rain, Stroke, Water, Wind};
    check.times(key, event.times(), scene.time.until);
    let op = event.op;
    let highest = scene.physics.highest;
    let mut only = |name: &str, given: bool, needed: bool| {
        check.only_if(format!("{key}.{name}"), given, needed, op);
    };
    only("at", event.at.is_some(), op == Drop);
    only("radius", event.radius.is_some(), op == Drop);
    only("depth", event.depth.is_some(), matches!(op, Drop | Stroke));
    only("rate", event.rate.is_some(), op == Rain);
    let blows = event.velocity.is_some();
    only("velocity", blows, op == Wind && (blows || event.head.is_none()));
    only("head", event.head.is_some(), op == Wind && event.head.is_some());
    match op {
        Land | Water => check.area(key, &event.area()),
        Stroke => {
            only("line", event.line.is_some(), true);
            if let Some(line) = &event.line {
                check.positive(format!("{key}.line.width"), line.width, MAX_LENGTH, " m");
                check.points(format!("{key}.line.points"), &line.points, 1);
            }
        }
        Drop | Rain | Wind | Add => only("line", event.line.is_some(), false),
    }
    if !matches!(op, Land | Water) {
        check.only_if(format!("{key}.disc"), event.disc.is_some(), false, op);
        check.only_if(format!("{key}.rect"), event.rect.is_some(), false, op);
        check.only_if(format!("{key}.everywhere"), event.everywhere, false, op);
    }
    let given = [("body", event.body.is_some()), ("maker", event.maker.is_some())];
    check.added(key, &given, op == Add, op);
    if let Some(one) = &event.body {
        body(check, &format!("{key}.body"), one, highest);
        if one.path.is_some() {
            check.note(format!("{key}.body.path"), "means nothing to a body that an event adds");
        }
    }
    if let Some(one) = &event.maker {
        maker(check, &format!("{key}.maker"), one, highest);
    }
    round(check, key, event.at, event.radius);
    if let Some(value) = event.depth {
        depth(check, format!("{key}.depth"), value, highest);
    }
    if let Some(rate) = event.rate {
        check.range(format!("{key}.rate"), rate, 0.0, 1e6, " drops per s and m²");
    }
    if let Some(v) = event.velocity {
        velocity(check, &format!("{key}.velocity"), v);
    }
    if let Some(value) = event.head {
        head(check, format!("{key}.head"), value, highest);
    }
    if op == Wind && scene.wind.is_none() && event.head.is_none() {
        let message = "is missing: \"wind\" needs it where there is no table `[wind]`";
        check.note(format!("{key}.head"), message);
    }
    if op == Rain && scene.rain.is_none() {
        check.note(key, "\"rain\" changes the table `[rain]`, which is missing");
    }
}

/// All that does not fit the lattice, as `(key, message)`.
pub(crate) fn fit(scene: &WavesScene, lattice: &Lattice) -> Vec<(String, String)> {
    let mut check = Checker::default();
    let mut on = OnGrid { check: &mut check, lattice };
    for (i, land) in scene.land.iter().enumerate() {
        on.area(&format!("land[{i}]"), &land.area());
    }
    for (i, start) in scene.starts.iter().enumerate() {
        if let Some(at) = start.at {
            on.position(&format!("start[{i}].at"), at);
        }
    }
    for (i, event) in scene.events.iter().enumerate() {
        if let Some(at) = event.at {
            on.position(&format!("event[{i}].at"), at);
        }
        if matches!(event.op, WavesOp::Land | WavesOp::Water | WavesOp::Stroke) {
            on.area(&format!("event[{i}]"), &event.area());
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
    match Waves::new(one, scene.physics.params(scene.edges)) {
        Ok(_) => {}
        Err(error) if error.what == "depth" => check.note("physics.depth", error.to_string()),
        Err(error) => check.note("physics.step", error.to_string()),
    }
}
