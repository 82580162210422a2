//! What passes over the border of what is loaded: it is taken out of the cells beyond it at the end of each step, and waits to be
//! brought in where it got out.

use super::island::Island;
use super::place::PER_HEIGHT;
use crate::open::{CHUNK, ChunkPos};
use std::collections::BTreeMap;

/// Water that has passed into a chunk and waits there.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Passed {
    /// The cell by which it came, by its column and row.
    pub cell: [i64; 2],
    /// How much (m³ for a world 1 m thick).
    pub volume: f64,
}

/// What waits in chunks: for each cell, by its number row by row, how much (quanta).
pub(super) type Waiting = BTreeMap<ChunkPos, BTreeMap<u16, u64>>;

/// Takes what has got into the cells beyond an island's border.
pub(super) fn collect(island: &mut Island, waiting: &mut Waiting) {
    let Island { world, ghosts, .. } = island;
    let mut taken: Vec<(usize, i32)> = Vec::new();
    for ghost in &*ghosts {
        let mut all = 0;
        for c in ghost.columns.clone() {
            let above = world.state.depth[c] - (ghost.floor - world.layout.floor[c]);
            let quanta = above.clamp(0, PER_HEIGHT);
            if quanta > 0 {
                taken.push((c, quanta));
                all += quanta as u64;
            }
        }
        if all > 0 {
            *waiting.entry(ghost.chunk).or_default().entry(ghost.number).or_default() += all;
        }
    }
    // What stands above comes down in the next step.
    for (c, quanta) in taken {
        world.give_from_outside(&[c], -i64::from(quanta));
    }
}

/// The columns by which what waits at a cell of a chunk comes in, if it is loaded and no wall.
fn columns(island: &Island, chunk: ChunkPos, number: u16) -> Vec<usize> {
    let (x, y) = (usize::from(number) % CHUNK, usize::from(number) / CHUNK);
    let is_air = island.chunks.get(&chunk).is_some_and(|walls| !walls.is_wall(x, y));
    if !is_air {
        return Vec::new();
    }
    let (left, top) = island.tract.cell(chunk.origin());
    island.world.layout.columns_of_cell(left + x, top + y).collect()
}

/// Brings in what waits in an island's chunks, as far as there is room: in each step as much as goes into a cell.
pub(super) fn bring_in(island: &mut Island, waiting: &mut Waiting) {
    if waiting.is_empty() {
        return;
    }
    // There may be much that waits elsewhere.
    let here = island.chunks.keys().filter(|chunk| waiting.contains_key(chunk));
    for chunk in here.copied().collect::<Vec<_>>() {
        let Some(cells) = waiting.get_mut(&chunk) else { continue };
        cells.retain(|&number, amount| {
            let columns = columns(island, chunk, number);
            if columns.is_empty() {
                return true;
            }
            let most = PER_HEIGHT as u64 * columns.len() as u64;
            let enters = (*amount).min(most) as i64;
            *amount -= island.world.give_from_outside(&columns, enters) as u64;
            *amount > 0
        });
        if cells.is_empty() {
            waiting.remove(&chunk);
        }
    }
}

/// Whether anything of what waits in an island's chunks has room there.
pub(super) fn comes_in(island: &Island, waiting: &Waiting) -> bool {
    let layout = &island.world.layout;
    let has_room = |c| island.world.state.depth[c] < layout.ceiling[c] - layout.floor[c];
    island.chunks.keys().any(|&chunk| {
        let numbers = waiting.get(&chunk).into_iter().flat_map(|cells| cells.keys());
        numbers.flat_map(|&number| columns(island, chunk, number)).any(has_room)
    })
}

/// What waits in a chunk, as it is told, with the volume of a quantum.
pub(super) fn told(
    chunk: ChunkPos,
    cells: &BTreeMap<u16, u64>,
    quantum: f64,
) -> impl Iterator<Item = Passed> {
    let [left, top] = chunk.origin();
    cells.iter().map(move |(&number, &amount)| {
        let (number, wide) = (i64::from(number), CHUNK as i64);
        let cell = [left + number % wide, top + number / wide];
        Passed { cell, volume: amount as f64 * quantum }
    })
}
