//! [`Look`]: what can be seen of a world, and what follows for its surfaces: which places ask to give or
//! take. The fast path and the plain loops both look through it.

use super::bodies::NONE;
use super::cell::{AIR, FULL, Kind, Packed};
use super::params::Params;
use super::share::{Ask, Way};

/// The air that is open to the top of the world, and all air where air does not count.
pub(super) const SKY: u32 = 0;

/// What can be seen of a world. Places off the grid are wall.
pub(super) trait Look {
    /// Rows of the grid.
    fn height(&self) -> u32;

    /// What is in a cell.
    fn cell(&self, x: u32, y: u32) -> Packed;

    /// The body that a cell stands in, or [`NONE`].
    fn body(&self, x: u32, y: u32) -> u32;

    /// The pocket of air in a cell that is on the grid and not full.
    fn air(&self, x: u32, y: u32) -> u32;
}

/// Height of a cell's floor.
pub(super) fn floor(look: &impl Look, y: u32) -> i32 {
    (look.height() - 1 - y) as i32 * i32::from(FULL)
}

/// Whether a kind of liquid stands on the cell at `(x, y)`.
fn is_firm(look: &impl Look, x: u32, y: u32, kind: Kind) -> bool {
    let cell = look.cell(x, y);
    let stands = || look.body(x, y) != NONE;
    cell.is_wall()
        || cell.kind() == kind && cell.fill() == FULL && stands()
        || cell.kind() > kind && cell.is_liquid() && stands()
}

/// What the top of a body's column may give or take. Under a ceiling it takes no more than fills its
/// cell; where air counts, a full one can give only where air is beside it and may follow.
pub(super) fn ask_of_top(look: &impl Look, params: &Params, x: u32, y: u32) -> Option<Ask> {
    let (here, body) = (look.cell(x, y), look.body(x, y));
    let (kind, fill) = (here.kind(), here.fill());
    let over = look.cell(x, y.wrapping_sub(1));
    let grows = over.kind() == AIR || over.kind() == kind;
    let air = if fill < FULL || !params.trapped_air {
        own_air(look, params, x, y, fill < FULL)
    } else if y == 0 {
        SKY
    } else {
        air_above(look, x, y).or_else(|| air_beside(look, x, y))?
    };
    let below = look.cell(x, y + 1);
    let give = fill + if below.kind() == kind { below.fill() } else { 0 };
    let other = |x: u32| {
        let there = || look.body(x, y.wrapping_sub(1));
        look.cell(x, y.wrapping_sub(1)).kind() == kind && ![NONE, body].contains(&there())
    };
    let room = if y > 0 && grows && !other(x.wrapping_sub(1)) && !other(x + 1) {
        over.room(kind)
    } else {
        0
    };
    Some(Ask {
        x,
        y,
        head: floor(look, y) + i32::from(fill),
        give: give.min(params.flow),
        take: (FULL - fill + room).min(params.flow),
        way: Way::Top,
        air,
    })
}

fn own_air(look: &impl Look, params: &Params, x: u32, y: u32, has_room: bool) -> u32 {
    if params.trapped_air && has_room { look.air(x, y) } else { SKY }
}

/// The air over a column of full cells, or `None` under a ceiling.
fn air_above(look: &impl Look, x: u32, y: u32) -> Option<u32> {
    let mut y = y;
    loop {
        if y == 0 {
            return Some(SKY);
        }
        y -= 1;
        let cell = look.cell(x, y);
        if cell.is_wall() {
            return None;
        }
        if cell.fill() < FULL {
            return Some(look.air(x, y));
        }
    }
}

/// The air beside a full cell under a ceiling, which may follow where its water goes; `None` if there is
/// none, or two pockets that differ.
fn air_beside(look: &impl Look, x: u32, y: u32) -> Option<u32> {
    let air = |x: u32| {
        let cell = look.cell(x, y);
        (!cell.is_wall() && cell.fill() < FULL).then(|| look.air(x, y))
    };
    match (air(x.wrapping_sub(1)), air(x + 1)) {
        (Some(west), Some(east)) if west != east => None,
        (west, east) => west.or(east),
    }
}

/// The bodies beside an opening at `(x, y)`, west and east of it; [`NONE`] where there is none, and
/// each body once.
pub(super) fn bodies_beside(look: &impl Look, x: u32, y: u32) -> [u32; 2] {
    let (west, east) = (look.body(x.wrapping_sub(1), y), look.body(x + 1, y));
    [west, if east == west { NONE } else { east }]
}

/// What may run into an opening at `(x, y)` from the `body` of this kind beside it. A cell over the body
/// itself is no opening: the column below grows into it. Where bodies from both sides run into one
/// cell, each has half of it.
pub(super) fn ask_of_opening(
    look: &impl Look,
    params: &Params,
    (x, y): (u32, u32),
    body: u32,
    kind: Kind,
) -> Option<Ask> {
    let here = look.cell(x, y);
    if here.room(kind) == 0 || look.body(x, y + 1) == body {
        return None;
    }
    let kin = |x: u32| look.cell(x, y).kind() == kind && ![NONE, body].contains(&look.body(x, y));
    let sides = if kin(x.wrapping_sub(1)) || kin(x + 1) { 2 } else { 1 };
    let (way, take) = if is_firm(look, x, y + 1, kind) {
        (Way::Floor, here.room(kind).min(params.flow))
    } else {
        (Way::Drop, params.pour.min(params.flow).saturating_sub(here.fill()))
    };
    let take = take / sides;
    if take == 0 {
        return None;
    }
    let air = own_air(look, params, x, y, true);
    Some(Ask { x, y, head: floor(look, y), give: 0, take, way, air })
}

/// What the cells of a column become that gives or takes: its top, and the cell above or below.
pub(super) fn moved(ask: &Ask, amount: i32, look: &impl Look, kind: Kind) -> [(u32, Packed); 2] {
    let (x, y) = (ask.x, ask.y);
    let here = look.cell(x, y);
    let fill = i32::from(here.fill()) + amount;
    let full = i32::from(FULL);
    let cell = |fill: i32| Packed::of(kind, fill as u16);
    if fill > full {
        let over = i32::from(look.cell(x, y - 1).fill());
        [(y, cell(full)), (y - 1, cell(over + fill - full))]
    } else if fill < 0 {
        let under = i32::from(look.cell(x, y + 1).fill());
        [(y, cell(0)), (y + 1, cell(under + fill))]
    } else {
        [(y, cell(fill)), (y, cell(fill))]
    }
}
