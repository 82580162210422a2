//! Stage 4: oil floats. Oil beside or on a heavier body and deeper than its top changes places with
//! a cell of that top, if it can get there along the surface ([`Slicks`]) or to the end of a
//! ceiling. Where a column with oil on it is outweighed, the oil is lifted by a cell. (Lava and
//! water turn to wall.)

use super::asks::{Ask, Way, load};
use super::bodies::NONE;
use super::cell::{AIR, FULL, LAVA, Packed};
use super::grid::Grid;
use super::label::set_bits;
use super::labelled::{Labelled, floor};
use super::moves::moved;
use super::params::Params;
use super::share::{AskArrays, share};
use super::slicks::{CELLS_OF_TOP, OIL, Place, Slicks, is_under_ceiling};
use crate::scratch::{PooledVec, ScratchPool};
use std::cmp::Reverse;

/// What asks for what: the heavier body, and what the oil and its top are joined with; then the place.
type Wish = ((u32, u32), Ask);

type Sets = Vec<(Place, Packed)>;

pub(super) fn float(
    grid: &mut Grid,
    restless: &[u32],
    params: &Params,
    lava_moves: bool,
    scratch: &ScratchPool,
) {
    if restless.is_empty() || !grid.has_seen(OIL) {
        return;
    }
    let (mut tops, mut oil) = (scratch.vec(), scratch.vec());
    for (c, chunk) in grid.chunks.iter().enumerate() {
        let (left, top) = grid.origin(c);
        for row in set_bits(chunk.surface_rows) {
            let place = |column| ((left + column) as u32, (top + row) as u32);
            tops.extend(set_bits(chunk.tops[row]).map(place));
        }
        for row in 0..chunk.cells.len() {
            let place = |column| ((left + column) as u32, (top + row) as u32);
            oil.extend(set_bits(chunk.body_row(0, row)).map(place));
        }
    }
    for &((x, y), cell) in &*changes(grid, &tops, &oil, params, lava_moves, scratch) {
        grid.set(x as usize, y as usize, cell);
    }
}

/// What the cells become, given all tops of bodies and all oil in bodies. Only equal amounts move,
/// so that pairing does not matter.
pub(super) fn changes<'s>(
    world: &impl Labelled,
    tops: &[Place],
    oil: &[Place],
    params: &Params,
    lava_moves: bool,
    scratch: &'s ScratchPool,
) -> PooledVec<'s, (Place, Packed)> {
    let mut sets = scratch.vec();
    if oil.is_empty() {
        return sets;
    }
    let (mut wishes, mut late, mut asks) = (scratch.vec(), scratch.vec(), scratch.vec());
    let mut arrays = scratch.take::<AskArrays>();
    wish_to_come_up(world, tops, oil, lava_moves, (&mut wishes, &mut late), scratch);
    let mut busy = scratch.vec();
    let size = |(x, y): Place| {
        let body = world.body(x, y);
        oil.iter().filter(|at| world.body(at.0, at.1) == body).count()
    };
    let mut swap = |(heavy, _): (u32, u32), from: Place, to: Place, busy: &mut Vec<u32>| {
        busy.extend([heavy, world.body(to.0, to.1)]);
        sets.extend([(from, world.cell(to.0, to.1)), (to, world.cell(from.0, from.1))]);
    };
    match_wishes(&mut wishes, &mut asks, &mut arrays, size, |key, a, b| swap(key, a, b, &mut busy));
    // What is still in motion settles first.
    let keep_settled = |wishes: &mut Vec<Wish>, busy: &mut Vec<u32>| {
        busy.sort_unstable();
        wishes.retain(|((heavy, _), Ask { x, y, .. })| {
            [*heavy, world.body(*x, *y)].iter().all(|body| busy.binary_search(body).is_err())
        });
    };
    keep_settled(&mut late, &mut busy);
    keep_fullest(world, &mut late);
    match_wishes(&mut late, &mut asks, &mut arrays, size, |key, a, b| swap(key, a, b, &mut busy));
    if params.trapped_air {
        return sets;
    }
    wish_to_lift(world, tops, oil, lava_moves, &mut wishes);
    keep_settled(&mut wishes, &mut busy);
    lift_columns(world, &mut wishes, &mut asks, &mut arrays, &mut sets, scratch);
    sets
}

/// Pairs places that give with those that take, group by group; `size` is that of the body of oil
/// in a place.
fn match_wishes(
    wishes: &mut [Wish],
    asks: &mut Vec<Ask>,
    arrays: &mut AskArrays,
    size: impl Fn(Place) -> usize,
    mut found: impl FnMut((u32, u32), Place, Place),
) {
    wishes.sort_unstable_by_key(|(key, ask)| (*key, ask.y, ask.x));
    for wishes in wishes.chunk_by(|a, b| a.0 == b.0) {
        asks.clear();
        asks.extend(wishes.iter().map(|(_, ask)| *ask));
        let shares = share(asks, arrays);
        // As many cells as move, down from the first.
        let moving = |side: i32| {
            let these = asks.iter().zip(shares).map(move |(ask, moved)| (ask, side * moved));
            these.flat_map(|(ask, count)| (0..count.max(0)).map(|i| (ask.x, ask.y + i as u32)))
        };
        let before =
            moving(-1).zip(moving(1)).map(|(from, to)| found(wishes[0].0, from, to)).count();
        if before == 0
            && let Some((from, to)) = one_pair(asks, &size)
        {
            found(wishes[0].0, from, to);
        }
    }
}

/// The air over tops that oil gets to through an exit: where others lie as in a mirror, these are chosen among.
const LED_TO: u32 = 1;

/// One giver and one taker where all lie mirror-symmetric: of the highest (first those that an exit
/// leads to) and the lowest the ones without a twin nearest to the middle of the others, else of
/// their own, else of the largest body of oil.
fn one_pair(asks: &[Ask], size: impl Fn(Place) -> usize) -> Option<(Place, Place)> {
    let low = asks.iter().filter(|ask| ask.take > 0).map(|ask| ask.entry).min()?;
    let rank = |ask: &Ask| (ask.air, ask.head);
    let may = || asks.iter().filter(|ask| ask.give > 0 && ask.head > low);
    let best = may().map(rank).max()?;
    let gives = || may().filter(|ask| rank(ask) == best);
    let takes = || asks.iter().filter(|ask| ask.take > 0 && ask.entry == low);
    let (high, low) = (middle_of(gives())?, middle_of(takes())?);
    let from = without_twin(gives(), low).or_else(|| without_twin(gives(), high));
    let to = without_twin(takes(), high).or_else(|| without_twin(takes(), low)).or_else(|| {
        let size = |ask: &Ask| size((ask.x, ask.y));
        let most = takes().map(size).max()?;
        without_twin(takes().filter(|ask| size(ask) == most), high)
    });
    from.zip(to)
}

/// Twice the column in the middle of some places.
fn middle_of<'a>(places: impl Iterator<Item = &'a Ask> + Clone) -> Option<u32> {
    let columns = places.map(|ask| ask.x);
    Some(columns.clone().min()? + columns.max()?)
}

/// The place nearest to a middle (twice its column) that is as near as no other.
fn without_twin<'a>(places: impl Iterator<Item = &'a Ask> + Clone, middle: u32) -> Option<Place> {
    let away = |ask: &Ask| (2 * ask.x).abs_diff(middle);
    let is_alone =
        |ask: &&Ask| places.clone().filter(|other| away(other) == away(ask)).count() == 1;
    places.clone().filter(is_alone).min_by_key(|ask| away(ask)).map(|ask| (ask.x, ask.y))
}

/// A place that gives so many cells or, if none, takes one; at a height in whatever units.
fn ask(at: Place, head: i32, give: i32) -> Ask {
    Ask::top(at, head, give, i32::from(give == 0), 0)
}

/// Excess weight from which a column is lifted by a cell (256ths). A cell changes it by two, so
/// less would oscillate.
const TO_LIFT: i32 = 256;

fn row(world: &impl Labelled, (_, y): Place) -> i32 {
    floor(world, y) / i32::from(FULL)
}

/// The full cell at a top, or right below it, if it is of the same body.
fn full_at(world: &impl Labelled, (x, y): Place) -> Option<Place> {
    let (top, body) = (world.cell(x, y), world.body(x, y));
    let at = if top.fill() == FULL { (x, y) } else { (x, y + 1) };
    (is_full(world, at, top.kind()) && world.body(at.0, at.1) == body).then_some(at)
}

/// Of the tops that are not full, leaves to each group the highest, and of these those that hold most.
fn keep_fullest(world: &impl Labelled, wishes: &mut Vec<Wish>) {
    let order = |ask: &Ask| (ask.give == 0, ask.y, Reverse(world.cell(ask.x, ask.y).fill()));
    wishes.sort_unstable_by_key(|(key, ask)| (*key, order(ask), ask.x));
    let mut first = None;
    wishes.retain(|(key, ask)| {
        let here = (*key, order(ask));
        first = first.filter(|(group, _)| group == key).or(Some(here));
        ask.give == 0 || first == Some(here)
    });
}

/// Oil that lies deep, and tops of heavier bodies for it: full ones first, then tops that are not
/// full for oil under a ceiling.
fn wish_to_come_up(
    world: &impl Labelled,
    tops: &[Place],
    oil: &[Place],
    lava_moves: bool,
    (wishes, late): (&mut Vec<Wish>, &mut Vec<Wish>),
    scratch: &ScratchPool,
) {
    let mut slicks = scratch.take::<Slicks>();
    slicks.find(world, tops, oil);
    for &top in tops.iter().filter(|at| world.cell(at.0, at.1).kind() > OIL) {
        let key = (world.body(top.0, top.1), slicks.of_top(top));
        if key.1 != NONE && world.cell(top.0, top.1).fill() < FULL {
            late.push((key, ask(top, row(world, top), 1)));
        }
        if key.1 != NONE
            && let Some(at) = full_at(world, top)
        {
            let of_top = |y: &u32| is_full(world, (at.0, *y), world.cell(at.0, at.1).kind());
            let count = (at.1..at.1 + CELLS_OF_TOP).take_while(of_top).count();
            let air = if slicks.is_led_to(top) { LED_TO } else { 0 };
            wishes.push((key, Ask { air, ..ask(at, row(world, at), count as i32) }));
        }
    }
    for &((x, y), root) in slicks.exits() {
        if is_full(world, (x, y), world.cell(x, y).kind()) {
            wishes.push(((world.body(x, y), root), ask((x, y), row(world, (x, y)), 1)));
        }
    }
    let mut tops_of = scratch.vec();
    tops_of.extend(wishes.iter().map(|(key, _)| *key));
    tops_of.sort_unstable();
    let count = |key: (u32, u32)| {
        tops_of.partition_point(|other| *other <= key)
            - tops_of.partition_point(|other| *other < key)
    };
    for &at in oil.iter().filter(|at| is_full(world, **at, OIL)) {
        let slick = slicks.of_oil(world.body(at.0, at.1));
        if let Some(heavy) = heavier_around(world, at, lava_moves, |body| count((body, slick))) {
            let wish = ((heavy, slick), ask(at, row(world, at) - 1, 0));
            wishes.push(wish);
            late.extend(is_under_ceiling(world, at).then_some(wish));
        }
    }
}

/// Columns of heavier bodies with oil on them that is free to rise, and tops of these bodies that may outweigh them.
fn wish_to_lift(
    world: &impl Labelled,
    tops: &[Place],
    oil: &[Place],
    lava_moves: bool,
    wishes: &mut Vec<Wish>,
) {
    wishes.clear();
    let head = |(x, y): Place| {
        let top = world.cell(x, y);
        floor(world, y) + i32::from(top.fill()) + load(world, (x, y), top.kind())
    };
    for &(x, y) in oil {
        let below = (x, y + 1);
        if let Some(heavy) = heavier_at(world, below, lava_moves)
            && world.cell(x, y + 1).fill() == FULL
            && let Some(top) = free_top(world, (x, y))
            && (top == (x, y) || is_full(world, (x, y), OIL))
        {
            wishes.push(((heavy, 0), ask((x, y), head(below), 0)));
        }
    }
    for &(x, y) in tops.iter().filter(|at| world.cell(at.0, at.1).kind() > OIL) {
        let over = world.cell(x, y.wrapping_sub(1)).kind();
        if (y == 0 || [AIR, OIL].contains(&over)) && full_at(world, (x, y)).is_some() {
            wishes.push(((world.body(x, y), 0), ask((x, y), head((x, y)), 1)));
        }
    }
}

/// The top of a column of oil that has air over it: what is lifted below it comes up there.
fn free_top(world: &impl Labelled, (x, y): Place) -> Option<Place> {
    let top = (0..=y).rev().take_while(|&y| world.cell(x, y).kind() == OIL).last()?;
    let over = top.checked_sub(1)?;
    (world.body(x, top) != NONE && world.cell(x, over) == Packed::AIR).then_some((x, top))
}

/// Lifts columns that are outweighed, body by body: each by a cell, which the tops give that outweigh the lowest of them.
fn lift_columns(
    world: &impl Labelled,
    wishes: &mut [Wish],
    asks: &mut Vec<Ask>,
    arrays: &mut AskArrays,
    sets: &mut Sets,
    scratch: &ScratchPool,
) {
    let mut cells = scratch.vec();
    wishes.sort_unstable_by_key(|(key, ask)| (*key, ask.y, ask.x));
    for wishes in wishes.chunk_by(|a, b| a.0 == b.0) {
        let columns = wishes.iter().map(|(_, ask)| ask).filter(|ask| ask.take > 0);
        let Some(lowest) = columns.clone().map(|ask| ask.head).min() else { continue };
        let tops = wishes.iter().map(|(_, ask)| ask);
        let tops = tops.filter(|ask| ask.give > 0 && ask.head > lowest + TO_LIFT);
        let Some(least) = tops.clone().map(|ask| ask.head).min() else { continue };
        let cell = i32::from(FULL);
        asks.clear();
        asks.extend(tops.map(|ask| Ask { give: cell, ..*ask }));
        let outweighed = columns.filter(|ask| ask.head + TO_LIFT < least);
        // A whole cell or nothing, whatever the level.
        asks.extend(outweighed.map(|ask| Ask {
            take: cell,
            entry: 1,
            least: cell,
            way: Way::Floor,
            ..*ask
        }));
        let shares = share(asks, arrays);
        if shares.iter().any(|moved| *moved > 0 && *moved != cell) {
            continue;
        }
        for (ask, &amount) in asks.iter().zip(shares).filter(|(_, amount)| **amount != 0) {
            if amount > 0 {
                lift(world, (ask.x, ask.y), sets);
            } else {
                cells.clear();
                moved((ask.x, ask.y), amount, world, world.cell(ask.x, ask.y).kind(), &mut cells);
                sets.extend(cells.iter().map(|&(x, y, cell)| ((x, y), cell)));
            }
        }
    }
}

fn lift(world: &impl Labelled, to: Place, sets: &mut Sets) {
    let Some((x, y)) = free_top(world, to) else { return };
    let fill = world.cell(x, y).fill();
    sets.extend([
        ((x, y), Packed::of(OIL, FULL)),
        ((x, y - 1), Packed::of(OIL, fill)),
        (to, world.cell(to.0, to.1 + 1)),
    ]);
}

fn is_full(world: &impl Labelled, (x, y): Place, kind: u16) -> bool {
    world.cell(x, y) == Packed::of(kind, FULL)
}

fn heavier_at(world: &impl Labelled, (x, y): Place, lava_moves: bool) -> Option<u32> {
    let kind = world.cell(x, y).kind();
    let moves = kind > OIL && kind <= LAVA && (kind != LAVA || lava_moves);
    Some(world.body(x, y)).filter(|body| moves && *body != NONE)
}

/// The heavier body that a cell of oil lies on or beside, if it moves in this step: of several the
/// one with the most tops, if unique.
fn heavier_around(
    world: &impl Labelled,
    (x, y): Place,
    lava_moves: bool,
    tops: impl Fn(u32) -> usize,
) -> Option<u32> {
    let around = [(x, y + 1), (x.wrapping_sub(1), y), (x + 1, y)];
    let bodies = around.map(|at| heavier_at(world, at, true).map(|body| (body, at)));
    let bodies = || bodies.iter().flatten();
    let first = bodies().next()?;
    let found = if bodies().all(|other| other.0 == first.0) {
        first
    } else {
        let most = bodies().max_by_key(|(body, _)| tops(*body))?;
        let is_one = bodies().all(|(body, _)| *body == most.0 || tops(*body) < tops(most.0));
        is_one.then_some(most)?
    };
    heavier_at(world, found.1, lava_moves)
}
