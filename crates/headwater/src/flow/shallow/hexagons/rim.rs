//! The rim of a world of hexagons: one face towards each edge, and water beyond for slopes along
//! slanted axes.

use crate::flow::outside::Outside;
use crate::flow::shallow::{Water, edge};

/// The water beyond the northern or southern edge that a cell asks for aslant. `beside` is its open
/// neighbour on that side, if any; `opposite` the bed of the cell the other way. A wall mirrors
/// what lies half way between the cells; elsewhere the ground goes on.
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

/// Columns of the cells west and east of column `x`, across the seam if `joined`.
pub(super) fn beside(x: usize, nx: usize, joined: bool) -> [Option<usize>; 2] {
    let west = if x > 0 { Some(x - 1) } else { joined.then_some(nx - 1) };
    let east = if x + 1 < nx { Some(x + 1) } else { joined.then_some(0) };
    [west, east]
}

/// Columns of the western and eastern cell of the next row that touch column `x`, the same twice at
/// the rim. `odd` rows lie half a cell further east.
pub(super) fn below(x: usize, odd: bool, nx: usize, joined: bool) -> [usize; 2] {
    let [west, east] = beside(x, nx, joined);
    if odd { [x, east.unwrap_or(x)] } else { [west.unwrap_or(x), x] }
}
