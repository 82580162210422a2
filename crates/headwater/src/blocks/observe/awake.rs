//! Chunks whose cells the next step may change.

use crate::blocks::params::Rule;
use crate::blocks::sources::exchange::find_exchanging_chunks;
use crate::blocks::state::cell::LAVA;
use crate::blocks::state::chunk_set::ChunkSet;
use crate::blocks::state::grid::Grid;
use crate::blocks::state::label::SIDE;
use crate::blocks::surface::edges::MAX_SHEETS;
use crate::blocks::world::Blocks;
use crate::scratch::PooledVec;

impl Blocks {
    /// Returns whether the next step may change the chunk (64 × 64 cells) that contains the cell
    /// `(x, y)`. Every chunk that the next step changes is awake, but a step does not change every
    /// awake chunk. Always returns true with [`Rule::WholeBlocks`].
    ///
    /// Visits all chunks, so the layer `active` is faster for many cells.
    pub fn is_awake(&self, x: usize, y: usize) -> bool {
        x < self.nx() && y < self.ny() && self.awake_chunks()[self.grid.chunk_of(x, y)]
    }

    pub(super) fn awake_chunks(&self) -> PooledVec<'_, bool> {
        let (grid, scratch) = (&self.grid, &self.scratch);
        let mut awake =
            scratch.take_filled(grid.chunks.len(), self.params.rule == Rule::WholeBlocks);
        if self.params.rule == Rule::WholeBlocks {
            return awake;
        }
        let mut sources = scratch.take::<ChunkSet>();
        sources.reset(grid.chunks.len());
        grid.active.iter().for_each(|chunk| sources.insert(chunk));
        let mut changing = scratch.take_vec();
        find_exchanging_chunks(grid, &self.exchange, &self.params, self.steps, &mut changing);
        changing.extend(grid.active.iter().filter(|&c| grid.chunks[c].contains_liquid(LAVA)));
        if !changing.is_empty() && self.params.trapped_air {
            // A change anywhere can open an air pocket that reaches far.
            awake.fill(true);
            return awake;
        }
        // These chunks change before bodies level out, and wake their neighbours.
        for &chunk in &*changing {
            grid.chunks_around(chunk).for_each(|chunk| sources.insert(chunk));
            awake[chunk] = true;
        }
        for chunk in grid.falling.iter() {
            awake[chunk] = true;
            grid.neighbor(chunk, 0, 1).into_iter().for_each(|below| awake[below] = true);
        }
        let mut wanted = scratch.take_filled(grid.bodies.len(), false);
        let mut pending = scratch.take_collected(sources.iter());
        while let Some(chunk) = pending.pop() {
            let parts = grid.chunks[chunk].runs.component_count();
            for &body in grid.bodies.components_in_chunk(chunk, parts) {
                if std::mem::replace(&mut wanted[body as usize], true) {
                    continue;
                }
                for &chunk in grid.bodies.chunks_of_component(body) {
                    let chunk = chunk as usize;
                    if grid.is_mixed() {
                        // Liquids that touch move each other.
                        let around = grid.chunks_around(chunk).inspect(|&near| awake[near] = true);
                        pending.extend(around.filter(|&near| !sources.contains(near)));
                        grid.chunks_around(chunk).for_each(|near| sources.insert(near));
                    } else {
                        mark_surface_chunks(grid, chunk, &mut awake);
                    }
                }
            }
        }
        awake
    }
}

/// Largest depth (rows below the top of a column of liquid) at which outflow from the column can
/// change cells in one step.
const MAX_OUTFLOW_DEPTH: usize = 127;

/// Marks in `awake` the chunks that a step can change because liquid flows at a surface in `chunk`
/// or in one of the chunks next to it.
fn mark_surface_chunks(grid: &Grid, chunk: usize, awake: &mut [bool]) {
    let places = [(0, 0), (-1, 0), (1, 0), (0, 1)];
    for near in places.into_iter().filter_map(|(east, down)| grid.neighbor(chunk, east, down)) {
        let here = &grid.chunks[near];
        if here.surface_rows == 0 {
            continue;
        }
        let columns = |mask: &[u64; SIDE]| mask.iter().fold(0, |all, row| all | row);
        let (tops, surface) = (columns(&here.tops), columns(&here.openings) | columns(&here.tops));
        let reach = MAX_SHEETS as u32 + 1;
        let east = [surface.trailing_zeros() < reach, true, surface.leading_zeros() < reach];
        let lowest = here.surface_rows.ilog2() as usize;
        let deepest = lowest + if tops != 0 { MAX_OUTFLOW_DEPTH } else { 2 };
        let down = -isize::from(here.surface_rows & 0b11 != 0)..=(deepest / SIDE) as isize;
        for (side, _) in (-1..=1).zip(east).filter(|(_, is_near)| *is_near) {
            let rows = down.clone().filter_map(|down| grid.neighbor(near, side, down));
            rows.for_each(|chunk| awake[chunk] = true);
        }
    }
}
