//! Checks of the water: at the start, coming and going, and along the edges.

use crate::flow::{Boundary, BoundaryKind, FlowScene, Source};
use crate::scene::check::{Checker, MAX_HEIGHT, MAX_LENGTH, MAX_RAIN, MAX_RATE, MAX_TIME};

pub(super) fn check(check: &mut Checker, scene: &FlowScene) {
    if let Some(level) = scene.water.level {
        check.height("water.level", level);
    }
    if let Some(depth) = scene.water.depth {
        check.range("water.depth", depth, 0.0, 1e4, " m");
    }
    check.entries("water.lake", scene.water.lakes.len());
    for (i, lake) in scene.water.lakes.iter().enumerate() {
        check.position(format!("water.lake[{i}].at"), lake.at);
        check.height(format!("water.lake[{i}].level"), lake.level);
    }
    for (key, sources) in [("source", &scene.sources), ("drain", &scene.drains)] {
        check.entries(key, sources.len());
        for (i, source) in sources.iter().enumerate() {
            self::source(check, &format!("{key}[{i}]"), source);
        }
    }
    if let Some(rain) = &scene.rain {
        check.series("rain.rate", &rain.rate, 0.0, MAX_RAIN, " mm/h");
    }
    if let Some(evaporation) = &scene.evaporation {
        check.series("evaporation.rate", &evaporation.rate, 0.0, MAX_RAIN, " mm/h");
    }
    if let Some(soil) = &scene.infiltration {
        check.range("infiltration.rate", soil.rate, 0.0, MAX_RAIN, " mm/h");
        check.range("infiltration.seepage", soil.seepage, 0.0, MAX_RAIN, " mm/h");
        check.range("infiltration.capacity", soil.capacity.unwrap_or(0.0), 0.0, 1000.0, " m");
    }
    check.entries("boundary", scene.boundaries.len());
    for (i, stretch) in scene.boundaries.iter().enumerate() {
        boundary(check, &format!("boundary[{i}]"), stretch);
    }
    check.entries("obstacle", scene.obstacles.len());
    for (i, area) in scene.obstacles.iter().enumerate() {
        check.area(&format!("obstacle[{i}]"), area);
    }
}

pub(super) fn source(check: &mut Checker, key: &str, source: &Source) {
    check.position(format!("{key}.at"), source.at);
    if let Some(radius) = source.radius {
        check.positive(format!("{key}.radius"), radius, MAX_LENGTH, " m");
    }
    check.series(format!("{key}.rate"), &source.rate, 0.0, MAX_RATE, " m³/s");
    check.range(format!("{key}.from"), source.from, 0.0, MAX_TIME, " s");
    if let Some(until) = source.until {
        check.after(format!("{key}.until"), until, source.from, "from");
    }
}

fn boundary(check: &mut Checker, key: &str, boundary: &Boundary) {
    use BoundaryKind::{Inflow, Outflow, Periodic, Stage, Wave};
    let kind = boundary.kind;
    let needs_discharge = matches!(kind, Inflow | Outflow);
    check.only_if(format!("{key}.discharge"), boundary.discharge.is_some(), needs_discharge, kind);
    let needs_level = matches!(kind, Stage | Wave);
    check.only_if(format!("{key}.level"), boundary.level.is_some(), needs_level, kind);
    check.only_if(format!("{key}.amplitude"), boundary.amplitude.is_some(), kind == Wave, kind);
    check.only_if(format!("{key}.period"), boundary.period.is_some(), kind == Wave, kind);
    if let Some(amplitude) = boundary.amplitude {
        check.range(format!("{key}.amplitude"), amplitude, 0.0, 1000.0, " m");
    }
    if let Some(period) = boundary.period {
        check.positive(format!("{key}.period"), period, 1e6, " s");
    }
    if kind == Wave
        && boundary.level.as_ref().is_some_and(|level| level.range().0 != level.range().1)
    {
        check.note(format!("{key}.level"), "found a table, \"wave\" needs a number");
    }
    if kind == Periodic && (boundary.from.is_some() || boundary.to.is_some()) {
        check.note(key, "\"periodic\" is for whole edges: found a stretch (from, to)");
    }
    if let Some(discharge) = &boundary.discharge {
        check.series(format!("{key}.discharge"), discharge, 0.0, 1e6, " m²/s");
    }
    if let Some(level) = &boundary.level {
        check.series(format!("{key}.level"), level, -MAX_HEIGHT, MAX_HEIGHT, " m");
    }
    for (end, coordinate) in [("from", boundary.from), ("to", boundary.to)] {
        if let Some(coordinate) = coordinate {
            check.coordinate(format!("{key}.{end}"), coordinate);
        }
    }
}
