//! Validation of hydrology scenes: value ranges, and positions on the grid.

use super::{HydrologyAction, HydrologyScene, Panel, River};
use crate::flow::check::ground::check_terrain as check_ground;
use crate::scene::check::{Checker, MAX_ENTRIES, MAX_LENGTH, format_number, range_message};
use crate::scene::clock::Clock;
use crate::scene::keys::range_problems;
use crate::scene::{Extent, MAX_CELLS, NonAreaAction, Places, Problems, SceneModel};
use crate::terrain::{CellSize, LatticeKind};
use headwater::hydrology::{Change, MAX_HEIGHT, Params};
use headwater::{InputError, Lattice};

/// Maximum number of winds in a scene.
const MAX_WINDS: usize = 16;
const MAX_VARIANTS: usize = 6;
/// Maximum duration of a run, in batches of raindrops. Eight batches are one drop per cell.
const MAX_BATCHES: f64 = 1e7;

/// Adds the positions and areas in the tables of a scene, except those in event actions, to
/// `places`. `places` is used later to check that they lie on the grid.
pub(super) fn collect_places(scene: &HydrologyScene, places: &mut Places) {
    for (i, shape) in scene.terrain.shapes.iter().enumerate() {
        places.add_area(format!("terrain.shape[{i}]"), shape.area());
    }
    for (i, inflow) in scene.inflows.iter().enumerate() {
        places.add_position(format!("inflow[{i}].at"), inflow.at);
    }
    for (i, zone) in scene.uplift.zones.iter().enumerate() {
        places.add_extent(format!("uplift.zone[{i}]"), &zone.extent);
    }
    for (key, gauge) in scene.common_tables().all_gauges() {
        places.add_gauge(&key, gauge.at, None, None);
    }
}

/// Checks the values in the tables of a scene, except those in event actions.
pub(super) fn check_values(check: &mut Checker, scene: &HydrologyScene) {
    let batches = 8.0 * scene.time.until;
    if batches > MAX_BATCHES {
        let (until, max_time) = (format_number(scene.time.until), format_number(MAX_BATCHES / 8.0));
        let message = format!("found {until}, allowed is above 0 up to {max_time} drops per cell");
        check.add_problem("time.until", message);
    }
    check_ground(check, &scene.grid, &scene.terrain, MAX_CELLS);
    if scene.terrain.subgrid.is_some() {
        check.add_problem("terrain.subgrid", "only worlds of flow have one");
    }
    if scene.grid.lattice == LatticeKind::Hex {
        check.add_problem("grid.lattice", "found \"hex\", hydrology needs square cells");
    }
    if let Some(CellSize::Sides([east, south])) = scene.grid.cell
        && east != south
    {
        let (east, south) = (format_number(east), format_number(south));
        let message = format!("found {east} × {south} m, hydrology needs cells as wide as high");
        check.add_problem("grid.cell", message);
    }
    let is_valid = check_params(check, "hydrology", &scene.hydrology);
    check_variants(check, scene, is_valid);
    check_rain(check, scene);
    check_uplift(check, scene);
    check_gauges(check, scene);
    let shown = &scene.panels.show;
    if !(1..=3).contains(&shown.len()) {
        let message = format!("found {} panels, allowed is 1 to 3", shown.len());
        check.add_problem("panels.show", message);
    }
    for (i, panel) in shown.iter().enumerate() {
        if shown[..i].contains(panel) {
            check.add_problem(format!("panels.show[{i}]"), "is listed twice");
        }
    }
    if *shown == [Panel::Before] {
        check.add_problem("panels.show", "found only \"before\", which never changes");
    }
}

/// Checks that the lattice has at least 3 × 3 cells, as the hydrology model requires.
pub(super) fn check_against_lattice(
    check: &mut Checker,
    _scene: &HydrologyScene,
    lattice: &Lattice,
) {
    let (nx, ny) = (lattice.nx(), lattice.ny());
    if nx < 3 || ny < 3 {
        check
            .add_problem("grid", format!("found {nx} × {ny} cells, hydrology needs 3 × 3 or more"));
    }
}

/// Checks parameters of the hydrology model and records all problems in `check`. `key` is the path
/// of their table in the scene. Returns true if there are no problems.
pub(crate) fn check_params(check: &mut Checker, key: &str, params: &Params) -> bool {
    let mut found = range_problems(params, key);
    found.extend(range_problems(&params.stream_power, &format!("{key}.stream_power")));
    found
        .extend(params.strata.iter().flat_map(|one| range_problems(one, &format!("{key}.strata"))));
    let plants = params.plants.iter().enumerate();
    found.extend(plants.flat_map(|(i, one)| range_problems(one, &format!("{key}.plants[{i}]"))));
    record_problems(check, key, found, params.validate())
}

/// Records the entries of `problems` (values out of range) in `check`. If there are none, records
/// the error in `table_check`, the result of checking the table at the path `key` as a whole.
/// Returns true if nothing was recorded.
fn record_problems(
    check: &mut Checker,
    key: &str,
    problems: Problems,
    table_check: Result<(), InputError>,
) -> bool {
    let mut problems = problems;
    if let (true, Err(error)) = (problems.is_empty(), table_check) {
        problems.push((format!("{key}.{}", error.what), range_message(&error)));
    }
    let is_valid = problems.is_empty();
    problems.into_iter().for_each(|(key, message)| check.add_problem(key, message));
    is_valid
}

fn check_variants(check: &mut Checker, scene: &HydrologyScene, is_valid: bool) {
    if scene.variant_tables.len() > MAX_VARIANTS {
        check.add_problem(
            "way",
            format!("found {} ways, allowed is up to {MAX_VARIANTS}", scene.variant_tables.len()),
        );
    }
    for (i, table) in scene.variant_tables.iter().enumerate() {
        let key = format!("way[{i}].name");
        let length = table.name.chars().count();
        if !(1..=60).contains(&length) || table.name.chars().any(char::is_control) {
            let message = "needs one line of at most 60 characters";
            check.add_problem(&key, format!("found {length} characters, {message}"));
        }
        if scene.variant_tables[..i].iter().any(|other| other.name == table.name) {
            let message = format!("found \"{}\" again, every way needs its own name", table.name);
            check.add_problem(key, message);
        }
    }
    if !is_valid {
        return;
    }
    for (i, (_, set)) in scene.variants().iter().enumerate().take(scene.variant_tables.len()) {
        check_params(check, &format!("way[{i}].set"), set);
    }
}

/// Checks the tables `[rain]` and `[[inflow]]`.
fn check_rain(check: &mut Checker, scene: &HydrologyScene) {
    let rain = &scene.rain;
    if rain.map.is_some() && !rain.winds.is_empty() {
        check.add_problem("rain.wind", "found both map and wind, needs only one of them");
    }
    if rain.winds.len() > MAX_WINDS {
        let message = format!("found {} winds, allowed is up to {MAX_WINDS}", rain.winds.len());
        check.add_problem("rain.wind", message);
    }
    for (i, wind) in rain.winds.iter().enumerate().take(MAX_WINDS) {
        let key = format!("rain.wind[{i}]");
        record_problems(check, &key, range_problems(wind, &key), wind.validate());
    }
    if let Some(every) = rain.every {
        check.check_range("rain.every", every, 0.01, 1e6, Clock::RAIN.unit);
        if rain.winds.is_empty() {
            check.add_problem("rain.every", "does not apply without rain.wind");
        }
    }
    check.check_entry_count("inflow", scene.inflows.len());
    for (i, inflow) in scene.inflows.iter().enumerate().take(MAX_ENTRIES) {
        check_river(check, &format!("inflow[{i}]"), *inflow);
    }
}

/// Checks the table `[uplift]`.
fn check_uplift(check: &mut Checker, scene: &HydrologyScene) {
    let uplift = &scene.uplift;
    if uplift.map.is_some() && !uplift.zones.is_empty() {
        check.add_problem("uplift.zone", "found both map and zone, needs only one of them");
    }
    check.check_entry_count("uplift.zone", uplift.zones.len());
    for (i, zone) in uplift.zones.iter().enumerate().take(MAX_ENTRIES) {
        check.check_range(format!("uplift.zone[{i}].part"), zone.value.part, 0.0, 1.0, "");
    }
    if !uplift.zones.is_empty() && uplift.zones.iter().all(|zone| zone.value.part == 0.0) {
        check.add_problem("uplift.zone[0].part", "found 0 in every zone, needs one above 0");
    }
}

fn check_river(check: &mut Checker, key: &str, river: River) {
    check.check_positive(format!("{key}.catchment"), river.catchment, 1e20, " m²");
}

/// Adds the positions and areas of the event action at the key path `key` to `places`, which is
/// used later to check that they lie on the grid.
pub(super) fn collect_action_places(key: &str, action: &HydrologyAction, places: &mut Places) {
    match action {
        HydrologyAction::Pour(NonAreaAction(pour)) => {
            places.add_position(format!("{key}.at"), pour.at);
        }
        HydrologyAction::Add(NonAreaAction(added)) => {
            places.add_position(format!("{key}.inflow.at"), added.inflow.at);
        }
        action => {
            if let Some((extent, _)) = action.extent_and_falloff() {
                places.add_extent(key, extent);
            }
        }
    }
}

pub(super) fn check_action(
    check: &mut Checker,
    key: &str,
    action: &HydrologyAction,
    scene: &HydrologyScene,
) {
    let amount = |check: &mut Checker, amount| {
        check.check_positive(format!("{key}.amount"), amount, MAX_HEIGHT, " m");
    };
    let level = |check: &mut Checker, level| {
        check.check_range(format!("{key}.level"), level, -MAX_HEIGHT, MAX_HEIGHT, " m");
    };
    if let Some((Extent::Polygon(_), falloff)) = action.extent_and_falloff() {
        check.check_flat_falloff(key, falloff);
    }
    match action {
        HydrologyAction::Raise(on) | HydrologyAction::Lower(on) => match on.value.change {
            Change::By(height) => amount(check, height),
            Change::To(height) => level(check, height),
        },
        HydrologyAction::AddSoil(on) => amount(check, on.value.amount),
        HydrologyAction::Flatten(on) => level(check, on.value.level),
        HydrologyAction::Smooth(on) => {
            if let Some(reach) = on.value.reach {
                check.check_positive(format!("{key}.reach"), reach, MAX_LENGTH, " m");
            }
        }
        HydrologyAction::Plant(on) => {
            let names: Vec<&str> = scene.hydrology.plants.iter().map(|n| n.name.as_str()).collect();
            if !names.contains(&on.value.kind.as_str()) {
                let (kind, names) = (&on.value.kind, names.join(", "));
                let message = format!("found \"{kind}\", the kinds of plants are: {names}");
                check.add_problem(format!("{key}.kind"), message);
            }
        }
        HydrologyAction::Clear(_) | HydrologyAction::Method(_) => {}
        HydrologyAction::Pour(NonAreaAction(pour)) => {
            check.check_positive(format!("{key}.volume"), pour.volume, 1e12, " m³");
        }
        HydrologyAction::Sea(NonAreaAction(sea)) => level(check, sea.level),
        HydrologyAction::Storm(NonAreaAction(storm)) => {
            check.check_positive(format!("{key}.rain"), storm.rain, 1e6, " drops per cell");
            check.check_range(format!("{key}.intensity"), storm.intensity, 0.0, 100.0, "");
        }
        HydrologyAction::Add(NonAreaAction(added)) => {
            check_river(check, &format!("{key}.inflow"), added.inflow);
        }
    }
}

fn check_gauges(check: &mut Checker, scene: &HydrologyScene) {
    for (key, gauge) in scene.common_tables().all_gauges() {
        check.check_exactly_one_of_two(
            &key,
            [("at", gauge.at.is_some()), ("measure", gauge.measure.is_some())],
        );
        if let Some(way) = &gauge.way
            && !scene.variant_tables.iter().any(|known| known.name == *way)
        {
            let names: Vec<&str> =
                scene.variant_tables.iter().map(|table| table.name.as_str()).collect();
            let known = if names.is_empty() { "none".into() } else { names.join(", ") };
            check.add_problem(
                format!("{key}.way"),
                format!("found \"{way}\", the ways are: {known}"),
            );
        }
    }
}
