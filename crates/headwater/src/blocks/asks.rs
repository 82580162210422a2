//! [`Ask`]: a place at the surface of a body that may give or take; among these the tops of
//! columns. Openings are in `openings.rs`.

use super::bodies::NONE;
use super::cell::{AIR, FULL, Kind, Packed, density};
use super::cliff::{room_beside, rows_of_hole};
use super::labelled::{Labelled, SKY, floor};
use super::params::Params;
use super::portions::portion;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Way {
    /// The top of a column of the body: gives and takes.
    Top,
    /// A dry cell beside the body with a floor: takes a film or more.
    Floor,
    /// A cell beside the body that nothing holds up: takes what runs over its sill.
    Drop,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Ask {
    pub(super) x: u32,
    pub(super) y: u32,
    /// Height of the surface, with what lies on it as if it were of the same kind; of the floor or of the sill.
    pub(super) head: i32,
    /// The most it can give: what is above the level, down from its head.
    pub(super) give: i32,
    pub(super) take: i32,
    /// The lowest level at which it takes anything, and how much it takes there. As much as the level is higher it takes more.
    pub(super) entry: i32,
    pub(super) least: i32,
    pub(super) way: Way,
    /// What is left of the cell in which a column ends (256ths), and whether there is nothing but air in the one above.
    pub(super) left: i32,
    pub(super) open: bool,
    /// Whether it may hold more than it can give.
    pub(super) deep: bool,
    /// The air over it: water moves among places under the same air only.
    pub(super) air: u32,
}

impl Ask {
    pub(super) fn top((x, y): (u32, u32), head: i32, give: i32, take: i32, air: u32) -> Self {
        let (entry, way) = (head + 1, Way::Top);
        Self {
            x,
            y,
            head,
            give,
            take,
            entry,
            least: 1,
            way,
            left: 0,
            open: false,
            deep: false,
            air,
        }
    }
}

/// The ask of the top of a column of a `body`. It gives what the column holds, and takes no more
/// than [`flow`](Params::flow), under a ceiling no more than fills its cell. Where air counts, a
/// full one under a ceiling gives only where air may follow from the side.
pub(super) fn ask_of_top(
    world: &impl Labelled,
    params: &Params,
    (x, y): (u32, u32),
    body: u32,
    kind: Kind,
) -> Option<Ask> {
    let here = world.cell(x, y);
    let fill = here.fill();
    // What is heavier has run in under it in this step.
    if here.kind() != kind {
        return None;
    }
    let over = world.cell(x, y.wrapping_sub(1));
    let grows = over.kind() == AIR || over.kind() == kind;
    let air = if fill < FULL || !params.trapped_air {
        own_air(world, params, x, y, fill < FULL)
    } else if y == 0 {
        SKY
    } else {
        air_above(world, x, y).or_else(|| air_beside(world, x, y))?
    };
    let space = if y > 0 && grows && may_grow(world, (x, y), (x, y - 1), body) {
        portion(over.room(kind).into(), world, params, (x, y - 1), body, kind)
    } else {
        0
    };
    let rest = if may_grow(world, (x, y), (x, y), body) { i32::from(FULL - fill) } else { 0 };
    let (give, deep) = held_below(world, (x, y), FIRST_CELLS);
    let mut take = (rest + space).min(params.flows().into());
    if space == i32::from(FULL) {
        take = take.max(part_of(params, room_beside(world, (x, y), body, kind)));
        let rows = rows_of_hole(world, (x, y), body, kind);
        take = take.max(part_of(params, i32::from(FULL) * rows));
    }
    let head = floor(world, y) + i32::from(fill) + weight_on(world, params, (x, y), kind);
    let (left, open) = (i32::from(FULL - fill), over == Packed::AIR);
    Some(Ask { left, open, deep, ..Ask::top((x, y), head, give, take, air) })
}

/// So much of an amount as is taken in a step of thicker liquids.
pub(super) fn part_of(params: &Params, amount: i32) -> i32 {
    amount * i32::from(params.flows()) / i32::from(FULL)
}

#[inline(always)]
pub(super) fn weight_on(world: &impl Labelled, params: &Params, at: (u32, u32), kind: Kind) -> i32 {
    if params.trapped_air || !world.has_lighter(kind) { 0 } else { load(world, at, kind) }
}

/// So many cells of what runs out have no weight; what is deeper has.
const SHALLOW: u32 = 3;

/// How high the weight over a cell would stand as a kind of liquid (256ths), with what comes down
/// from one cell above. Shallow liquid that still runs out has none, or what is heavier would block
/// it.
pub(super) fn load(world: &impl Labelled, at: (u32, u32), kind: Kind) -> i32 {
    let (weight, runs_out) = full_load(world, at, kind);
    if runs_out { 0 } else { weight }
}

#[inline(never)]
pub(super) fn full_load(world: &impl Labelled, (x, y): (u32, u32), kind: Kind) -> (i32, bool) {
    let is_gap = y > 1 && world.cell(x, y - 1) == Packed::AIR;
    let (mut weight, mut cells, mut runs_out) = (0, 0, false);
    for y in (0..y - u32::from(is_gap)).rev() {
        let above = world.cell(x, y);
        let body = world.body(x, y);
        if !above.is_liquid() || above.kind() >= kind || body == NONE {
            break;
        }
        weight += i64::from(above.fill()) * i64::from(density(above.kind()));
        cells += 1;
        runs_out |= world.spreads(body);
    }
    ((weight / i64::from(density(kind))) as i32, runs_out && cells <= SHALLOW)
}

pub(super) fn hangs_over(world: &impl Labelled, (x, y): (u32, u32), body: u32) -> bool {
    let above = (x, y.wrapping_sub(1));
    world.cell(above.0, above.1).fill() == FULL && world.body(above.0, above.1) == body
}

/// Whether the column of a body that ends in a cell may fill another: if it or the body beside it
/// stands, and nothing of the body comes down into it.
pub(super) fn may_grow(
    world: &impl Labelled,
    top: (u32, u32),
    (x, y): (u32, u32),
    body: u32,
) -> bool {
    let beside = |x: u32| world.stands(x, y) && world.body(x, y) == body;
    let held = world.stands(top.0, top.1) || beside(x.wrapping_sub(1)) || beside(x + 1);
    held && ((x, y) == top || !hangs_over(world, (x, y), body))
}

/// Cells of a column that are looked at for what it may give, at first and at most; sums stay below
/// 2³¹ in `share.rs`.
pub(super) const FIRST_CELLS: i32 = 2;
const MOST_CELLS: i32 = 127;

/// What a column of a body holds in so many cells from its top down, and whether it may hold more.
#[inline(always)]
pub(super) fn held_below(world: &impl Labelled, (x, y): (u32, u32), cells: i32) -> (i32, bool) {
    let top = world.cell(x, y);
    let full = Packed::of(top.kind(), FULL);
    let mut below = 0;
    while below + 1 < cells && world.cell(x, y + 1 + below as u32) == full {
        below += 1;
    }
    (i32::from(top.fill()) + below * i32::from(FULL), below + 1 == cells)
}

/// Looks farther down the columns that give all that they were known to hold; returns whether any
/// holds more.
pub(super) fn look_deeper(world: &impl Labelled, asks: &mut [Ask], shares: &[i32]) -> bool {
    let mut deeper = false;
    // Units that do not come out even may stay behind.
    let all = |(ask, moved): &(&mut Ask, &i32)| ask.deep && -**moved >= ask.give - 2;
    for (ask, _) in asks.iter_mut().zip(shares).filter(all) {
        let cells = (4 * ask.give / i32::from(FULL)).clamp(4 * FIRST_CELLS, MOST_CELLS);
        let before = ask.give;
        (ask.give, ask.deep) = held_below(world, (ask.x, ask.y), cells);
        deeper |= ask.give > before;
    }
    deeper
}

pub(super) fn own_air(
    world: &impl Labelled,
    params: &Params,
    x: u32,
    y: u32,
    has_space: bool,
) -> u32 {
    if params.trapped_air && has_space { world.air(x, y) } else { SKY }
}

/// The air over a column of full cells, or `None` under a ceiling.
pub(super) fn air_above(world: &impl Labelled, x: u32, y: u32) -> Option<u32> {
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

/// The air beside a full cell under a ceiling, which may follow its water; `None` without, or of
/// two pockets.
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
