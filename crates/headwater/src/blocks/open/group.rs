//! [`ConnectedBlocks`]: a set of connected chunks stored in one grid. Unloaded chunks within the
//! bounds of the grid are either wall, or ghost chunks that accept liquids from loaded chunks.

use super::cells::{ChunkCells, ghost_cells};
use crate::blocks::stages::level::Workspace;
use crate::blocks::state::cell::{FULL, Kind, LIQUIDS, PackedCell};
use crate::blocks::state::chunk::KINDS;
use crate::blocks::state::grid::Grid;
use crate::blocks::state::label::{SIDE, set_bits};
use crate::changes::Changes;
use crate::open::{Borders, Bounds, CHUNK, ChunkPos, PendingTransfers};
use crate::scratch::ScratchPool;
use std::collections::BTreeSet;

/// A set of connected chunks and the grid that stores their cells.
#[derive(Clone, Debug)]
pub struct ConnectedBlocks {
    pub(super) grid: Grid,
    pub(super) bounds: Bounds,
    pub(super) chunks: BTreeSet<ChunkPos>,
    /// Positions of the ghost chunks: unloaded chunks in the grid that accept liquids from loaded
    /// chunks.
    pub(super) ghosts: BTreeSet<ChunkPos>,
    pub(super) workspace: Workspace,
    pub(super) scratch: ScratchPool,
    pub(super) changes: Changes,
}

/// Returns the grid index of a chunk, given its position in the world.
pub(super) fn chunk_index(bounds: &Bounds, chunk: ChunkPos) -> usize {
    let (x, y) = bounds.local_cell(chunk.origin());
    x / SIDE * (bounds.size[1] / SIDE) + y / SIDE
}

/// Returns the position in the world of the chunk with the given grid index. Returns `None` if the
/// chunk is outside the bounds.
pub(super) fn chunk_of(bounds: &Bounds, index: usize) -> Option<ChunkPos> {
    let rows = bounds.size[1] / SIDE;
    ChunkPos::from_cell(bounds.world_cell(index / rows * SIDE, index % rows * SIDE))
}

impl ConnectedBlocks {
    /// Returns the cells of a chunk of this group.
    pub(super) fn cells(&self, chunk: ChunkPos) -> &ChunkCells {
        &self.grid.chunks[chunk_index(&self.bounds, chunk)].cells
    }

    /// Replaces the cells of a chunk in the grid. Does nothing if the new cells are equal to the
    /// old ones.
    pub(super) fn replace_cells(&mut self, chunk: ChunkPos, cells: &ChunkCells) {
        if self.cells(chunk) != cells {
            self.grid.replace_chunk(chunk_index(&self.bounds, chunk), cells);
        }
    }

    /// Creates a ghost chunk for each unloaded chunk that adjoins a loaded chunk and accepts
    /// liquids from it.
    pub(super) fn set_ghosts(&mut self, borders: &Borders<[u32; KINDS]>) {
        let is_loaded = |at: ChunkPos| self.chunks.contains(&at);
        let beside = self.chunks.iter().flat_map(|at| at.neighbours(false));
        let unloaded: BTreeSet<_> = beside.filter(|at| !is_loaded(*at)).collect();
        let ghosts = unloaded.into_iter().filter_map(|at| {
            let sides = at.edge_neighbours().map(|side| side.is_some_and(is_loaded));
            Some((at, ghost_cells(borders.open_edges(at)?, sides)?))
        });
        for (at, cells) in ghosts.collect::<Vec<_>>() {
            self.ghosts.insert(at);
            self.replace_cells(at, &cells);
        }
    }

    /// Moves the liquids that have entered ghost chunks to `waiting`. From there, they enter the
    /// actual chunks when these are loaded.
    pub(super) fn collect_ghost_liquids(&mut self, waiting: &mut PendingTransfers<(u16, Kind)>) {
        let Self { grid, bounds, ghosts, scratch, .. } = self;
        for &ghost in &*ghosts {
            let index = chunk_index(bounds, ghost);
            if !LIQUIDS.into_iter().any(|kind| grid.chunks[index].contains_liquid(kind)) {
                continue;
            }
            let (left, top) = grid.origin(index);
            for y in 0..CHUNK {
                let wet = grid.chunks[index].liquid.iter().fold(0, |all, mask| all | mask[y]);
                for x in set_bits(wet) {
                    let cell = grid.chunks[index].cells[y][x];
                    let key = ((y * CHUNK + x) as u16, cell.kind());
                    waiting.add(ghost, key, cell.fill().into());
                    grid.set(left + x, top + y, PackedCell::AIR);
                }
            }
        }
        grid.update_labels(scratch);
    }

    /// Searches column `x` upward from row `y` for the first cell that is not full of liquid
    /// `kind`, and returns its row. Returns `None` if that cell cannot accept the liquid.
    pub(super) fn row_with_room(&self, (x, y): (usize, usize), kind: Kind) -> Option<usize> {
        let (grid, full) = (&self.grid, PackedCell::new(kind, FULL));
        let y = (0..=y).rev().find(|&y| grid.cell_at(x, y) != full)?;
        let chunk = ChunkPos::from_cell(self.bounds.world_cell(x, y))?;
        (grid.cell_at(x, y).free_space(kind) > 0 && self.chunks.contains(&chunk)).then_some(y)
    }
}
