//! [`Land`]: the loaded chunks, in islands: those that share an edge or a corner are in one, so that no step has to look beyond.
//!
//! What happens in an island is the same whatever else is in it and wherever its tract begins. So islands may be joined and
//! parted when it is convenient: what is loaded in one piece can only grow by chunks beside it, and is parted where a whole row or
//! column of chunks is empty.

use super::beyond::Beyond;
use super::island::{Island, Plan};
use super::stored::Cells;
use super::tract::{Counts, Tract};
use crate::error::InputError;
use crate::open::ChunkPos;
use std::collections::{BTreeMap, BTreeSet};

/// Loaded chunks.
#[derive(Clone, Debug, Default)]
pub(super) struct Land {
    islands: BTreeMap<u64, Island>,
    next: u64,
    /// The island that each loaded chunk is in.
    loaded: BTreeMap<ChunkPos, u64>,
    /// Loaded chunks of which something has changed, as far as islands have been asked.
    changed: BTreeSet<ChunkPos>,
}

impl Land {
    pub(super) fn is_loaded(&self, chunk: ChunkPos) -> bool {
        self.loaded.contains_key(&chunk)
    }

    /// In order.
    pub(super) fn loaded(&self) -> impl ExactSizeIterator<Item = ChunkPos> {
        self.loaded.keys().copied()
    }

    pub(super) fn islands(&self) -> impl Iterator<Item = &Island> {
        self.islands.values()
    }

    pub(super) fn islands_mut(&mut self) -> impl Iterator<Item = &mut Island> {
        self.islands.values_mut()
    }

    /// The island of a loaded chunk.
    pub(super) fn island(&self, chunk: ChunkPos) -> Option<&Island> {
        self.islands.get(self.loaded.get(&chunk)?)
    }

    pub(super) fn island_mut(&mut self, chunk: ChunkPos) -> Option<&mut Island> {
        self.islands.get_mut(self.loaded.get(&chunk)?)
    }

    /// The cells of a loaded chunk.
    pub(super) fn cells(&self, chunk: ChunkPos) -> Option<&Cells> {
        self.island(chunk)?.cells(chunk)
    }

    /// Loads a chunk that is not loaded.
    ///
    /// # Errors
    /// [`InputError`] if what hangs together becomes too large. Nothing is loaded then.
    pub(super) fn load(
        &mut self,
        chunk: ChunkPos,
        cells: &Cells,
        beyond: &Beyond,
    ) -> Result<(), InputError> {
        let near: BTreeSet<u64> =
            chunk.around().filter_map(|chunk| self.loaded.get(&chunk).copied()).collect();
        let home = match near.first() {
            Some(id) if near.len() == 1 && self.islands[id].tract.has_room(chunk) => *id,
            _ => {
                let chunks = near.iter().flat_map(|id| &self.islands[id].loaded).copied();
                let all: BTreeSet<_> = chunks.collect();
                let tract = Tract::around(&Counts::of(all.iter().chain([&chunk])))?;
                let made = self.regroup(near, vec![(all, tract)], beyond);
                made.first().copied().unwrap_or(self.next)
            }
        };
        self.loaded.insert(chunk, home);
        self.changed.insert(chunk);
        if let Some(island) = self.islands.get_mut(&home) {
            island.add(chunk);
            island.put(chunk, cells);
            chunk.beside().for_each(|beside| island.set_ghost(beside, beyond));
        }
        Ok(())
    }

    /// Takes a loaded chunk out.
    pub(super) fn unload(&mut self, chunk: ChunkPos, beyond: &Beyond) {
        let Some(id) = self.loaded.remove(&chunk) else { return };
        self.changed.remove(&chunk);
        let Some(island) = self.islands.get_mut(&id) else { return };
        island.remove(chunk);
        if island.loaded.is_empty() {
            self.islands.remove(&id);
            return;
        }
        [chunk].into_iter().chain(chunk.beside()).for_each(|at| island.set_ghost(at, beyond));
        self.tidy(id, beyond);
    }

    /// Parts an island where it can be, and gives it a smaller tract where its own has become loose.
    fn tidy(&mut self, id: u64, beyond: &Beyond) {
        let better = self.islands.get(&id).and_then(Island::better);
        let parts = better.map(|plans| self.regroup([id].into(), plans, beyond));
        parts.into_iter().flatten().for_each(|id| self.tidy(id, beyond));
    }

    /// Makes other islands of some; gives their numbers.
    fn regroup(&mut self, ids: BTreeSet<u64>, plans: Vec<Plan>, beyond: &Beyond) -> Vec<u64> {
        let mut before: Vec<Island> = ids.iter().filter_map(|id| self.islands.remove(id)).collect();
        before.iter_mut().for_each(|island| island.take_changes(&mut self.changed));
        let mut made = Vec::new();
        for mut island in Island::regroup(before, plans) {
            let id = self.next;
            self.next += 1;
            self.loaded.extend(island.loaded.iter().map(|&chunk| (chunk, id)));
            island.find_ghosts(beyond);
            // What stands on the ghosts has been labelled over them, but they are new in this grid: if one were taken away before it
            // is labelled too, nothing would seem to have changed below.
            island.grid.refresh(&island.spare);
            self.islands.insert(id, island);
            made.push(id);
        }
        made
    }

    /// Sets all ghosts anew.
    pub(super) fn reset_ghosts(&mut self, beyond: &Beyond) {
        self.islands.values_mut().for_each(|island| island.find_ghosts(beyond));
    }

    /// Sets anew what stands in the place of a chunk that is not loaded.
    pub(super) fn reset_ghost(&mut self, chunk: ChunkPos, beyond: &Beyond) {
        let near: BTreeSet<u64> =
            chunk.beside().filter_map(|chunk| self.loaded.get(&chunk).copied()).collect();
        for id in near {
            if let Some(island) = self.islands.get_mut(&id) {
                island.set_ghost(chunk, beyond);
            }
        }
    }

    /// The loaded chunks that have changed since it was last asked, in order.
    pub(super) fn take_changed(&mut self) -> Vec<ChunkPos> {
        let Self { islands, changed, .. } = self;
        islands.values_mut().for_each(|island| island.take_changes(changed));
        std::mem::take(changed).into_iter().collect()
    }
}
