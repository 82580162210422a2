//! Fronts: a body goes on by two cells in a step over free dry floor and down falls of full cells.
//! Else a body that has come apart would lag behind.

use super::asks::{Ask, Way, hangs_over};
use super::bodies::NONE;
use super::cell::{FULL, Packed};
use super::labelled::Labelled;
use super::params::Params;
use super::ways::{pace, past_air};

/// What a body may run into beyond an opening in the same step: the next cell of dry floor, the
/// second below a full cell that hangs. Only where no other place could have the cell.
pub(super) fn ask_beyond(
    world: &impl Labelled,
    params: &Params,
    near: &Ask,
    body: u32,
) -> Option<Ask> {
    match near.way {
        Way::Floor => ask_of_floor(world, params, near, body),
        Way::Top | Way::Drop => ask_of_fall(world, near, body),
    }
}

fn ask_of_floor(world: &impl Labelled, params: &Params, near: &Ask, body: u32) -> Option<Ask> {
    let (y, film) = (near.y, i32::from(params.film));
    let is_beside = |side: i32| world.body(near.x.wrapping_add_signed(side), y) == body;
    let side = if is_beside(-1) { 1 } else { -1 };
    let away = |cells: i32| near.x.wrapping_add_signed(side * cells);
    let x = away(1);
    // A body that comes from the other side has the same reach.
    let is_free = world.cell(x, y) == Packed::AIR
        && world.cell(x, y + 1).is_wall()
        && [(x, y.wrapping_sub(1)), (away(2), y), (away(3), y)].into_iter().all(is_of_none(world));
    let (take, entry) = (params.flows().into(), near.head + 2 * film);
    if is_free {
        return Some(Ask { x, take, entry, least: film, ..*near });
    }
    // Over the edge of a last cell that is dry, as it is where a drain takes all of it: it would else be a dam.
    let from = world.cell(away(-1), y);
    let below = world.cell(x, y + 1);
    let falls = below == Packed::AIR || below.kind() == from.kind() && !world.stands(x, y + 1);
    let others = [(x, y.wrapping_sub(1)), (x, y.wrapping_sub(2)), (away(2), y), (away(3), y)];
    let is_edge =
        falls && world.cell(x, y) == Packed::AIR && others.into_iter().all(is_of_none(world));
    let take = past_air(params, params.pours().min(params.flows()).min(pace(from.fill())));
    let ask =
        Ask { x, take: take.into(), entry, least: film.min(take.into()), way: Way::Drop, ..*near };
    (is_edge && take > 0).then_some(ask)
}

/// It takes all that it holds or nothing, or the fall would be torn: what does not fill its cell falls on its own.
fn ask_of_fall(world: &impl Labelled, near: &Ask, body: u32) -> Option<Ask> {
    let (x, y, full) = (near.x, near.y + 1, i32::from(FULL));
    let is_free = near.take == full
        && hangs_over(world, (x, near.y), body)
        && [(x, near.y), (x, y)].into_iter().all(|(x, y)| world.cell(x, y) == Packed::AIR)
        && !world.cell(x, y + 1).is_wall()
        && [(x, y + 1), (x.wrapping_sub(1), y), (x + 1, y)].into_iter().all(is_of_none(world));
    is_free.then_some(Ask {
        y,
        entry: near.entry.max(near.head + 2 * full),
        least: full,
        way: Way::Top,
        ..*near
    })
}

fn is_of_none(world: &impl Labelled) -> impl Fn((u32, u32)) -> bool {
    |(x, y)| world.body(x, y) == NONE
}
