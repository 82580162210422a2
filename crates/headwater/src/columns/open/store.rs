//! [`Store`]: the loaded chunks of a world of columns, in groups of chunks that share edges. Chunks
//! that are loaded and unloaded are noted, and regrouped together before the next step, so the
//! order of the calls does not matter.

use super::OpenWorld;
use super::chunk::{Chunk, Walls};
use super::group::{Common, Group};
use super::sources::{self, Places};
use super::transfer::{self, Transfer};
use crate::columns::params::Params;
use crate::columns::snapshot::Snapshot;
use crate::columns::source::Source;
use crate::error::InputError;
use crate::ledger::Ledger;
use crate::open::{Borders, Bounds, ChunkPos, ChunkStore, Record, Sources, StoredChunk};
use crate::parameter::Parameters;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// Loaded chunks.
#[derive(Clone, Debug)]
pub struct Store {
    /// Size of a cell (m).
    pub(super) cell_size: f64,
    /// By the first chunk of each.
    pub(super) groups: BTreeMap<ChunkPos, Group>,
    /// The group of each chunk that has one.
    home: BTreeMap<ChunkPos, ChunkPos>,
    pub(super) pending: Pending,
    /// Loaded chunks that have changed since the last query.
    pub(super) changed: BTreeSet<ChunkPos>,
    pub(super) places: Places,
}

/// Changes since the last regrouping.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Pending {
    /// Loaded chunks that are not yet in a group.
    pub(super) added: BTreeMap<ChunkPos, Chunk>,
    /// Unloaded chunks that are still in a group.
    pub(super) removed: BTreeMap<ChunkPos, Removed>,
    /// Unloaded chunks whose border may have changed.
    pub(super) touched: BTreeSet<ChunkPos>,
}

/// An unloaded chunk that is still in a group.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(super) struct Removed {
    /// Hash of its bytes.
    hash: u64,
    /// Volume of its water (quanta).
    pub(super) volume: i64,
}

/// The chunks that are connected to one by edges, and that one.
fn connected(first: ChunkPos, is_loaded: impl Fn(ChunkPos) -> bool) -> BTreeSet<ChunkPos> {
    let mut found = BTreeSet::from([first]);
    let mut waiting = vec![first];
    while let Some(chunk) = waiting.pop() {
        waiting.extend(chunk.beside().filter(|&chunk| is_loaded(chunk) && found.insert(chunk)));
    }
    found
}

impl Store {
    pub(super) fn new(cell_size: f64) -> Self {
        Self {
            cell_size,
            groups: BTreeMap::new(),
            home: BTreeMap::new(),
            pending: Pending::default(),
            changed: BTreeSet::new(),
            places: Places::default(),
        }
    }

    /// The group of a loaded chunk; `None` if it was loaded after the last regrouping.
    pub(super) fn group(&self, chunk: ChunkPos) -> Option<&Group> {
        let home = self.home.get(&chunk).filter(|_| !self.pending.removed.contains_key(&chunk))?;
        self.groups.get(home)
    }

    /// Whether there is nothing to regroup.
    pub(super) fn is_grouped(&self) -> bool {
        let Pending { added, removed, touched } = &self.pending;
        added.is_empty() && removed.is_empty() && touched.is_empty()
    }

    /// Regroups the chunks that were loaded and unloaded since the last call, and those around
    /// them.
    pub(super) fn regroup(&mut self, common: Common) {
        let Pending { added, removed, touched } = std::mem::take(&mut self.pending);
        let changed: BTreeSet<_> = added.keys().chain(removed.keys()).copied().collect();
        let all = changed.iter().chain(&touched).copied();
        let near = all.flat_map(|chunk| chunk.beside().chain([chunk]));
        let homes: BTreeSet<_> = near.filter_map(|chunk| self.home.get(&chunk).copied()).collect();
        let olds: Vec<_> = homes.iter().filter_map(|home| self.groups.remove(home)).collect();
        let mut chunks = added;
        for old in &olds {
            for &at in old.chunks.keys() {
                self.home.remove(&at);
                if !removed.contains_key(&at)
                    && let Some(chunk) = old.chunk(at)
                {
                    chunks.insert(at, chunk);
                }
            }
        }
        while let Some((&first, _)) = chunks.first_key_value() {
            let part = connected(first, |chunk| chunks.contains_key(&chunk));
            let part = part.into_iter().filter_map(|at| Some((at, chunks.remove(&at)?))).collect();
            // A chunk that made a group too large was refused, and a part of a group is no larger.
            if let Ok(group) = Group::assemble(part, common, &olds, &changed) {
                self.insert_group(group);
            }
        }
    }

    /// Whether every chunk of a restored store is in one group, or added, or removed.
    pub(super) fn is_sound(&self) -> bool {
        let Pending { added, removed, .. } = &self.pending;
        let in_groups: usize = self.groups.values().map(|group| group.chunks.len()).sum();
        let is_once = |chunk| removed.contains_key(chunk) || !self.home.contains_key(chunk);
        in_groups == self.home.len()
            && removed.keys().all(|chunk| self.home.contains_key(chunk))
            && added.keys().all(is_once)
    }

    pub(super) fn insert_group(&mut self, group: Group) {
        let Some(&first) = group.chunks.keys().next() else { return };
        self.home.extend(group.chunks.keys().map(|&chunk| (chunk, first)));
        self.groups.insert(first, group);
    }
}

impl ChunkStore for Store {
    const WORLD_FORMAT: &'static str = "columns, an open world";
    const CHUNK_FORMAT: &'static str = "columns, a chunk";
    const MAX_VOLUMES: [i128; 2] = [(1 << 50) - 1, (1 << 80) - 1];

    type Params = Params;
    type Setup = (Params, f64);
    type Chunk = Chunk;
    type Volumes = [i64; 1];
    type Ledgers = [Ledger<i128>; 1];
    type Key = u16;
    type Transfer = Transfer;
    type Spring = Source;
    type Drain = Source;
    /// Volume that is still owed, less than a quantum.
    type Carry = f64;
    type Saved = Pending;
    type SavedGroups = Vec<(BTreeMap<ChunkPos, Walls>, Snapshot)>;

    fn is_loaded(&self, chunk: ChunkPos) -> bool {
        self.pending.added.contains_key(&chunk) || self.group(chunk).is_some()
    }

    fn loaded(&self) -> impl ExactSizeIterator<Item = ChunkPos> {
        let old = self.home.keys().filter(|chunk| !self.pending.removed.contains_key(chunk));
        old.chain(self.pending.added.keys()).copied().collect::<BTreeSet<_>>().into_iter()
    }

    fn chunk(&self, chunk: ChunkPos) -> Option<Chunk> {
        let added = self.pending.added.get(&chunk).cloned();
        added.or_else(|| self.group(chunk)?.chunk(chunk))
    }

    fn volume(&self, _: usize) -> i128 {
        let groups: i64 = self.groups.values().map(Group::volume).sum();
        let added: i64 = self.pending.added.values().map(|chunk| chunk.volumes()[0]).sum();
        let removed: i64 = self.pending.removed.values().map(|removed| removed.volume).sum();
        (groups + added - removed).into()
    }

    fn insert(
        &mut self,
        at: ChunkPos,
        chunk: Chunk,
        hash: Option<u64>,
        _: &Borders<[i64; 1]>,
    ) -> Result<(), InputError> {
        Bounds::of_board(connected(at, |chunk| self.is_loaded(chunk)))?;
        let Pending { added, removed, .. } = &mut self.pending;
        if removed.get(&at).is_some_and(|removed| Some(removed.hash) == hash) {
            removed.remove(&at);
        } else {
            added.insert(at, chunk);
        }
        self.changed.insert(at);
        Ok(())
    }

    fn remove(&mut self, at: ChunkPos, record: &Record<[i64; 1]>, _: &Borders<[i64; 1]>) {
        if self.pending.added.remove(&at).is_none() {
            let removed = Removed { hash: record.hash, volume: record.volumes[0] };
            self.pending.removed.insert(at, removed);
        }
        self.changed.remove(&at);
    }

    fn update_border(&mut self, at: Option<ChunkPos>, _: &Borders<[i64; 1]>) {
        match at {
            Some(at) => self.pending.touched.extend([at]),
            None => self.pending.touched.extend(self.home.keys().flat_map(|at| at.beside())),
        }
    }

    fn place_sources(&mut self, sources: &Sources<Self>, loaded: Option<ChunkPos>) {
        // The columns of a chunk that was just loaded are found when it is regrouped.
        if loaded.is_none() {
            self.places = Places::new(self, sources);
        }
    }

    fn transfer(world: &OpenWorld, cell: [i64; 2], _: u16, amount: u64) -> Transfer {
        Transfer { cell, volume: amount as f64 * world.quantum_volume() }
    }

    fn check_spring(spring: &Source) -> Result<(), InputError> {
        spring.check().and_then(|()| spring.region.validate()).map_err(|e| e.under("source"))
    }

    fn check_drain(drain: &Source) -> Result<(), InputError> {
        drain.check().and_then(|()| drain.region.validate()).map_err(|e| e.under("drain"))
    }

    fn is_carry(carry: &f64) -> bool {
        carry.abs() < 1.0
    }

    /// Regroups chunks, and steps each group as
    /// [`Columns::step`](crate::columns::Columns::step) does.
    fn step(world: &mut OpenWorld) {
        world.regroup();
        for group in world.store.groups.values_mut() {
            transfer::deliver(group, &mut world.in_transit);
        }
        let times = [world.time(), world.params.step, world.quantum_volume()];
        let OpenWorld { store, sources, ledgers, in_transit, .. } = world;
        sources::apply(store, sources, &mut ledgers[0], times);
        for group in store.groups.values_mut() {
            group.note_changed(&mut store.changed);
            group.world.step();
            transfer::collect(group, in_transit);
            group.note_changed(&mut store.changed);
        }
    }

    fn is_asleep(world: &OpenWorld) -> bool {
        let is_asleep = |group: &Group| {
            group.world.awake() == 0 && !transfer::can_enter(group, &world.in_transit)
        };
        world.store.is_grouped() && world.store.groups.values().all(is_asleep)
    }

    fn step_length(params: &Params) -> f64 {
        params.step
    }

    fn max_steps(params: &Params) -> u32 {
        params.max_steps
    }

    fn setup(world: &OpenWorld) -> (Params, f64) {
        (world.params.clone(), world.store.cell_size)
    }

    fn world((params, cell_size): (Params, f64)) -> Result<OpenWorld, InputError> {
        OpenWorld::new(cell_size, params)
    }

    fn save(&self) -> Pending {
        self.pending.clone()
    }

    fn save_groups(&self) -> Self::SavedGroups {
        let groups = self.groups.values();
        groups.map(|group| (group.chunks.clone(), group.world.snapshot())).collect()
    }

    fn group_hashes(&self) -> impl Serialize {
        let groups = self.groups.iter();
        groups.map(|(&first, group)| (first, group.world.state_hash())).collect::<Vec<_>>()
    }

    fn restore(
        world: &mut OpenWorld,
        pending: Pending,
        groups: Self::SavedGroups,
    ) -> Result<(), InputError> {
        world.restore_chunks(pending, groups)
    }
}
