//! The rim of a world of hexagons. Towards each edge a cell has one face; its slopes along the slanted axes ask for water
//! beyond, half a cell aside.

use crate::flow::outside::Outside;
use crate::flow::shallow::{Water, edge};

/// The water beyond the northern or southern edge that a cell asks for aslant. `beside` is the cell next to it on that side,
/// if there is one that is open; `opposite` the bed of the cell the other way along the axis.
///
/// A wall is a mirror, and what stands in it there lies half way from the cell to the one beside it: a stream along the
/// wall knows nothing of it. Elsewhere the ground goes on as it comes.
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

/// The columns of the cells beside column `x`, to the west and to the east, where there are such: around the seam, if west
/// and east are `joined`.
pub(super) fn beside(x: usize, nx: usize, joined: bool) -> [Option<usize>; 2] {
    let west = if x > 0 { Some(x - 1) } else { joined.then_some(nx - 1) };
    let east = if x + 1 < nx { Some(x + 1) } else { joined.then_some(0) };
    [west, east]
}

/// The columns of the two cells that touch a cell of column `x` in the next row, the western and the eastern one. A cell
/// at the rim that has but one there has it twice. `odd` rows lie half a cell further east.
pub(super) fn below(x: usize, odd: bool, nx: usize, joined: bool) -> [usize; 2] {
    let [west, east] = beside(x, nx, joined);
    if odd { [x, east.unwrap_or(x)] } else { [west.unwrap_or(x), x] }
}
