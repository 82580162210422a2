//! Validation of the floating bodies in a scene.

use crate::flow::{Body, FlowScene, InitialHeight};
use crate::scene::SceneModel;
use crate::scene::check::{Checker, MAX_HEIGHT};
use headwater::flow;
use headwater::parameter::{ParameterValue, Parameters, Value};
use std::collections::BTreeSet;

/// Allowed range of the radius, the length and the width of a body (m).
const BODY_LENGTH_RANGE: [f64; 2] = [1e-3, 1e6];

pub(super) fn check_bodies(check: &mut Checker, scene: &FlowScene) {
    check.check_entry_count("body", scene.bodies.len());
    let mut names = BTreeSet::new();
    for (i, body) in scene.bodies.iter().enumerate() {
        let key = format!("body[{i}]");
        if let Some(name) = &body.name {
            check.check_file_name(&format!("{key}.name"), name);
            if !names.insert(name) {
                let message = format!("found \"{name}\" twice; every body needs its own name");
                check.add_problem(format!("{key}.name"), message);
            }
        }
        check_body(check, &key, body);
    }
    for (table, gauge) in scene.common_tables().all_gauges() {
        if let Some(name) = gauge.body.as_ref().filter(|name| !names.contains(name)) {
            let known: Vec<&str> = names.iter().map(|name| name.as_str()).collect();
            let known = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
            let message = format!("there is no body \"{name}\"; bodies with names: {known}");
            check.add_problem(format!("{table}.body"), message);
        }
    }
}

pub(super) fn check_body(check: &mut Checker, key: &str, body: &Body) {
    let [shortest, longest] = BODY_LENGTH_RANGE;
    check.check_exactly_one_of_two(
        key,
        [("radius", body.radius.is_some()), ("size", body.size.is_some())],
    );
    check.check_exactly_one_of_two(
        key,
        [("mass", body.mass.is_some()), ("density", body.density.is_some())],
    );
    if let Some(radius) = body.radius {
        check.check_range(format!("{key}.radius"), radius, shortest, longest, " m");
    }
    if let Some([length, width]) = body.size {
        check.check_range(format!("{key}.size[0]"), length, shortest, longest, " m");
        check.check_range(format!("{key}.size[1]"), width, shortest, longest, " m");
        if length < width {
            check.add_problem(format!("{key}.size"), "needs the length first, then the width");
        }
    }
    check.check_range(format!("{key}.heading"), body.heading, -360.0, 360.0, " degrees");
    if let Some(mass) = body.mass {
        check_parameter(check, key, "mass", mass.value());
    }
    if let Some(density) = body.density {
        check.check_positive(format!("{key}.density"), density, 1e5, " kg/m³");
    }
    check_parameter(check, key, "height", body.height.value());
    check_parameter(check, key, "velocity", body.velocity.value());
    check_parameter(check, key, "drag", body.drag.value());
    check_parameter(check, key, "friction", body.friction.value());
    if let InitialHeight::Height(above) = body.above {
        check.check_range(format!("{key}.above"), above, 0.0, MAX_HEIGHT, " m");
    }
}

/// Checks the value of a body's key `name` against the range of the model parameter of the same
/// name.
fn check_parameter(check: &mut Checker, key: &str, name: &str, value: Value) {
    let model = flow::Body::defaults();
    let table = flow::Body::parameter(name);
    if let Some(Err(error)) = table.map(|one| one.check(&model, &value)) {
        check.add_input_error(key, &error);
    }
}
