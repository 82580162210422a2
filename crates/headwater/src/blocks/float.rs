//! Stage 4: oil floats. Oil that lies beside or on a heavier body, deeper than that body's top, and a cell
//! of that top change places, so that the face between them becomes level. (Lava and water never lie
//! side by side: they turn to wall.)

use super::asks::Ask;
use super::bodies::NONE;
use super::cell::{AIR, FULL, LAVA, Liquid, Packed};
use super::grid::Grid;
use super::label::set_bits;
use super::labelled::{Labelled, floor};
use super::share::share;
use crate::spare::{Lent, Spare};

const OIL: u16 = Liquid::Oil as u16 + 1;

/// A cell's column and row.
type Place = (u32, u32);

/// What asks for what: the heavier body, and the oil under which it lies or the open air; then the place.
type Wish = ((u32, u32), Ask);

/// Lets oil float, if something has happened where there is any.
pub(super) fn float(grid: &mut Grid, restless: &[u32], lava_moves: bool, spare: &Spare) {
    if !restless.iter().any(|&chunk| grid.chunks[chunk as usize].has(OIL)) {
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
    for &(a, b) in &*exchanges(grid, &tops, &oil, lava_moves, spare) {
        let (at_a, at_b) = (grid.cell(a.0, a.1), grid.cell(b.0, b.1));
        grid.set(a.0 as usize, a.1 as usize, at_b);
        grid.set(b.0 as usize, b.1 as usize, at_a);
    }
}

/// The cells that change places, given all tops of bodies and all oil that stands. Only full cells do, so
/// that it does not matter which goes where.
pub(super) fn exchanges<'s>(
    world: &impl Labelled,
    tops: &[Place],
    oil: &[Place],
    lava_moves: bool,
    spare: &'s Spare,
) -> Lent<'s, (Place, Place)> {
    let over = |&(x, y): &Place| world.cell(x, y.wrapping_sub(1));
    let body = |&(x, y): &Place| world.body(x, y);
    let kind = |&(x, y): &Place| world.cell(x, y).kind();
    // Oil under open air may come up anywhere on the body; under a ceiling, among its own only.
    let open = tops.iter().filter(|at| kind(at) == OIL && (at.1 == 0 || over(at).kind() == AIR));
    let mut open = spare.collect(open.map(body));
    open.sort_unstable();
    let cover = |oil: u32| if open.binary_search(&oil).is_ok() { NONE } else { oil };
    let ask =
        |&at: &Place, head: i32, give: i32| Ask::top(at, head / i32::from(FULL), give, 1 - give, 0);
    let wish = |at: &Place| {
        let heavy = heavier_beside(world, at, lava_moves).filter(|_| is_full(world, at, OIL))?;
        let row = floor(world, at.1) - i32::from(FULL);
        Some(((heavy, cover(body(at))), ask(at, row, 0)))
    };
    let in_order = |(key, ask): &Wish| (*key, ask.y, ask.x);
    let mut wishes = spare.collect(oil.iter().filter_map(wish));
    wishes.sort_unstable_by_key(in_order);
    let of_oil = wishes.len();
    for &(x, y) in tops {
        let (heavy, above) = (world.body(x, y), world.cell(x, y.wrapping_sub(1)));
        let full = world.cell(x, y).fill() == FULL;
        let at = if full { (x, y) } else { (x, y + 1) };
        if kind(&(x, y)) <= OIL || !is_full(world, &at, kind(&(x, y))) || body(&at) != heavy {
            continue;
        }
        let key = match above.kind() {
            OIL if world.body(x, y - 1) != NONE => cover(world.body(x, y - 1)),
            AIR => NONE,
            _ if y == 0 => NONE,
            _ => continue,
        };
        let key = (heavy, key);
        if wishes[..of_oil].binary_search_by_key(&key, |wish| wish.0).is_ok() {
            wishes.push((key, ask(&at, floor(world, at.1), 1)));
        }
    }
    wishes.sort_unstable_by_key(in_order);
    let (mut found, mut asks, mut arrays) = (spare.vec(), spare.vec(), spare.scratch());
    for wishes in wishes.chunk_by(|a, b| a.0 == b.0) {
        asks.clear();
        asks.extend(wishes.iter().map(|(_, ask)| *ask));
        let shares = share(&asks, &mut arrays);
        let moving = |amount: i32| {
            let these = asks.iter().zip(shares).filter(move |(_, moved)| **moved == amount);
            these.map(|(ask, _)| (ask.x, ask.y))
        };
        found.extend(moving(-1).zip(moving(1)));
    }
    found
}

fn is_full(world: &impl Labelled, &(x, y): &Place, kind: u16) -> bool {
    world.cell(x, y) == Packed::of(kind, FULL)
}

/// The one heavier body that a cell of oil lies on or beside.
fn heavier_beside(world: &impl Labelled, &(x, y): &Place, lava_moves: bool) -> Option<u32> {
    let heavy = |x: u32, y: u32| {
        let kind = world.cell(x, y).kind();
        let moves = kind > OIL && kind <= LAVA && (kind != LAVA || lava_moves);
        Some(world.body(x, y)).filter(|body| moves && *body != NONE)
    };
    heavy(x, y + 1).or_else(|| match (heavy(x.wrapping_sub(1), y), heavy(x + 1, y)) {
        (Some(west), Some(east)) if west != east => None,
        (west, east) => west.or(east),
    })
}
