//! What can go wrong with a hydrology world.

use super::params::ParamsError;
use crate::error::InputError;

/// An input that a [`Hydrology`](super::Hydrology) cannot work with. The world is as it was before.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum HydrologyError {
    /// A parameter is out of its range.
    #[error(transparent)]
    Params(#[from] ParamsError),
    /// An input that cannot be worked with.
    #[error(transparent)]
    Input(#[from] InputError),
    /// Cells must be squares.
    #[error("cells must be as wide as high, found {dx} m × {dy} m")]
    NotSquare {
        /// Size from west to east (m).
        dx: f64,
        /// Size from north to south (m).
        dy: f64,
    },
    /// There can be no such map.
    #[error(
        "a map must have at least 3 columns and rows and at most {max} cells, found {nx} × {ny}"
    )]
    Size {
        /// Columns.
        nx: usize,
        /// Rows.
        ny: usize,
        /// The most cells.
        max: usize,
    },
    /// A field that does not fit the map.
    #[error("the {what} has {found_nx} × {found_ny} values, but the map {nx} × {ny} cells")]
    Shape {
        /// Which field.
        what: &'static str,
        /// Columns of the field.
        found_nx: usize,
        /// Rows of the field.
        found_ny: usize,
        /// Columns of the map.
        nx: usize,
        /// Rows of the map.
        ny: usize,
    },
    /// A value that cannot be.
    #[error("the {what} at cell ({x}, {y}) must be {allowed}, found {found}")]
    Cell {
        /// Of which field.
        what: &'static str,
        /// Column.
        x: usize,
        /// Row.
        y: usize,
        /// What was found.
        found: f64,
        /// What is allowed.
        allowed: String,
    },
    /// It rains nowhere, or too unevenly.
    #[error(
        "the rain must be above 0 somewhere, and nowhere above {max} times its mean, found {found}"
    )]
    Rain {
        /// The largest ratio allowed.
        max: f32,
        /// The largest ratio found.
        found: f32,
    },
    /// A place off the map.
    #[error("the {what} at ({x}, {y}) m lies off the map of {width} m × {height} m")]
    OffMap {
        /// What lies there.
        what: &'static str,
        /// Metres from the left side.
        x: f64,
        /// Metres from the top.
        y: f64,
        /// Width of the map (m).
        width: f64,
        /// Height of the map (m).
        height: f64,
    },
    /// An amount that cannot be.
    #[error("the {what} must be {allowed}, found {found}")]
    Amount {
        /// Of what.
        what: &'static str,
        /// What was found.
        found: f64,
        /// What is allowed.
        allowed: String,
    },
    /// A parameter that cannot change while the world runs.
    #[error("`{0}` belongs to the world from its start, and cannot change")]
    Fixed(&'static str),
    /// A snapshot whose parts do not fit one another.
    #[error("the snapshot is damaged: {0}")]
    Snapshot(&'static str),
}
