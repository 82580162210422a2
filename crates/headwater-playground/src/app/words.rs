//! Numbers as people read them.

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
        assert_eq!((exact(0.0), exact(-3e-12)), ("0".into(), "-3e-12".into()));
    }
}
