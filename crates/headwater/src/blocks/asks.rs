//! [`Ask`]: a place at the surface of a body that may give or take, and how much.

use super::bodies::NONE;
use super::cell::{AIR, FULL, Kind, Packed};
use super::labelled::{Labelled, SKY, floor};
use super::params::Params;

/// What a place can do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Way {
    /// The top of a column of the body: gives and takes.
    Top,
    /// A dry cell beside the body with a floor: takes a film or more.
    Floor,
    /// A cell beside the body that nothing holds up: takes what runs over its sill.
    Drop,
}

/// A place that may give or take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Ask {
    pub(super) x: u32,
    pub(super) y: u32,
    /// Height of the surface, of the floor or of the sill.
    pub(super) head: i32,
    /// The most it can give and take.
    pub(super) give: u16,
    pub(super) take: u16,
    pub(super) way: Way,
    /// The air over it: water moves among places under the same air only.
    pub(super) air: u32,
}

impl Ask {
    pub(super) fn given(&self, level: i32) -> i32 {
        (self.head - level).clamp(0, i32::from(self.give))
    }

    pub(super) fn taken(&self, level: i32, film: i32) -> i32 {
        let (over, most) = (level - self.head, i32::from(self.take));
        match self.way {
            Way::Top => over.clamp(0, most),
            Way::Floor if over < film => 0,
            Way::Floor => over.min(most),
            Way::Drop => (over + 1).clamp(0, most),
        }
    }

    /// The lowest level at which it takes anything.
    pub(super) fn entry(&self, film: i32) -> i32 {
        match self.way {
            Way::Top => self.head + 1,
            Way::Floor => self.head + film,
            Way::Drop => self.head,
        }
    }
}

/// Whether a kind of liquid stands on the cell at `(x, y)`.
fn is_firm(world: &impl Labelled, x: u32, y: u32, kind: Kind) -> bool {
    let cell = world.cell(x, y);
    let stands = || world.body(x, y) != NONE;
    cell.is_wall()
        || cell.kind() == kind && cell.fill() == FULL && stands()
        || cell.kind() > kind && cell.is_liquid() && stands()
}

/// What the top of a body's column may give or take. Under a ceiling it takes no more than fills its
/// cell; where air counts, a full one can give only where air is beside it and may follow.
pub(super) fn ask_of_top(world: &impl Labelled, params: &Params, x: u32, y: u32) -> Option<Ask> {
    let here = world.cell(x, y);
    let (kind, fill) = (here.kind(), here.fill());
    let over = world.cell(x, y.wrapping_sub(1));
    let grows = over.kind() == AIR || over.kind() == kind;
    let air = if fill < FULL || !params.trapped_air {
        own_air(world, params, x, y, fill < FULL)
    } else if y == 0 {
        SKY
    } else {
        air_above(world, x, y).or_else(|| air_beside(world, x, y))?
    };
    let below = world.cell(x, y + 1);
    let give = fill + if below.kind() == kind { below.fill() } else { 0 };
    let space = if y > 0 && grows { over.room(kind) / claims(world, x, y - 1, kind) } else { 0 };
    Some(Ask {
        x,
        y,
        head: floor(world, y) + i32::from(fill),
        give: give.min(params.flow),
        take: (FULL - fill + space).min(params.flow),
        way: Way::Top,
        air,
    })
}

fn own_air(world: &impl Labelled, params: &Params, x: u32, y: u32, has_space: bool) -> u32 {
    if params.trapped_air && has_space { world.air(x, y) } else { SKY }
}

/// The air over a column of full cells, or `None` under a ceiling.
fn air_above(world: &impl Labelled, x: u32, y: u32) -> Option<u32> {
    let mut y = y;
    loop {
        if y == 0 {
            return Some(SKY);
        }
        y -= 1;
        let cell = world.cell(x, y);
        if cell.is_wall() {
            return None;
        }
        if cell.fill() < FULL {
            return Some(world.air(x, y));
        }
    }
}

/// The air beside a full cell under a ceiling, which may follow where its water goes; `None` if there is
/// none, or two pockets that differ.
fn air_beside(world: &impl Labelled, x: u32, y: u32) -> Option<u32> {
    let air = |x: u32| {
        let cell = world.cell(x, y);
        (!cell.is_wall() && cell.fill() < FULL).then(|| world.air(x, y))
    };
    match (air(x.wrapping_sub(1)), air(x + 1)) {
        (Some(west), Some(east)) if west != east => None,
        (west, east) => west.or(east),
    }
}

/// The bodies beside an opening at `(x, y)`, west and east of it; [`NONE`] where there is none, and
/// each body once.
pub(super) fn bodies_beside(world: &impl Labelled, x: u32, y: u32) -> [u32; 2] {
    let (west, east) = (world.body(x.wrapping_sub(1), y), world.body(x + 1, y));
    [west, if east == west { NONE } else { east }]
}

/// How many bodies of a kind may fill a cell in which nothing stands: those beside it, and the one over whose column it
/// lies. Each has an equal share of its room, so that none keeps another out.
fn claims(world: &impl Labelled, x: u32, y: u32, kind: Kind) -> u16 {
    let body = |x: u32, y: u32| {
        if world.cell(x, y).kind() == kind { world.body(x, y) } else { NONE }
    };
    let all = [body(x.wrapping_sub(1), y), body(x + 1, y), body(x, y + 1)];
    let first = |i: usize| all[i] != NONE && !all[..i].contains(&all[i]);
    (0..all.len()).filter(|&i| first(i)).count().max(1) as u16
}

/// What may run into an opening at `(x, y)` from the `body` of this kind beside it. A cell over the body
/// itself is no opening: the column below grows into it.
pub(super) fn ask_of_opening(
    world: &impl Labelled,
    params: &Params,
    (x, y): (u32, u32),
    body: u32,
    kind: Kind,
) -> Option<Ask> {
    let here = world.cell(x, y);
    if here.room(kind) == 0 || world.body(x, y + 1) == body {
        return None;
    }
    let (way, take) = if is_firm(world, x, y + 1, kind) {
        (Way::Floor, here.room(kind).min(params.flow))
    } else {
        (Way::Drop, params.pour.min(params.flow).saturating_sub(here.fill()))
    };
    let take = take / claims(world, x, y, kind);
    if take == 0 {
        return None;
    }
    let air = own_air(world, params, x, y, true);
    Some(Ask { x, y, head: floor(world, y), give: 0, take, way, air })
}

/// What the cells of a column become that gives or takes: its top, and the cell above or below.
pub(super) fn moved(
    ask: &Ask,
    amount: i32,
    world: &impl Labelled,
    kind: Kind,
) -> [(u32, Packed); 2] {
    let (x, y) = (ask.x, ask.y);
    let here = world.cell(x, y);
    let fill = i32::from(here.fill()) + amount;
    let full = i32::from(FULL);
    let cell = |fill: i32| Packed::of(kind, fill as u16);
    if fill > full {
        let over = i32::from(world.cell(x, y - 1).fill());
        [(y, cell(full)), (y - 1, cell(over + fill - full))]
    } else if fill < 0 {
        let under = i32::from(world.cell(x, y + 1).fill());
        [(y, cell(0)), (y + 1, cell(under + fill))]
    } else {
        [(y, cell(fill)), (y, cell(fill))]
    }
}
