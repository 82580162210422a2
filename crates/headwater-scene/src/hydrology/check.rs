//! Checks of hydrology scenes: value ranges, and positions on the grid.

use super::{HydrologyAction, HydrologyScene, Panel, River};
use crate::flow::check::ground::ground as check_ground;
use crate::scene::check::{Checker, MAX_ENTRIES, MAX_LENGTH, message, number};
use crate::scene::clock::Clock;
use crate::scene::keys::out_of_range;
use crate::scene::{MAX_CELLS, Places, Problems, Rules, Tables, WithoutArea};
use crate::terrain::{Cell, LatticeKind};
use headwater::hydrology::{Change, MAX_HEIGHT, Params};
use headwater::{InputError, Lattice};

/// Maximum number of winds in a scene.
const MAX_WINDS: usize = 16;
const MAX_WAYS: usize = 6;
/// Maximum duration of a run (batches of drops, with eight batches per drop per cell).
const MAX_BATCHES: f64 = 1e7;

impl Rules for HydrologyScene {
    fn places(&self, places: &mut Places) {
        for (i, shape) in self.terrain.shapes.iter().enumerate() {
            places.area(format!("terrain.shape[{i}]"), shape.area());
        }
        for (i, inflow) in self.inflows.iter().enumerate() {
            places.at(format!("inflow[{i}].at"), inflow.at);
        }
        for (i, zone) in self.uplift.zones.iter().enumerate() {
            places.extent(format!("uplift.zone[{i}]"), &zone.extent);
        }
        for (key, action) in self.common().actions() {
            match action {
                HydrologyAction::Pour(WithoutArea(pour)) => places.at(format!("{key}.at"), pour.at),
                HydrologyAction::Add(WithoutArea(added)) => {
                    places.at(format!("{key}.inflow.at"), added.inflow.at);
                }
                action => {
                    if let Some((extent, _)) = action.place() {
                        places.extent(key, extent);
                    }
                }
            }
        }
        for (key, gauge) in self.common().all_gauges() {
            places.gauge(&key, gauge.at, None, None);
        }
    }

    fn check_style(&self) -> Result<(), InputError> {
        self.picture.validate()
    }

    fn check_values(&self, check: &mut Checker) {
        let batches = 8.0 * self.time.until;
        if batches > MAX_BATCHES {
            let (until, most) = (number(self.time.until), number(MAX_BATCHES / 8.0));
            let message = format!("found {until}, allowed is above 0 up to {most} drops per cell");
            check.note("time.until", message);
        }
        check_ground(check, &self.grid, &self.terrain, MAX_CELLS);
        if self.terrain.subgrid.is_some() {
            check.note("terrain.subgrid", "only worlds of flow have one");
        }
        if self.grid.lattice == LatticeKind::Hex {
            check.note("grid.lattice", "found \"hex\", hydrology needs square cells");
        }
        if let Some(Cell::Sides([east, south])) = self.grid.cell
            && east != south
        {
            let (east, south) = (number(east), number(south));
            let message =
                format!("found {east} × {south} m, hydrology needs cells as wide as high");
            check.note("grid.cell", message);
        }
        let is_valid = params(check, "hydrology", &self.hydrology);
        ways(check, self, is_valid);
        rain(check, self);
        uplift(check, self);
        for (key, action) in self.common().actions() {
            event(check, &key, action, self);
        }
        gauges(check, self);
        let shown = &self.panels.show;
        if !(1..=3).contains(&shown.len()) {
            let message = format!("found {} panels, allowed is 1 to 3", shown.len());
            check.note("panels.show", message);
        }
        for (i, panel) in shown.iter().enumerate() {
            if shown[..i].contains(panel) {
                check.note(format!("panels.show[{i}]"), "is listed twice");
            }
        }
        if *shown == [Panel::Before] {
            check.note("panels.show", "found only \"before\", which never changes");
        }
    }

    fn check_fit(&self, check: &mut Checker, lattice: &Lattice) {
        let (nx, ny) = (lattice.nx(), lattice.ny());
        if nx < 3 || ny < 3 {
            check.note("grid", format!("found {nx} × {ny} cells, hydrology needs 3 × 3 or more"));
        }
    }
}

/// Checks parameters of the hydrology model and records all problems in `check`. `key` is the path
/// of their table in the scene. Returns true if there are no problems.
pub(crate) fn params(check: &mut Checker, key: &str, params: &Params) -> bool {
    let mut found = out_of_range(params, key);
    found.extend(out_of_range(&params.stream_power, &format!("{key}.stream_power")));
    found.extend(params.strata.iter().flat_map(|one| out_of_range(one, &format!("{key}.strata"))));
    let plants = params.plants.iter().enumerate();
    found.extend(plants.flat_map(|(i, one)| out_of_range(one, &format!("{key}.plants[{i}]"))));
    note_problems(check, key, found, params.validate())
}

/// Records the range errors in `found`. If there are none, records the error in `all`, which
/// concerns the table at the path `key` as a whole. Returns true if there are no errors.
fn note_problems(
    check: &mut Checker,
    key: &str,
    found: Problems,
    all: Result<(), InputError>,
) -> bool {
    let mut found = found;
    if let (true, Err(error)) = (found.is_empty(), all) {
        found.push((format!("{key}.{}", error.what), message(&error)));
    }
    let is_valid = found.is_empty();
    found.into_iter().for_each(|(key, message)| check.note(key, message));
    is_valid
}

fn ways(check: &mut Checker, scene: &HydrologyScene, is_valid: bool) {
    if scene.ways.len() > MAX_WAYS {
        check.note("way", format!("found {} ways, allowed is up to {MAX_WAYS}", scene.ways.len()));
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
    if !is_valid {
        return;
    }
    for (i, (_, set)) in scene.ways().iter().enumerate().take(scene.ways.len()) {
        params(check, &format!("way[{i}].set"), set);
    }
}

/// Checks the tables `[rain]` and `[[inflow]]`.
fn rain(check: &mut Checker, scene: &HydrologyScene) {
    let rain = &scene.rain;
    if rain.map.is_some() && !rain.winds.is_empty() {
        check.note("rain.wind", "found both map and wind, needs only one of them");
    }
    if rain.winds.len() > MAX_WINDS {
        let message = format!("found {} winds, allowed is up to {MAX_WINDS}", rain.winds.len());
        check.note("rain.wind", message);
    }
    for (i, wind) in rain.winds.iter().enumerate().take(MAX_WINDS) {
        let key = format!("rain.wind[{i}]");
        note_problems(check, &key, out_of_range(wind, &key), wind.validate());
    }
    if let Some(every) = rain.every {
        check.range("rain.every", every, 0.01, 1e6, Clock::RAIN.unit);
        if rain.winds.is_empty() {
            check.note("rain.every", "does not apply without rain.wind");
        }
    }
    check.entries("inflow", scene.inflows.len());
    for (i, inflow) in scene.inflows.iter().enumerate().take(MAX_ENTRIES) {
        river(check, &format!("inflow[{i}]"), *inflow);
    }
}

/// Checks the table `[uplift]`.
fn uplift(check: &mut Checker, scene: &HydrologyScene) {
    let uplift = &scene.uplift;
    if uplift.map.is_some() && !uplift.zones.is_empty() {
        check.note("uplift.zone", "found both map and zone, needs only one of them");
    }
    check.entries("uplift.zone", uplift.zones.len());
    for (i, zone) in uplift.zones.iter().enumerate().take(MAX_ENTRIES) {
        check.range(format!("uplift.zone[{i}].part"), zone.value.part, 0.0, 1.0, "");
    }
    if !uplift.zones.is_empty() && uplift.zones.iter().all(|zone| zone.value.part == 0.0) {
        check.note("uplift.zone[0].part", "found 0 in every zone, needs one above 0");
    }
}

fn river(check: &mut Checker, key: &str, river: River) {
    check.positive(format!("{key}.catchment"), river.catchment, 1e20, " m²");
}

fn event(check: &mut Checker, key: &str, action: &HydrologyAction, scene: &HydrologyScene) {
    let amount = |check: &mut Checker, amount| {
        check.positive(format!("{key}.amount"), amount, MAX_HEIGHT, " m");
    };
    let level = |check: &mut Checker, level| {
        check.range(format!("{key}.level"), level, -MAX_HEIGHT, MAX_HEIGHT, " m");
    };
    match action {
        HydrologyAction::Raise(on) | HydrologyAction::Lower(on) => match on.value.change {
            Change::By(height) => amount(check, height),
            Change::To(height) => level(check, height),
        },
        HydrologyAction::Heap(on) => amount(check, on.value.amount),
        HydrologyAction::Flatten(on) => level(check, on.value.level),
        HydrologyAction::Smooth(on) => {
            if let Some(reach) = on.value.reach {
                check.positive(format!("{key}.reach"), reach, MAX_LENGTH, " m");
            }
        }
        HydrologyAction::Plant(on) => {
            let names: Vec<&str> = scene.hydrology.plants.iter().map(|n| n.name.as_str()).collect();
            if !names.contains(&on.value.kind.as_str()) {
                let (kind, names) = (&on.value.kind, names.join(", "));
                let message = format!("found \"{kind}\", the kinds of plants are: {names}");
                check.note(format!("{key}.kind"), message);
            }
        }
        HydrologyAction::Clear(_) | HydrologyAction::Method(_) => {}
        HydrologyAction::Pour(WithoutArea(pour)) => {
            check.positive(format!("{key}.volume"), pour.volume, 1e12, " m³");
        }
        HydrologyAction::Sea(WithoutArea(sea)) => level(check, sea.level),
        HydrologyAction::Storm(WithoutArea(storm)) => {
            check.positive(format!("{key}.rain"), storm.rain, 1e6, " drops per cell");
            check.range(format!("{key}.intensity"), storm.intensity, 0.0, 100.0, "");
        }
        HydrologyAction::Add(WithoutArea(added)) => {
            river(check, &format!("{key}.inflow"), added.inflow);
        }
    }
}

fn gauges(check: &mut Checker, scene: &HydrologyScene) {
    for (key, gauge) in scene.common().all_gauges() {
        check.either(&key, [("at", gauge.at.is_some()), ("measure", gauge.measure.is_some())]);
        if let Some(way) = &gauge.way
            && !scene.ways.iter().any(|known| known.name == *way)
        {
            let names: Vec<&str> = scene.ways.iter().map(|way| way.name.as_str()).collect();
            let known = if names.is_empty() { "none".into() } else { names.join(", ") };
            check.note(format!("{key}.way"), format!("found \"{way}\", the ways are: {known}"));
        }
    }
}
