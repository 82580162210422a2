//! Checks of scenes of the model `blocks`.

use super::{
    BlocksDrain, BlocksEvent, BlocksGauge, BlocksOp, BlocksScene, BlocksSource, BlocksWorldTable,
};
use crate::picture::StyleError;
use crate::scene::MAX_CELLS;
use crate::scene::check::Checker;
use crate::scene::fit::OnGrid;
use crate::scene::setting::Timed;
use headwater::Lattice;
use headwater::blocks::{Blocks, Liquid, MAX_SIDE, Params, Rule};

/// The unit of lengths in these scenes.
const CELLS: &str = " cells";
/// The most ticks of a run.
const MAX_TICKS: f64 = 1e9;

/// All that is wrong with the scene's values by themselves, as `(key, message)`.
pub(crate) fn problems(scene: &BlocksScene) -> Vec<(String, String)> {
    let mut check = Checker::with_lengths(CELLS);
    check.head(&scene.title, &scene.description, scene.time);
    if scene.time.dt.is_some() {
        let message = "means nothing to blocks, whose ticks are `physics.tick` long";
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
    let sources = scene.sources.iter().map(BlocksSource::area);
    let drains = scene.drains.iter().map(BlocksDrain::area);
    let events = scene.events.iter().map(BlocksEvent::area);
    let keyed = |key: &'static str| move |(i, area)| (format!("{key}[{i}]"), area);
    let areas = (sources.enumerate().map(keyed("source")))
        .chain(drains.enumerate().map(keyed("drain")))
        .chain(events.enumerate().map(keyed("event")));
    for (key, area) in areas {
        on.area(&key, &area);
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
    // A spring between the middles of cells touches the world, but no cell of it.
    for (key, areas) in [
        ("source", scene.sources.iter().map(BlocksSource::area).collect::<Vec<_>>()),
        ("drain", scene.drains.iter().map(BlocksDrain::area).collect()),
    ] {
        for (i, area) in areas.iter().enumerate() {
            if area.region(lattice).cells(*lattice).is_empty() {
                check.note(format!("{key}[{i}]"), "holds the middle of no cell");
            }
        }
    }
    check.problems
}

fn physics(check: &mut Checker, scene: &BlocksScene) {
    if let Err(error) = scene.physics.validate() {
        let message = format!("found {}, allowed is {}", error.found, error.allowed);
        check.note(format!("physics.{}", error.what), message);
        return;
    }
    let ticks = scene.time.until / scene.physics.tick;
    if ticks > MAX_TICKS {
        let message = format!("makes {ticks:.0} ticks of the run, allowed is up to {MAX_TICKS:.0}");
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
            check.note(format!("{key}.caves.{}", error.key), message);
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

/// What the rule of whole blocks does not know.
fn whole(check: &mut Checker, scene: &BlocksScene, key: &str, liquid: Liquid, amount: (&str, u32)) {
    if scene.physics.rule != Rule::WholeBlocks {
        return;
    }
    if liquid != Liquid::Water {
        let message =
            format!("found \"{}\", the rule of whole blocks knows water only", liquid.name());
        check.note(format!("{key}.liquid"), message);
    }
    if amount.1 != 256 {
        let message = format!("found {}, the rule of whole blocks knows 256 only", amount.1);
        check.note(format!("{key}.{}", amount.0), message);
    }
}

/// So many 256ths of a cell.
fn amount(check: &mut Checker, key: String, found: u32) {
    check.range(key, found.into(), 1.0, 256.0, " (256ths of a cell)");
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

fn source(check: &mut Checker, scene: &BlocksScene, key: &str, source: &BlocksSource) {
    check.area(key, &source.area());
    amount(check, format!("{key}.rate"), source.rate);
    whole(check, scene, key, source.liquid, ("rate", source.rate));
}

fn drain(check: &mut Checker, scene: &BlocksScene, key: &str, drain: &BlocksDrain) {
    check.area(key, &drain.area());
    amount(check, format!("{key}.rate"), drain.rate);
    whole(check, scene, key, Liquid::Water, ("rate", drain.rate));
}

fn events(check: &mut Checker, scene: &BlocksScene) {
    check.events(scene.events.iter().map(Timed::times));
    for (i, event) in scene.events.iter().enumerate() {
        let key = format!("event[{i}]");
        check.times(&key, event.times(), scene.time.until);
        let op = event.op;
        let given = [("source", event.source.is_some()), ("drain", event.drain.is_some())];
        check.added(&key, &given, op == BlocksOp::Add, op);
        if op == BlocksOp::Add {
            check.no_area(&key, &event.area(), op);
        } else {
            check.area(&key, &event.area());
        }
        if let Some(source) = &event.source {
            self::source(check, scene, &format!("{key}.source"), source);
        }
        if let Some(drain) = &event.drain {
            self::drain(check, scene, &format!("{key}.drain"), drain);
        }
        let moves = matches!(op, BlocksOp::Pour | BlocksOp::Remove);
        if event.liquid.is_some() && op != BlocksOp::Pour {
            check.only_if(format!("{key}.liquid"), true, false, op);
        }
        if event.amount.is_some() && !moves {
            check.only_if(format!("{key}.amount"), true, false, op);
        }
        if moves {
            amount(check, format!("{key}.amount"), event.amount());
            whole(check, scene, &key, event.liquid(), ("amount", event.amount()));
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
