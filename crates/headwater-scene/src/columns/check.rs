//! Checks of scenes of the model `columns`.

use super::{
    ColumnsBody, ColumnsEvent, ColumnsGauge, ColumnsHeater, ColumnsMeasure, ColumnsOp,
    ColumnsScene, ColumnsSource, ColumnsWall,
};
use crate::blocks::BlocksWorldTable;
use crate::blocks::check::world as world_of_blocks;
use crate::picture::StyleError;
use crate::scene::MAX_CELLS;
use crate::scene::check::{Checker, MAX_RAIN};
use crate::scene::fit::OnGrid;
use crate::scene::setting::{Problems, Timed};
use headwater::columns::{MAX_SIDE, Motion, read_map};
use headwater::{Lattice, blocks};

/// The most steps of a run.
const MAX_STEPS: f64 = 1e9;
/// The strongest source (m³/s).
const MAX_SOURCE: f64 = 1e6;
/// The hottest heater (W).
const MAX_POWER: f64 = 1e9;
/// The largest body (m).
const MAX_BODY: f64 = 1e4;
/// The most water that an event moves (m³).
const MAX_VOLUME: f64 = 1e9;

/// All that is wrong with the scene's values by themselves.
pub(crate) fn problems(scene: &ColumnsScene) -> Problems {
    let mut check = Checker::default();
    check.head(&scene.title, &scene.description, scene.time);
    if scene.time.dt.is_some() {
        check.note("time.dt", "means nothing to columns, whose step is `physics.step`");
    }
    physics(&mut check, scene);
    world(&mut check, scene);
    exchange(&mut check, scene);
    check.events(scene.events.iter().map(Timed::times));
    for (i, one) in scene.events.iter().enumerate() {
        event(&mut check, &format!("event[{i}]"), one, scene);
    }
    check.gauges(scene.gauges.iter().map(|gauge| gauge.name.as_str()));
    for (i, one) in scene.gauges.iter().enumerate() {
        gauge(&mut check, &format!("gauge[{i}]"), one, scene);
    }
    check.output(&scene.output, scene.time);
    let only_flow =
        [("flow_map", scene.output.flow_map.is_some()), ("mesh", scene.output.mesh.is_some())];
    for (key, _) in only_flow.iter().filter(|(_, given)| *given) {
        check.note(format!("output.{key}"), "means nothing to the model columns");
    }
    if let Err(StyleError { key, found, allowed }) = scene.picture.validate() {
        check.note(format!("picture.{key}"), format!("found {found}, allowed is {allowed}"));
    }
    check.problems
}

/// All that does not fit the board.
pub(crate) fn fit(scene: &ColumnsScene, lattice: &Lattice) -> Problems {
    let mut check = Checker::default();
    let mut on = OnGrid { check: &mut check, lattice };
    let keyed = |key: &'static str| move |(i, area)| (format!("{key}[{i}]"), area);
    let areas = (scene.walls.iter().map(ColumnsWall::area).enumerate().map(keyed("wall")))
        .chain(scene.sources.iter().map(ColumnsSource::area).enumerate().map(keyed("source")))
        .chain(scene.drains.iter().map(ColumnsSource::area).enumerate().map(keyed("drain")))
        .chain(scene.heaters.iter().map(ColumnsHeater::area).enumerate().map(keyed("heater")))
        .chain(scene.events.iter().map(ColumnsEvent::area).enumerate().map(keyed("event")));
    for (key, area) in areas {
        on.area(&key, &area);
    }
    for (i, anchor) in scene.anchors.iter().enumerate() {
        on.position(&format!("anchor[{i}].at"), anchor.at);
    }
    for (i, body) in scene.bodies.iter().enumerate() {
        on.position(&format!("body[{i}].at"), body.at);
    }
    for (i, gauge) in scene.gauges.iter().enumerate() {
        if let Some(at) = gauge.at {
            on.position(&format!("gauge[{i}].at"), at);
        }
        on.area(&format!("gauge[{i}]"), &gauge.area());
    }
    let high = lattice.height();
    for (i, event) in scene.events.iter().enumerate() {
        let mut on = OnGrid { check: &mut check, lattice };
        for (name, source) in [("source", &event.source), ("drain", &event.drain)] {
            if let Some(source) = source {
                on.area(&format!("event[{i}].{name}"), &source.area());
            }
        }
        if let Some(heater) = &event.heater {
            on.area(&format!("event[{i}].heater"), &heater.area());
        }
        if let Some(body) = &event.body {
            on.position(&format!("event[{i}].body.at"), body.at);
        }
        if let Some(height) = event.height {
            check.range(
                format!("event[{i}].height"),
                height,
                -high,
                high,
                " m, the board's height",
            );
        }
    }
    check.problems
}

fn physics(check: &mut Checker, scene: &ColumnsScene) {
    if let Err(error) = scene.params().validate() {
        let message = format!("found {}, allowed is {}", error.found, error.allowed);
        check.note(format!("physics.{}", error.what), message);
        return;
    }
    let steps = scene.time.until / scene.physics.step;
    if steps > MAX_STEPS {
        let message = format!("makes {steps:.0} steps of the run, allowed is up to {MAX_STEPS:.0}");
        check.note("physics.step", message);
    }
}

fn world(check: &mut Checker, scene: &ColumnsScene) {
    let table = &scene.world;
    let is_sized = table.nx.is_some() || table.ny.is_some();
    let given = [
        ("map", table.map.is_some()),
        ("file", table.file.is_some()),
        ("blocks", table.blocks.is_some()),
        ("nx and ny", is_sized),
    ];
    let given: Vec<&str> = given.iter().filter(|(_, given)| *given).map(|(key, _)| *key).collect();
    if given.len() != 1 {
        let found = if given.is_empty() { "none".to_owned() } else { given.join(" and ") };
        check.note("world", format!("found {found}, needs one of map, file, blocks, nx and ny"));
    }
    check.range("world.cell", table.cell, 1e-6, 1e6, " m");
    for (key, side) in [("world.nx", table.nx), ("world.ny", table.ny)] {
        match side {
            Some(side) => check.range(key, side as f64, 1.0, MAX_SIDE as f64, " cells"),
            None if is_sized => check.note(key, "is missing, a board of air has both nx and ny"),
            None => {}
        }
    }
    if let Some(map) = &table.map
        && let Err(error) = read_map(map, 1.0)
    {
        check.note("world.map", error.to_string());
    }
    if let Some(blocks) = &table.blocks {
        of_blocks(check, scene, blocks);
    }
    if let Some((nx, ny)) = table.size()
        && nx.saturating_mul(ny) > MAX_CELLS
    {
        check.note("world", format!("found {nx} × {ny} cells, allowed are {MAX_CELLS}"));
    }
    check.entries("wall", scene.walls.len());
    for (i, wall) in scene.walls.iter().enumerate() {
        check.area(&format!("wall[{i}]"), &wall.area());
    }
    check.entries("anchor", scene.anchors.len());
    for (i, anchor) in scene.anchors.iter().enumerate() {
        check.position(format!("anchor[{i}].at"), anchor.at);
    }
}

/// A board whose water blocks have found.
fn of_blocks(check: &mut Checker, scene: &ColumnsScene, blocks: &BlocksWorldTable) {
    world_of_blocks(check, "world.blocks", blocks, &blocks::Params::default());
    for (key, is_given) in
        [("wall", !scene.walls.is_empty()), ("anchor", !scene.anchors.is_empty())]
    {
        if is_given {
            check
                .note(key, "means nothing with world.blocks, which says where walls and water are");
        }
    }
}

fn exchange(check: &mut Checker, scene: &ColumnsScene) {
    for (list, entries) in [("source", &scene.sources), ("drain", &scene.drains)] {
        check.entries(list, entries.len());
        for (i, entry) in entries.iter().enumerate() {
            source(check, &format!("{list}[{i}]"), entry, scene);
        }
    }
    let weather = &scene.weather;
    for (key, rate) in [("rain", &weather.rain), ("evaporation", &weather.evaporation)] {
        let Some(rate) = rate else { continue };
        let key = format!("weather.{key}");
        check.series(&key, rate, 0.0, MAX_RAIN, " mm/h");
        needs_volume(check, scene, &key);
    }
    if let Some(air) = &weather.air {
        check.series("weather.air", air, -100.0, 200.0, " °C");
    }
    check.entries("heater", scene.heaters.len());
    for (i, heater) in scene.heaters.iter().enumerate() {
        self::heater(check, &format!("heater[{i}]"), heater);
    }
    check.entries("body", scene.bodies.len());
    for (i, one) in scene.bodies.iter().enumerate() {
        body(check, &format!("body[{i}]"), one);
    }
    if let Some(wind) = &scene.wind {
        check.series("wind.acceleration", &wind.acceleration, -1.0, 1.0, " m/s²");
        check.range("wind.gusts", wind.gusts, 0.0, 10.0, "");
        check.positive("wind.length", wind.length, 1e6, " m");
        check.range("wind.speed", wind.speed, -1000.0, 1000.0, " m/s");
    }
}

fn source(check: &mut Checker, key: &str, source: &ColumnsSource, scene: &ColumnsScene) {
    check.area(key, &source.area());
    check.series(format!("{key}.rate"), &source.rate, 0.0, MAX_SOURCE, " m³/s");
    needs_volume(check, scene, key);
}

fn heater(check: &mut Checker, key: &str, heater: &ColumnsHeater) {
    check.area(key, &heater.area());
    check.series(format!("{key}.power"), &heater.power, 0.0, MAX_POWER, " W");
}

/// What an event adds.
fn added(check: &mut Checker, key: &str, event: &ColumnsEvent, scene: &ColumnsScene) {
    let ColumnsEvent { source, drain, heater, body, op, .. } = event;
    let given = [
        ("source", source.is_some()),
        ("drain", drain.is_some()),
        ("heater", heater.is_some()),
        ("body", body.is_some()),
    ];
    check.added(key, &given, *op == ColumnsOp::Add, op);
    for (name, one) in [("source", source), ("drain", drain)] {
        if let Some(one) = one {
            self::source(check, &format!("{key}.{name}"), one, scene);
        }
    }
    if let Some(one) = heater {
        self::heater(check, &format!("{key}.heater"), one);
    }
    if let Some(one) = body {
        self::body(check, &format!("{key}.body"), one);
    }
}

fn body(check: &mut Checker, key: &str, body: &ColumnsBody) {
    check.position(format!("{key}.at"), body.at);
    check.either(key, [("size", body.size.is_some()), ("radius", body.radius.is_some())]);
    let sizes = body.size.unwrap_or([1.0; 2]);
    for (i, size) in sizes.into_iter().enumerate() {
        check.positive(format!("{key}.size[{i}]"), size, MAX_BODY, " m");
    }
    if let Some(radius) = body.radius {
        check.positive(format!("{key}.radius"), radius, MAX_BODY, " m");
    }
    check.range(format!("{key}.density"), body.density(), 1.0, 1e5, " kg/m³");
    for (i, speed) in body.velocity.into_iter().enumerate() {
        check.range(format!("{key}.velocity[{i}]"), speed, -100.0, 100.0, " m/s");
    }
    check.range(format!("{key}.drag"), body.drag, 0.0, 100.0, "");
}

/// Springs move no water: what needs some has no place among them.
fn needs_volume(check: &mut Checker, scene: &ColumnsScene, key: &str) {
    if scene.physics.motion == Motion::Springs {
        check.note(key, "means nothing to springs, which move no water; see `physics.motion`");
    }
}

fn event(check: &mut Checker, key: &str, event: &ColumnsEvent, scene: &ColumnsScene) {
    check.times(key, event.times(), scene.time.until);
    added(check, key, event, scene);
    let op = event.op;
    if matches!(op, ColumnsOp::Add | ColumnsOp::Stand | ColumnsOp::Wind) {
        check.no_area(key, &event.area(), op);
    } else {
        check.area(key, &event.area());
    }
    let moves = matches!(op, ColumnsOp::Pour | ColumnsOp::Remove);
    check.only_if(format!("{key}.volume"), event.volume.is_some(), moves, op);
    check.only_if(format!("{key}.height"), event.height.is_some(), op == ColumnsOp::Splash, op);
    check.only_if(format!("{key}.velocity"), event.velocity.is_some(), op == ColumnsOp::Push, op);
    if let Some(volume) = event.volume {
        check.positive(format!("{key}.volume"), volume, MAX_VOLUME, " m³");
        needs_volume(check, scene, key);
    }
    if let Some(height) = event.height {
        check.height(format!("{key}.height"), height);
    }
    check.only_if(format!("{key}.at"), event.at.is_some(), op == ColumnsOp::Stand, op);
    let blows = event.acceleration.is_some();
    check.only_if(format!("{key}.acceleration"), blows, op == ColumnsOp::Wind, op);
    if let Some(at) = event.at {
        check.position(format!("{key}.at"), at);
        needs_volume(check, scene, key);
    }
    if let Some(acceleration) = event.acceleration {
        check.range(format!("{key}.acceleration"), acceleration, -1.0, 1.0, " m/s²");
    }
    if let Some(velocity) = event.velocity {
        check.range(format!("{key}.velocity"), velocity, -100.0, 100.0, " m/s");
    }
}

fn gauge(check: &mut Checker, key: &str, gauge: &ColumnsGauge, scene: &ColumnsScene) {
    let (until, has_heat) = (scene.time.until, scene.has_heat());
    let given = [
        ("at", gauge.at.is_some()),
        ("disc", gauge.disc.is_some()),
        ("rect", gauge.rect.is_some()),
        ("measure", gauge.measure.is_some()),
    ];
    let given: Vec<_> = given.iter().filter(|(_, given)| *given).map(|(key, _)| *key).collect();
    if given.len() != 1 {
        let found = if given.is_empty() { "none".to_owned() } else { given.join(" and ") };
        check.note(key, format!("found {found}, needs one of at, disc, rect, measure"));
    }
    if gauge.measure == Some(ColumnsMeasure::Heat) && !has_heat {
        let message = "needs a world with heat: weather.air, a heater or physics.heat";
        check.note(format!("{key}.measure"), message);
    }
    if let Some(at) = gauge.at {
        check.position(format!("{key}.at"), at);
    }
    if let Some(disc) = &gauge.disc {
        check.disc(key, disc);
    }
    if let Some(rect) = &gauge.rect {
        check.rect(key, rect);
    }
    check.gauge_every(key, gauge.every, until);
}
