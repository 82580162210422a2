//! Validation of culverts, gates and weirs in a scene.

use super::water::check_required;
use crate::flow::{CulvertMouths, FlowScene};
use crate::scene::ExtendedKeys;
use crate::scene::SceneModel;
use crate::scene::check::{Checker, MAX_LENGTH};
use headwater::flow::Culvert;
use std::collections::BTreeSet;

/// Upper limit of the width, height and diameter of a culvert (m).
const MAX_CULVERT_SIZE: f64 = 1000.0;

pub(super) fn check_structures(check: &mut Checker, scene: &FlowScene) {
    check.check_entry_count("culvert", scene.culverts.len());
    check.check_entry_count("gate", scene.gates.len());
    check.check_entry_count("weir", scene.weirs.len());
    let mut names = BTreeSet::new();
    for ends in scene.structures() {
        let key = &ends.key;
        if let Some(radius) = ends.radius {
            check.check_positive(format!("{key}.radius"), radius, MAX_LENGTH, " m");
        }
        let Some(name) = ends.name else { continue };
        check.check_entry_name(&format!("{key}.name"), name, &mut names, "structure");
    }
    for (i, one) in scene.culverts.iter().enumerate() {
        check_culvert(check, &format!("culvert[{i}]"), one);
    }
    for (i, gate) in scene.gates.iter().enumerate() {
        check_required(check, &format!("gate[{i}]"), &gate.keys);
    }
    for (i, weir) in scene.weirs.iter().enumerate() {
        check_required(check, &format!("weir[{i}]"), &weir.keys);
    }
    for (key, gauge) in scene.common_tables().all_gauges() {
        let Some(name) = &gauge.structure else { continue };
        if !names.contains(name.as_str()) {
            let message = format!("there is no culvert, gate or weir \"{name}\"");
            check.add_problem(format!("{key}.structure"), message);
        }
    }
}

fn check_culvert(check: &mut Checker, key: &str, culvert: &ExtendedKeys<Culvert, CulvertMouths>) {
    let sizes =
        [("width", culvert.width), ("height", culvert.height), ("diameter", culvert.diameter)];
    for (name, size) in sizes {
        if let Some(size) = size {
            check.check_positive(format!("{key}.{name}"), size, MAX_CULVERT_SIZE, " m");
        }
    }
    if culvert.barrel().is_none() {
        check.add_problem(key, "needs either width and height, or diameter");
    }
    check_required(check, key, &culvert.keys);
}
