//! What can go wrong with a wave world.

use super::params::ParamsError;
use crate::error::InputError;

/// An input that a [`Waves`](super::Waves) cannot work with. The world is as it was before the call.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum WavesError {
    /// A parameter is out of its range.
    #[error(transparent)]
    Params(#[from] ParamsError),
    /// An input that cannot be worked with.
    #[error(transparent)]
    Input(#[from] InputError),
    /// Cells that are not square.
    #[error("waves need square cells, found {dx} m × {dy} m")]
    NotSquare {
        /// Size from west to east (m).
        dx: f64,
        /// Size from north to south (m).
        dy: f64,
    },
    /// A step too long for the speed: `q = c²t²/d²` above what the equations bear.
    #[error(
        "waves of {speed} m/s with a step of {step} s on this grid are unstable: q = c²t²/d² = {q}, \
         at most {limit}; allowed are speeds up to {largest_speed} m/s with this step, or steps up \
         to {largest_step} s with this speed"
    )]
    Unstable {
        /// The largest speed found (m/s).
        speed: f64,
        /// The step (s).
        step: f64,
        /// `c²t²/d²`.
        q: f64,
        /// The largest stable q.
        limit: f64,
        /// The largest speed allowed with this step (m/s).
        largest_speed: f64,
        /// The largest step allowed with this speed (s).
        largest_step: f64,
    },
    /// A current that goes further in a step than a cell.
    #[error(
        "a current of {speed} m/s with a step of {step} s on this grid goes further than a cell in a \
         step; allowed are currents up to {largest_speed} m/s along an axis with this step, or steps \
         up to {largest_step} s with this current"
    )]
    Swift {
        /// The largest velocity along an axis (m/s).
        speed: f64,
        /// The step (s).
        step: f64,
        /// The largest velocity allowed with this step (m/s).
        largest_speed: f64,
        /// The largest step allowed with this velocity (s).
        largest_step: f64,
    },
    /// Dispersion over water deeper than its filter reaches.
    #[error(
        "dispersion over {depth} m of water is out of reach on cells of {cell} m: the depth may be \
         up to {deepest} m"
    )]
    TooDeep {
        /// The depth asked for (m).
        depth: f64,
        /// Size of a cell (m).
        cell: f64,
        /// The largest depth allowed (m).
        deepest: f64,
    },
    /// A map of speeds for waves whose speed depends on their length.
    #[error("with dispersion, speeds follow from the depth: a map of speeds cannot be set")]
    Dispersive,
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
        allowed: String,
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
) -> Result<(), WavesError> {
    if in_range && found.is_finite() {
        Ok(())
    } else {
        Err(WavesError::Number { what, found, allowed: allowed.into() })
    }
}
