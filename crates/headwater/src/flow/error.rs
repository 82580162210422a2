//! What can go wrong with a flow world.

use super::boundary::BoundaryError;
use super::params::ParamsError;
use crate::error::InputError;
use crate::region::Point;

/// An input that a [`Flow`](super::Flow) cannot work with. The world is as it was before the call.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum FlowError {
    /// A parameter is out of its range.
    #[error(transparent)]
    Params(#[from] ParamsError),
    /// An input that cannot be worked with.
    #[error(transparent)]
    Input(#[from] InputError),
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
    /// Physics that the lattice cannot carry.
    #[error("shallow water needs a square lattice; a hexagonal one carries pipes and inertial")]
    NoHexagons,
    /// A velocity for water whose physics do not know momentum.
    #[error("only shallow water has a velocity to set; the world's physics do not know momentum")]
    NoMomentum,
    /// A structure whose mouths share a cell.
    #[error("the mouths of a structure must lie apart, found cell ({x}, {y}) in both")]
    MouthsMeet {
        /// Column.
        x: usize,
        /// Row.
        y: usize,
    },
    /// A structure that is not there.
    #[error("there is no {kind} among the structures with the number {number}")]
    NoStructure {
        /// Which kind was meant.
        kind: &'static str,
        /// Its number.
        number: usize,
    },
    /// A body with its middle off the grid or in a closed cell.
    #[error("a body must have its middle in an open cell of the grid, found [{}, {}]", .position[0], .position[1])]
    BodyPlace {
        /// Where its middle is (m).
        position: Point,
    },
    /// A body that is not there.
    #[error("a body's number must be below {count}, found {found}")]
    NoBody {
        /// The number asked for.
        found: usize,
        /// How many bodies there are.
        count: usize,
    },
    /// A snapshot whose parts do not fit one another.
    #[error("the snapshot is damaged: {0}")]
    Snapshot(&'static str),
}

impl FlowError {
    /// Checks a number handed to a call, `what`: it has to be finite and in its range, which `allowed` tells.
    ///
    /// # Errors
    /// [`FlowError::Number`] with what was found.
    pub fn check_number(
        what: &'static str,
        found: f64,
        in_range: bool,
        allowed: &'static str,
    ) -> Result<(), Self> {
        if in_range && found.is_finite() {
            Ok(())
        } else {
            Err(Self::Number { what, found, allowed })
        }
    }
}

/// As [`FlowError::check_number`].
pub(super) fn number(
    what: &'static str,
    found: f64,
    in_range: bool,
    allowed: &'static str,
) -> Result<(), FlowError> {
    FlowError::check_number(what, found, in_range, allowed)
}
