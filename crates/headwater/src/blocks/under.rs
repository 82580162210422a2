//! Liquid running in under a lighter one: a heavier body runs along the floor of oil beside it, and
//! lifts the oil's column.

use super::asks::{Ask, Way, full_load, own_air};
use super::cell::{FULL, Kind, Packed};
use super::labelled::{Labelled, floor};
use super::params::Params;
use super::portions::portion;
use super::slicks::Place;
use super::ways::is_firm;

/// The ask of a heavier body beside a cell of a lighter liquid, under the weight of its column:
/// along the column's floor, or over an edge.
pub(super) fn ask_under(
    world: &impl Labelled,
    params: &Params,
    (x, y): Place,
    body: u32,
    kind: Kind,
) -> Option<Ask> {
    let may_run = |side: i32| {
        let beside = x.wrapping_add_signed(side);
        world.body(beside, y) == body && may_run_from(world, (x, y), beside)
    };
    if !world.stands(x, y) || ![-1, 1].into_iter().any(may_run) {
        return None;
    }
    let sinks = !is_firm(world, (x, y + 1), kind);
    let over = room_to_lift(world, (x, y))?;
    // What runs out has its weight here, too, or it would be lifted before it has run.
    let weight = if params.trapped_air { 0 } else { full_load(world, (x, y + 1), kind).0 };
    let head = floor(world, y) + weight;
    let most = if sinks { params.pours().min(params.flows()) } else { params.flows() };
    let room = portion(FULL.into(), world, params, (x, y), body, kind);
    let (take, way) = (room.min(most.into()), if sinks { Way::Drop } else { Way::Floor });
    let least = if sinks { 1 } else { params.film.into() };
    let air = own_air(world, params, x, over, true);
    // What lies deep changes places by whole cells, as far as it can.
    let is_deep = world.cell(x, y.wrapping_sub(1)).kind() == world.cell(x, y).kind();
    let margin = if is_deep { i32::from(FULL) } else { 0 };
    let ask =
        Ask { entry: head + margin + least, least, way, ..Ask::top((x, y), head, 0, take, air) };
    (take > 0).then_some(ask)
}

/// The row to which the top of a column is lifted out of a cell, if there is room for all that may
/// lift it, or for the lowest.
fn room_to_lift(world: &impl Labelled, (x, y): Place) -> Option<u32> {
    let top = top_of(|y| world.cell(x, y), y);
    let over = top.checked_sub(1)?;
    let lighter = world.cell(x, y).kind();
    let is_whole = top == y || world.cell(x, y).fill() == FULL;
    if !is_whole || !world.is_member(x, top) || !is_clear(world, (x, over), lighter) {
        return None;
    }
    let is_lifted_from = |y: &u32| is_run_into(world, (x, *y));
    let below = (y + 1..).take_while(|&y| world.cell(x, y).kind() == lighter);
    let others = below.clone().chain(top..y).filter(is_lifted_from).count() as u32;
    let has_room =
        others <= over && (1..=others).all(|up| is_clear(world, (x, over - up), lighter));
    let bottom = below.last().unwrap_or(y);
    let may_lift = || (top..=bottom).rev().find(|&y| is_pressed(world, (x, y))) == Some(y);
    (has_room || may_lift()).then_some(over)
}

/// Whether what stands right beside a cell of a column weighs more than what of the column is from there on.
fn is_pressed(world: &impl Labelled, (x, y): Place) -> bool {
    [-1, 1].into_iter().any(|side| {
        let beside = x.wrapping_add_signed(side);
        let kind = world.cell(beside, y).kind();
        let rows = (0..=y).rev().take_while(|&y| world.cell(beside, y).kind() == kind);
        let weighs = || {
            let own: i32 = rows.clone().map(|y| i32::from(world.cell(beside, y).fill())).sum();
            own + full_load(world, (beside, rows.last().unwrap_or(y)), kind).0
        };
        may_run_from(world, (x, y), beside) && weighs() > full_load(world, (x, y + 1), kind).0
    })
}

fn is_run_into(world: &impl Labelled, (x, y): Place) -> bool {
    [-1, 1].into_iter().any(|side| may_run_from(world, (x, y), x.wrapping_add_signed(side)))
}

/// Whether what stands beside a cell of a column is heavier and may run in: over a floor, into
/// another column of its kind, or over an edge.
fn may_run_from(world: &impl Labelled, (x, y): Place, beside: u32) -> bool {
    let (cell, below) = (world.cell(beside, y), world.cell(x, y + 1));
    if !cell.is_liquid() || cell.kind() <= world.cell(x, y).kind() || !world.stands(beside, y) {
        return false;
    }
    if is_firm(world, (x, y + 1), cell.kind()) {
        return true;
    }
    // Its own column there fills up first.
    let is_own = || world.body(x, y + 1) == world.body(beside, y);
    if below.kind() == cell.kind() {
        !is_own()
    } else {
        world.cell(beside, y + 1).kind() != cell.kind()
    }
}

/// Whether there is nothing but air in a cell, and nothing heavier than a liquid may come there in this step.
fn is_clear(world: &impl Labelled, (x, y): Place, lighter: Kind) -> bool {
    let heavy = |x: u32, y: u32| {
        let cell = world.cell(x, y);
        let is_heavy = cell.is_liquid() && cell.kind() > lighter && world.is_member(x, y);
        is_heavy.then_some(cell)
    };
    // What stands on itself beside air does not run over an edge.
    let may_come = |side: i32| {
        let x = x.wrapping_add_signed(side);
        let stays = |cell: Packed| world.stands(x, y) && world.cell(x, y + 1).kind() == cell.kind();
        heavy(x, y).is_some_and(|cell| !stays(cell))
    };
    let comes_down = || heavy(x, y.wrapping_sub(1)).is_some_and(|cell| cell.fill() == FULL);
    world.cell(x, y) == Packed::AIR && !comes_down() && ![-1, 1].into_iter().any(may_come)
}

fn top_of(cell: impl Fn(u32) -> Packed, y: u32) -> u32 {
    let kind = cell(y).kind();
    (0..y).rev().take_while(|&y| cell(y).kind() == kind).last().unwrap_or(y)
}

/// Whether what a cell gets lifts what is in it.
pub(super) fn is_lifted(cell: Packed, by: Kind) -> bool {
    cell.is_liquid() && cell.kind() < by
}

/// What the cells at the top of a column become that is lifted by a cell out of one of them.
pub(super) fn lifted(cell: impl Fn(u32) -> Packed, y: u32) -> [(u32, Packed); 2] {
    let top = top_of(&cell, y);
    [(top, Packed::of(cell(y).kind(), FULL)), (top - 1, cell(top))]
}
