//! [`InputError`]: the error type for invalid input, with the name and position of the invalid
//! value and the allowed values.

use super::region::point::Point;
use std::borrow::Cow;
use std::fmt::Display;

/// Error for invalid input. The object whose method returned the error is unchanged.
///
/// The message has the form `what: found F, allowed is A`.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{what}{}: found {found}, allowed is {allowed}", InputPosition::format_suffix(.place))]
pub struct InputError {
    /// Name of the invalid input: the key of a parameter, such as `gravity` or `heat.air`, or a
    /// noun such as `depth`.
    pub what: Cow<'static, str>,
    /// Position of the invalid value in the input; `None` if the input is a single value.
    pub place: Option<InputPosition>,
    /// Invalid value, formatted for the error message.
    pub found: String,
    /// Description of the allowed values with their unit, such as `0 to 1 m`.
    pub allowed: Cow<'static, str>,
}

/// Position of an invalid value in a field, a list or a text map (a grid drawn with one character
/// per cell).
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum InputPosition {
    /// Cell of a field: column and row, counted from 0.
    Cell(usize, usize),
    /// Point in the plane (m).
    Point(Point),
    /// Index in a list, counted from 0.
    Entry(usize),
    /// Character of a text map (a grid drawn with one character per cell): row and column, counted
    /// from 1.
    Text(usize, usize),
}

impl InputPosition {
    fn format_suffix(position: &Option<Self>) -> String {
        match position {
            None => String::new(),
            Some(InputPosition::Cell(x, y)) => format!(" in cell ({x}, {y})"),
            Some(InputPosition::Point([x, y])) => format!(" at [{x}, {y}] m"),
            Some(InputPosition::Entry(i)) => format!(", entry {i}"),
            Some(InputPosition::Text(row, column)) => format!(" in row {row}, column {column}"),
        }
    }
}

impl InputError {
    /// Creates an error for the invalid input `what`, without a position.
    pub fn new(
        what: impl Into<Cow<'static, str>>,
        found: impl Display,
        allowed: impl Into<Cow<'static, str>>,
    ) -> Self {
        Self { what: what.into(), place: None, found: found.to_string(), allowed: allowed.into() }
    }

    /// Returns this error with the given position of the invalid value.
    pub fn at_position(self, place: InputPosition) -> Self {
        Self { place: Some(place), ..self }
    }

    /// Prepends the key of a parent table to the name of the input: `air` in the table `heat`
    /// becomes `heat.air`.
    pub fn with_table_prefix(mut self, table: &str) -> Self {
        self.what = format!("{table}.{}", self.what).into();
        self
    }

    /// Checks that the number `found` is finite and that `in_range`, the result of the caller's
    /// range check, is true. `allowed` describes the allowed range with its unit.
    ///
    /// # Errors
    /// Returns [`InputError`] that names `what` if the number is not finite or out of range.
    pub fn check(
        what: impl Into<Cow<'static, str>>,
        found: f64,
        in_range: bool,
        allowed: impl Display,
    ) -> Result<(), Self> {
        if in_range && found.is_finite() {
            Ok(())
        } else {
            Err(Self::new(what, format_number(found), allowed.to_string()))
        }
    }

    /// Checks that the shape of a field (columns and rows) equals the shape of the grid.
    ///
    /// # Errors
    /// Returns [`InputError`] that names `what` if the shapes differ.
    pub fn check_shape(
        what: impl Into<Cow<'static, str>>,
        found: [usize; 2],
        grid: [usize; 2],
    ) -> Result<(), Self> {
        if found == grid {
            return Ok(());
        }
        let size = |[nx, ny]: [usize; 2]| format!("{nx} × {ny}");
        Err(Self::new(what, size(found), format!("{}, the size of the grid", size(grid))))
    }

    /// Creates the error for an attempt to change the parameter `key`, which is fixed when the
    /// model is created.
    pub fn immutable_parameter(key: impl Into<Cow<'static, str>>) -> Self {
        Self::new(key, "another value", "the initial value, because it cannot change")
    }

    /// Creates the error for a snapshot with inconsistent contents. `problem` describes the
    /// inconsistency.
    pub fn invalid_snapshot(problem: &'static str) -> Self {
        Self::new("snapshot", problem, "a consistent snapshot")
    }
}

/// Formats a number with as few digits as possible (at most 13 significant digits), in scientific
/// notation if the number is very large or very small.
pub fn format_number(v: f64) -> String {
    // Twelve digits hide rounding errors of products and sums.
    let v = format!("{v:.12e}").parse().unwrap_or(v);
    if v != 0.0 && (v.abs() >= 1e7 || v.abs() < 1e-4) { format!("{v:e}") } else { v.to_string() }
}

/// Formats an `f32` like [`format_number`], without digits beyond the precision of an `f32`.
pub fn format_f32(v: f32) -> String {
    format_number(v.to_string().parse().unwrap_or(v.into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_name_the_input_its_position_and_the_allowed_values() {
        let error =
            InputError::new("depth", -1, "0 m or above").at_position(InputPosition::Cell(3, 4));
        assert_eq!(error.to_string(), "depth in cell (3, 4): found -1, allowed is 0 m or above");
        let error =
            InputError::new("air", format_number(1e9), "-100 to 200 °C").with_table_prefix("heat");
        assert_eq!(error.to_string(), "heat.air: found 1e9, allowed is -100 to 200 °C");
        assert_eq!((format_f32(1e30), format_f32(0.1)), ("1e30".into(), "0.1".into()));
        assert!(InputError::check("rate", f64::NAN, true, "a number").is_err());
    }
}
