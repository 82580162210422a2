//! Stage 3: bodies level out. Each body that something has happened to looks for the level it tends to,
//! and moves water from its surfaces above to those below.

use super::bodies::NONE;
use super::cell::{Kind, LAVA, LIQUIDS};
use super::grid::{Grid, each, set_bits};
use super::look::{self, Look};
use super::params::Params;
use super::share::{Ask, share};

/// A place that may ask for its body.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Place {
    body: u32,
    x: u32,
    y: u32,
    opening: bool,
}

/// Bodies that one task works on.
const BATCH: usize = 128;

/// Levels the bodies of restless chunks. Lava rests unless it is its turn.
///
/// Gives the chunks that were restless.
pub(super) fn level(grid: &mut Grid, params: &Params, lava_moves: bool) -> Vec<u32> {
    let restless = grid.restless.take();
    if restless.is_empty() {
        return restless;
    }
    let mut wanted = vec![false; grid.bodies.len()];
    for &chunk in &restless {
        let chunk = chunk as usize;
        let parts = grid.chunks[chunk].runs.parts();
        grid.bodies.in_chunk(chunk, parts).iter().for_each(|&body| wanted[body as usize] = true);
        if !lava_moves && grid.chunks[chunk].has(LAVA) {
            grid.restless.add(chunk);
        }
    }
    let places = places(grid, &wanted);
    // The heaviest first: what it takes is no longer there for others.
    for kind in LIQUIDS.rev() {
        if kind == LAVA && !lava_moves {
            continue;
        }
        let places = &places[usize::from(kind) - 1];
        let (places, bodies) = by_body(places, &wanted);
        let moves = moves(grid, params, kind, &places, &bodies);
        for (ask, amount) in moves.into_iter().flatten() {
            for (y, cell) in look::moved(&ask, amount, grid, kind) {
                grid.set(ask.x as usize, y as usize, cell);
            }
        }
    }
    restless
}

/// Tops of the wanted bodies and openings beside them, for each kind of liquid.
fn places(grid: &Grid, wanted: &[bool]) -> [Vec<Place>; 3] {
    let mut due = vec![false; grid.chunks.len()];
    for (body, _) in wanted.iter().enumerate().filter(|(_, wanted)| **wanted) {
        for &chunk in grid.bodies.chunks(body as u32) {
            due[chunk as usize] = true;
        }
    }
    let mut found = [const { Vec::new() }; 3];
    let near = |chunk: usize| {
        due[chunk]
            || [-1, 1].into_iter().any(|s| grid.neighbor(chunk, s, 0).is_some_and(|n| due[n]))
    };
    let chunks: Vec<usize> = (0..grid.chunks.len())
        .filter(|&chunk| near(chunk) && grid.chunks[chunk].surface_rows != 0)
        .collect();
    for (c, chunk) in chunks.into_iter().map(|c| (c, &grid.chunks[c])) {
        let (left, top) = grid.origin(c);
        for row in set_bits(chunk.surface_rows) {
            let y = (top + row) as u32;
            for column in set_bits(chunk.tops[row]) {
                let body = grid.bodies.of(c, chunk.runs.part(column, row));
                if wanted[body as usize] {
                    let kind = chunk.cells[row][column].kind();
                    let x = (left + column) as u32;
                    let place = Place { body, x, y, opening: false };
                    found[usize::from(kind) - 1].push(place);
                }
            }
            for column in set_bits(chunk.openings[row]) {
                let x = (left + column) as u32;
                for body in look::bodies_beside(grid, x, y) {
                    if body == NONE || !wanted[body as usize] {
                        continue;
                    }
                    let beside = if grid.body(x + 1, y) == body { x + 1 } else { x - 1 };
                    let kind = grid.cell(beside, y).kind();
                    found[usize::from(kind) - 1].push(Place { body, x, y, opening: true });
                }
            }
        }
    }
    found
}

/// Sorts places by body; gives where each body's start and end.
fn by_body(places: &[Place], wanted: &[bool]) -> (Vec<Place>, Vec<std::ops::Range<usize>>) {
    let mut start = vec![0_u32; wanted.len() + 1];
    for place in places {
        start[place.body as usize + 1] += 1;
    }
    let mut ranges = Vec::new();
    for body in 0..wanted.len() {
        let first = start[body];
        start[body + 1] += first;
        if start[body + 1] > first {
            ranges.push(first as usize..start[body + 1] as usize);
        }
    }
    let mut sorted = vec![Place::default(); places.len()];
    for &place in places {
        let slot = &mut start[place.body as usize];
        sorted[*slot as usize] = place;
        *slot += 1;
    }
    (sorted, ranges)
}

/// What every body moves. Nothing is changed yet, so bodies may be worked on in any order.
fn moves(
    grid: &Grid,
    params: &Params,
    kind: Kind,
    places: &[Place],
    bodies: &[std::ops::Range<usize>],
) -> Vec<Vec<(Ask, i32)>> {
    let batches: Vec<_> = bodies.chunks(BATCH).collect();
    let mut found = vec![Vec::new(); batches.len()];
    let tasks: Vec<_> = batches.into_iter().zip(&mut found).collect();
    each(tasks, |(bodies, found)| {
        let mut asks = Vec::new();
        for range in bodies {
            asks.clear();
            asks.extend(places[range.clone()].iter().filter_map(|place| {
                let Place { body, x, y, opening } = *place;
                if opening {
                    look::ask_of_opening(grid, params, (x, y), body, kind)
                } else {
                    look::ask_of_top(grid, params, x, y)
                }
            }));
            settle(&mut asks, params, found);
        }
    });
    found
}

/// What one body moves, given what its places ask for.
pub(super) fn settle(asks: &mut [Ask], params: &Params, moves: &mut Vec<(Ask, i32)>) {
    asks.sort_by_key(|ask| ask.air);
    for asks in asks.chunk_by(|a, b| a.air == b.air) {
        let shares = share(asks, params.film.into());
        let moving = asks.iter().zip(shares).filter(|(_, amount)| *amount != 0);
        moves.extend(moving.map(|(ask, amount)| (*ask, amount)));
    }
}

/// Whether nothing of a body asks to move.
pub(super) fn is_level(grid: &Grid, params: &Params, body: u32) -> bool {
    let mut wanted = vec![false; grid.bodies.len()];
    wanted[body as usize] = true;
    let places = places(grid, &wanted);
    LIQUIDS.into_iter().all(|kind| {
        let (places, bodies) = by_body(&places[usize::from(kind) - 1], &wanted);
        moves(grid, params, kind, &places, &bodies).iter().all(Vec::is_empty)
    })
}
