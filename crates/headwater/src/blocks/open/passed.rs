//! What passes over the border of what is loaded: it is taken out of the ghosts at the end of each step, and waits to be brought in
//! where it got in.

use super::island::Island;
use crate::blocks::cell::{FULL, Kind, LIQUIDS, Liquid, Packed};
use crate::blocks::grid::Grid;
use crate::blocks::label::set_bits;
use crate::open::{CHUNK, ChunkPos};
use std::collections::BTreeMap;

/// A liquid that has passed into a chunk and waits there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Passed {
    /// The cell by which it came, by its column and row.
    pub cell: [i64; 2],
    /// What.
    pub liquid: Liquid,
    /// How much (256ths of a cell).
    pub amount: u64,
}

/// What waits in chunks: for each cell, by its number row by row, and each kind of liquid, how much.
pub(super) type Waiting = BTreeMap<ChunkPos, BTreeMap<(u16, Kind), u64>>;

/// Takes what has got into an island's ghosts.
pub(super) fn collect(island: &mut Island, waiting: &mut Waiting) {
    let Island { grid, tract, ghosts, spare, .. } = island;
    for &ghost in &*ghosts {
        let Some(slot) = tract.slot(ghost) else { continue };
        if !LIQUIDS.into_iter().any(|kind| grid.chunks[slot].has(kind)) {
            continue;
        }
        let (left, top) = grid.origin(slot);
        let into = waiting.entry(ghost).or_default();
        for y in 0..CHUNK {
            let wet = grid.chunks[slot].liquid.iter().fold(0, |all, mask| all | mask[y]);
            for x in set_bits(wet) {
                let cell = grid.chunks[slot].cells[y][x];
                *into.entry(((y * CHUNK + x) as u16, cell.kind())).or_default() +=
                    u64::from(cell.fill());
                grid.set(left + x, top + y, Packed::AIR);
            }
        }
    }
    grid.refresh(spare);
}

/// The row in which there is room for a kind of liquid: the one where it got in, or one above it, over nothing but cells full of
/// the same.
fn place_over(
    grid: &Grid,
    (x, y): (usize, usize),
    kind: Kind,
    is_loaded: impl Fn(usize) -> bool,
) -> Option<usize> {
    let full = Packed::of(kind, FULL);
    let y = (0..=y).rev().find(|&y| grid.at(x, y) != full)?;
    (grid.at(x, y).room(kind) > 0 && is_loaded(grid.chunk_of(x, y))).then_some(y)
}

/// Whether anything of what waits in an island's chunks has room there.
pub(super) fn comes_in(island: &Island, waiting: &Waiting) -> bool {
    let Island { grid, tract, loaded, .. } = island;
    let is_loaded = |slot| tract.chunk(slot).is_some_and(|chunk| loaded.contains(&chunk));
    waiting.iter().filter(|(chunk, _)| loaded.contains(chunk)).any(|(chunk, cells)| {
        let (left, top) = tract.cell(chunk.origin());
        cells.keys().any(|&(number, kind)| {
            let number = usize::from(number);
            let at = (left + number % CHUNK, top + number / CHUNK);
            place_over(grid, at, kind, is_loaded).is_some()
        })
    })
}

/// Brings in what waits in an island's chunks, as far as there is room: in each step as much as goes into a cell.
pub(super) fn bring_in(island: &mut Island, waiting: &mut Waiting) {
    if waiting.is_empty() {
        return;
    }
    let Island { grid, tract, loaded, .. } = island;
    let is_loaded = |slot| tract.chunk(slot).is_some_and(|chunk| loaded.contains(&chunk));
    waiting.retain(|chunk, cells| {
        if let Some(slot) = tract.slot(*chunk).filter(|_| loaded.contains(chunk)) {
            let (left, top) = grid.origin(slot);
            cells.retain(|&(number, kind), amount| {
                let number = usize::from(number);
                let (x, y) = (left + number % CHUNK, top + number / CHUNK);
                // In a step as much as a cell holds.
                let mut enters = (*amount).min(FULL.into()) as u16;
                while enters > 0
                    && let Some(y) = place_over(grid, (x, y), kind, is_loaded)
                {
                    let here = grid.at(x, y);
                    let part = enters.min(here.room(kind));
                    grid.set(x, y, Packed::of(kind, here.fill() + part));
                    (enters, *amount) = (enters - part, *amount - u64::from(part));
                }
                *amount > 0
            });
        }
        !cells.is_empty()
    });
}

/// What waits in a chunk, as it is told.
pub(super) fn told(
    chunk: ChunkPos,
    cells: &BTreeMap<(u16, Kind), u64>,
) -> impl Iterator<Item = Passed> {
    let [left, top] = chunk.origin();
    cells.iter().map(move |(&(number, kind), &amount)| {
        let (number, wide) = (i64::from(number), CHUNK as i64);
        let cell = [left + number % wide, top + number / wide];
        Passed { cell, liquid: Liquid::ALL[usize::from(kind) - 1], amount }
    })
}
