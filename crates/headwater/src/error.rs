//! [`InputError`]: what every call of this crate answers to an input that it cannot work with.

use crate::point::Point;
use std::borrow::Cow;
use std::fmt::Display;

/// An input that cannot be worked with. Whatever was called is as it was before.
///
/// It reads `what: found F, allowed is A`, the same in the library, in scenes and in editors of live worlds.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{what}{}: found {found}, allowed is {allowed}", Place::text(.place))]
pub struct InputError {
    /// What is wrong: a parameter by its key, such as `gravity` or `heat.air`, or a thing in words.
    pub what: Cow<'static, str>,
    /// Where, if the thing has places.
    pub place: Option<Place>,
    /// What was found.
    pub found: String,
    /// What is allowed, with its unit.
    pub allowed: Cow<'static, str>,
}

/// Where in a thing something is wrong.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Place {
    /// In a cell, by its column and row from 0.
    Cell(usize, usize),
    /// At a point (m).
    Point(Point),
    /// In an entry of a list, from 0.
    Entry(usize),
    /// In a map of characters, by its row and column from 1.
    Text(usize, usize),
}

impl Place {
    fn text(place: &Option<Self>) -> String {
        match place {
            None => String::new(),
            Some(Place::Cell(x, y)) => format!(" in cell ({x}, {y})"),
            Some(Place::Point([x, y])) => format!(" at [{x}, {y}] m"),
            Some(Place::Entry(i)) => format!(", entry {i}"),
            Some(Place::Text(row, column)) => format!(" in row {row}, column {column}"),
        }
    }
}

impl InputError {
    /// An error about `what`.
    pub fn new(
        what: impl Into<Cow<'static, str>>,
        found: impl Display,
        allowed: impl Into<Cow<'static, str>>,
    ) -> Self {
        Self { what: what.into(), place: None, found: found.to_string(), allowed: allowed.into() }
    }

    /// The same at a place.
    pub fn at(self, place: Place) -> Self {
        Self { place: Some(place), ..self }
    }

    /// The same about a part of something: `air` under `heat` is `heat.air`.
    pub fn under(mut self, whole: &str) -> Self {
        self.what = format!("{whole}.{}", self.what).into();
        self
    }

    /// Checks a number: it has to be finite and in its range, which `allowed` tells with its unit.
    ///
    /// # Errors
    /// [`InputError`] about `what` if it is not.
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

    /// Checks the shape of something, columns and rows, against that of its grid.
    ///
    /// # Errors
    /// [`InputError`] about `what` if they differ.
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

    /// A parameter that belongs to a world from its start.
    pub fn immutable(key: impl Into<Cow<'static, str>>) -> Self {
        Self::new(key, "another value", "the one that the world began with: it cannot change")
    }

    /// A snapshot whose parts do not fit one another.
    pub fn invalid_snapshot(problem: &'static str) -> Self {
        Self::new("snapshot", problem, "one that is whole")
    }
}

/// A number as short as it can be written.
pub fn format_number(v: f64) -> String {
    // What a product or a sum has rounded is nobody's concern.
    let v = format!("{v:.12e}").parse().unwrap_or(v);
    if v != 0.0 && (v.abs() >= 1e7 || v.abs() < 1e-4) { format!("{v:e}") } else { v.to_string() }
}

/// The same of an f32, with no more digits than it has.
pub fn format_f32(v: f32) -> String {
    format_number(v.to_string().parse().unwrap_or(v.into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_says_what_and_where_and_what_is_allowed() {
        let error = InputError::new("depth", -1, "0 m or above").at(Place::Cell(3, 4));
        assert_eq!(error.to_string(), "depth in cell (3, 4): found -1, allowed is 0 m or above");
        let error = InputError::new("air", format_number(1e9), "-100 to 200 °C").under("heat");
        assert_eq!(error.to_string(), "heat.air: found 1e9, allowed is -100 to 200 °C");
        assert_eq!((format_f32(1e30), format_f32(0.1)), ("1e30".into(), "0.1".into()));
        assert!(InputError::check("rate", f64::NAN, true, "a number").is_err());
    }
}
