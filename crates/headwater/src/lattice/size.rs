//! What sizes a lattice and its cells may have.

use crate::error::InputError;

/// The most cells a lattice may have: 2³⁰, a 32768 × 32768 grid.
const MAX_CELLS: usize = 1 << 30;

pub(super) fn check_size(nx: usize, ny: usize) -> Result<(), InputError> {
    let fits = nx > 0 && ny > 0 && nx.checked_mul(ny).is_some_and(|cells| cells <= MAX_CELLS);
    if fits {
        Ok(())
    } else {
        Err(InputError::new("a grid", format!("{nx} × {ny}"), "1 to 2^30 cells"))
    }
}

pub(super) fn cell_size(dx: f64, dy: f64) -> InputError {
    InputError::new("a cell's size", format!("{dx} × {dy}"), "above 0 m")
}
