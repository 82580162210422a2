//! Stage 3: bodies level out. Each restless body finds its level, and moves water from above it to
//! below.

use super::asks::{self, Ask, Way, look_deeper};
use super::bodies::NONE;
use super::cell::{Kind, LAVA, LIQUIDS, Packed};
use super::grid::Grid;
use super::label::SIDE;
use super::labelled::Labelled;
use super::moves::{self, Batch, Move, Moves};
use super::near::Near;
use super::params::Params;
use super::places::Places;
use super::reach::{hold_back, let_go};
use super::share::{AskArrays, share, share_above};
use super::slicks::OIL;
use super::{openings, simple};
use crate::parallel::for_each_item;
use crate::scratch::{PooledVec, ScratchPool};

#[derive(Clone, Debug, Default)]
pub(super) struct Workspace {
    wanted: Vec<bool>,
    places: Places,
}

/// Levels the bodies of restless chunks and returns these chunks. Lava rests unless it is its turn.
pub(super) fn level<'s>(
    grid: &mut Grid,
    workspace: &mut Workspace,
    params: &Params,
    lava_moves: bool,
    scratch: &'s ScratchPool,
) -> PooledVec<'s, u32> {
    let restless = grid.restless.take(scratch);
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
    workspace.places.find(grid, &workspace.wanted, scratch);
    let mut moves = scratch.take::<Vec<Batch>>();
    grid.spreading.clear();
    if grid.has_seen(OIL) && !params.trapped_air {
        workspace.places.gather(OIL);
        workspace.find_moves(grid, params, OIL, &mut moves, scratch);
        let mut spreading = std::mem::take(&mut grid.spreading);
        moves.iter().for_each(|batch| find_spreading(grid, &batch.moves, &mut spreading));
        // What has lost its weight in this step, and gets it again in the next.
        for &body in &spreading {
            for &chunk in grid.bodies.chunks(body) {
                want_around(grid, &mut workspace.wanted, chunk as usize);
                grid.restless.add(chunk as usize);
            }
        }
        if !spreading.is_empty() {
            workspace.places.find(grid, &workspace.wanted, scratch);
        }
        grid.spreading = spreading;
    }
    // The heaviest first: what it takes is no longer there for others.
    for kind in LIQUIDS.rev() {
        if kind == LAVA && !lava_moves {
            continue;
        }
        workspace.places.gather(kind);
        workspace.find_moves(grid, params, kind, &mut moves, scratch);
        moves::apply(grid, &moves, kind, scratch);
    }
    restless
}

/// Marks the bodies in a chunk as wanted; with oil, also those above and below that its columns
/// lead to.
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

/// Oil that takes so much (256ths) in a step runs out before it weighs. Thinner films weigh, or
/// they would never rest.
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
    /// Finds what every body moves, some of them in each part of `found`; changes nothing yet.
    fn find_moves(
        &self,
        grid: &Grid,
        params: &Params,
        kind: Kind,
        found: &mut Vec<Batch>,
        scratch: &ScratchPool,
    ) {
        let batches = self.places.batches();
        found.iter_mut().for_each(|batch| batch.moves.clear());
        found.resize_with(found.len().max(batches.len()), Batch::default);
        let may_be_simple = simple::may_be(grid, params, kind);
        for_each_item(&mut found[..batches.len()], 1, |batch, found| {
            let (mut asks, mut arrays) = (scratch.vec(), scratch.take::<AskArrays>());
            let mut near = Near::new(grid, 0);
            for body in self.places.of_batch(batch) {
                asks.clear();
                for place in body.flatten() {
                    let at = place.at();
                    if !near.has(at.0, at.1) {
                        near = Near::new(grid, grid.chunk_of(at.0 as usize, at.1 as usize));
                    }
                    // What has changed since may lie beside it.
                    let is_simple = place.is_simple() && may_be_simple && !near.has_changed();
                    let of = (at, place.body, kind);
                    match (place.is_opening(), is_simple) {
                        (false, true) => asks.push(simple::ask_of_top(&near, params, of)),
                        (true, true) => simple::add_asks(&near, params, of, &mut asks),
                        (false, false) => {
                            asks.extend(asks::ask_of_top(&near, params, at, place.body, kind));
                        }
                        (true, false) => {
                            openings::add_asks(&near, params, at, place.body, kind, &mut asks);
                        }
                    }
                }
                level_body(&near, &mut asks, &mut arrays, params, &mut found.moves);
            }
            found.note_strips();
        });
    }
}

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

pub(super) fn is_level(grid: &Grid, params: &Params, body: u32) -> bool {
    let mut workspace =
        Workspace { wanted: vec![false; grid.bodies.len()], ..Workspace::default() };
    workspace.wanted[body as usize] = true;
    let (mut moves, scratch) = (Vec::new(), ScratchPool::default());
    workspace.places.find(grid, &workspace.wanted, &scratch);
    LIQUIDS.into_iter().all(|kind| {
        workspace.places.gather(kind);
        workspace.find_moves(grid, params, kind, &mut moves, &scratch);
        moves.iter().all(|batch| batch.moves.is_empty())
    })
}
