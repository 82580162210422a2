//! Formatting of times and lengths for the labels in pictures.

/// Formats a time (s) as a string such as `2 min 30 s`. The string has only as many digits as are
/// needed to distinguish frames.
pub(crate) fn format_time(seconds: f64) -> String {
    if !seconds.is_finite() {
        return "?".into();
    }
    if seconds < 0.0 {
        return format!("−{}", format_time(-seconds));
    }
    let whole = seconds.round();
    let two = |big: f64, big_unit: &str, small: f64, small_unit: &str| {
        if small > 0.0 {
            format!("{big} {big_unit} {small} {small_unit}")
        } else {
            format!("{big} {big_unit}")
        }
    };
    if seconds == 0.0 {
        "0 s".into()
    } else if seconds < 0.0995 {
        format!("{} ms", (seconds * 1000.0).round())
    } else if seconds < 9.95 {
        format!("{seconds:.1} s")
    } else if whole < 60.0 {
        format!("{whole} s")
    } else if whole < 3600.0 {
        two((whole / 60.0).floor(), "min", whole % 60.0, "s")
    } else if whole < 86400.0 {
        let minutes = (seconds / 60.0).round();
        two((minutes / 60.0).floor(), "h", minutes % 60.0, "min")
    } else if whole < 1000.0 * 86400.0 {
        let hours = (seconds / 3600.0).round();
        two((hours / 24.0).floor(), "d", hours % 24.0, "h")
    } else {
        let years = seconds / (365.25 * 86400.0);
        if years < 100.0 { format!("{years:.1} years") } else { format!("{years:.0} years") }
    }
}

/// Returns the largest number that does not exceed `limit` and that is 1, 2 or 5 times a power of
/// ten.
pub(crate) fn floor_to_nice_number(limit: f64) -> f64 {
    let power = 10f64.powf(limit.log10().floor());
    let steps = limit / power;
    // The tolerance covers rounding errors of limits that are round numbers themselves.
    let factor = [5.0, 2.0, 1.0].into_iter().find(|factor| steps >= factor - 1e-9).unwrap_or(1.0);
    factor * power
}

/// Formats a length (m) in kilometres, metres, centimetres or millimetres, depending on its
/// magnitude.
pub(crate) fn format_length(metres: f64) -> String {
    let (value, unit) = match metres {
        m if m >= 1000.0 => (m / 1000.0, "km"),
        m if m >= 1.0 => (m, "m"),
        m if m >= 0.01 => (m * 100.0, "cm"),
        m => (m * 1000.0, "mm"),
    };
    // Round away the binary representation error of powers of ten.
    format!("{} {unit}", (value * 1e6).round() / 1e6)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_formatted_with_units() {
        let cases = [
            (0.0, "0 s"),
            (0.02, "20 ms"),
            (2.5, "2.5 s"),
            (59.4, "59 s"),
            (59.7, "1 min"),
            (150.0, "2 min 30 s"),
            (3600.0, "1 h"),
            (7265.0, "2 h 1 min"),
            (86400.0 * 3.25, "3 d 6 h"),
            (365.25 * 86400.0 * 2000.0, "2000 years"),
        ];
        for (seconds, words) in cases {
            assert_eq!(format_time(seconds), words);
        }
    }

    #[test]
    fn lengths_are_rounded_and_formatted() {
        assert_eq!(floor_to_nice_number(0.999), 0.5);
        assert_eq!(floor_to_nice_number(1000.0), 1000.0);
        assert_eq!(floor_to_nice_number(4999.0), 2000.0);
        assert_eq!(format_length(floor_to_nice_number(260.0)), "200 m");
        assert_eq!(format_length(5000.0), "5 km");
        assert_eq!(format_length(0.2), "20 cm");
    }
}
