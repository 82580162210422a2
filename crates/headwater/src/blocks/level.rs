//! Stage 3: bodies level out. Each body that something has happened to looks for the level it tends to,
//! and moves water from its surfaces above to those below.

use super::asks::{self, Ask, Way, look_deeper};
use super::bodies::NONE;
use super::cell::{Kind, LAVA, LIQUIDS, Packed};
use super::chunk::KINDS;
use super::grid::Grid;
use super::label::{SIDE, set_bits};
use super::labelled::Labelled;
use super::moves::{self, Move, Moves};
use super::near::Near;
use super::openings::{self, bodies_at};
use super::params::Params;
use super::reach::{hold_back, let_go};
use super::share::{AskArrays, share, share_above};
use super::slicks::OIL;
use crate::parallel::for_each_item;
use crate::spare::{Lent, Spare};
use std::ops::Range;

/// A cell at the surface of a body, which may ask for it.
#[derive(Clone, Copy, Debug, Default)]
struct SurfaceCell {
    body: u32,
    x: u16,
    /// The row, and whether it is an opening.
    y: u16,
}

/// Rows are fewer than this ([`MAX_SIDE`](super::MAX_SIDE)).
const OPENING: u16 = 1 << 15;

impl SurfaceCell {
    fn top(body: u32, x: u32, y: u32) -> Self {
        Self { body, x: x as u16, y: y as u16 }
    }

    fn opening(body: u32, x: u32, y: u32) -> Self {
        Self { body, x: x as u16, y: y as u16 | OPENING }
    }
}

/// The memory that the stage works in. Kept from step to step, for it is large; nothing in it outlasts a step.
#[derive(Clone, Debug, Default)]
pub(super) struct Workspace {
    wanted: Vec<bool>,
    /// For each strip of chunks and each kind of liquid.
    places: Vec<[Vec<SurfaceCell>; KINDS]>,
    sorted: Vec<SurfaceCell>,
    start: Vec<u32>,
    bodies: Vec<Range<usize>>,
    /// The bodies that each task works on.
    batches: Vec<Range<usize>>,
}

/// Bodies that one task works on at most, and places after which it takes no more: a large body is a task alone.
const BATCH: [usize; 2] = [128, 1024];
/// What stands for the start of a body with one place.
const ALONE: u32 = u32::MAX;

/// Levels the bodies of restless chunks. Lava rests unless it is its turn.
///
/// Gives the chunks that were restless.
pub(super) fn level<'s>(
    grid: &mut Grid,
    workspace: &mut Workspace,
    params: &Params,
    lava_moves: bool,
    spare: &'s Spare,
) -> Lent<'s, u32> {
    let restless = grid.restless.take(spare);
    if restless.is_empty() {
        return restless;
    }
    workspace.wanted.clear();
    workspace.wanted.resize(grid.bodies.len(), false);
    for &chunk in &*restless {
        let chunk = chunk as usize;
        want_around(grid, &mut workspace.wanted, chunk);
        if !lava_moves && grid.chunks[chunk].has(LAVA) {
            grid.restless.add(chunk);
        }
    }
    workspace.find_places(grid, spare);
    let mut moves = spare.scratch::<Vec<Moves>>();
    grid.spreading.clear();
    if grid.has_seen(OIL) && !params.trapped_air {
        workspace.sort_by_body(OIL);
        workspace.find_moves(grid, params, OIL, &mut moves, spare);
        let mut spreading = std::mem::take(&mut grid.spreading);
        moves.iter().for_each(|moves| find_spreading(grid, moves, &mut spreading));
        // What has lost its weight in this step, and gets it again in the next.
        for &body in &spreading {
            for &chunk in grid.bodies.chunks(body) {
                want_around(grid, &mut workspace.wanted, chunk as usize);
                grid.restless.add(chunk as usize);
            }
        }
        if !spreading.is_empty() {
            workspace.find_places(grid, spare);
        }
        grid.spreading = spreading;
    }
    // The heaviest first: what it takes is no longer there for others.
    for kind in LIQUIDS.rev() {
        if kind == LAVA && !lava_moves {
            continue;
        }
        workspace.sort_by_body(kind);
        workspace.find_moves(grid, params, kind, &mut moves, spare);
        moves::apply(grid, &moves, kind, spare);
    }
    restless
}

/// Marks the bodies in a chunk as wanted; and as oil weighs upon what is at the foot of its columns and beside it, and may be lifted
/// from there, those above and below that its columns lead to.
fn want_around(grid: &Grid, wanted: &mut [bool], chunk: usize) {
    let mut want = |chunk: usize| {
        let bodies = grid.bodies.in_chunk(chunk, grid.chunks[chunk].runs.parts());
        bodies.iter().for_each(|&body| wanted[body as usize] = true);
    };
    want(chunk);
    if !grid.has_seen(OIL) {
        return;
    }
    for (down, border) in [(-1, 0), (1, SIDE - 1)] {
        let mut here = chunk;
        while let Some(next) = grid.neighbor(here, 0, down) {
            let is_oily = |chunk: usize, row: usize| grid.chunks[chunk].body_row(0, row) != 0;
            // What changes right over a column counts as well.
            if !is_oily(here, border) && !is_oily(next, SIDE - 1 - border) {
                break;
            }
            let beside = [-1, 1].map(|east| grid.neighbor(next, east, 0));
            [Some(next)].into_iter().chain(beside).flatten().for_each(&mut want);
            here = next;
        }
    }
}

/// What takes so much (256ths) in a step runs out before it weighs. The last films weigh already: they would else set what is
/// heavier in motion again and again.
const THICK: i32 = 32;

/// Adds the bodies of oil that by these moves run out over a floor of what is heavier; keeps all in order.
pub(super) fn find_spreading(world: &impl Labelled, moves: &[Move], spreading: &mut Vec<u32>) {
    let runs_out = |moved: &&Move| {
        let (x, y) = moved.place();
        let below = world.cell(x, y + 1);
        let is_over_heavier = moved.amount >= THICK && below.is_liquid() && below.kind() > OIL;
        // What has just come down will run out in the next step.
        let is_air = |x: u32, y: u32| world.cell(x, y) == Packed::AIR;
        let is_free = |x: u32| is_air(x, y) && is_air(x, y.wrapping_sub(1));
        let comes_down = || is_air(x, y) && (is_free(x.wrapping_sub(1)) || is_free(x + 1));
        // A gap below what hangs is filled from there.
        let runs_on = || moved.way == Way::Floor && !world.cell(x, y.wrapping_sub(1)).is_liquid();
        is_over_heavier && (runs_on() || comes_down())
    };
    for moved in moves.iter().filter(runs_out) {
        let (x, y) = moved.place();
        let from = [(x.wrapping_sub(1), y), (x + 1, y), (x, y.wrapping_sub(1))];
        let oil = from.into_iter().filter(|at| world.cell(at.0, at.1).kind() == OIL);
        spreading.extend(oil.map(|at| world.body(at.0, at.1)).filter(|body| *body != NONE));
    }
    spreading.sort_unstable();
    spreading.dedup();
}

impl Workspace {
    /// Tops of the wanted bodies and openings beside them, for each kind of liquid.
    fn find_places(&mut self, grid: &Grid, spare: &Spare) {
        let Self { wanted, places, .. } = self;
        let mut due = spare.filled(grid.chunks.len(), false);
        for (body, _) in wanted.iter().enumerate().filter(|(_, wanted)| **wanted) {
            for &chunk in grid.bodies.chunks(body as u32) {
                due[chunk as usize] = true;
            }
        }
        let is_near = |chunk: usize| {
            let beside =
                [(0, 0), (-1, 0), (1, 0), (0, -1)].map(|(x, y)| grid.neighbor(chunk, x, y));
            beside.into_iter().flatten().any(|chunk| due[chunk])
        };
        places.resize(grid.chunks.len() / grid.rows, [const { Vec::new() }; KINDS]);
        for_each_item(places, 1, |strip, found| {
            found.iter_mut().for_each(Vec::clear);
            let chunks = strip * grid.rows..(strip + 1) * grid.rows;
            for chunk in chunks.filter(|&c| grid.chunks[c].surface_rows != 0 && is_near(c)) {
                places_in(grid, chunk, wanted, found);
            }
        });
    }

    /// Sorts places of a kind by body, and finds where each body's start and end. A body with one place alone
    /// has nothing to give to, and is left out.
    fn sort_by_body(&mut self, kind: Kind) {
        let Self { wanted, places, sorted, start, bodies, batches } = self;
        let places = || places.iter().flat_map(|strip| &strip[usize::from(kind) - 1]);
        start.clear();
        start.resize(wanted.len(), 0);
        places().for_each(|place| start[place.body as usize] += 1);
        bodies.clear();
        let mut end = 0;
        for start in start.iter_mut() {
            let count = std::mem::replace(start, ALONE);
            if count > 1 {
                *start = end;
                end += count;
                bodies.push(*start as usize..end as usize);
            }
        }
        batches.clear();
        let (mut first, [most, enough]) = (0, BATCH);
        for (i, places) in bodies.iter().enumerate() {
            let batch = first..i + 1;
            if batch.len() == most || places.end - bodies[first].start >= enough {
                first = batch.end;
                batches.push(batch);
            }
        }
        batches.extend((first < bodies.len()).then_some(first..bodies.len()));
        sorted.clear();
        sorted.resize(end as usize, SurfaceCell::default());
        for &place in places() {
            let slot = &mut start[place.body as usize];
            if *slot != ALONE {
                sorted[*slot as usize] = place;
                *slot += 1;
            }
        }
    }

    /// Finds what every body moves, some of them in each part of `found`. Nothing is changed yet, so bodies may be
    /// worked on in any order.
    fn find_moves(
        &self,
        grid: &Grid,
        params: &Params,
        kind: Kind,
        found: &mut Vec<Moves>,
        spare: &Spare,
    ) {
        let batches = &self.batches;
        found.iter_mut().for_each(Vec::clear);
        found.resize_with(found.len().max(batches.len()), Vec::new);
        for_each_item(&mut found[..batches.len()], 1, |batch, found| {
            let (mut asks, mut arrays) = (spare.vec(), spare.scratch::<AskArrays>());
            let mut near = Near::new(grid, 0);
            for range in &self.bodies[batches[batch].clone()] {
                asks.clear();
                for place in &self.sorted[range.clone()] {
                    let at = (place.x.into(), (place.y & !OPENING).into());
                    if !near.has(at.0, at.1) {
                        near = Near::new(grid, grid.chunk_of(place.x.into(), at.1 as usize));
                    }
                    if place.y & OPENING == 0 {
                        asks.extend(asks::ask_of_top(&near, params, at, place.body, kind));
                    } else {
                        openings::add_asks(&near, params, at, place.body, kind, &mut asks);
                    }
                }
                // Most bodies are in one chunk.
                level_body(&near, &mut asks, &mut arrays, params, found);
            }
        });
    }
}

/// Finds the places of a chunk.
fn places_in(grid: &Grid, c: usize, wanted: &[bool], found: &mut [Vec<SurfaceCell>; KINDS]) {
    let (chunk, (left, top)) = (&grid.chunks[c], grid.origin(c));
    let (bodies, near) = (grid.bodies.in_chunk(c, chunk.runs.parts()), Near::new(grid, c));
    for row in set_bits(chunk.surface_rows) {
        let y = (top + row) as u32;
        for column in set_bits(chunk.tops[row]) {
            let body = bodies[usize::from(chunk.runs.part(column, row))];
            if wanted[body as usize] {
                let kind = chunk.cells[row][column].kind();
                let place = SurfaceCell::top(body, (left + column) as u32, y);
                found[usize::from(kind) - 1].push(place);
            }
        }
        for column in set_bits(chunk.openings[row]) {
            let x = (left + column) as u32;
            for (body, beside) in bodies_at(&near, (x, y)) {
                if body != NONE && wanted[body as usize] {
                    let kind = near.cell(beside.0, beside.1).kind();
                    found[usize::from(kind) - 1].push(SurfaceCell::opening(body, x, y));
                }
            }
        }
    }
}

/// What one body moves, given what its places ask for.
pub(super) fn level_body(
    world: &impl Labelled,
    asks: &mut [Ask],
    arrays: &mut AskArrays,
    params: &Params,
    moves: &mut Moves,
) {
    if params.trapped_air {
        asks.sort_unstable_by_key(|ask| (ask.air, ask.x, ask.y));
    }
    let mut reaches = std::mem::take(&mut arrays.reaches);
    for asks in asks.chunk_by_mut(|a, b| a.air == b.air) {
        let mut shares = share_deep(world, asks, i32::MIN, arrays);
        if !params.trapped_air && hold_back(world, asks, shares, &mut reaches) {
            // Less is taken than before, so that the level is no lower.
            shares = share_deep(world, asks, arrays.found, arrays);
            if shares.iter().all(|moved| *moved == 0) {
                let_go(asks, &reaches);
                shares = share_deep(world, asks, i32::MIN, arrays);
            }
        }
        let is_floor = |ask: &Ask| ask.way == Way::Floor && ask.take > 0;
        if shares.iter().all(|moved| *moved == 0) && asks.iter().any(is_floor) {
            // What is too little to wet a floor may still level out among itself.
            asks.iter_mut().filter(|ask| is_floor(ask)).for_each(|ask| ask.take = 0);
            shares = share(asks, arrays);
        }
        let moving = asks.iter().zip(shares).filter(|(_, amount)| **amount != 0);
        moves.extend(moving.map(|(ask, amount)| Move::new(ask, *amount)));
    }
    arrays.reaches = reaches;
}

/// [`share_above`], where narrow columns that feed many places are known as deep as they must be.
fn share_deep<'a>(
    world: &impl Labelled,
    asks: &mut [Ask],
    least: i32,
    arrays: &'a mut AskArrays,
) -> &'a [i32] {
    let mut least = least;
    while look_deeper(world, asks, share_above(asks, least, arrays)) {
        // More is given than before.
        least = arrays.found;
    }
    arrays.shares()
}

/// Whether nothing of a body asks to move.
pub(super) fn is_level(grid: &Grid, params: &Params, body: u32) -> bool {
    let mut workspace =
        Workspace { wanted: vec![false; grid.bodies.len()], ..Workspace::default() };
    workspace.wanted[body as usize] = true;
    let (mut moves, spare) = (Vec::new(), Spare::default());
    workspace.find_places(grid, &spare);
    LIQUIDS.into_iter().all(|kind| {
        workspace.sort_by_body(kind);
        workspace.find_moves(grid, params, kind, &mut moves, &spare);
        moves.iter().all(Vec::is_empty)
    })
}
