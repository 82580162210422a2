//! Openings: cells beside a body or below it that it may run into: over a floor, over an edge, or down from where it hangs.

use super::asks::{Ask, Way, air_above, hangs_over, may_grow, own_air, part_of, weight_on};
use super::bodies::NONE;
use super::cell::{AIR, FULL, Kind, Packed, WATER};
use super::cliff::{room_beside, rows_of_hole};
use super::front::ask_beyond;
use super::labelled::{Labelled, floor};
use super::params::Params;
use super::portions::portion;
use super::under::ask_under;
use super::ways::{Edge, is_firm, pace, past_air, way_to_stand};

/// The bodies that may run into a cell, each with one of its cells: from the west, the east, above;
/// or [`NONE`].
pub(super) fn bodies_at(world: &impl Labelled, (x, y): (u32, u32)) -> [(u32, (u32, u32)); 3] {
    let beside = [(x.wrapping_sub(1), y), (x + 1, y), (x, y.wrapping_sub(1))];
    let of = |(x, y): (u32, u32), least: u16| {
        if world.cell(x, y).fill() >= least { world.body(x, y) } else { NONE }
    };
    let [mut west, mut east, mut above] = [NONE, NONE, of(beside[2], FULL)];
    let here = world.cell(x, y);
    // What is part of a body itself is filled from above only, but what is heavier may run in under it.
    let is_part = here != Packed::AIR && world.is_member(x, y);
    let from = |(x, y): (u32, u32)| {
        let runs_in = !is_part || world.cell(x, y).kind() > here.kind();
        if runs_in { of((x, y), 1) } else { NONE }
    };
    if !is_part || here.kind() < WATER {
        west = from(beside[0]);
        east = from(beside[1]);
        if east == west {
            east = NONE;
        }
        if above == west || above == east {
            above = NONE;
        }
    }
    [(west, beside[0]), (east, beside[1]), (above, beside[2])]
}

pub(super) fn add_asks(
    world: &impl Labelled,
    params: &Params,
    at: (u32, u32),
    body: u32,
    kind: Kind,
    asks: &mut Vec<Ask>,
) {
    if let Some(near) = ask_of_opening(world, params, at, body, kind) {
        asks.push(near);
        asks.extend(ask_beyond(world, params, &near, body));
    }
}

/// The ask of an opening at `(x, y)` from the `body` of this kind beside it or above. Cells over a
/// column that may grow into them are no openings.
fn ask_of_opening(
    world: &impl Labelled,
    params: &Params,
    (x, y): (u32, u32),
    body: u32,
    kind: Kind,
) -> Option<Ask> {
    let here = world.cell(x, y);
    if here.is_liquid() && here.kind() < kind {
        return ask_under(world, params, (x, y), body, kind);
    }
    let room = i32::from(here.room(kind));
    let hangs = hangs_over(world, (x, y), body);
    let grows = !hangs
        && world.cell(x, y + 1).kind() == kind
        && world.body(x, y + 1) == body
        && world.body(x, y) == NONE
        && may_grow(world, (x, y + 1), (x, y), body);
    if room == 0 || grows {
        return None;
    }
    let share = |room: i32| portion(room, world, params, (x, y), body, kind);
    let (head, give) = (floor(world, y) + weight_on(world, params, (x, y), kind), 0);
    let air = own_air(world, params, x, y, true);
    let ask = if hangs {
        // What hangs is let down under the air that is over it.
        let over = if params.trapped_air { air_above(world, x, y) } else { None };
        let most = if world.body(x, y) == NONE { past_air(params, FULL) } else { FULL };
        let take = share((i32::from(most) - i32::from(here.fill())).max(0));
        let ask = Ask::top((x, y), head + i32::from(here.fill()), give, take, over.unwrap_or(air));
        match world.sill_of((x, y - 1)) {
            Some(sill) => {
                let entry = ask.entry.max(floor(world, sill));
                Ask { entry, least: 1.max(take), way: Way::Drop, ..ask }
            }
            None => ask,
        }
    } else if is_firm(world, (x, y + 1), kind) {
        way_to_stand(world, (x, y), body, |_| true)?;
        let mut take = share(room.min(params.flows().into()));
        if take == i32::from(params.flows()) {
            take = take.max(part_of(params, room_beside(world, (x, y), body, kind)));
            let rows = rows_of_hole(world, (x, y), body, kind);
            take = take.max(part_of(params, i32::from(FULL) * (1 + rows)));
        }
        let (film, way) = (i32::from(params.film), Way::Floor);
        let below = world.cell(x, y + 1);
        let is_lifted = below.is_liquid() && below.kind() > kind;
        let head = head + if is_lifted { i32::from(here.fill()) } else { 0 };
        Ask { entry: head + film, least: film, way, ..Ask::top((x, y), head, give, take, air) }
    } else {
        let is_edge = |x| world.cell(x, y + 1).kind() != kind;
        let Edge { away, sheet } = way_to_stand(world, (x, y), body, is_edge)?;
        let most = past_air(params, params.pours().min(params.flows()).min(pace(sheet)));
        let most = i32::from(most) - i32::from(here.fill());
        let take = share(most.max(0));
        let (falls, fill) = (room_to_fall(world, (x, y), kind), i32::from(here.fill()));
        // What lies there takes only what is higher than it.
        let (least, over) =
            if falls > fill { (1 + falls - fill, 0) } else { (1, 1 + fill - falls) };
        let entry = head + away * i32::from(FULL) + over;
        let least = least.min(1 + take);
        Ask { entry, least, way: Way::Drop, ..Ask::top((x, y), head, give, take, air) }
    };
    (ask.take > 0).then_some(ask)
}

/// How much lower the content of an unsupported cell is by the end of the step: what runs in need
/// not wait for that part.
fn room_to_fall(world: &impl Labelled, (x, y): (u32, u32), kind: Kind) -> i32 {
    let below = world.cell(x, y + 1);
    let falls = [AIR, kind].contains(&below.kind()) && !world.stands(x, y + 1);
    i32::from(if falls { FULL } else { below.room(kind) })
}
