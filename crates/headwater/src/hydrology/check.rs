//! Validation of the size of a map and of positions on a map.

use super::state::fixed::MAX_CELLS;
pub(super) use crate::check::check_field;
use crate::error::{InputError, format_number};
use crate::lattice::Square;
use crate::region::Point;

pub(super) fn check_lattice(lattice: &Square) -> Result<(), InputError> {
    let (dx, dy) = (lattice.dx(), lattice.dy());
    if dx != dy {
        let found = format!("{} m × {} m", format_number(dx), format_number(dy));
        return Err(InputError::new("cells", found, "square cells"));
    }
    let (nx, ny) = (lattice.nx(), lattice.ny());
    if nx < 3 || ny < 3 || nx * ny > MAX_CELLS {
        let allowed = format!("at least 3 columns and rows, and at most {MAX_CELLS} cells");
        return Err(InputError::new("a map", format!("{nx} × {ny}"), allowed));
    }
    Ok(())
}

pub(super) fn cell_at(
    what: &'static str,
    position: Point,
    lattice: &Square,
) -> Result<usize, InputError> {
    let [x, y] = position;
    let (width, height) = (lattice.nx() as f64 * lattice.dx(), lattice.ny() as f64 * lattice.dy());
    if !((0.0..width).contains(&x) && (0.0..height).contains(&y)) {
        let allowed = format!(
            "a position on the map of {} m × {} m",
            format_number(width),
            format_number(height)
        );
        return Err(InputError::new(
            what,
            format!("[{}, {}] m", format_number(x), format_number(y)),
            allowed,
        ));
    }
    let cell = |metres: f64, size: f64, n: usize| ((metres / size) as usize).min(n - 1);
    let (x, y) = (cell(x, lattice.dx(), lattice.nx()), cell(y, lattice.dy(), lattice.ny()));
    Ok(y * lattice.nx() + x)
}
