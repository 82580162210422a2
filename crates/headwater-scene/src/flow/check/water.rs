//! Validation of the initial water, sources, drains, rain and boundaries.

use crate::flow::boundary::check_boundaries;
use crate::flow::{FlowScene, SourcePlace};
use crate::scene::check::{Checker, MAX_LENGTH, MAX_TIME, format_number};
use crate::scene::{ExtendedKeys, Keys};
use headwater::flow::Source;
use headwater::parameter::{Parameters, Value};
use std::collections::BTreeSet;

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
        let mut names = BTreeSet::new();
        for (i, source) in sources.iter().enumerate() {
            if let Some(name) = &source.name {
                check.check_entry_name(&format!("{key}[{i}].name"), name, &mut names, key);
            }
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
    check_boundaries(check, &scene.boundaries);
    check.check_entry_count("obstacle", scene.obstacles.len());
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
        check.check_time_order(format!("{key}.until"), until, source.from, "from");
    }
}
