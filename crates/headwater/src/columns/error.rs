//! What can go wrong with a world of columns.

use super::anchor::Reason;
use super::params::ParamsError;
use crate::error::InputError;

/// An input that a [`Columns`](super::Columns) world cannot work with. The world is as it was before the call.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ColumnsError {
    /// A parameter is out of its range.
    #[error(transparent)]
    Params(#[from] ParamsError),
    /// An input that cannot be worked with.
    #[error(transparent)]
    Input(#[from] InputError),
    /// There can be no such board.
    #[error("a board must have 1 to {max} columns and rows of cells, found {nx} × {ny}")]
    Size {
        /// Columns wished.
        nx: usize,
        /// Rows wished.
        ny: usize,
        /// The most there can be of either.
        max: usize,
    },
    /// Waves too fast for the step.
    #[error(
        "waves as fast as over {wave_depth} m of water with a step of {step} s on columns {width} m \
         wide are unstable: their Courant number is {courant}, at most {largest}; allowed are a `wave_depth` up \
         to {largest_depth} m with this step, or steps up to {largest_step} s"
    )]
    Unstable {
        /// `wave_depth` found (m).
        wave_depth: f64,
        /// The step (s).
        step: f64,
        /// Width of a column (m).
        width: f64,
        /// The Courant number.
        courant: f64,
        /// The largest that is stable.
        largest: f64,
        /// The largest `wave_depth` allowed with this step (m).
        largest_depth: f64,
        /// The largest step allowed with this `wave_depth` (s).
        largest_step: f64,
    },
    /// A number handed to a call cannot be.
    #[error("{what} must be {allowed}, found {found}")]
    Number {
        /// Which number.
        what: &'static str,
        /// What was found.
        found: f64,
        /// What is allowed.
        allowed: String,
    },
    /// A field of another shape than the board.
    #[error("the board has {} × {} cells, but the fill {nx} × {ny}", board[0], board[1])]
    Shape {
        /// Columns of the field.
        nx: usize,
        /// Rows of the field.
        ny: usize,
        /// Columns and rows of the board.
        board: [usize; 2],
    },
    /// A region in which there is no cell of the board.
    #[error("the region covers no cell of the board")]
    NoCells,
    /// A region in which there is nothing to work on.
    #[error("{what} covers no column of the world")]
    NoColumns {
        /// What was to be there.
        what: &'static str,
    },
    /// A place where no water can be made to stand.
    #[error("no water can stand there: {0}")]
    Anchor(Reason),
    /// A call that needs water to be real, on a world of springs.
    #[error("springs move no water, so {0} is not possible: choose `motion = discharge`")]
    NoVolume(&'static str),
    /// A call that needs heat, on a world that has none.
    #[error("the world has no heat: give it `heat` in its parameters")]
    NoHeat,
    /// A map whose rows have different lengths.
    #[error("row {row} of the map has {found} characters, but row 1 has {expected}")]
    Ragged {
        /// Row, counted from 1.
        row: usize,
        /// Its length.
        found: usize,
        /// The first row's length.
        expected: usize,
    },
    /// A character that means nothing.
    #[error("row {row}, column {column} of the map is `{found}`; allowed are {allowed}")]
    Character {
        /// Row, counted from 1.
        row: usize,
        /// Column, counted from 1.
        column: usize,
        /// What was found.
        found: char,
        /// What is allowed.
        allowed: &'static str,
    },
    /// A parameter that cannot change while the world runs.
    #[error("`{0}` belongs to the world from its start, and cannot change")]
    Fixed(&'static str),
    /// A snapshot whose parts do not fit one another.
    #[error("the snapshot is damaged: {0}")]
    Snapshot(&'static str),
}

/// Checks a number handed to a call.
pub(super) fn number(
    what: &'static str,
    found: f64,
    in_range: bool,
    allowed: impl Into<String>,
) -> Result<(), ColumnsError> {
    if in_range && found.is_finite() {
        Ok(())
    } else {
        Err(ColumnsError::Number { what, found, allowed: allowed.into() })
    }
}
