//! Checks of scenes of the model `columns`.

use super::{
    Added, ColumnsAction, ColumnsBody, ColumnsGauge, ColumnsHeater, ColumnsMeasure, ColumnsScene,
    ColumnsSource, ColumnsTarget, Extents,
};
use crate::blocks::BlocksWorldTable;
use crate::blocks::check::world as world_of_blocks;
use crate::picture::StyleError;
use crate::scene::Problems;
use crate::scene::check::Checker;
use crate::scene::fit::OnGrid;
use crate::scene::place::{Area, Extent, Position};
use crate::scene::{Alone, MAX_CELLS};
use headwater::columns::{MAX_SIDE, Motion, read_map};
use headwater::{Lattice, blocks};

/// The most steps of a run.
const MAX_STEPS: f64 = 1e9;
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
    check.events(scene.events.iter().map(|event| event.times));
    for (i, one) in scene.events.iter().enumerate() {
        check.times(&format!("event[{i}]"), one.times, scene.time.until);
        action(&mut check, &format!("event[{i}]"), &one.action, scene);
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
    for (i, wall) in scene.walls.iter().enumerate() {
        on.area(&format!("wall[{i}]"), &area(&wall.extent));
    }
    for (list, entries) in [("source", &scene.sources), ("drain", &scene.drains)] {
        for (i, entry) in entries.iter().enumerate() {
            on.area(&format!("{list}[{i}]"), &area(&entry.own));
        }
    }
    for (i, heater) in scene.heaters.iter().enumerate() {
        on.area(&format!("heater[{i}]"), &area(&heater.own));
    }
    for (i, anchor) in scene.anchors.iter().enumerate() {
        on.position(&format!("anchor[{i}].at"), anchor.at);
    }
    for (i, body) in scene.bodies.iter().enumerate() {
        on.position(&format!("body[{i}].at"), body.at);
    }
    for (i, gauge) in scene.gauges.iter().enumerate() {
        let key = format!("gauge[{i}]");
        match gauge.target {
            ColumnsTarget::Point(at) => on.position(&format!("{key}.at"), at),
            ColumnsTarget::Disc(disc) => on.area(&key, &area(&Extent::Disc(disc))),
            ColumnsTarget::Rect(rect) => on.area(&key, &area(&Extent::Rect(rect))),
            ColumnsTarget::Whole(_) => {}
        }
    }
    for (i, event) in scene.events.iter().enumerate() {
        fit_action(&mut on, &format!("event[{i}]"), &event.action);
    }
    check.problems
}

fn area(extent: &Extent) -> Area {
    extent.clone().into()
}

/// Where an event is done, and where it puts what it adds.
fn place(action: &ColumnsAction) -> (&'static str, Result<&Extent, Position>) {
    match action {
        ColumnsAction::Pour(on) | ColumnsAction::Remove(on) => ("", Ok(&on.extent)),
        ColumnsAction::Splash(on) => ("", Ok(&on.extent)),
        ColumnsAction::Push(on) => ("", Ok(&on.extent)),
        ColumnsAction::Dig(on) | ColumnsAction::Build(on) => ("", Ok(&on.extent)),
        ColumnsAction::Stand(Alone(stand)) => (".at", Err(stand.at)),
        ColumnsAction::Wind(_) => ("", Ok(&Extent::Everywhere)),
        ColumnsAction::Add(Alone(Added::Source(source))) => (".source", Ok(&source.own)),
        ColumnsAction::Add(Alone(Added::Drain(drain))) => (".drain", Ok(&drain.own)),
        ColumnsAction::Add(Alone(Added::Heater(heater))) => (".heater", Ok(&heater.own)),
        ColumnsAction::Add(Alone(Added::Body(body))) => (".body.at", Err(body.at)),
    }
}

fn fit_action(on: &mut OnGrid, key: &str, action: &ColumnsAction) {
    match place(action) {
        (part, Ok(extent)) => on.area(&format!("{key}{part}"), &area(extent)),
        (part, Err(at)) => on.position(&format!("{key}{part}"), at),
    }
    if let ColumnsAction::Splash(splash) = action {
        let high = on.lattice.height();
        let (key, height) = (format!("{key}.height"), splash.what.height);
        on.check.range(key, height, -high, high, " m, the board's height");
    }
}

fn physics(check: &mut Checker, scene: &ColumnsScene) {
    let problems = check.problems.len();
    scene.physics.keys.check(check, "physics");
    if let Some(heat) = &scene.physics.heat {
        heat.check(check, "physics.heat");
    }
    let steps = scene.time.until / scene.physics.keys.step;
    if check.problems.len() == problems && steps > MAX_STEPS {
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
        check.area(&format!("wall[{i}]"), &area(&wall.extent));
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
    scene.weather.check(check, "weather");
    for key in ["rain", "evaporation"].into_iter().filter(|key| scene.weather.given(key)) {
        needs_volume(check, scene, &format!("weather.{key}"));
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
        wind.check(check, "wind");
    }
}

fn source(check: &mut Checker, key: &str, source: &ColumnsSource, scene: &ColumnsScene) {
    check.area(key, &area(&source.own));
    source.keys.need(check, key, &["rate"]);
    source.keys.check(check, key);
    needs_volume(check, scene, key);
}

fn heater(check: &mut Checker, key: &str, heater: &ColumnsHeater) {
    check.area(key, &area(&heater.own));
    heater.keys.need(check, key, &["power"]);
    heater.keys.check(check, key);
}

fn body(check: &mut Checker, key: &str, body: &ColumnsBody) {
    check.position(format!("{key}.at"), body.at);
    match body.extents {
        Extents::Size(size) => {
            for (i, size) in size.into_iter().enumerate() {
                check.positive(format!("{key}.size[{i}]"), size, MAX_BODY, " m");
            }
        }
        Extents::Radius(radius) => {
            check.positive(format!("{key}.radius"), radius, MAX_BODY, " m");
        }
    }
    check.range(format!("{key}.density"), body.density, 1.0, 1e5, " kg/m³");
    for (i, speed) in body.velocity.into_iter().enumerate() {
        check.range(format!("{key}.velocity[{i}]"), speed, -100.0, 100.0, " m/s");
    }
    check.range(format!("{key}.drag"), body.drag, 0.0, 100.0, "");
}

/// Springs move no water: what needs some has no place among them.
fn needs_volume(check: &mut Checker, scene: &ColumnsScene, key: &str) {
    if scene.physics.keys.motion == Motion::Springs {
        check.note(key, "means nothing to springs, which move no water; see `physics.motion`");
    }
}

fn action(check: &mut Checker, key: &str, action: &ColumnsAction, scene: &ColumnsScene) {
    match place(action) {
        ("", Ok(extent)) => check.area(key, &area(extent)),
        (part, Err(at)) => check.position(format!("{key}{part}"), at),
        _ => {}
    }
    match action {
        ColumnsAction::Pour(on) | ColumnsAction::Remove(on) => {
            check.positive(format!("{key}.volume"), on.what.volume, MAX_VOLUME, " m³");
            needs_volume(check, scene, key);
        }
        ColumnsAction::Splash(on) => check.height(format!("{key}.height"), on.what.height),
        ColumnsAction::Push(on) => {
            check.range(format!("{key}.velocity"), on.what.velocity, -100.0, 100.0, " m/s");
        }
        ColumnsAction::Stand(_) => needs_volume(check, scene, &format!("{key}.at")),
        ColumnsAction::Wind(Alone(blow)) => {
            check.range(format!("{key}.acceleration"), blow.acceleration, -1.0, 1.0, " m/s²");
        }
        ColumnsAction::Dig(_) | ColumnsAction::Build(_) => {}
        ColumnsAction::Add(Alone(Added::Source(one))) => {
            source(check, &format!("{key}.source"), one, scene);
        }
        ColumnsAction::Add(Alone(Added::Drain(one))) => {
            source(check, &format!("{key}.drain"), one, scene);
        }
        ColumnsAction::Add(Alone(Added::Heater(one))) => {
            heater(check, &format!("{key}.heater"), one);
        }
        ColumnsAction::Add(Alone(Added::Body(one))) => body(check, &format!("{key}.body"), one),
    }
}

fn gauge(check: &mut Checker, key: &str, gauge: &ColumnsGauge, scene: &ColumnsScene) {
    match gauge.target {
        ColumnsTarget::Point(at) => check.position(format!("{key}.at"), at),
        ColumnsTarget::Disc(disc) => check.disc(key, &disc),
        ColumnsTarget::Rect(rect) => check.rect(key, &rect),
        ColumnsTarget::Whole(ColumnsMeasure::Heat) if !scene.has_heat() => {
            let message = "needs a world with heat: weather.air, a heater or physics.heat";
            check.note(format!("{key}.measure"), message);
        }
        ColumnsTarget::Whole(_) => {}
    }
    check.gauge_every(key, gauge.every, scene.time.until);
}
