//! Validation of the land cover maps (`[[cover]]`) in a scene.

use super::water::{check_parameters, check_required};
use crate::flow::FlowScene;
use crate::scene::check::{Checker, range_message};
use headwater::flow::Params;
use headwater::parameter::Parameters;
use std::collections::BTreeMap;

/// Maximum number of land cover maps in a scene.
const MAX_COVERS: usize = 10;

/// Largest allowed class number. All integers up to this number are exact in `f32`.
const MAX_CLASS_NUMBER: f64 = 1e6;

pub(super) fn check_covers(check: &mut Checker, scene: &FlowScene) {
    let found = scene.covers.len();
    if found > MAX_COVERS {
        check.add_problem("cover", format!("found {found} entries, allowed is up to {MAX_COVERS}"));
    }
    // Without `[infiltration]` in the scene, each class must give all soil parameters.
    let check_soil = if scene.infiltration.is_some() { check_parameters } else { check_required };
    for (i, cover) in scene.covers.iter().enumerate() {
        let key = format!("cover[{i}].class");
        check.check_entry_count(&key, cover.classes.len());
        let mut classes = BTreeMap::new();
        for (j, class) in cover.classes.iter().enumerate() {
            let key = format!("{key}[{j}]");
            check.check_entry_count(format!("{key}.numbers"), class.numbers.len());
            if class.numbers.is_empty() {
                check.add_problem(format!("{key}.numbers"), "found none, needs one or more");
            }
            for (k, &number) in class.numbers.iter().enumerate() {
                let key = format!("{key}.numbers[{k}]");
                check.check_range(&key, number as f64, -MAX_CLASS_NUMBER, MAX_CLASS_NUMBER, "");
                if let Some(other) = classes.insert(number, j) {
                    check.add_problem(
                        key,
                        format!("found {number}, which is also in class[{other}]"),
                    );
                }
            }
            if let Some(manning) = class.manning {
                let one = Params::TABLE.iter().find(|one| one.key == "manning");
                let value = headwater::parameter::Value::Number(manning);
                if let Some(Err(error)) = one.map(|one| one.check(&scene.physics.keys, &value)) {
                    check.add_problem(format!("{key}.manning"), range_message(&error));
                }
            }
            if let Some(soil) = &class.infiltration {
                check_soil(check, &format!("{key}.infiltration"), soil);
            }
        }
    }
}
