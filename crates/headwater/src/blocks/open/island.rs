//! [`Island`]: loaded chunks in one grid. What is not loaded in it is wall, or a ghost that something may pass into.

use super::beyond::Beyond;
use super::stored::{Cells, WALLS};
use super::tract::{Counts, Tract};
use crate::blocks::chunk::KINDS;
use crate::blocks::grid::{Grid, Pieces};
use crate::blocks::level::Workspace;
use crate::changes::Changes;
use crate::open::{CHUNK, ChunkPos};
use crate::spare::Spare;
use std::collections::{BTreeMap, BTreeSet};

/// Loaded chunks and their grid.
#[derive(Clone, Debug)]
pub(super) struct Island {
    pub(super) grid: Grid,
    pub(super) tract: Tract,
    pub(super) loaded: BTreeSet<ChunkPos>,
    /// Of what is loaded.
    pub(super) counts: Counts,
    /// Chunks that are not loaded, and stand in the grid as what may be passed into.
    pub(super) ghosts: BTreeSet<ChunkPos>,
    pub(super) workspace: Workspace,
    pub(super) spare: Spare,
    changes: Changes,
}

/// Which chunks an island has, and the tract that they are in.
pub(super) type Plan = (BTreeSet<ChunkPos>, Tract);

impl Island {
    /// Puts loaded chunks together otherwise than they were: islands are taken apart, and one is made by each plan. What is not
    /// loaded in it is wall, ghosts and a chunk that is yet to be put there among it.
    pub(super) fn regroup(islands: Vec<Self>, plans: Vec<Plan>) -> Vec<Self> {
        let (mut all, mut seen) = (BTreeMap::new(), [false; KINDS]);
        for island in islands {
            let Self { mut grid, tract, loaded, spare, .. } = island;
            grid.refresh(&spare);
            let chunk = |slot| tract.chunk(slot).filter(|chunk| loaded.contains(chunk));
            let pieces = grid.take_apart(|slot| chunk(slot).is_some());
            let placed = pieces.placed.into_iter();
            all.extend(placed.filter_map(|(slot, piece)| Some((chunk(slot)?, piece))));
            seen.iter_mut().zip(pieces.seen).for_each(|(seen, more)| *seen |= more);
        }
        let mut make = |(loaded, tract): Plan| {
            let piece = |chunk| Some((tract.slot(chunk)?, all.remove(&chunk)?));
            let placed = loaded.iter().copied().filter_map(piece).collect();
            let spare = Spare::default();
            let grid = Grid::assemble(tract.size(), Pieces { placed, seen }, &spare);
            let mut changes = Changes::default();
            grid.update_changes(&mut changes);
            let (counts, ghosts) = (Counts::of(&loaded), BTreeSet::new());
            let workspace = Workspace::default();
            Self { grid, tract, loaded, counts, ghosts, workspace, spare, changes }
        };
        plans.into_iter().map(&mut make).collect()
    }

    /// The cells of a chunk in the grid.
    pub(super) fn cells(&self, chunk: ChunkPos) -> Option<&Cells> {
        Some(&self.grid.chunks[self.tract.slot(chunk)?].cells)
    }

    /// Puts cells in a chunk's place, if they are others than there are.
    pub(super) fn put(&mut self, chunk: ChunkPos, cells: &Cells) {
        if let Some(slot) = self.tract.slot(chunk)
            && self.grid.chunks[slot].cells != *cells
        {
            self.grid.put(slot, cells);
        }
    }

    /// Sets what stands in the place of a chunk, unless it is loaded: a ghost only along those that are.
    pub(super) fn set_ghost(&mut self, chunk: ChunkPos, beyond: &Beyond) {
        if self.loaded.contains(&chunk) {
            return;
        }
        let is_loaded = |side: Option<ChunkPos>| side.is_some_and(|at| self.loaded.contains(&at));
        match beyond.ghost(chunk, chunk.sides().map(is_loaded)) {
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

    /// Sets all ghosts anew.
    pub(super) fn find_ghosts(&mut self, beyond: &Beyond) {
        let beside: BTreeSet<_> = self.loaded.iter().flat_map(|chunk| chunk.beside()).collect();
        beside.into_iter().for_each(|chunk| self.set_ghost(chunk, beyond));
    }

    /// Adds the loaded chunks in which cells have changed since it was last asked.
    pub(super) fn take_changes(&mut self, found: &mut BTreeSet<ChunkPos>) {
        self.grid.refresh(&self.spare);
        self.grid.update_changes(&mut self.changes);
        let columns = self.tract.size()[1];
        for tile in &self.changes.tiles {
            let chunk = self.tract.chunk(tile.x / CHUNK * columns + tile.y / CHUNK);
            found.extend(chunk.filter(|chunk| self.loaded.contains(chunk)));
        }
    }

    /// A chunk has been loaded in it.
    pub(super) fn add(&mut self, chunk: ChunkPos) {
        if self.loaded.insert(chunk) {
            self.counts.add(chunk);
            self.ghosts.remove(&chunk);
        }
    }

    /// A chunk is no longer loaded.
    pub(super) fn remove(&mut self, chunk: ChunkPos) {
        if self.loaded.remove(&chunk) {
            self.counts.remove(chunk);
        }
    }

    /// How it is better put together: parted where a column or a row of chunks between what is loaded is empty, or in a smaller
    /// tract; `None` if it is well as it is.
    pub(super) fn better(&self) -> Option<Vec<Plan>> {
        let plan = |part: BTreeSet<ChunkPos>| {
            let tract = Tract::around(&Counts::of(&part)).ok()?;
            Some((part, tract))
        };
        if let Some((axis, last)) = self.counts.gap() {
            let is_before = |chunk: &&ChunkPos| [chunk.x, chunk.y][axis] <= last;
            let (before, beyond) = self.loaded.iter().partition(is_before);
            return [before, beyond].into_iter().map(plan).collect();
        }
        let needed = Tract::around(&self.counts).ok()?;
        self.tract.is_loose(&needed).then(|| vec![(self.loaded.clone(), needed)])
    }
}
