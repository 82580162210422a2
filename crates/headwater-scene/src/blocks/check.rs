//! Checks of scenes of the model `blocks`.

use super::{
    Added, BlocksAction, BlocksDrain, BlocksGauge, BlocksScene, BlocksSource, BlocksWorldTable,
};
use crate::picture::StyleError;
use crate::scene::check::Checker;
use crate::scene::fit::OnGrid;
use crate::scene::{Alone, Extent, MAX_CELLS, On};
use headwater::Lattice;
use headwater::blocks::{AMOUNT, Blocks, FULL, Liquid, MAX_SIDE, Params, Rule};

/// The unit of lengths in these scenes.
const CELLS: &str = " cells";
/// The most steps of a run.
const MAX_STEPS: f64 = 1e9;

/// All that is wrong with the scene's values by themselves, as `(key, message)`.
pub(crate) fn problems(scene: &BlocksScene) -> Vec<(String, String)> {
    let mut check = Checker::with_lengths(CELLS);
    check.head(&scene.title, &scene.description, scene.time);
    if scene.time.dt.is_some() {
        let message = "means nothing to blocks, whose steps are `physics.tick` long";
        check.note("time.dt", message);
    }
    physics(&mut check, scene);
    world(&mut check, "world", &scene.world, &scene.physics);
    exchange(&mut check, scene);
    events(&mut check, scene);
    check.gauges(scene.gauges.iter().map(|gauge| gauge.name.as_str()));
    for (i, one) in scene.gauges.iter().enumerate() {
        gauge(&mut check, &format!("gauge[{i}]"), one, scene.time.until);
    }
    output(&mut check, scene);
    check.problems
}

/// All that does not fit the world's size.
pub(crate) fn fit(scene: &BlocksScene, lattice: &Lattice) -> Vec<(String, String)> {
    let mut check = Checker::with_lengths(CELLS);
    let mut on = OnGrid { check: &mut check, lattice };
    // A spring between the middles of cells touches the world, but no cell of it.
    let sources = scene.sources.iter().map(|source| &source.extent);
    let drains = scene.drains.iter().map(|drain| &drain.extent);
    let mut extents: Vec<(String, &Extent, bool)> = Vec::new();
    extents.extend(sources.enumerate().map(|(i, extent)| (format!("source[{i}]"), extent, true)));
    extents.extend(drains.enumerate().map(|(i, extent)| (format!("drain[{i}]"), extent, true)));
    for (i, event) in scene.events.iter().enumerate() {
        let key = format!("event[{i}]");
        extents.extend(match &event.action {
            BlocksAction::Add(Alone(Added::Source(on))) => {
                Some((format!("{key}.source"), &on.extent, true))
            }
            BlocksAction::Add(Alone(Added::Drain(on))) => {
                Some((format!("{key}.drain"), &on.extent, true))
            }
            action => action.edit().map(|(_, extent)| (key, extent, false)),
        });
    }
    for (key, extent, _) in &extents {
        on.area(key, &(*extent).clone().into());
    }
    for (i, gauge) in scene.gauges.iter().enumerate() {
        if let Some(at) = gauge.at {
            on.position(&format!("gauge[{i}].at"), at);
        }
        on.area(&format!("gauge[{i}]"), &gauge.area());
    }
    if !check.problems.is_empty() {
        return check.problems;
    }
    for (key, extent, _) in extents.iter().filter(|(_, _, needs_cells)| *needs_cells) {
        if extent.region(lattice).cells(*lattice).is_empty() {
            check.note(key, "holds the middle of no cell");
        }
    }
    check.problems
}

fn physics(check: &mut Checker, scene: &BlocksScene) {
    scene.physics.check(check, "physics");
    let steps = scene.time.until / scene.physics.tick;
    if scene.physics.validate().is_ok() && steps > MAX_STEPS {
        let message = format!("makes {steps:.0} steps of the run, allowed is up to {MAX_STEPS:.0}");
        check.note("physics.tick", message);
    }
}

/// The cells that the table at `key` makes.
pub(crate) fn world(check: &mut Checker, key: &str, table: &BlocksWorldTable, params: &Params) {
    let BlocksWorldTable { map, file, caves, nx, ny } = table;
    let given = [("map", map.is_some()), ("file", file.is_some()), ("caves", caves.is_some())];
    let given: Vec<&str> = given.iter().filter(|(_, given)| *given).map(|(key, _)| *key).collect();
    if given.len() != 1 {
        let found = if given.is_empty() { "none".to_owned() } else { given.join(" and ") };
        check.note(key, format!("found {found}, needs one of map, file, caves"));
    }
    for (name, side) in [("nx", nx), ("ny", ny)] {
        let Some(side) = *side else { continue };
        let key = format!("{key}.{name}");
        if caves.is_none() {
            check.note(&key, "means nothing without `caves`: a map or a file says its size itself");
        }
        check.range(&key, side as f64, 1.0, MAX_SIDE as f64, CELLS);
    }
    if let Some(caves) = caves {
        if let Err(error) = caves.validate() {
            let message = format!("found {}, allowed is {}", error.found, error.allowed);
            check.note(format!("{key}.caves.{}", error.what), message);
        }
        let size = table.size();
        if size.is_some_and(|(nx, ny)| nx.saturating_mul(ny) > MAX_CELLS) {
            let found = size.unwrap_or_default();
            let message = format!("found {} × {} cells, allowed are {MAX_CELLS}", found.0, found.1);
            check.note(key, message);
        }
    }
    if let Some(map) = map
        && params.validate().is_ok()
        && let Err(error) = Blocks::from_text(map, params.clone())
    {
        check.note(format!("{key}.map"), error.to_string());
    }
}

/// An amount of a liquid, which stands at `name` in the table at `key`.
fn amount(check: &mut Checker, scene: &BlocksScene, key: &str, (name, found): (&str, u16)) {
    if !AMOUNT.contains(found.into()) {
        let message = format!("found {found}, allowed is {}", AMOUNT.text("256ths"));
        check.note(format!("{key}.{name}"), message);
    } else if scene.physics.rule == Rule::WholeBlocks && found != FULL {
        let message = format!("found {found}, the rule of whole blocks knows {FULL} only");
        check.note(format!("{key}.{name}"), message);
    }
}

/// The liquid of the table at `key`.
fn liquid(check: &mut Checker, scene: &BlocksScene, key: &str, liquid: Liquid) {
    if scene.physics.rule == Rule::WholeBlocks && liquid != Liquid::Water {
        let message =
            format!("found \"{}\", the rule of whole blocks knows water only", liquid.name());
        check.note(format!("{key}.liquid"), message);
    }
}

fn exchange(check: &mut Checker, scene: &BlocksScene) {
    check.entries("source", scene.sources.len());
    for (i, source) in scene.sources.iter().enumerate() {
        self::source(check, scene, &format!("source[{i}]"), source);
    }
    check.entries("drain", scene.drains.len());
    for (i, drain) in scene.drains.iter().enumerate() {
        self::drain(check, scene, &format!("drain[{i}]"), drain);
    }
}

fn source(check: &mut Checker, scene: &BlocksScene, key: &str, source: &On<BlocksSource>) {
    check.area(key, &source.extent.clone().into());
    amount(check, scene, key, ("rate", source.what.rate));
    liquid(check, scene, key, source.what.liquid);
}

fn drain(check: &mut Checker, scene: &BlocksScene, key: &str, drain: &On<BlocksDrain>) {
    check.area(key, &drain.extent.clone().into());
    amount(check, scene, key, ("rate", drain.what.rate));
}

fn events(check: &mut Checker, scene: &BlocksScene) {
    check.events(scene.events.iter().map(|event| event.times));
    for (i, event) in scene.events.iter().enumerate() {
        let key = format!("event[{i}]");
        check.times(&key, event.times, scene.time.until);
        if let Some((_, extent)) = event.action.edit() {
            check.area(&key, &extent.clone().into());
        }
        match &event.action {
            BlocksAction::Dig(_) | BlocksAction::Build(_) => {}
            BlocksAction::Pour(on) => {
                amount(check, scene, &key, ("amount", on.what.amount));
                liquid(check, scene, &key, on.what.liquid);
            }
            BlocksAction::Remove(on) => amount(check, scene, &key, ("amount", on.what.amount)),
            BlocksAction::Add(Alone(Added::Source(source))) => {
                self::source(check, scene, &format!("{key}.source"), source);
            }
            BlocksAction::Add(Alone(Added::Drain(drain))) => {
                self::drain(check, scene, &format!("{key}.drain"), drain);
            }
        }
    }
}

fn gauge(check: &mut Checker, key: &str, gauge: &BlocksGauge, until: f64) {
    let given = [
        ("at", gauge.at.is_some()),
        ("disc", gauge.disc.is_some()),
        ("rect", gauge.rect.is_some()),
    ];
    let given: Vec<_> = given.iter().filter(|(_, given)| *given).map(|(key, _)| *key).collect();
    if given.len() != 1 {
        let found = if given.is_empty() { "none".to_owned() } else { given.join(" and ") };
        check.note(key, format!("found {found}, needs one of at, disc, rect"));
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

fn output(check: &mut Checker, scene: &BlocksScene) {
    check.output(&scene.output, scene.time);
    let only_flow =
        [("flow_map", scene.output.flow_map.is_some()), ("mesh", scene.output.mesh.is_some())];
    for (key, _) in only_flow.iter().filter(|(_, given)| *given) {
        check.note(format!("output.{key}"), "means nothing to the model blocks");
    }
    if let Err(StyleError { key, found, allowed }) = scene.picture.validate() {
        check.note(format!("picture.{key}"), format!("found {found}, allowed is {allowed}"));
    }
}
