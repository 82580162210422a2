//! Checks of the water: at the start, coming and going, and along the edges.

use crate::flow::{Boundary, BoundaryKind, FlowScene, SourcePlace};
use crate::scene::check::{Checker, MAX_HEIGHT, MAX_LENGTH, MAX_TIME};
use crate::scene::{Beside, Keys};
use headwater::flow::{self, Source};
use headwater::parameter::{Parameters, Range};

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
        table(check, "rain", &rain.keys, &["rate"]);
    }
    if let Some(evaporation) = &scene.evaporation {
        table(check, "evaporation", evaporation, &["rate"]);
    }
    if let Some(soil) = &scene.infiltration {
        table(check, "infiltration", soil, &["rate"]);
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

/// Parameters of which some must be given.
pub(super) fn table<P: Parameters>(
    check: &mut Checker,
    key: &str,
    keys: &Keys<P>,
    needed: &[&str],
) {
    keys.need(check, key, needed);
    keys.check(check, key);
}

pub(super) fn source(check: &mut Checker, key: &str, source: &Beside<Source, SourcePlace>) {
    check.position(format!("{key}.at"), source.at);
    if let Some(radius) = source.radius {
        check.positive(format!("{key}.radius"), radius, MAX_LENGTH, " m");
    }
    table(check, key, &source.keys, &["rate"]);
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
        allowed(
            check,
            format!("{key}.amplitude"),
            &[amplitude],
            flow::BoundaryKind::AMPLITUDE,
            "m",
        );
    }
    if let Some(period) = boundary.period {
        allowed(check, format!("{key}.period"), &[period], flow::BoundaryKind::PERIOD, "s");
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
        let range = <[f64; 2]>::from(discharge.range());
        allowed(check, format!("{key}.discharge"), &range, flow::BoundaryKind::DISCHARGE, "m²/s");
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

/// Numbers in a range of the model's.
fn allowed(check: &mut Checker, key: String, found: &[f64], range: Range, unit: &str) {
    let refused = found.iter().find_map(|&found| range.check("", found, unit).err());
    if let Some(error) = refused {
        check.note(key, format!("found {}, allowed is {}", error.found, error.allowed));
    }
}
