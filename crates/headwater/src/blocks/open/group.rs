//! [`Group`]: loaded chunks in one grid. Unloaded chunks in it are wall, or ghosts.

use super::cells::{Cells, WALLS, ghost};
use crate::blocks::chunk::KINDS;
use crate::blocks::grid::{Grid, Pieces};
use crate::blocks::level::Workspace;
use crate::changes::Changes;
use crate::open::{Borders, Bounds, CHUNK, ChunkPos};
use crate::spare::Spare;
use std::collections::{BTreeMap, BTreeSet};

/// Borders and records of chunks of blocks.
pub(super) type BlockBorders = Borders<[u32; KINDS]>;

/// Loaded chunks and their grid.
#[derive(Clone, Debug)]
pub(super) struct Group {
    pub(super) grid: Grid,
    pub(super) bounds: Bounds,
    pub(super) loaded: BTreeSet<ChunkPos>,
    /// Unloaded chunks in the grid into which liquids may pass.
    pub(super) ghosts: BTreeSet<ChunkPos>,
    pub(super) workspace: Workspace,
    pub(super) spare: Spare,
    changes: Changes,
}

/// The chunks of a group, and the bounds of its grid.
pub(super) type Plan = (BTreeSet<ChunkPos>, Bounds);

impl Group {
    /// Takes groups apart, and makes one for each plan. Unloaded chunks in it are wall at first, as
    /// is the place of a chunk that is about to be loaded.
    pub(super) fn regroup(groups: Vec<Self>, plans: Vec<Plan>) -> Vec<Self> {
        let (mut all, mut seen) = (BTreeMap::new(), [false; KINDS]);
        for group in groups {
            let Self { mut grid, bounds, loaded, spare, .. } = group;
            grid.refresh(&spare);
            let chunk = |slot| bounds.chunk(slot).filter(|chunk| loaded.contains(chunk));
            let pieces = grid.take_apart(|slot| chunk(slot).is_some());
            let placed = pieces.placed.into_iter();
            all.extend(placed.filter_map(|(slot, piece)| Some((chunk(slot)?, piece))));
            seen.iter_mut().zip(pieces.seen).for_each(|(seen, more)| *seen |= more);
        }
        let mut make = |(loaded, bounds): Plan| {
            let piece = |chunk| Some((bounds.slot(chunk)?, all.remove(&chunk)?));
            let placed = loaded.iter().copied().filter_map(piece).collect();
            let spare = Spare::default();
            let grid = Grid::assemble(bounds.chunks(), Pieces { placed, seen }, &spare);
            let mut changes = Changes::default();
            grid.update_changes(&mut changes);
            let (ghosts, workspace) = (BTreeSet::new(), Workspace::default());
            Self { grid, bounds, loaded, ghosts, workspace, spare, changes }
        };
        plans.into_iter().map(&mut make).collect()
    }

    /// The cells of a chunk in the grid.
    pub(super) fn cells(&self, chunk: ChunkPos) -> Option<&Cells> {
        Some(&self.grid.chunks[self.bounds.slot(chunk)?].cells)
    }

    /// Replaces the cells of a chunk if they differ.
    pub(super) fn put(&mut self, chunk: ChunkPos, cells: &Cells) {
        if let Some(slot) = self.bounds.slot(chunk)
            && self.grid.chunks[slot].cells != *cells
        {
            self.grid.put(slot, cells);
        }
    }

    /// Replaces an unloaded chunk by a ghost, or by wall if nothing can enter it.
    pub(super) fn set_ghost(&mut self, chunk: ChunkPos, borders: &BlockBorders) {
        if self.loaded.contains(&chunk) {
            return;
        }
        let is_loaded = |side: Option<ChunkPos>| side.is_some_and(|at| self.loaded.contains(&at));
        let sides = chunk.sides().map(is_loaded);
        match borders.open_edges(chunk).and_then(|edges| ghost(edges, sides)) {
            Some(cells) => {
                self.ghosts.insert(chunk);
                self.put(chunk, &cells);
            }
            None => {
                self.ghosts.remove(&chunk);
                self.put(chunk, &WALLS);
            }
        }
    }

    /// Sets all ghosts.
    pub(super) fn set_ghosts(&mut self, borders: &BlockBorders) {
        let beside: BTreeSet<_> = self.loaded.iter().flat_map(|chunk| chunk.beside()).collect();
        beside.into_iter().for_each(|chunk| self.set_ghost(chunk, borders));
    }

    /// Adds to `found` the loaded chunks whose cells have changed since the last call.
    pub(super) fn take_changes(&mut self, found: &mut BTreeSet<ChunkPos>) {
        self.grid.refresh(&self.spare);
        self.grid.update_changes(&mut self.changes);
        let rows = self.bounds.chunks()[1];
        for tile in &self.changes.tiles {
            let chunk = self.bounds.chunk(tile.x / CHUNK * rows + tile.y / CHUNK);
            found.extend(chunk.filter(|chunk| self.loaded.contains(chunk)));
        }
    }

    /// Better groups for its chunks: two, split at an empty column or row of chunks, or one in
    /// smaller bounds; `None` if it is good as it is.
    pub(super) fn better(&self) -> Option<Vec<Plan>> {
        if let Some((axis, gap)) = self.bounds.gap(&self.loaded) {
            let is_before = |chunk: &&ChunkPos| [chunk.x, chunk.y][axis] < gap;
            let (before, after): (BTreeSet<_>, _) = self.loaded.iter().partition(is_before);
            let plan = |part: BTreeSet<ChunkPos>| {
                let bounds = Bounds::of_grid(part.iter().copied()).ok()?;
                Some((part, bounds))
            };
            return [before, after].into_iter().map(plan).collect();
        }
        let needed = Bounds::of_grid(self.loaded.iter().copied()).ok()?;
        self.bounds.is_loose(&needed).then(|| vec![(self.loaded.clone(), needed)])
    }
}
