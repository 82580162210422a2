//! Limits on the number of cells of a lattice and on their size.

use crate::error::{InputError, format_number};
use crate::parameter::Range;

/// Largest number of cells of a lattice: 2³⁰, which is a grid of 32768 × 32768 cells.
const MAX_CELLS: usize = 1 << 30;

pub(super) fn check_size(nx: usize, ny: usize) -> Result<(), InputError> {
    let fits = nx > 0 && ny > 0 && nx.checked_mul(ny).is_some_and(|cells| cells <= MAX_CELLS);
    if fits {
        Ok(())
    } else {
        Err(InputError::new("a grid", format!("{nx} × {ny}"), "1 to 2^30 cells"))
    }
}

/// Range of allowed side lengths of a cell (m).
const SIDE: Range = Range::new(1e-6, 1e7);

/// Largest allowed ratio of the longer side of a cell to its shorter side.
const MAX_ASPECT_RATIO: f64 = 100.0;

pub(super) fn check_sides([dx, dy]: [f64; 2]) -> Result<(), InputError> {
    let what = "a cell's size";
    [dx, dy].into_iter().try_for_each(|side| SIDE.check(what, side, "m"))?;
    // The tolerance accepts sides that are not exact in binary, such as 0.1 m.
    if dx.max(dy) > MAX_ASPECT_RATIO * dx.min(dy) * (1.0 + 1e-9) {
        let allowed = "a longer side of at most 100 times the shorter one";
        return Err(InputError::new(
            what,
            format!("{} × {} m", format_number(dx), format_number(dy)),
            allowed,
        ));
    }
    Ok(())
}
