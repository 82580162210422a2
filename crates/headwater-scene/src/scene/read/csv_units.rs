//! Units in the column names of CSV files, such as `Q (cfs)` or `time [h]`. A unit that scenes do
//! not use is rejected unless the scene defines how to convert the values. Without this check, the
//! values could be wrong without any warning.

/// Units that scenes do not use. Each entry contains the name of such a unit, a conversion factor,
/// and the name of the unit in scenes that results from multiplying by this factor.
const FOREIGN_UNITS: [(&str, f64, &str); 31] = [
    ("gpm", 6.309_019_64e-5, "m³/s"),
    ("kcfs", 28.316_846_592, "m³/s"),
    ("cfs", 0.028_316_846_592, "m³/s"),
    ("ft3/s", 0.028_316_846_592, "m³/s"),
    ("ft³/s", 0.028_316_846_592, "m³/s"),
    ("ft^3/s", 0.028_316_846_592, "m³/s"),
    ("mgd", 0.043_812_636_388, "m³/s"),
    ("l/s", 0.001, "m³/s"),
    ("l/min", 0.001 / 60.0, "m³/s"),
    ("m3/h", 1.0 / 3600.0, "m³/s"),
    ("m³/h", 1.0 / 3600.0, "m³/s"),
    ("m3/d", 1.0 / 86400.0, "m³/s"),
    ("m³/d", 1.0 / 86400.0, "m³/s"),
    ("ft", 0.3048, "m"),
    ("feet", 0.3048, "m"),
    ("yd", 0.9144, "m"),
    ("in", 0.0254, "m"),
    ("inch", 0.0254, "m"),
    ("inches", 0.0254, "m"),
    ("mm", 0.001, "m"),
    ("cm", 0.01, "m"),
    ("dm", 0.1, "m"),
    ("km", 1000.0, "m"),
    ("in/h", 25.4, "mm/h"),
    ("in/hr", 25.4, "mm/h"),
    ("cm/h", 10.0, "mm/h"),
    ("mm/min", 60.0, "mm/h"),
    ("mm/s", 3600.0, "mm/h"),
    ("mm/d", 1.0 / 24.0, "mm/h"),
    ("mm/day", 1.0 / 24.0, "mm/h"),
    ("in/d", 25.4 / 24.0, "mm/h"),
];

/// Names of units of time that the key `times` does not support.
const FOREIGN_TIMES: [&str; 7] = ["ms", "week", "weeks", "month", "months", "year", "years"];

/// Names of the rate units that scenes use.
const SCENE_RATE_UNITS: [&str; 14] = [
    "m3/s",
    "m³/s",
    "m^3/s",
    "m3 s-1",
    "m³ s⁻¹",
    "m2/s",
    "m²/s",
    "m^2/s",
    "m/s",
    "mm/h",
    "mm/hr",
    "mm/hour",
    "mm h-1",
    "mm h⁻¹",
];

/// Names of units of time, each with the corresponding value of the key `times`.
const TIME_UNITS: [(&str, &str); 16] = [
    ("s", "s"),
    ("sec", "s"),
    ("seconds", "s"),
    ("min", "min"),
    ("mins", "min"),
    ("minutes", "min"),
    ("h", "h"),
    ("hr", "h"),
    ("hrs", "h"),
    ("hour", "h"),
    ("hours", "h"),
    ("d", "d"),
    ("day", "d"),
    ("days", "d"),
    ("utc", "date"),
    ("date", "date"),
];

/// Returns the unit in brackets at the end of a column's name; `None` if the name does not end with
/// brackets.
fn unit_in_brackets(name: &str) -> Option<&str> {
    let inside = name.trim().strip_suffix([')', ']'])?;
    inside.rsplit_once(['(', '[']).map(|(_, unit)| unit.trim())
}

/// Checks that the time column called `name` is in seconds if the scene does not give the key
/// `times`. The unit is given in brackets at the end of the name, or is the name itself.
///
/// # Errors
/// Returns a message if the column has another unit.
pub(super) fn check_time(name: &str, has_times_key: bool) -> Result<(), String> {
    let unit = unit_in_brackets(name).unwrap_or(name);
    if !has_times_key && FOREIGN_TIMES.iter().any(|name| name.eq_ignore_ascii_case(unit)) {
        return Err(format!(
            "the time column is in `{unit}`, for which the key times has no value; convert it to \
             days or seconds and set times"
        ));
    }
    let known = TIME_UNITS.iter().find(|(name, _)| name.eq_ignore_ascii_case(unit));
    match known.filter(|(_, key)| *key != "s" && !has_times_key) {
        Some((_, key)) => Err(format!(
            "the time column is in `{unit}`, but the key times is not set, which means seconds; \
             set times = \"{key}\""
        )),
        None => Ok(()),
    }
}

/// Checks that the scene gives a scale for the value column called `name` if the unit of the column
/// is one that scenes do not use.
///
/// # Errors
/// Returns a message if there is no scale.
pub(super) fn check_value(name: &str, scale_given: bool) -> Result<(), String> {
    let Some(unit) = unit_in_brackets(name).filter(|_| !scale_given) else { return Ok(()) };
    let is_unit = |name: &str| name.eq_ignore_ascii_case(unit);
    if let Some((_, size, own)) = FOREIGN_UNITS.iter().find(|(name, ..)| is_unit(name)) {
        return Err(format!(
            "the value column is in `{unit}`; set scale to the factor that converts it to the unit \
             of the key ({size} converts to {own}), or scale = 1 to take the values as they are"
        ));
    }
    let is_rate = unit.contains(['/', '⁻']) || unit.ends_with("-1");
    if is_rate && !SCENE_RATE_UNITS.iter().any(|name| is_unit(name)) {
        return Err(format!(
            "the value column is in `{unit}`, an unknown unit; set scale to the factor that converts \
             it to the unit of the key, or scale = 1 to take the values as they are"
        ));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_in_other_units_require_a_conversion_key() {
        for (name, advice) in [
            ("level [mm]", "0.001 converts to m)"),
            ("stage (in)", "0.0254 converts to m)"),
            ("Rain [mm/d]", "converts to mm/h)"),
            ("Q (cfs)", "0.028316846592 converts to m³/s)"),
            ("Q [ML/d]", "`ML/d`, an unknown unit"),
            ("Q [ft³ s⁻¹]", "an unknown unit"),
            ("rain [mm/15min]", "an unknown unit"),
        ] {
            let message = check_value(name, false).unwrap_err();
            assert!(message.contains(advice), "{message}");
            check_value(name, true).unwrap();
        }
        for name in ["level [m]", "Q (m³/s)", "Q [m3 s-1]", "rain [mm/h]", "gauge (north)", "mm"] {
            check_value(name, false).unwrap();
        }
        assert!(check_time("t [weeks]", false).unwrap_err().contains("convert it to days"));
        check_time("t [weeks]", true).unwrap();
    }
}
