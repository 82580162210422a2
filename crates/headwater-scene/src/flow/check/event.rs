//! Validation of the events of a `flow` scene.

use crate::flow::{Action, Added};
use crate::scene::check::{Checker, MAX_HEIGHT, MAX_LENGTH};
use crate::scene::place::Extent;
use crate::scene::{NonAreaAction, Places};
use headwater::flow::{Amount, Change};

/// Adds the positions and areas of the event action at the key path `key` to `places`, which is
/// used later to check that they lie on the grid.
pub(in crate::flow) fn collect_places(key: &str, action: &Action, places: &mut Places) {
    if let Some((extent, _)) = action.extent_and_falloff() {
        places.add_extent(key, extent);
    }
    if let Action::Add(NonAreaAction(added)) = action {
        match added {
            Added::Source(source) => places.add_position(format!("{key}.source.at"), source.at),
            Added::Drain(drain) => places.add_position(format!("{key}.drain.at"), drain.at),
            Added::Body(body) => places.add_position(format!("{key}.body.at"), body.at),
        }
    }
}

pub(in crate::flow) fn check_action(check: &mut Checker, key: &str, action: &Action) {
    if let Some((Extent::Polygon(_), falloff)) = action.extent_and_falloff() {
        check.check_flat_falloff(key, falloff);
    }
    match action {
        Action::Raise(on) | Action::Lower(on) => match on.value.change {
            Change::By(amount) => {
                check.check_positive(format!("{key}.amount"), amount, MAX_HEIGHT, " m");
            }
            Change::To(level) => check.check_height(format!("{key}.level"), level),
        },
        Action::Flatten(on) => check.check_height(format!("{key}.level"), on.value.level),
        Action::Smooth(on) => {
            if let Some(reach) = on.value.reach {
                check.check_positive(format!("{key}.reach"), reach, MAX_LENGTH, " m");
            }
        }
        Action::Pour(on) | Action::Remove(on) => match on.value.amount {
            Amount::Depth(depth) => {
                check.check_positive(format!("{key}.amount"), depth, MAX_HEIGHT, " m");
            }
            Amount::Volume(volume) => {
                check.check_positive(format!("{key}.volume"), volume, 1e12, " m³");
            }
        },
        Action::Push(on) => {
            for (i, part) in on.value.velocity.into_iter().enumerate() {
                check.check_range(format!("{key}.velocity[{i}]"), part, -1000.0, 1000.0, " m/s");
            }
        }
        Action::Close(_) | Action::Open(_) => {}
        Action::Add(NonAreaAction(Added::Source(source))) => {
            super::water::check_source(check, &format!("{key}.source"), source);
        }
        Action::Add(NonAreaAction(Added::Drain(drain))) => {
            super::water::check_source(check, &format!("{key}.drain"), drain);
        }
        Action::Add(NonAreaAction(Added::Body(body))) => {
            let key = format!("{key}.body");
            if let Some(name) = &body.name {
                check.check_file_name(&format!("{key}.name"), name);
            }
            super::body::check_body(check, &key, body);
        }
    }
}
