//! [`Store`]: the loaded chunks of an open world, in groups of connected chunks. Calls that load or
//! unload a chunk only record the change. The groups are updated before the next step or edit, so
//! the order of these calls does not matter.

use super::chunk::{Bounds, ChunkPos};
use super::group::{ConnectedChunks, Context, Groups, PendingChanges, PlacesByGroup, StoredChunk};
use crate::error::InputError;
use crate::region::Region;
use std::collections::{BTreeMap, BTreeSet};

/// Loaded chunks of an open world, in groups of connected chunks, and the changes that have not yet
/// been applied to the groups.
#[derive(Clone, Debug)]
pub(crate) struct Store<G: ConnectedChunks> {
    pub(crate) groups: Groups<G>,
    /// For each chunk that belongs to a group: the key of this group in `groups`. Chunks loaded
    /// since the last update of the groups have no entry.
    group_keys: BTreeMap<ChunkPos, ChunkPos>,
    pub(crate) pending: PendingChanges<G>,
    /// Loaded chunks with cells that have changed, collected from the groups.
    changed: BTreeSet<ChunkPos>,
}

impl<G: ConnectedChunks> Default for Store<G> {
    fn default() -> Self {
        let (groups, group_keys) = (BTreeMap::new(), BTreeMap::new());
        Self { groups, group_keys, pending: PendingChanges::default(), changed: BTreeSet::new() }
    }
}

/// Returns all chunks that can be reached from `first` through adjacent loaded chunks, including
/// `first` itself.
fn connected_chunks<G: ConnectedChunks>(
    first: ChunkPos,
    is_loaded: impl Fn(ChunkPos) -> bool,
) -> BTreeSet<ChunkPos> {
    let mut found = BTreeSet::from([first]);
    let mut waiting = vec![first];
    while let Some(at) = waiting.pop() {
        waiting.extend(
            at.neighbours(G::CONNECTS_CORNERS).filter(|&at| is_loaded(at) && found.insert(at)),
        );
    }
    found
}

fn group_bounds<G: ConnectedChunks>(
    chunks: impl Iterator<Item = ChunkPos>,
) -> Result<Bounds, InputError> {
    Bounds::enclosing_chunks(chunks, G::MARGIN, G::MAX_EXTENT)
}

impl<G: ConnectedChunks> Store<G> {
    fn group_key(&self, chunk: ChunkPos) -> Option<ChunkPos> {
        self.group_keys.get(&chunk).copied().filter(|_| !self.pending.removed.contains_key(&chunk))
    }

    /// Returns the group of connected chunks that contains a loaded chunk. Returns `None` if the
    /// chunk was loaded after the groups were last updated.
    pub(crate) fn group(&self, chunk: ChunkPos) -> Option<&G> {
        self.groups.get(&self.group_key(chunk)?)
    }

    /// Returns a mutable reference to the group of connected chunks that contains a loaded chunk.
    /// Returns `None` if the chunk was loaded after the groups were last updated.
    pub(crate) fn group_mut(&mut self, chunk: ChunkPos) -> Option<&mut G> {
        self.groups.get_mut(&self.group_key(chunk)?)
    }

    pub(super) fn is_loaded(&self, chunk: ChunkPos) -> bool {
        self.pending.added.contains_key(&chunk) || self.group_key(chunk).is_some()
    }

    /// Returns the positions of all loaded chunks.
    pub(super) fn loaded_chunks(&self) -> BTreeSet<ChunkPos> {
        let grouped =
            self.group_keys.keys().filter(|chunk| !self.pending.removed.contains_key(chunk));
        grouped.chain(self.pending.added.keys()).copied().collect()
    }

    /// Returns the current contents of a loaded chunk, or `None` if the chunk is not loaded.
    pub(crate) fn chunk(&self, position: ChunkPos) -> Option<G::Chunk> {
        let added = self.pending.added.get(&position).cloned();
        added.or_else(|| self.group(position)?.chunk(position))
    }

    /// Returns the total volume of a substance in all loaded chunks. `substance` is an index into
    /// the ledgers.
    pub(crate) fn volume(&self, substance: usize) -> i128 {
        let groups: i128 = self.groups.values().map(|group| group.volume(substance)).sum();
        let of = |volumes: G::Volumes| -> i128 {
            volumes.into_iter().nth(substance).map_or(0, Into::into)
        };
        let added: i128 = self.pending.added.values().map(|chunk| of(chunk.volumes())).sum();
        let removed: i128 = self.pending.removed.values().map(|(_, volumes)| of(*volumes)).sum();
        groups + added - removed
    }

    /// Adds a chunk that is not yet loaded. `hash` is the hash of the bytes that the chunk was read
    /// from, or `None` for a new chunk.
    ///
    /// # Errors
    /// Returns [`InputError`] if the chunk would connect too many chunks. In that case, nothing
    /// changes.
    pub(super) fn insert(
        &mut self,
        at: ChunkPos,
        chunk: G::Chunk,
        hash: Option<u64>,
    ) -> Result<(), InputError> {
        // Most worlds are so small that connectivity does not matter.
        let mut all = self.loaded_chunks();
        all.insert(at);
        if group_bounds::<G>(all.iter().copied()).is_err() {
            group_bounds::<G>(connected_chunks::<G>(at, |chunk| all.contains(&chunk)).into_iter())?;
        }
        let PendingChanges { added, removed, .. } = &mut self.pending;
        if removed.get(&at).is_some_and(|(removed, _)| Some(*removed) == hash) {
            removed.remove(&at);
        } else {
            added.insert(at, chunk);
        }
        self.changed.insert(at);
        Ok(())
    }

    /// Removes a loaded chunk. `hash` is the hash of the chunk's bytes, and `volumes` holds the
    /// volume of each substance in the chunk.
    pub(super) fn remove(&mut self, position: ChunkPos, hash: u64, volumes: G::Volumes) {
        if self.pending.added.remove(&position).is_none() {
            self.pending.removed.insert(position, (hash, volumes));
        }
        self.changed.remove(&position);
    }

    /// Records that the border of one unloaded chunk has changed. `None` records a change for all
    /// unloaded chunks next to loaded ones.
    pub(super) fn mark_border_changed(&mut self, position: Option<ChunkPos>) {
        match position {
            Some(position) => self.pending.touched.extend([position]),
            None => {
                let near = self.group_keys.keys().flat_map(|position| position.neighbours(false));
                self.pending.touched.extend(near);
            }
        }
    }

    /// Returns whether the groups are up to date, which means that no change is pending.
    pub(super) fn is_grouped(&self) -> bool {
        let PendingChanges { added, removed, touched } = &self.pending;
        added.is_empty() && removed.is_empty() && touched.is_empty()
    }

    /// Updates the groups of connected chunks for all chunks that were loaded or unloaded, and all
    /// borders that have changed, since the last call.
    pub(super) fn regroup(&mut self, context: &Context<G>) {
        let PendingChanges { added, removed, touched } = std::mem::take(&mut self.pending);
        let changed: BTreeSet<_> = added.keys().chain(removed.keys()).copied().collect();
        let all = changed.iter().chain(&touched);
        let near = all.flat_map(|at| at.neighbours(G::CONNECTS_CORNERS).chain([*at]));
        let keys: BTreeSet<_> = near.filter_map(|at| self.group_keys.get(&at).copied()).collect();
        let mut old_groups: Vec<_> =
            keys.iter().filter_map(|key| self.groups.remove(key)).collect();
        let mut chunks: BTreeSet<_> = added.keys().copied().collect();
        for old in &mut old_groups {
            old.collect_changed_chunks(&mut self.changed);
            for at in old.chunks() {
                self.group_keys.remove(&at);
                chunks.extend(Some(at).filter(|at| !removed.contains_key(at)));
            }
        }
        let mut plans = Vec::new();
        while let Some(&first) = chunks.first() {
            let part = connected_chunks::<G>(first, |chunk| chunks.contains(&chunk));
            chunks.retain(|chunk| !part.contains(chunk));
            // A chunk that made a group too large was refused, and parts of a group are no larger
            // than the group.
            if let Ok(bounds) = group_bounds::<G>(part.iter().copied()) {
                plans.push((part, bounds));
            }
        }
        let groups = G::regroup(old_groups, added, plans, &changed, context);
        groups.into_iter().for_each(|group| self.insert_group(group));
    }

    fn insert_group(&mut self, group: G) {
        let Some(first) = group.chunks().min() else { return };
        self.group_keys.extend(group.chunks().map(|chunk| (chunk, first)));
        self.groups.insert(first, group);
    }

    /// Returns the cells of loaded chunks whose centres lie in `region`, in one list per group of
    /// connected chunks.
    pub(crate) fn places_in_region(
        &self,
        region: &Region,
        cell_size: G::CellSize,
    ) -> PlacesByGroup<G::Place> {
        let in_group = |(&key, group): (&ChunkPos, &G)| {
            let in_chunk = |chunk: ChunkPos| {
                let (left, top) = group.bounds().local_cell(chunk.origin());
                let cells = chunk.cells_in_region(G::cell_size(cell_size), region).into_iter();
                cells.map(move |(x, y)| (left + x, top + y))
            };
            (key, group.places_of_cells(group.chunks().flat_map(in_chunk)))
        };
        self.groups.iter().map(in_group).filter(|(_, places)| !places.is_empty()).collect()
    }

    /// Returns the loaded chunks that have changed since the last call, sorted by position.
    pub(super) fn take_changed_chunks(&mut self) -> Vec<ChunkPos> {
        self.groups.values_mut().for_each(|group| group.collect_changed_chunks(&mut self.changed));
        let changed = std::mem::take(&mut self.changed);
        changed.into_iter().filter(|&chunk| self.is_loaded(chunk)).collect()
    }

    /// Creates a store from the groups and pending changes of a snapshot.
    ///
    /// # Errors
    /// Returns [`InputError`] if the groups and the pending changes contradict each other.
    pub(super) fn restore(groups: Vec<G>, pending: PendingChanges<G>) -> Result<Self, InputError> {
        let (mut store, mut count) = (Self::default(), 0);
        for group in groups {
            count += group.chunks().count();
            store.insert_group(group);
        }
        let PendingChanges { added, removed, touched } = pending;
        let is_grouped = |chunk| store.group_keys.contains_key(chunk);
        if count != store.group_keys.len()
            || !removed.keys().all(is_grouped)
            || added.keys().any(|chunk| is_grouped(chunk) && !removed.contains_key(chunk))
        {
            return Err(InputError::invalid_snapshot("chunks that are loaded and unloaded"));
        }
        store.pending = PendingChanges { removed, touched, ..PendingChanges::default() };
        added.into_iter().try_for_each(|(at, chunk)| store.insert(at, chunk, None))?;
        Ok(store)
    }
}
