//! What can go wrong with a flow world.

use super::boundary::BoundaryError;
use super::params::ParamsError;
use crate::lattice::LatticeError;
use crate::region::RegionError;

/// An input that a [`Flow`](super::Flow) cannot work with. The world is as it was before the call.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum FlowError {
    /// There can be no such grid.
    #[error(transparent)]
    Lattice(#[from] LatticeError),
    /// A parameter is out of its range.
    #[error(transparent)]
    Params(#[from] ParamsError),
    /// A region makes no sense.
    #[error(transparent)]
    Region(#[from] RegionError),
    /// A boundary makes no sense.
    #[error(transparent)]
    Boundary(#[from] BoundaryError),
    /// A field has another shape than the grid.
    #[error("the {what} has {found_nx} × {found_ny} cells, but the grid has {nx} × {ny}")]
    Shape {
        /// Which field.
        what: &'static str,
        /// Columns of the field.
        found_nx: usize,
        /// Rows of the field.
        found_ny: usize,
        /// Columns of the grid.
        nx: usize,
        /// Rows of the grid.
        ny: usize,
    },
    /// A cell holds a number that cannot be.
    #[error("the {what} of cell ({x}, {y}) must be {allowed}, found {found}")]
    Cell {
        /// Which field.
        what: &'static str,
        /// Column.
        x: usize,
        /// Row.
        y: usize,
        /// What was found.
        found: f32,
        /// What is allowed.
        allowed: &'static str,
    },
    /// A number handed to a call cannot be.
    #[error("{what} must be {allowed}, found {found}")]
    Number {
        /// Which number.
        what: &'static str,
        /// What was found.
        found: f64,
        /// What is allowed.
        allowed: &'static str,
    },
    /// A step longer than the equations bear.
    #[error("a step of {dt} s is longer than the stability limit of {limit} s")]
    StepTooLong {
        /// The step asked for (s).
        dt: f64,
        /// The largest stable step now (s).
        limit: f64,
    },
    /// A velocity for water whose physics do not know momentum.
    #[error("only shallow water has a velocity to set; the world's physics do not know momentum")]
    NoMomentum,
    /// A snapshot whose parts do not fit one another.
    #[error("the snapshot is damaged: {0}")]
    Snapshot(&'static str),
}

/// Checks a number handed to a call.
pub(super) fn number(
    what: &'static str,
    found: f64,
    in_range: bool,
    allowed: &'static str,
) -> Result<(), FlowError> {
    if in_range && found.is_finite() {
        Ok(())
    } else {
        Err(FlowError::Number { what, found, allowed })
    }
}
