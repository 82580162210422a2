//! What of the room in a cell falls to each of the bodies that may fill it.

use super::bodies::NONE;
use super::cell::{FULL, Kind};
use super::labelled::Labelled;
use super::params::Params;
use super::ways::{is_firm, way_from};

/// Share of a cell's room for one of the bodies that may fill it: those beside it, above it, and
/// below it. None is kept out for ever. First come those sure to run in, from above, and on a full
/// cell that stands also from the sides; then the column below. Equal ones share evenly.
pub(super) fn portion(
    room: i32,
    world: &impl Labelled,
    params: &Params,
    (x, y): (u32, u32),
    body: u32,
    kind: Kind,
) -> i32 {
    let above = (x, y.wrapping_sub(1));
    let places = [(x.wrapping_sub(1), y), (x + 1, y), above, (x, y + 1)];
    let of_kind = |(x, y)| if world.cell(x, y).kind() == kind { world.body(x, y) } else { NONE };
    let mut all = [of_kind(places[0]), of_kind(places[1]), NONE, NONE];
    if world.cell(above.0, above.1).fill() == FULL {
        all[ABOVE] = of_kind(above);
    }
    if all[ABOVE] == NONE && world.stands(x, y + 1) {
        all[BELOW] = of_kind(places[BELOW]);
    }
    if all[..BELOW] == [NONE; 3] {
        return if all[BELOW] == body { room } else { 0 };
    }
    if all.iter().all(|other| [NONE, body].contains(other)) {
        return room;
    }
    if all[BELOW] != NONE && world.cell(x, y + 1).fill() == FULL {
        let mut sure = all;
        for (i, &(x, y)) in places[..ABOVE].iter().enumerate() {
            if !world.stands(x, y) || world.cell(x, y).fill() < SURE_FILMS * params.film {
                sure[i] = NONE;
            }
        }
        sure[BELOW] = NONE;
        all = if sure == [NONE; 4] { [NONE, NONE, NONE, all[BELOW]] } else { sure };
    }
    all = those_that_may_run(world, (x, y), kind, all);
    let is_first = |i: &usize| all[*i] != NONE && !all[..*i].contains(&all[*i]);
    let count = (0..all.len()).filter(is_first).count() as i32;
    // At the lowest rates each has as much as two that lie as in a mirror can give, if there is room for that.
    let is_least = |count: i32| {
        let all = LEAST * count;
        count > 1 && (1..all).contains(&room) && i32::from(world.cell(x, y).room(kind)) >= all
    };
    let part = room / count.max(1);
    if !all.contains(&body) {
        0
    } else if is_least(count) {
        LEAST
    } else if count == 1 || !is_first(&BELOW) {
        part
    } else {
        // The thicker what runs over an edge into it, the less is left to the column that fills up below.
        let is_edge = |&&(x, y): &&(u32, u32)| {
            let cell = world.cell(x, y);
            cell.kind() == kind && world.stands(x, y) && world.cell(x, y + 1).kind() != kind
        };
        let edges = places[..ABOVE].iter().filter(is_edge);
        let sheet = edges.map(|&(x, y)| i32::from(world.cell(x, y).fill())).max().unwrap_or(0);
        let below = part * (i32::from(FULL) - sheet) / i32::from(FULL);
        if body == all[BELOW] { below } else { (room - below) / (count - 1) }
    }
}

/// The bodies around a cell without those beside it that cannot run into it: those that only hang there fall straight down.
fn those_that_may_run(
    world: &impl Labelled,
    at: (u32, u32),
    kind: Kind,
    all: [u32; 4],
) -> [u32; 4] {
    let is_alone = |i: usize| all.iter().all(|other| [NONE, all[i]].contains(other));
    let mut may = all;
    if world.body(at.0, at.1) == NONE {
        for (i, side) in [-1, 1].into_iter().enumerate() {
            if all[i] != NONE && !is_alone(i) && !may_run(world, at, all[i], kind, side) {
                may[i] = NONE;
            }
        }
    }
    may
}

fn may_run(world: &impl Labelled, (x, y): (u32, u32), body: u32, kind: Kind, side: i32) -> bool {
    if is_firm(world, (x, y + 1), kind) {
        return way_from(world, (x, y), body, side, |_| true).is_some();
    }
    let is_edge = |x| world.cell(x, y + 1).kind() != kind;
    way_from(world, (x, y), body, side, is_edge).is_some_and(|edge| edge.sheet > 0)
}

/// The last two of the places from which a cell may be filled, after west and east.
const ABOVE: usize = 2;
const BELOW: usize = 3;
const LEAST: i32 = Params::LEAST as i32;
/// A cell of so many films has enough for the floors on both sides of it.
const SURE_FILMS: u16 = 4;
