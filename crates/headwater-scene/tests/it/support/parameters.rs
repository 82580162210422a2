//! Parameters from end to end: what a model's table says of them is what the library, the scene and the inspector say.

use headwater::parameter::{Kind, Parameters, Value};
use headwater_scene::live::Live;
use headwater_scene::scene;

/// Sets every parameter of a table to the ends of its range and one step beyond them: the ends are accepted, what lies beyond is
/// refused with the same words by the library, by the scene and by its live world. `params` are the library's as
/// the scene `text` has them in its table `table`.
pub(crate) fn walk<P: Parameters + std::fmt::Debug>(params: &P, table: &str, text: &str) {
    walk_but(params, table, text, &[]);
}

/// The same but for some keys, which the scene has elsewhere.
pub(crate) fn walk_but<P: Parameters + std::fmt::Debug>(
    params: &P,
    table: &str,
    text: &str,
    elsewhere: &[&str],
) {
    for one in P::TABLE.iter().filter(|one| !elsewhere.contains(&one.key)) {
        let key = format!("{table}.{}", one.key);
        let read = |v: f64| scene::parse("a.toml", text, &[(key.clone(), written(one.kind, v))]);
        let set = |v: f64| {
            let mut live = Live::new("a.toml", text).unwrap();
            live.set(&key, written(one.kind, v).parse().unwrap())
        };
        if let Kind::Choice(_) = one.kind {
            let wrong = Value::Choice("no-such-thing".into());
            assert!(params.with(one.key, &wrong).is_err(), "{key}");
            let wrong = "\"no-such-thing\"";
            let error = scene::parse("a.toml", text, &[(key.clone(), wrong.into())]).unwrap_err();
            assert!(error.to_string().contains(&key), "{error}");
            continue;
        }
        if one.kind == Kind::Bool {
            continue;
        }
        let allowed = (one.allowed)(params);
        for (bound, outward, is_open) in
            [(allowed.low, -1.0, allowed.open), (allowed.high, 1.0, false)]
        {
            if bound.abs() == f64::MAX {
                continue;
            }
            let step = if one.kind == Kind::Integer { 1.0 } else { 1e-3 * bound.abs().max(1e-3) };
            let inside =
                if is_open { bound - outward * step.min(1e-3 * allowed.high) } else { bound };
            let outside = match one.kind {
                _ if is_open => bound,
                Kind::Integer => bound + outward,
                _ if outward < 0.0 => bound.next_down(),
                _ => bound.next_up(),
            };
            assert!(params.with(one.key, &value(one.kind, inside)).is_ok(), "{key} = {inside}");
            // Other keys may forbid it in the scene, in other words.
            let out_of_range = format!("{key}: found {}, allowed is", short(inside));
            let said = read(inside).err().map(|error| error.to_string()).unwrap_or_default();
            assert!(!said.contains(&out_of_range), "{said}");
            let error = params.with(one.key, &value(one.kind, outside)).unwrap_err();
            let words = format!("{key}: found {}, allowed is {}", error.found, error.allowed);
            let refusals =
                [read(outside).unwrap_err().to_string(), set(outside).unwrap_err().to_string()];
            for said in refusals {
                // What no whole number of the scene can be is refused as that.
                let whole = 0.0..=f64::from(u32::MAX);
                let is_no_number = one.kind == Kind::Integer && !whole.contains(&outside);
                let is_so = if is_no_number { said.contains(&key) } else { said.contains(&words) };
                assert!(is_so, "{said}\n{words}");
            }
        }
    }
}

/// A number as a value of a kind; of a pair, one of the two.
fn value(kind: Kind, v: f64) -> Value {
    if kind == Kind::Pair { Value::Pair([v, 0.0]) } else { Value::Number(v) }
}

/// A number as a scene has it.
fn written(kind: Kind, v: f64) -> String {
    match kind {
        Kind::Integer => format!("{v:.0}"),
        Kind::Pair => format!("[{v:?}, 0.0]"),
        _ => format!("{v:?}"),
    }
}

/// A number as errors have it.
fn short(v: f64) -> String {
    headwater::error::format_number(v)
}
