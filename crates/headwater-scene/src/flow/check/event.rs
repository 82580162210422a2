//! Checks of the events of a `flow` scene.

use crate::flow::{Action, Added, FlowScene};
use crate::scene::check::{Checker, MAX_HEIGHT, MAX_LENGTH};
use crate::scene::place::Extent;
use crate::scene::{Tables, WithoutArea};
use headwater::flow::{Amount, Change};

pub(super) fn check(check: &mut Checker, scene: &FlowScene) {
    for (key, action) in scene.common().actions() {
        check_values(check, &key, action);
    }
}

fn check_values(check: &mut Checker, key: &str, action: &Action) {
    if let Some((Extent::Polygon(_), falloff)) = action.place() {
        check.flat_falloff(key, falloff);
    }
    match action {
        Action::Raise(on) | Action::Lower(on) => match on.value.change {
            Change::By(amount) => check.positive(format!("{key}.amount"), amount, MAX_HEIGHT, " m"),
            Change::To(level) => check.height(format!("{key}.level"), level),
        },
        Action::Flatten(on) => check.height(format!("{key}.level"), on.value.level),
        Action::Smooth(on) => {
            if let Some(reach) = on.value.reach {
                check.positive(format!("{key}.reach"), reach, MAX_LENGTH, " m");
            }
        }
        Action::Pour(on) | Action::Remove(on) => match on.value.amount {
            Amount::Depth(depth) => {
                check.positive(format!("{key}.amount"), depth, MAX_HEIGHT, " m");
            }
            Amount::Volume(volume) => check.positive(format!("{key}.volume"), volume, 1e12, " m³"),
        },
        Action::Push(on) => {
            for (i, part) in on.value.velocity.into_iter().enumerate() {
                check.range(format!("{key}.velocity[{i}]"), part, -1000.0, 1000.0, " m/s");
            }
        }
        Action::Close(_) | Action::Open(_) => {}
        Action::Add(WithoutArea(Added::Source(source))) => {
            super::water::source(check, &format!("{key}.source"), source);
        }
        Action::Add(WithoutArea(Added::Drain(drain))) => {
            super::water::source(check, &format!("{key}.drain"), drain);
        }
        Action::Add(WithoutArea(Added::Body(body))) => {
            super::body::check_values(check, &format!("{key}.body"), body);
        }
    }
}
