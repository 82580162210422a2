//! Edges of a grid of hexagons: one face per cell towards each edge, and ghost cells along the
//! slanted axes.

use crate::flow::outside::Outside;
use crate::flow::shallow::{Water, edge};

/// Returns the ghost cell of a slanted axis beyond the northern or southern edge. `beside` is the
/// open neighbour on that side, if any; `opposite` is the bed of the cell in the opposite
/// direction. A wall mirrors the mean of the two cells; otherwise the bed is extrapolated.
pub(super) fn over_edge(
    outside: Outside,
    here: Water,
    beside: Option<Water>,
    opposite: f32,
) -> Water {
    match outside {
        Outside::Wall => {
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
        _ => edge::beyond(outside, here.turned(), opposite).turned(),
    }
}

/// Returns the columns west and east of column `x`, wrapped if `joined`.
pub(super) fn beside(x: usize, nx: usize, joined: bool) -> [Option<usize>; 2] {
    let west = if x > 0 { Some(x - 1) } else { joined.then_some(nx - 1) };
    let east = if x + 1 < nx { Some(x + 1) } else { joined.then_some(0) };
    [west, east]
}

/// Returns the columns of the western and eastern neighbour in an adjacent row, the same twice at
/// the end of a row. `odd` rows are shifted half a cell east.
pub(super) fn below(x: usize, odd: bool, nx: usize, joined: bool) -> [usize; 2] {
    let [west, east] = beside(x, nx, joined);
    if odd { [x, east.unwrap_or(x)] } else { [west.unwrap_or(x), x] }
}
