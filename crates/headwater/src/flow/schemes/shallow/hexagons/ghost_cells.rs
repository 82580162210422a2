//! Edges of a hexagonal grid in shallow water: one face per cell towards each edge, and ghost cells
//! along the slanted axes.

use crate::flow::boundary::state::BoundaryState;
use crate::flow::schemes::shallow::{Water, boundary_flux};

/// Returns the ghost cell of a slanted axis beyond the northern or southern edge. `beside` is the
/// neighbour of the cell on that side in the same row, if it is open; `opposite` is the bed height
/// of the neighbour in the opposite direction. A wall mirrors the mean of the cell and `beside`.
/// Otherwise, the bed is extrapolated.
pub(super) fn ghost_cell(
    outside: BoundaryState,
    here: Water,
    beside: Option<Water>,
    opposite: f32,
) -> Water {
    match outside {
        BoundaryState::Wall => {
            let beside = beside.unwrap_or(here);
            let mean = |a: f32, b: f32| 0.5 * (a + b);
            Water {
                z: mean(here.z, beside.z),
                h: mean(here.h, beside.h),
                w: mean(here.w, beside.w),
                u: mean(here.u, beside.u),
                v: -mean(here.v, beside.v),
            }
        }
        _ => boundary_flux::ghost_cell(outside, here.transposed(), opposite).transposed(),
    }
}

/// Returns the columns west and east of column `x`, or `None` beyond the ends of the row. Columns
/// wrap around if `periodic` is true.
pub(super) fn row_neighbours(x: usize, nx: usize, periodic: bool) -> [Option<usize>; 2] {
    let west = if x > 0 { Some(x - 1) } else { periodic.then_some(nx - 1) };
    let east = if x + 1 < nx { Some(x + 1) } else { periodic.then_some(0) };
    [west, east]
}

/// Returns the columns of the western and eastern neighbours of a cell in an adjacent row. At the
/// end of a row, both are the same. `odd` is true for rows that are shifted half a cell east.
pub(super) fn adjacent_row_columns(x: usize, odd: bool, nx: usize, periodic: bool) -> [usize; 2] {
    let [west, east] = row_neighbours(x, nx, periodic);
    if odd { [x, east.unwrap_or(x)] } else { [west.unwrap_or(x), x] }
}
