//! Ghost cells beyond the northern and southern edges of a hexagonal grid, and the columns of the
//! neighbours of a cell, for the shallow-water scheme.

use crate::flow::boundary::state::BoundaryState;
use crate::flow::schemes::shallow::{Water, boundary_flux};

/// Returns the ghost cell that adjoins the cell `here` beyond the northern or southern edge, along
/// a slanted axis. A slanted axis leads from a cell to the next row, half a cell to the east or to
/// the west. `row_neighbour` is the neighbour of `here` in the same row on that side, or `None` if
/// that neighbour is missing or closed. `opposite` is the bed elevation (m) of the neighbour of
/// `here` inside the grid, in the opposite direction along the axis.
///
/// At a wall, the ghost cell mirrors the mean of `here` and `row_neighbour`. At other boundaries,
/// the bed is extrapolated.
pub(super) fn ghost_cell(
    outside: BoundaryState,
    here: Water,
    row_neighbour: Option<Water>,
    opposite: f32,
) -> Water {
    match outside {
        BoundaryState::Wall => {
            let row_neighbour = row_neighbour.unwrap_or(here);
            let mean = |a: f32, b: f32| 0.5 * (a + b);
            Water {
                z: mean(here.z, row_neighbour.z),
                h: mean(here.h, row_neighbour.h),
                w: mean(here.w, row_neighbour.w),
                u: mean(here.u, row_neighbour.u),
                v: -mean(here.v, row_neighbour.v),
            }
        }
        _ => boundary_flux::ghost_cell(outside, here.transposed(), opposite).transposed(),
    }
}

/// Returns the columns west and east of column `x`, or `None` beyond the ends of the row. If
/// `periodic` is true, the columns wrap around.
pub(super) fn row_neighbour_columns(x: usize, nx: usize, periodic: bool) -> [Option<usize>; 2] {
    let west = if x > 0 { Some(x - 1) } else { periodic.then_some(nx - 1) };
    let east = if x + 1 < nx { Some(x + 1) } else { periodic.then_some(0) };
    [west, east]
}

/// Returns the columns of the two cells in an adjacent row that touch the cell in column `x`, the
/// western one first. If one of them is missing at the end of the row, both columns are the same.
/// `is_shifted` is true if the row of the cell itself is shifted half a cell to the east.
pub(super) fn adjacent_row_columns(
    x: usize,
    is_shifted: bool,
    nx: usize,
    periodic: bool,
) -> [usize; 2] {
    let [west, east] = row_neighbour_columns(x, nx, periodic);
    if is_shifted { [x, east.unwrap_or(x)] } else { [west.unwrap_or(x), x] }
}
