//! Tests that the library, scenes and live worlds allow the same range for each parameter.

use headwater::parameter::{Kind, Parameters, Value};
use headwater_scene::live::Live;
use headwater_scene::scene;

/// Sets every parameter of the scene table `table` to both ends of its range, and to values just
/// beyond them. Asserts that the ends are accepted, and that the library, the scene parser and the
/// live world reject values beyond the ends with the same message. `params` are the parameters in
/// the table of the scene `text`.
pub(crate) fn assert_ranges_match<P: Parameters + std::fmt::Debug>(
    params: &P,
    table: &str,
    text: &str,
) {
    assert_ranges_match_except(params, table, text, &[]);
}

/// Does the same as [`assert_ranges_match`], but skips the parameters listed in `elsewhere`. In
/// scenes, these parameters are not keys of the table.
pub(crate) fn assert_ranges_match_except<P: Parameters + std::fmt::Debug>(
    params: &P,
    table: &str,
    text: &str,
    elsewhere: &[&str],
) {
    for one in P::TABLE.iter().filter(|one| !elsewhere.contains(&one.key)) {
        let key = format!("{table}.{}", one.key);
        let read =
            |v: f64| scene::parse("a.toml", text, &[(key.clone(), scene_notation(one.kind, v))]);
        let set = |v: f64| {
            let mut live = Live::new("a.toml", text).unwrap();
            live.set(&key, scene_notation(one.kind, v).parse().unwrap())
        };
        if let Kind::Choice(_) = one.kind {
            let wrong = Value::Choice("no-such-thing".into());
            assert!(params.with_value(one.key, &wrong).is_err(), "{key}");
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
            [(allowed.low, -1.0, allowed.excludes_low), (allowed.high, 1.0, false)]
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
            assert!(
                params.with_value(one.key, &to_value(one.kind, inside)).is_ok(),
                "{key} = {inside}"
            );
            // The scene may reject the value for another key, with another message.
            let out_of_range = format!("{key}: found {}, allowed is", error_notation(inside));
            let said = read(inside).err().map(|error| error.to_string()).unwrap_or_default();
            assert!(!said.contains(&out_of_range), "{said}");
            let error = params.with_value(one.key, &to_value(one.kind, outside)).unwrap_err();
            let words = format!("{key}: found {}, allowed is {}", error.found, error.allowed);
            let messages =
                [read(outside).unwrap_err().to_string(), set(outside).unwrap_err().to_string()];
            for said in messages {
                // Values that are not integers of the scene are rejected as such.
                let whole = 0.0..=f64::from(u32::MAX);
                let is_no_number = one.kind == Kind::Integer && !whole.contains(&outside);
                let is_so = if is_no_number { said.contains(&key) } else { said.contains(&words) };
                assert!(is_so, "{said}\n{words}");
            }
        }
    }
}

/// Converts a number to a parameter value of the given kind. For pairs, the second element is 0.
fn to_value(kind: Kind, value: f64) -> Value {
    if kind == Kind::Pair { Value::Pair([value, 0.0]) } else { Value::Number(value) }
}

/// Formats a number as it is written in a scene.
fn scene_notation(kind: Kind, value: f64) -> String {
    match kind {
        Kind::Integer => format!("{value:.0}"),
        Kind::Pair => format!("[{value:?}, 0.0]"),
        _ => format!("{value:?}"),
    }
}

/// Formats a number as it is shown in error messages.
fn error_notation(value: f64) -> String {
    headwater::error::format_number(value)
}
