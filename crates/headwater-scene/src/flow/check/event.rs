//! Checks of events.

use crate::flow::{Event, EventOp, FlowScene};
use crate::scene::check::{Checker, MAX_HEIGHT};
use crate::scene::setting::Timed;

pub(super) fn check(check: &mut Checker, scene: &FlowScene) {
    check.events(scene.events.iter().map(Timed::times));
    for (i, one) in scene.events.iter().enumerate() {
        let key = format!("event[{i}]");
        check.times(&key, one.times(), scene.time.until);
        added(check, &key, one);
        if one.op == EventOp::Add {
            check.no_area(&key, &one.area(), one.op);
        } else {
            check.area(&key, &one.area());
        }
        needs(check, &key, one);
        values(check, &key, one);
    }
}

/// The keys that what is done needs, and none that mean nothing to it.
fn needs(check: &mut Checker, key: &str, event: &Event) {
    use EventOp::{Add, Close, Flatten, Lower, Open, Pour, Push, Raise, Remove, Smooth};
    let op = event.op;
    let amount = ("amount", event.amount.is_some());
    let level = ("level", event.level.is_some());
    let volume = ("volume", event.volume.is_some());
    match op {
        Raise | Lower => {
            check.one_of(key, [amount, level], true, op);
            check.only_if(format!("{key}.volume"), volume.1, false, op);
        }
        Pour | Remove => {
            check.one_of(key, [amount, volume], true, op);
            check.only_if(format!("{key}.level"), level.1, false, op);
        }
        Flatten | Smooth | Push | Close | Open | Add => {
            check.one_of(key, [amount, volume], false, op);
            check.only_if(format!("{key}.level"), level.1, op == Flatten, op);
        }
    }
    if event.keep.is_some() && !matches!(op, Raise | Lower | Flatten | Smooth) {
        check.only_if(format!("{key}.keep"), true, false, op);
    }
    if event.falloff.is_some() && matches!(op, Close | Open | Add) {
        check.only_if(format!("{key}.falloff"), true, false, op);
    }
    check.only_if(format!("{key}.velocity"), event.velocity.is_some(), op == Push, op);
    check.reach(key, event.reach, op == Smooth, op);
}

/// What is added.
fn added(check: &mut Checker, key: &str, event: &Event) {
    let Event { op, source, drain, body, .. } = event;
    let given =
        [("source", source.is_some()), ("drain", drain.is_some()), ("body", body.is_some())];
    check.added(key, &given, *op == EventOp::Add, op);
    if let Some(source) = source {
        super::water::source(check, &format!("{key}.source"), source);
    }
    if let Some(drain) = drain {
        super::water::source(check, &format!("{key}.drain"), drain);
    }
    if let Some(body) = body {
        super::body::values(check, &format!("{key}.body"), body);
    }
}

fn values(check: &mut Checker, key: &str, event: &Event) {
    if let Some(amount) = event.amount {
        check.positive(format!("{key}.amount"), amount, MAX_HEIGHT, " m");
    }
    if let Some(level) = event.level {
        check.height(format!("{key}.level"), level);
    }
    if let Some(volume) = event.volume {
        check.positive(format!("{key}.volume"), volume, 1e12, " m³");
    }
    for (i, velocity) in event.velocity.iter().flatten().enumerate() {
        check.range(format!("{key}.velocity[{i}]"), *velocity, -1000.0, 1000.0, " m/s");
    }
}
