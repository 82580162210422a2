//! Checks of the initial water, sources, drains, rain and boundaries.

use crate::flow::{
    Boundary, BoundaryKind, Discharge, FlowScene, Inflow, Solitary, SourcePlace, StageBoundary,
    Wave,
};
use crate::scene::NonAreaAction;
use crate::scene::check::{
    Checker, MAX_HEIGHT, MAX_LENGTH, MAX_TIME, format_number, range_message,
};
use crate::scene::{ExtendedKeys, Keys};
use headwater::flow::{self, Source};
use headwater::parameter::{Parameters, Range, Value};

pub(super) fn check_water(check: &mut Checker, scene: &FlowScene) {
    if let Some(level) = scene.water.level {
        check.check_height("water.level", level);
    }
    if let Some(depth) = scene.water.depth {
        check.check_range("water.depth", depth, 0.0, 1e4, " m");
    }
    if scene.water.velocity_map.is_some() && scene.water.discharge_map.is_some() {
        check.add_problem("water.discharge_map", "cannot be combined with velocity_map");
    }
    check.check_entry_count("water.lake", scene.water.lakes.len());
    for (i, lake) in scene.water.lakes.iter().enumerate() {
        check.check_height(format!("water.lake[{i}].level"), lake.level);
    }
    for (key, sources) in [("source", &scene.sources), ("drain", &scene.drains)] {
        check.check_entry_count(key, sources.len());
        for (i, source) in sources.iter().enumerate() {
            self::check_source(check, &format!("{key}[{i}]"), source);
        }
    }
    if let Some(rain) = &scene.rain {
        check_required(check, "rain", &rain.keys);
        check.check_entry_count("rain.raster", rain.rasters.len());
        if rain.map.is_some() && !rain.rasters.is_empty() {
            check.add_problem("rain.map", "cannot be combined with rain.raster");
        }
        for (i, raster) in rain.rasters.iter().enumerate() {
            let key = format!("rain.raster[{i}].time");
            check.check_range(&key, raster.time, -MAX_TIME, MAX_TIME, " s");
            if let Some(before) = i.checked_sub(1).map(|i| &rain.rasters[i])
                && raster.time <= before.time
            {
                let (found, before) = (format_number(raster.time), format_number(before.time));
                check.add_problem(
                    key,
                    format!(
                        "found {found} s, needs a time after that of the previous raster, {before} s"
                    ),
                );
            }
        }
    }
    if let Some(evaporation) = &scene.evaporation {
        check_required(check, "evaporation", evaporation);
    }
    if let Some(soil) = &scene.infiltration {
        check_required(check, "infiltration", soil);
    }
    check.check_entry_count("boundary", scene.boundaries.len());
    for (i, stretch) in scene.boundaries.iter().enumerate() {
        check_boundary(check, &format!("boundary[{i}]"), stretch);
    }
    check_periodic(check, scene);
    check.check_entry_count("obstacle", scene.obstacles.len());
}

/// Checks that the edge opposite a periodic edge has no other kind of boundary condition.
fn check_periodic(check: &mut Checker, scene: &FlowScene) {
    let all = || scene.boundaries.iter().enumerate();
    let is_periodic = |one: &Boundary| matches!(one.kind, BoundaryKind::Periodic(_));
    for (i, one) in all().filter(|(_, one)| is_periodic(one)) {
        let opposite = one.stretch.edge.opposite();
        let other = all().find(|(_, other)| other.stretch.edge == opposite && !is_periodic(other));
        if let Some((j, _)) = other {
            let edge = format!("{opposite:?}").to_lowercase();
            let message = format!(
                "\"periodic\" connects it to the {edge} edge, which has another kind in boundary[{j}]"
            );
            check.add_problem(format!("boundary[{i}].kind"), message);
        }
    }
}

/// Checks the model parameters in the table at the key path `key`: their ranges, and that all
/// required ones are given.
pub(super) fn check_required<P: Parameters>(check: &mut Checker, key: &str, keys: &Keys<P>) {
    keys.check_required(check, key);
    check_parameters(check, key, keys);
}

pub(super) fn check_parameters<P: Parameters>(check: &mut Checker, key: &str, keys: &Keys<P>) {
    keys.report_problems(check, key);
    for one in P::TABLE {
        let Value::Series(series) = (one.get)(keys) else { continue };
        let far = series.points().iter().find(|point| point[0].abs() > MAX_TIME);
        if let Some([time, _]) = far {
            check.check_range(format!("{key}.{}", one.key), *time, -MAX_TIME, MAX_TIME, " s");
        }
    }
}

pub(super) fn check_source(
    check: &mut Checker,
    key: &str,
    source: &ExtendedKeys<Source, SourcePlace>,
) {
    if let Some(radius) = source.radius {
        check.check_positive(format!("{key}.radius"), radius, MAX_LENGTH, " m");
    }
    check_required(check, key, &source.keys);
    check.check_range(format!("{key}.from"), source.from, 0.0, MAX_TIME, " s");
    if let Some(until) = source.until {
        check.check_after(format!("{key}.until"), until, source.from, "from");
    }
}

fn check_boundary(check: &mut Checker, key: &str, Boundary { stretch, kind }: &Boundary) {
    use flow::BoundaryKind as Model;
    match kind {
        BoundaryKind::Wall(_) | BoundaryKind::Open(_) => {}
        BoundaryKind::Inflow(NonAreaAction(Inflow { discharge, level, along })) => {
            let range = <[f64; 2]>::from(discharge.value_range());
            check_range(check, format!("{key}.discharge"), &range, Model::DISCHARGE, "m²/s");
            if let Some(level) = level {
                check.check_series(format!("{key}.level"), level, -MAX_HEIGHT, MAX_HEIGHT, " m");
            }
            if let Some(along) = along {
                let Range { low, high, .. } = Model::TANGENTIAL_VELOCITY;
                check.check_series(format!("{key}.along"), along, low, high, " m/s");
            }
        }
        BoundaryKind::Outflow(NonAreaAction(Discharge { discharge })) => {
            let range = <[f64; 2]>::from(discharge.value_range());
            check_range(check, format!("{key}.discharge"), &range, Model::DISCHARGE, "m²/s");
        }
        BoundaryKind::Stage(NonAreaAction(StageBoundary { level })) => {
            check.check_series(format!("{key}.level"), level, -MAX_HEIGHT, MAX_HEIGHT, " m");
        }
        BoundaryKind::Wave(NonAreaAction(wave)) => check_wave_maker(check, key, wave),
        BoundaryKind::Solitary(NonAreaAction(Solitary { level, height, time, depth })) => {
            check.check_height(format!("{key}.level"), *level);
            check_range(check, format!("{key}.height"), &[*height], Model::AMPLITUDE, "m");
            check.check_range(format!("{key}.time"), *time, -MAX_TIME, MAX_TIME, " s");
            check_range(check, format!("{key}.depth"), depth.as_slice(), Model::STILL_DEPTH, "m");
        }
        BoundaryKind::Periodic(_) => {
            if stretch.from.is_some() || stretch.to.is_some() {
                check.add_problem(
                    key,
                    "\"periodic\" needs a whole edge, found a stretch (from, to)",
                );
            }
        }
    }
    for (end, coordinate) in [("from", stretch.from), ("to", stretch.to)] {
        if let Some(coordinate) = coordinate {
            check.check_coordinate(format!("{key}.{end}"), coordinate);
        }
    }
}

/// Checks a wave maker boundary, which needs either an amplitude and a period or a recorded surface
/// elevation.
fn check_wave_maker(check: &mut Checker, key: &str, wave: &Wave) {
    use flow::BoundaryKind as Model;
    check.check_height(format!("{key}.level"), wave.level);
    let even = [
        ("amplitude", wave.amplitude, Model::AMPLITUDE, "m"),
        ("period", wave.period, Model::PERIOD, "s"),
    ];
    for (name, given, range, unit) in even {
        let key = format!("{key}.{name}");
        match (given, &wave.rise) {
            (Some(found), None) => check_range(check, key, &[found], range, unit),
            (None, None) => check.add_problem(key, "is missing"),
            (Some(_), Some(_)) => check.add_problem(key, "cannot be combined with rise"),
            (None, Some(_)) => {}
        }
    }
    if let Some(rise) = &wave.rise {
        check.check_series(format!("{key}.rise"), rise, Model::RISE.low, Model::RISE.high, " m");
    }
}

/// Checks that all numbers in `found` are in `range`, which is the range of a parameter of the flow
/// model. `unit` is the unit of the numbers.
fn check_range(check: &mut Checker, key: String, found: &[f64], range: Range, unit: &str) {
    let error = found.iter().find_map(|&found| range.check("", found, unit).err());
    if let Some(error) = error {
        check.add_problem(key, range_message(&error));
    }
}
