//! Stage 4: oil floats. Oil that lies beside or on a heavier body, deeper than that body's top, and a cell of that top change
//! places, if the oil can get there along the surface ([`Slicks`]), so that the face between them becomes level. And where what
//! stands elsewhere outweighs a column with oil on it, the oil is lifted by a cell. (Lava and water never
//! lie side by side: they turn to wall.)

use super::asks::{self, Ask, Way, load};
use super::bodies::NONE;
use super::cell::{AIR, FULL, LAVA, Packed};
use super::grid::Grid;
use super::label::set_bits;
use super::labelled::{Labelled, floor};
use super::params::Params;
use super::share::{AskArrays, share};
use super::slicks::{OIL, Place, Slicks};
use crate::spare::{Lent, Spare};

/// What asks for what: the heavier body, and what the oil and its top are joined with; then the place.
type Wish = ((u32, u32), Ask);

/// What cells become.
type Sets = Vec<(Place, Packed)>;

/// Lets oil float, if something has happened and there is any.
pub(super) fn float(
    grid: &mut Grid,
    restless: &[u32],
    params: &Params,
    lava_moves: bool,
    spare: &Spare,
) {
    if restless.is_empty() || !grid.has_seen(OIL) {
        return;
    }
    let (mut tops, mut oil) = (spare.vec(), spare.vec());
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
    for &((x, y), cell) in &*changes(grid, &tops, &oil, params, lava_moves, spare) {
        grid.set(x as usize, y as usize, cell);
    }
}

/// What becomes of the cells, given all tops of bodies and all oil that is part of one. Only full cells move, so that it does
/// not matter which goes where.
pub(super) fn changes<'s>(
    world: &impl Labelled,
    tops: &[Place],
    oil: &[Place],
    params: &Params,
    lava_moves: bool,
    spare: &'s Spare,
) -> Lent<'s, (Place, Packed)> {
    let mut sets = spare.vec();
    if oil.is_empty() {
        return sets;
    }
    let (mut wishes, mut asks) = (spare.vec(), spare.vec());
    let mut arrays = spare.scratch::<AskArrays>();
    wish_to_come_up(world, tops, oil, lava_moves, &mut wishes, spare);
    let mut busy = spare.vec();
    match_wishes(&mut wishes, &mut asks, &mut arrays, |(heavy, _), from, to| {
        busy.extend([heavy, world.body(to.0, to.1)]);
        sets.extend([(from, world.cell(to.0, to.1)), (to, world.cell(from.0, from.1))]);
    });
    if params.trapped_air {
        return sets;
    }
    // What is still in motion settles first.
    busy.sort_unstable();
    wish_to_lift(world, tops, oil, lava_moves, &mut wishes);
    wishes.retain(|((heavy, _), Ask { x, y, .. })| {
        [*heavy, world.body(*x, *y)].iter().all(|body| busy.binary_search(body).is_err())
    });
    lift_columns(world, &mut wishes, &mut asks, &mut arrays, &mut sets, spare);
    sets
}

/// Deals places that give to those that take, group by group: hands over the group and the two places.
fn match_wishes(
    wishes: &mut [Wish],
    asks: &mut Vec<Ask>,
    arrays: &mut AskArrays,
    mut found: impl FnMut((u32, u32), Place, Place),
) {
    wishes.sort_unstable_by_key(|(key, ask)| (*key, ask.y, ask.x));
    for wishes in wishes.chunk_by(|a, b| a.0 == b.0) {
        asks.clear();
        asks.extend(wishes.iter().map(|(_, ask)| *ask));
        let shares = share(asks, arrays);
        let moving = |amount: i32| {
            let these = asks.iter().zip(shares).filter(move |(_, moved)| **moved == amount);
            these.map(|(ask, _)| (ask.x, ask.y))
        };
        moving(-1).zip(moving(1)).for_each(|(from, to)| found(wishes[0].0, from, to));
    }
}

/// A place that gives or takes a cell, at a height in whatever units.
fn ask(at: Place, head: i32, give: i32) -> Ask {
    Ask::top(at, head, give, 1 - give, 0)
}

/// By how much a column must be outweighed before it is lifted by a cell (256ths of one). Less than a cell, and more than half
/// of one: what comes up too far flows back, and must not leave its cell again.
const TO_LIFT: i32 = 192;

/// A cell's row, from the bottom.
fn row(world: &impl Labelled, (_, y): Place) -> i32 {
    floor(world, y) / i32::from(FULL)
}

/// The full cell at a top, or right below it, if it is of the same body.
fn full_at(world: &impl Labelled, (x, y): Place) -> Option<Place> {
    let (top, body) = (world.cell(x, y), world.body(x, y));
    let at = if top.fill() == FULL { (x, y) } else { (x, y + 1) };
    (is_full(world, at, top.kind()) && world.body(at.0, at.1) == body).then_some(at)
}

/// Oil that lies deep, and tops of heavier bodies with which it may change places.
fn wish_to_come_up(
    world: &impl Labelled,
    tops: &[Place],
    oil: &[Place],
    lava_moves: bool,
    wishes: &mut Vec<Wish>,
    spare: &Spare,
) {
    let mut slicks = spare.scratch::<Slicks>();
    slicks.find(world, tops);
    for &at in oil.iter().filter(|at| is_full(world, **at, OIL)) {
        if let Some(heavy) = heavier_beside(world, at, lava_moves) {
            let key = (heavy, slicks.of_oil(world.body(at.0, at.1)));
            wishes.push((key, ask(at, row(world, at) - 1, 0)));
        }
    }
    for &top in tops.iter().filter(|at| world.cell(at.0, at.1).kind() > OIL) {
        let key = (world.body(top.0, top.1), slicks.of_top(top));
        if key.1 != NONE
            && let Some(at) = full_at(world, top)
        {
            wishes.push((key, ask(at, row(world, at), 1)));
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
    spare: &Spare,
) {
    let mut cells = spare.vec();
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
        for (ask, &moved) in asks.iter().zip(shares).filter(|(_, moved)| **moved != 0) {
            if moved > 0 {
                lift(world, (ask.x, ask.y), sets);
            } else {
                cells.clear();
                asks::moved(ask, moved, world, world.cell(ask.x, ask.y).kind(), &mut cells);
                sets.extend(cells.iter().map(|&(x, y, cell)| ((x, y), cell)));
            }
        }
    }
}

/// Fills a cell of oil with what lies below it; the oil comes up on top of its column.
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

/// The heavier body at a place, if it moves in this step.
fn heavier_at(world: &impl Labelled, (x, y): Place, lava_moves: bool) -> Option<u32> {
    let kind = world.cell(x, y).kind();
    let moves = kind > OIL && kind <= LAVA && (kind != LAVA || lava_moves);
    Some(world.body(x, y)).filter(|body| moves && *body != NONE)
}

/// The one heavier body that a cell of oil lies on or beside, if it moves in this step: it is the same one in every step, so
/// that what is at rest in one is so in all.
fn heavier_beside(world: &impl Labelled, (x, y): Place, lava_moves: bool) -> Option<u32> {
    let at = [(x, y + 1), (x.wrapping_sub(1), y), (x + 1, y)];
    let [below, west, east] = at.map(|at| heavier_at(world, at, true).map(|body| (body, at)));
    let (_, at) = below.or(match (west, east) {
        (Some(west), Some(east)) if west.0 != east.0 => None,
        (west, east) => west.or(east),
    })?;
    heavier_at(world, at, lava_moves)
}
