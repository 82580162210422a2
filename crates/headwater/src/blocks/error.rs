//! What can go wrong with a block world.

use super::params::ParamsError;
use crate::error::InputError;

/// An input that a [`Blocks`](super::Blocks) world cannot work with. The world is as it was before.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum BlocksError {
    /// A parameter is out of its range.
    #[error(transparent)]
    Params(#[from] ParamsError),
    /// An input that cannot be worked with.
    #[error(transparent)]
    Input(#[from] InputError),
    /// There can be no such world.
    #[error("a world must have 1 to {max} columns and rows, found {nx} × {ny}")]
    Size {
        /// Columns wished.
        nx: usize,
        /// Rows wished.
        ny: usize,
        /// The most there can be of either.
        max: usize,
    },
    /// A place off the grid.
    #[error("cell ({x}, {y}) lies off the grid of {nx} × {ny} cells")]
    OffGrid {
        /// Column.
        x: usize,
        /// Row.
        y: usize,
        /// Columns of the grid.
        nx: usize,
        /// Rows of the grid.
        ny: usize,
    },
    /// A region without a cell on the grid.
    #[error("the {what} covers no cell of the grid")]
    NoCells {
        /// Spring or drain.
        what: &'static str,
    },
    /// An amount of liquid that cannot be.
    #[error("{what} must be {allowed}, found {found}")]
    Amount {
        /// Of what.
        what: &'static str,
        /// What was found.
        found: u32,
        /// What is allowed.
        allowed: &'static str,
    },
    /// Whole blocks are water, and are whole.
    #[error(
        "the rule of whole blocks knows cells full of water only, found {fill}/256 of {liquid}"
    )]
    NotWhole {
        /// What was found.
        liquid: &'static str,
        /// How much of it.
        fill: u16,
    },
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
    /// A time that cannot be.
    #[error("an advance must be 0 s or above, found {0}")]
    Time(f64),
    /// A parameter that cannot change while the world runs.
    #[error("`{0}` belongs to the world from its start, and cannot change")]
    Fixed(&'static str),
    /// A snapshot whose parts do not fit one another.
    #[error("the snapshot is damaged: {0}")]
    Snapshot(&'static str),
}
