//! What sizes a lattice and its cells may have.

use crate::error::{InputError, format_number};
use crate::parameter::Range;

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

/// How long a side of a cell may be (m).
const SIDE: Range = Range::new(1e-6, 1e7);

/// How many times as long as the other the longer side of a cell may be.
const LONGEST: f64 = 100.0;

pub(super) fn check_sides([dx, dy]: [f64; 2]) -> Result<(), InputError> {
    let what = "a cell's size";
    [dx, dy].into_iter().try_for_each(|side| SIDE.check(what, side, "m"))?;
    // Sides that are written in tenths are hardly ever such in full.
    if dx.max(dy) > LONGEST * dx.min(dy) * (1.0 + 1e-9) {
        let allowed = "sides of which the longer is up to 100 times the shorter";
        return Err(InputError::new(
            what,
            format!("{} × {} m", format_number(dx), format_number(dy)),
            allowed,
        ));
    }
    Ok(())
}
