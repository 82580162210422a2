//! Checks of a scene of hydrology: values by themselves, and where things stand on the grid.

use super::{HydrologyAction, HydrologyScene, Panel, River};
use crate::flow::check::ground::ground as check_ground;
use crate::flow::{Cell, LatticeKind};
use crate::picture::StyleError;
use crate::scene::check::{Checker, MAX_ENTRIES, MAX_LENGTH, number};
use crate::scene::clock::Clock;
use crate::scene::fit::OnGrid;
use crate::scene::keys::{message, out_of_range};
use crate::scene::{Alone, Event, Problems};
use headwater::hydrology::{Change, HIGHEST, Params};
use headwater::{InputError, Lattice};

/// The most winds, and the most ways.
const MOST_WINDS: usize = 16;
const MOST_WAYS: usize = 6;
/// The most batches of drops that a run may be long, at eight to a drop per cell.
const MOST_BATCHES: f64 = 1e7;

/// All problems of a scene's values by themselves, as `(key, message)`.
pub(crate) fn problems(scene: &HydrologyScene) -> Vec<(String, String)> {
    let mut check = Checker::with_clock(&Clock::RAIN);
    check.head(&scene.title, &scene.description, scene.time);
    if scene.time.dt.is_some() {
        check.note("time.dt", "means nothing to hydrology, whose steps are batches of drops");
    }
    let batches = 8.0 * scene.time.until;
    if batches > MOST_BATCHES {
        let (until, most) = (number(scene.time.until), number(MOST_BATCHES / 8.0));
        let message = format!("found {until}, allowed is above 0 up to {most} drops per cell");
        check.note("time.until", message);
    }
    check_ground(&mut check, &scene.grid, &scene.terrain);
    if scene.grid.lattice == LatticeKind::Hex {
        check.note("grid.lattice", "found \"hex\", hydrology needs squares");
    }
    if let Some(Cell::Sides([east, south])) = scene.grid.cell
        && east != south
    {
        let (east, south) = (number(east), number(south));
        let message = format!("found {east} × {south} m, hydrology needs cells as wide as high");
        check.note("grid.cell", message);
    }
    let named = params(&mut check, "hydrology", &scene.hydrology);
    ways(&mut check, scene, named);
    rain(&mut check, scene);
    check.events(scene.events.iter().map(|event| event.times));
    for (i, one) in scene.events.iter().enumerate().take(MAX_ENTRIES) {
        event(&mut check, &format!("event[{i}]"), one, scene);
    }
    gauges(&mut check, scene);
    check.output(&scene.output, scene.time);
    if scene.output.flow_map.is_some() {
        check.note("output.flow_map", "means nothing to hydrology, whose water has no velocity");
    }
    let shown = scene.panels.show.len();
    if !(1..=3).contains(&shown) {
        check.note("panels.show", format!("found {shown} panels, allowed is 1 to 3"));
    }
    for (i, panel) in scene.panels.show.iter().enumerate() {
        if scene.panels.show[..i].contains(panel) {
            check.note(format!("panels.show[{i}]"), "stands there twice");
        }
    }
    if scene.panels.show == [Panel::Before] {
        check.note("panels.show", "found only \"before\", which never changes");
    }
    if let Err(StyleError { key, found, allowed }) = scene.picture.validate() {
        check.note(format!("picture.{key}"), format!("found {found}, allowed is {allowed}"));
    }
    check.problems
}

/// Notes all that is wrong with the parameters in the table at `key`; false if there is something.
pub(crate) fn params(check: &mut Checker, key: &str, params: &Params) -> bool {
    let mut found = out_of_range(params, key);
    found.extend(params.strata.iter().flat_map(|one| out_of_range(one, &format!("{key}.strata"))));
    let plants = params.plants.iter().enumerate();
    found.extend(plants.flat_map(|(i, one)| out_of_range(one, &format!("{key}.plants[{i}]"))));
    note(check, key, found, params.validate())
}

/// Notes the problems of single values in the table at `key`, or if there are none, what else is wrong; false if there is something.
fn note(check: &mut Checker, key: &str, found: Problems, all: Result<(), InputError>) -> bool {
    let mut found = found;
    if let (true, Err(error)) = (found.is_empty(), all) {
        found.push((format!("{key}.{}", error.what), message(&error)));
    }
    let sound = found.is_empty();
    found.into_iter().for_each(|(key, message)| check.note(key, message));
    sound
}

fn ways(check: &mut Checker, scene: &HydrologyScene, named: bool) {
    if scene.ways.len() > MOST_WAYS {
        check.note("way", format!("found {} ways, allowed is up to {MOST_WAYS}", scene.ways.len()));
    }
    for (i, way) in scene.ways.iter().enumerate() {
        let key = format!("way[{i}].name");
        let length = way.name.chars().count();
        if !(1..=60).contains(&length) || way.name.chars().any(char::is_control) {
            let message = "needs one line of at most 60 characters";
            check.note(&key, format!("found {length} characters, {message}"));
        }
        if scene.ways[..i].iter().any(|other| other.name == way.name) {
            let message = format!("found \"{}\" again, every way needs its own name", way.name);
            check.note(key, message);
        }
    }
    if !named {
        return;
    }
    for (i, (_, set)) in scene.ways().iter().enumerate().take(scene.ways.len()) {
        params(check, &format!("way[{i}].set"), set);
    }
}

/// Rain, and rivers from outside.
fn rain(check: &mut Checker, scene: &HydrologyScene) {
    let rain = &scene.rain;
    if rain.map.is_some() && !rain.winds.is_empty() {
        check.note("rain.wind", "found both map and wind, needs only one of them");
    }
    if rain.winds.len() > MOST_WINDS {
        let message = format!("found {} winds, allowed is up to {MOST_WINDS}", rain.winds.len());
        check.note("rain.wind", message);
    }
    for (i, wind) in rain.winds.iter().enumerate().take(MOST_WINDS) {
        let key = format!("rain.wind[{i}]");
        note(check, &key, out_of_range(wind, &key), wind.validate());
    }
    if let Some(every) = rain.every {
        check.range("rain.every", every, 0.01, 1e6, Clock::RAIN.unit);
        if rain.winds.is_empty() {
            check.note("rain.every", "means nothing without rain.wind");
        }
    }
    check.entries("inflow", scene.inflows.len());
    for (i, inflow) in scene.inflows.iter().enumerate().take(MAX_ENTRIES) {
        river(check, &format!("inflow[{i}]"), *inflow);
    }
}

fn river(check: &mut Checker, key: &str, river: River) {
    check.position(format!("{key}.at"), river.at);
    check.positive(format!("{key}.catchment"), river.catchment, 1e20, " m²");
}

fn event(check: &mut Checker, key: &str, event: &Event<HydrologyAction>, scene: &HydrologyScene) {
    check.times(key, event.times, scene.time.until);
    if let Some((extent, _)) = event.action.place() {
        check.area(key, &extent.clone().into());
    }
    let amount = |check: &mut Checker, amount| {
        check.positive(format!("{key}.amount"), amount, HIGHEST, " m");
    };
    let level = |check: &mut Checker, level| {
        check.range(format!("{key}.level"), level, -HIGHEST, HIGHEST, " m");
    };
    match &event.action {
        HydrologyAction::Raise(on) | HydrologyAction::Lower(on) => match on.what.change {
            Change::By(height) => amount(check, height),
            Change::To(height) => level(check, height),
        },
        HydrologyAction::Heap(on) => amount(check, on.what.amount),
        HydrologyAction::Flatten(on) => level(check, on.what.level),
        HydrologyAction::Smooth(on) => {
            if let Some(reach) = on.what.reach {
                check.positive(format!("{key}.reach"), reach, MAX_LENGTH, " m");
            }
        }
        HydrologyAction::Plant(on) => {
            let names: Vec<&str> = scene.hydrology.plants.iter().map(|n| n.name.as_str()).collect();
            if !names.contains(&on.what.kind.as_str()) {
                let (kind, names) = (&on.what.kind, names.join(", "));
                let message = format!("found \"{kind}\", the kinds of plants are: {names}");
                check.note(format!("{key}.kind"), message);
            }
        }
        HydrologyAction::Clear(_) => {}
        HydrologyAction::Pour(Alone(pour)) => {
            check.position(format!("{key}.at"), pour.at);
            check.positive(format!("{key}.volume"), pour.volume, 1e12, " m³");
        }
        HydrologyAction::Sea(Alone(sea)) => level(check, sea.level),
        HydrologyAction::Add(Alone(added)) => {
            river(check, &format!("{key}.inflow"), added.inflow);
        }
    }
}

fn gauges(check: &mut Checker, scene: &HydrologyScene) {
    check.gauges(scene.gauges.iter().map(|gauge| gauge.name.as_str()));
    for (i, gauge) in scene.gauges.iter().enumerate().take(MAX_ENTRIES) {
        let key = format!("gauge[{i}]");
        check.either(&key, [("at", gauge.at.is_some()), ("measure", gauge.measure.is_some())]);
        if let Some(at) = gauge.at {
            check.position(format!("{key}.at"), at);
        }
        if let Some(way) = &gauge.way
            && !scene.ways.iter().any(|known| known.name == *way)
        {
            let names: Vec<&str> = scene.ways.iter().map(|way| way.name.as_str()).collect();
            let known = if names.is_empty() { "none".into() } else { names.join(", ") };
            check.note(format!("{key}.way"), format!("found \"{way}\", the ways are: {known}"));
        }
        check.gauge_every(&key, gauge.every, scene.time.until);
    }
}

/// All that does not fit the lattice, as `(key, message)`.
pub(crate) fn fit(scene: &HydrologyScene, lattice: &Lattice) -> Vec<(String, String)> {
    let mut check = Checker::with_clock(&Clock::RAIN);
    let mut on = OnGrid { check: &mut check, lattice };
    for (i, shape) in scene.terrain.shapes.iter().enumerate() {
        on.area(&format!("terrain.shape[{i}]"), &shape.area());
    }
    for (i, inflow) in scene.inflows.iter().enumerate() {
        on.position(&format!("inflow[{i}].at"), inflow.at);
    }
    for (i, event) in scene.events.iter().enumerate() {
        if let Some((extent, _)) = event.action.place() {
            on.area(&format!("event[{i}]"), &extent.clone().into());
        }
        match &event.action {
            HydrologyAction::Pour(Alone(pour)) => {
                on.position(&format!("event[{i}].at"), pour.at);
            }
            HydrologyAction::Add(Alone(added)) => {
                on.position(&format!("event[{i}].inflow.at"), added.inflow.at);
            }
            _ => {}
        }
    }
    for (i, gauge) in scene.gauges.iter().enumerate() {
        if let Some(at) = gauge.at {
            on.position(&format!("gauge[{i}].at"), at);
        }
    }
    if lattice.nx() < 3 || lattice.ny() < 3 {
        let (nx, ny) = (lattice.nx(), lattice.ny());
        check.note("grid", format!("found {nx} × {ny} cells, hydrology needs 3 × 3 or more"));
    }
    check.problems
}
