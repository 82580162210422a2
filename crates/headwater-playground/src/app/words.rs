//! Numbers as people read them; and what the program says of comparisons and recordings.

/// Of gamepads.
#[cfg(target_arch = "wasm32")]
pub(super) const PAD: &str = "Gamepad: sticks move and turn, triggers zoom; A uses the tool in the middle of the view, X and Y change it, B puts it away, the shoulders size the brush; Start runs, Select undoes, up shows all.";

/// Of comparisons.
pub(super) const COMPARE: &str = "Compare";
pub(super) const COMPARE_TIP: &str = "The same world beside it with one value changed: both go through the same, seen from the same place";
pub(super) const END_COMPARISON: &str = "End the comparison";
pub(super) const DIFFERS_IN: &str = "The world beside differs in";
pub(super) const DIFFERS_TIP: &str = "From now on, as both are now";
pub(super) const NOTHING_DIFFERS: &str = "This world has no value that could be another beside it.";
pub(super) const NO_REWIND: &str = "Not while two worlds are compared";

/// Of notices.
pub(super) const CLOSE: &str = "Close";

/// Of weather.
pub(super) const NO_HEAT: &str = "This world knows no heat";

/// Of beginning anew.
pub(super) const AGAIN: &str = "Begin again";

/// Of challenges.
pub(super) const CHALLENGES: &str = "Challenges";
pub(super) const CHALLENGES_TIP: &str = "Something to do, which the world's own gauges measure";
pub(super) const SCENES: &str = "To play with";
pub(super) const LEAVE: &str = "Leave it";
pub(super) const LEAVE_TIP: &str = "Plays on without a goal";
pub(super) const NOT_ALLOWED: &str = "Not in this challenge";
pub(super) const DONE: &str = "Done!";
pub(super) const LOST: &str = "Lost";
pub(super) const WELL_DONE: &str = "That is it. Go on playing, or take on another.";
pub(super) const NOT_THIS_TIME: &str =
    "Not this time. Begin again (R), or go back in time at the foot.";

/// Of files.
#[cfg(not(target_arch = "wasm32"))]
pub(super) const NO_DIALOG: &str = "There is no file dialog here: it takes a desktop portal or zenity. Drop the file onto the window, or name \
    it when you start the playground.";

/// Of recordings.
pub(super) const RECORD: &str = "Record the last six seconds";
pub(super) const RECORD_TIP: &str =
    "What was to be seen in the last six seconds of play, as an animation";
pub(super) const COMPARISON_ENDED: &str =
    "The comparison has ended: its two worlds were those before this one.";
pub(super) const RECORDING: &str = "Recording …";
pub(super) const RECORDS_ONE: &str = "An animation shows one world: end the comparison first.";
pub(super) const NOTHING_TO_RECORD: &str =
    "There is nothing to record yet: let the world run for some seconds first.";
#[cfg(not(target_arch = "wasm32"))]
pub(super) const NO_PICTURES: &str = "No animation: this window gives no pictures of itself.";

/// A switch as people read it.
pub(super) fn switch(on: bool) -> &'static str {
    if on { "on" } else { "off" }
}

/// A number with about four digits.
pub(super) fn short(value: f64) -> String {
    let size = value.abs();
    if !value.is_finite() {
        "–".into()
    } else if size >= 1e7 || (size > 0.0 && size < 1e-3) {
        format!("{value:.2e}")
    } else if size >= 1000.0 {
        format!("{value:.0}")
    } else if size >= 10.0 {
        format!("{value:.1}")
    } else {
        format!("{value:.3}")
    }
}

/// A length (m) as people say it.
pub(super) fn length(metres: f64) -> String {
    match metres.abs() {
        far if far >= 1000.0 => format!("{} km", short(metres / 1000.0)),
        far if far >= 1.0 || far == 0.0 => format!("{} m", short(metres)),
        _ => format!("{} cm", short(100.0 * metres)),
    }
}

/// An amount in a unit, in thousands and millions where it is large.
pub(super) fn amount(value: f64, unit: &str) -> String {
    match value.abs() {
        much if much >= 1e10 => format!("{} billion {unit}", short(value / 1e9)),
        much if much >= 1e6 => format!("{} million {unit}", short(value / 1e6)),
        _ => format!("{} {unit}", short(value)),
    }
}

/// A number with two digits that count.
pub(super) fn rounded(value: f64) -> f64 {
    if value == 0.0 || !value.is_finite() {
        return value;
    }
    let power = 10_f64.powf(value.abs().log10().floor() - 1.0);
    (value / power).round() * power
}

/// A number that should be 0: 0 itself looks different from anything else, however small.
pub(super) fn exact(value: f64) -> String {
    if value == 0.0 { "0".into() } else { format!("{value:.0e}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_keep_about_four_digits() {
        assert_eq!(short(12.345), "12.3");
        assert_eq!(short(0.5), "0.500");
        assert_eq!(short(123_456.7), "123457");
        assert_eq!(short(2e-5), "2.00e-5");
        assert_eq!(short(f64::NAN), "–");
        assert_eq!((length(2500.0), length(0.25)), ("2.500 km".into(), "25.0 cm".into()));
        assert_eq!(amount(4_312_345.0, "m³"), "4.312 million m³");
        assert_eq!((rounded(187.5), rounded(0.0)), (190.0, 0.0));
        assert_eq!((exact(0.0), exact(-3e-12)), ("0".into(), "-3e-12".into()));
    }
}
