//! Checks of events.

use crate::flow::{Action, Added, FlowScene};
use crate::scene::check::{Checker, MAX_HEIGHT, MAX_LENGTH};
use crate::scene::place::Extent;
use crate::scene::{Alone, Tables};
use headwater::flow::{Amount, Change};

pub(super) fn check(check: &mut Checker, scene: &FlowScene) {
    for (key, action) in scene.common().actions() {
        values(check, &key, action);
    }
}

fn values(check: &mut Checker, key: &str, action: &Action) {
    if let Some((Extent::Polygon(_), falloff)) = action.place() {
        check.flat(key, falloff);
    }
    match action {
        Action::Raise(on) | Action::Lower(on) => match on.what.change {
            Change::By(amount) => check.positive(format!("{key}.amount"), amount, MAX_HEIGHT, " m"),
            Change::To(level) => check.height(format!("{key}.level"), level),
        },
        Action::Flatten(on) => check.height(format!("{key}.level"), on.what.level),
        Action::Smooth(on) => {
            if let Some(reach) = on.what.reach {
                check.positive(format!("{key}.reach"), reach, MAX_LENGTH, " m");
            }
        }
        Action::Pour(on) | Action::Remove(on) => match on.what.amount {
            Amount::Depth(depth) => {
                check.positive(format!("{key}.amount"), depth, MAX_HEIGHT, " m");
            }
            Amount::Volume(volume) => check.positive(format!("{key}.volume"), volume, 1e12, " m³"),
        },
        Action::Push(on) => {
            for (i, part) in on.what.velocity.into_iter().enumerate() {
                check.range(format!("{key}.velocity[{i}]"), part, -1000.0, 1000.0, " m/s");
            }
        }
        Action::Close(_) | Action::Open(_) => {}
        Action::Add(Alone(Added::Source(source))) => {
            super::water::source(check, &format!("{key}.source"), source);
        }
        Action::Add(Alone(Added::Drain(drain))) => {
            super::water::source(check, &format!("{key}.drain"), drain);
        }
        Action::Add(Alone(Added::Body(body))) => {
            super::body::values(check, &format!("{key}.body"), body);
        }
    }
}
