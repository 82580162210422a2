//! Formatting of numbers, units and words for display.

pub(in crate::app) fn on_off_word(on: bool) -> &'static str {
    if on { "on" } else { "off" }
}

pub(in crate::app) fn capitalize(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

/// Smallest magnitude that is shown. Values of smaller magnitude are rounding errors and are shown
/// as 0.
pub(in crate::app) const MIN_SHOWN: f64 = 1e-9;

/// Formats a number with about four significant digits.
pub(in crate::app) fn format_short(value: f64) -> String {
    let size = value.abs();
    if !value.is_finite() {
        "–".into()
    } else if size < MIN_SHOWN {
        "0".into()
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

/// Formats a length, given in metres, in km, m or cm.
pub(in crate::app) fn format_length(metres: f64) -> String {
    match metres.abs() {
        far if far >= 1000.0 => format!("{} km", format_short(metres / 1000.0)),
        far if far >= 1.0 || far == 0.0 => format!("{} m", format_short(metres)),
        _ => format!("{} cm", format_short(100.0 * metres)),
    }
}

/// Formats a value with its unit, in millions or billions if it is large.
pub(in crate::app) fn format_amount(value: f64, unit: &str) -> String {
    match value.abs() {
        much if much >= 1e10 => format!("{} billion {unit}", format_short(value / 1e9)),
        much if much >= 1e6 => format!("{} million {unit}", format_short(value / 1e6)),
        _ => format!("{} {unit}", format_short(value)),
    }
}

/// Returns a number rounded to two significant digits.
pub(in crate::app) fn round_to_two_digits(value: f64) -> f64 {
    if value == 0.0 || !value.is_finite() {
        return value;
    }
    let power = 10_f64.powf(value.abs().log10().floor() - 1.0);
    (value / power).round() * power
}

/// Formats a value that should be 0, such as a residual. Any value other than 0 is shown with
/// enough digits to be distinguishable from 0.
pub(in crate::app) fn format_exact(value: f64) -> String {
    if value == 0.0 { "0".into() } else { format!("{value:.0e}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_keep_about_four_digits() {
        assert_eq!(format_short(12.345), "12.3");
        assert_eq!(format_short(0.5), "0.500");
        assert_eq!(format_short(123_456.7), "123457");
        assert_eq!(format_short(2e-5), "2.00e-5");
        assert_eq!(format_short(f64::NAN), "–");
        assert_eq!(
            (format_length(2500.0), format_length(0.25)),
            ("2.500 km".into(), "25.0 cm".into())
        );
        assert_eq!(format_amount(4_312_345.0, "m³"), "4.312 million m³");
        assert_eq!((round_to_two_digits(187.5), round_to_two_digits(0.0)), (190.0, 0.0));
        assert_eq!((format_exact(0.0), format_exact(-3e-12)), ("0".into(), "-3e-12".into()));
    }
}
