//! Checks of events.

use super::{Checker, MAX_HEIGHT, MAX_REPEATS, MAX_TIME, number};
use crate::schema::{Event, EventOp, Scene};

pub(super) fn check(check: &mut Checker, scene: &Scene) {
    check.entries("event", scene.events.len());
    for (i, one) in scene.events.iter().enumerate() {
        let key = format!("event[{i}]");
        times(check, &key, one, scene.time.until);
        check.area(&key, &one.area());
        needs(check, &key, one);
        values(check, &key, one);
    }
}

fn times(check: &mut Checker, key: &str, event: &Event, end: f64) {
    check.range(format!("{key}.time"), event.time, 0.0, MAX_TIME, " s");
    if let Some(until) = event.until {
        check.after(format!("{key}.until"), until, event.time, "time");
        if event.every.is_none() {
            check.note(format!("{key}.until"), "means nothing without `every`");
        }
    }
    if let Some(every) = event.every {
        check.positive(format!("{key}.every"), every, MAX_TIME, " s");
        let last = event.until.map_or(end, |until| until.min(end));
        let repeats = (last - event.time) / every;
        if every > 0.0 && repeats > MAX_REPEATS {
            let (repeats, most) = (number(repeats.floor()), number(MAX_REPEATS));
            let message = format!("makes {repeats} repeats, allowed is up to {most}");
            check.note(format!("{key}.every"), message);
        }
    }
}

/// The keys that what is done needs, and none that mean nothing to it.
fn needs(check: &mut Checker, key: &str, event: &Event) {
    use EventOp::{Close, Flatten, Lower, Open, Pour, Push, Raise, Remove, Smooth};
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
        Flatten | Smooth | Push | Close | Open => {
            check.one_of(key, [amount, volume], false, op);
            check.only_if(format!("{key}.level"), level.1, op == Flatten, op);
        }
    }
    if event.keep.is_some() && !matches!(op, Raise | Lower | Flatten | Smooth) {
        check.only_if(format!("{key}.keep"), true, false, op);
    }
    if event.falloff.is_some() && matches!(op, Close | Open) {
        check.only_if(format!("{key}.falloff"), true, false, op);
    }
    check.only_if(format!("{key}.velocity"), event.velocity.is_some(), op == Push, op);
    check.reach(key, event.reach, op == Smooth, op);
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
