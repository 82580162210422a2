//! Simple places: tops and openings whose asks follow from a few cells, more than half of all. They
//! are found by the bits of rows; the rules are those of `asks.rs` and `openings.rs`.

use super::asks::{self, Ask, Way};
use super::cell::{FULL, Kind, Packed};
use super::chunk::{Chunk, KINDS};
use super::front::ask_beyond;
use super::grid::Grid;
use super::label::SIDE;
use super::labelled::{Labelled, SKY, floor};
use super::openings;
use super::params::Params;
use super::ways::pace;

#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Simple {
    /// Tops of columns that stand: below a ceiling, or where no body is beside the cell above and nothing comes down into it.
    pub(super) tops: u64,
    /// Cells with liquid that stands on one side only: air over wall, with nothing beside the cell
    /// above; and falling cells or air, over an edge. Nothing comes down into them.
    pub(super) openings: u64,
    /// Openings that nothing runs into, in a world of one liquid: in the air beside columns that stand on their own.
    pub(super) futile: u64,
}

/// The columns that have neighbours in the chunk on both sides.
const INNER: u64 = !(1 | 1 << (SIDE - 1));

impl Simple {
    pub(super) fn of_row(chunk: &Chunk, y: usize) -> Self {
        if !(2..SIDE - 1).contains(&y) {
            return Self::default();
        }
        let air = |y: usize| {
            !(0..KINDS).fold(chunk.walls[y], |closed, kind| closed | chunk.liquid[kind][y])
        };
        let (members, standing) = (chunk.members[y], chunk.standing_row(y));
        let above = chunk.members[y - 1];
        let is_free = INNER & !(above << 1 | above >> 1);
        let grows = is_free & air(y - 1) & !chunk.full[y - 2];
        let tops = chunk.tops[y] & standing & (chunk.walls[y - 1] | grows);
        let [west, east] = [members << 1, members >> 1];
        let stands = west & standing << 1 & !east | east & standing >> 1 & !west;
        let floors = air(y) & is_free & chunk.walls[y + 1];
        let columns = chunk.liquid.iter().fold(0, |all, kind| all | kind[y] & kind[y + 1]);
        let falls = (0..KINDS).fold(0, |all, kind| {
            let [here, below] = [y, y + 1].map(|y| chunk.liquid[kind][y]);
            // What has its own kind below it does not run over an edge.
            let edge = here & !below;
            let beside = west & edge << 1 | east & edge >> 1;
            let open = (air(y) | here) & (air(y + 1) | below) & !(members | chunk.members[y + 1]);
            all | beside & open
        });
        let may_run = INNER & stands & !chunk.full[y - 1] & (floors | falls);
        let openings = chunk.openings[y] & may_run;
        // What is no member beside it gives nothing, and what stands on its own kind runs over no edge.
        let column = standing & columns;
        let gives_nothing = (!west | column << 1) & (!east | column >> 1);
        let held = members | chunk.members[y + 1] | chunk.walls[y + 1] | chunk.full[y - 1];
        let futile = chunk.openings[y] & INNER & gives_nothing & !held;
        Self { tops, openings, futile }
    }
}

/// Whether places of a kind of liquid may be simple: where air counts or something weighs on them, more must be looked at.
pub(super) fn may_be(grid: &Grid, params: &Params, kind: Kind) -> bool {
    !params.trapped_air && !grid.has_lighter(kind)
}

type Of = ((u32, u32), u32, Kind);

pub(super) fn ask_of_top(world: &impl Labelled, params: &Params, (at, body, kind): Of) -> Ask {
    let (x, y) = at;
    let (fill, open) = (world.cell(x, y).fill(), world.cell(x, y - 1) == Packed::AIR);
    let left = i32::from(FULL - fill);
    let take = left + if open { i32::from(FULL) } else { 0 };
    let (give, deep) = asks::held_below(world, at, asks::FIRST_CELLS);
    let head = floor(world, y) + i32::from(fill);
    let top = Ask::top(at, head, give, take.min(params.flows().into()), SKY);
    let ask = Ask { left, open, deep, ..top };
    debug_assert_eq!(Some(ask), asks::ask_of_top(world, params, at, body, kind));
    ask
}

pub(super) fn add_asks(
    world: &impl Labelled,
    params: &Params,
    (at, body, kind): Of,
    asks: &mut Vec<Ask>,
) {
    let (x, y) = at;
    let before = asks.len();
    let (head, flow) = (floor(world, y), params.flows());
    if world.cell(x, y + 1).is_wall() {
        let (film, way) = (i32::from(params.film), Way::Floor);
        let top = Ask::top(at, head, 0, flow.min(FULL).into(), SKY);
        let near = Ask { entry: head + film, least: film, way, ..top };
        asks.push(near);
        asks.extend(ask_beyond(world, params, &near, body));
    } else {
        let from = if world.is_member(x - 1, y) { x - 1 } else { x + 1 };
        let sheet = world.cell(from, y).fill();
        let most = i32::from(params.pours().min(flow).min(pace(sheet)));
        let fill = i32::from(world.cell(x, y).fill());
        let take = most - fill;
        if take > 0 {
            let least = (1 + i32::from(FULL) - fill).min(1 + take);
            let top = Ask::top(at, head, 0, take, SKY);
            asks.push(Ask { entry: head, least, way: Way::Drop, ..top });
        }
    }
    if cfg!(debug_assertions) {
        let after = asks.len();
        openings::add_asks(world, params, at, body, kind, asks);
        debug_assert_eq!(asks[before..after], asks[after..]);
        asks.truncate(after);
    }
}
