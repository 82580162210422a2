//! Checks of culverts, gates and weirs.

use crate::flow::{Culvert, FlowScene};
use crate::scene::check::{Checker, MAX_HEIGHT, MAX_LENGTH};
use std::collections::BTreeSet;

/// The greatest cross-section of a culvert is this wide and high (m).
const MAX_BARREL: f64 = 1000.0;

pub(super) fn check(check: &mut Checker, scene: &FlowScene) {
    check.entries("culvert", scene.culverts.len());
    check.entries("gate", scene.gates.len());
    check.entries("weir", scene.weirs.len());
    let mut names = BTreeSet::new();
    for ends in scene.structures() {
        let key = &ends.key;
        check.position(format!("{key}.from"), ends.at[0]);
        check.position(format!("{key}.to"), ends.at[1]);
        if let Some(radius) = ends.radius {
            check.positive(format!("{key}.radius"), radius, MAX_LENGTH, " m");
        }
        let Some(name) = ends.name else { continue };
        if name.is_empty() || name.chars().count() > 64 {
            let message = format!("found \"{name}\", allowed is 1 to 64 characters");
            check.note(format!("{key}.name"), message);
        }
        if !names.insert(name) {
            let message = format!("found \"{name}\" again, every structure needs its own name");
            check.note(format!("{key}.name"), message);
        }
    }
    for (i, one) in scene.culverts.iter().enumerate() {
        culvert(check, &format!("culvert[{i}]"), one);
    }
    for (i, gate) in scene.gates.iter().enumerate() {
        check.positive(format!("gate[{i}].width"), gate.width, MAX_HEIGHT, " m");
        check.height(format!("gate[{i}].sill"), gate.sill);
        check.series(format!("gate[{i}].opening"), &gate.opening, 0.0, MAX_HEIGHT, " m");
        check.positive(format!("gate[{i}].contraction"), gate.contraction, 1.0, "");
    }
    for (i, weir) in scene.weirs.iter().enumerate() {
        check.positive(format!("weir[{i}].width"), weir.width, MAX_HEIGHT, " m");
        check.series(format!("weir[{i}].crest"), &weir.crest, -MAX_HEIGHT, MAX_HEIGHT, " m");
        check.positive(format!("weir[{i}].coefficient"), weir.coefficient, 2.0, "");
    }
    for (i, gauge) in scene.gauges.iter().enumerate() {
        let Some(name) = &gauge.structure else { continue };
        if !names.contains(name.as_str()) {
            let message = format!("found \"{name}\", no culvert, gate or weir has that name");
            check.note(format!("gauge[{i}].structure"), message);
        }
    }
}

fn culvert(check: &mut Checker, key: &str, culvert: &Culvert) {
    let sizes =
        [("width", culvert.width), ("height", culvert.height), ("diameter", culvert.diameter)];
    for (name, size) in sizes {
        if let Some(size) = size {
            check.positive(format!("{key}.{name}"), size, MAX_BARREL, " m");
        }
    }
    if culvert.barrel().is_none() {
        check.note(key, "needs either width and height, or diameter");
    }
    for (i, invert) in culvert.inverts.into_iter().enumerate() {
        check.height(format!("{key}.inverts[{i}]"), invert);
    }
    check.range(format!("{key}.length"), culvert.length.unwrap_or(0.0), 0.0, MAX_HEIGHT, " m");
    check.range(format!("{key}.manning"), culvert.manning, 0.0, 10.0, " s/m^⅓");
    check.range(format!("{key}.entrance_loss"), culvert.entrance_loss, 0.0, 1000.0, "");
}
