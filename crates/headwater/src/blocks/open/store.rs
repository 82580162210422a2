//! [`Store`]: the loaded chunks of a world of blocks, in groups. Chunks that share an edge or a
//! corner are in one group, so a step never looks beyond its group.
//!
//! The motion in a group depends neither on its other chunks nor on the bounds of its grid. So
//! groups are joined when a chunk is loaded beside them, and split only where a whole row or column
//! of chunks is empty. Columns, whose boards are costly to lay out, are regrouped once per step
//! instead: see [`columns::open`](crate::columns::open).

use super::OpenWorld;
use super::cells::{Cells, Runs};
use super::group::{BlockBorders, Group, Plan};
use super::sources::{self, ChunkSources};
use super::transfer::{self, Transfer};
use crate::blocks::cell::{FULL, Kind, Liquid};
use crate::blocks::chunk::KINDS;
use crate::blocks::exchange::{self, Drain, Spring};
use crate::blocks::ledgers::Ledgers;
use crate::blocks::params::{Params, Rule};
use crate::blocks::step;
use crate::error::InputError;
use crate::open::{Bounds, CHUNK, ChunkPos, ChunkStore, Record, Sources, StoredChunk};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// Loaded chunks.
#[derive(Clone, Debug, Default)]
pub struct Store {
    pub(super) groups: BTreeMap<u64, Group>,
    next: u64,
    /// The group of each loaded chunk.
    loaded: BTreeMap<ChunkPos, u64>,
    /// Loaded chunks that have changed, as far as groups have reported it.
    changed: BTreeSet<ChunkPos>,
    /// Springs and drains of chunks that have any.
    sources: BTreeMap<ChunkPos, ChunkSources>,
}

impl Store {
    /// The group of a loaded chunk.
    pub(super) fn group_mut(&mut self, chunk: ChunkPos) -> Option<&mut Group> {
        self.groups.get_mut(self.loaded.get(&chunk)?)
    }

    /// The cells of a loaded chunk.
    pub(super) fn cells(&self, chunk: ChunkPos) -> Option<&Cells> {
        self.groups.get(self.loaded.get(&chunk)?)?.cells(chunk)
    }

    /// Splits a group where possible, and gives it smaller bounds if its own have become loose.
    fn tidy(&mut self, id: u64, borders: &BlockBorders) {
        let better = self.groups.get(&id).and_then(Group::better);
        let parts = better.map(|plans| self.regroup([id].into(), plans, borders));
        parts.into_iter().flatten().for_each(|id| self.tidy(id, borders));
    }

    /// Replaces groups by planned ones; returns their numbers.
    fn regroup(
        &mut self,
        ids: BTreeSet<u64>,
        plans: Vec<Plan>,
        borders: &BlockBorders,
    ) -> Vec<u64> {
        let mut before: Vec<Group> = ids.iter().filter_map(|id| self.groups.remove(id)).collect();
        before.iter_mut().for_each(|group| group.take_changes(&mut self.changed));
        let mut made = Vec::new();
        for mut group in Group::regroup(before, plans) {
            let id = self.next;
            self.next += 1;
            self.loaded.extend(group.loaded.iter().map(|&chunk| (chunk, id)));
            group.set_ghosts(borders);
            // The bodies above the ghosts were labelled with ghosts, but these are new in this
            // grid. If one were removed before it is labelled, no change would be seen below.
            group.grid.refresh(&group.spare);
            self.groups.insert(id, group);
            made.push(id);
        }
        made
    }

    /// The loaded chunks that have changed since the last call, in order.
    pub(super) fn take_changed(&mut self) -> Vec<ChunkPos> {
        let Self { groups, changed, .. } = self;
        groups.values_mut().for_each(|group| group.take_changes(changed));
        std::mem::take(changed).into_iter().collect()
    }

    fn groups_beside(&self, chunks: impl Iterator<Item = ChunkPos>) -> BTreeSet<u64> {
        chunks.filter_map(|chunk| self.loaded.get(&chunk).copied()).collect()
    }
}

impl ChunkStore for Store {
    const WORLD_FORMAT: &'static str = "blocks, an open world";
    const CHUNK_FORMAT: &'static str = "blocks, a chunk";
    const MAX_VOLUMES: [i128; 2] = [(CHUNK * CHUNK) as i128 * FULL as i128, (1 << 56) - 1];

    type Params = Params;
    type Setup = Params;
    type Chunk = Runs;
    type Volumes = [u32; KINDS];
    type Ledgers = Ledgers;
    type Key = (u16, Kind);
    type Transfer = Transfer;
    type Spring = Spring;
    type Drain = Drain;
    type Carry = ();
    type Saved = Vec<(ChunkPos, Runs)>;
    type SavedGroups = ();

    fn is_loaded(&self, chunk: ChunkPos) -> bool {
        self.loaded.contains_key(&chunk)
    }

    fn loaded(&self) -> impl ExactSizeIterator<Item = ChunkPos> {
        self.loaded.keys().copied()
    }

    fn chunk(&self, chunk: ChunkPos) -> Option<Runs> {
        Some(Runs::new(self.cells(chunk)?.iter().flatten().copied()))
    }

    fn volume(&self, substance: usize) -> i128 {
        let chunks = self.loaded().filter_map(|chunk| self.chunk(chunk));
        chunks.map(|runs| i128::from(runs.volumes()[substance])).sum()
    }

    fn insert(
        &mut self,
        at: ChunkPos,
        chunk: Runs,
        _: Option<u64>,
        borders: &BlockBorders,
    ) -> Result<(), InputError> {
        let near = self.groups_beside(at.around());
        let id = match near.first() {
            Some(id) if near.len() == 1 && self.groups[id].bounds.has_room(at) => *id,
            _ => {
                let chunks = near.iter().flat_map(|id| &self.groups[id].loaded).copied();
                let all: BTreeSet<_> = chunks.collect();
                let bounds = Bounds::of_grid(all.iter().copied().chain([at]))?;
                let made = self.regroup(near, vec![(all, bounds)], borders);
                made.first().copied().unwrap_or(self.next)
            }
        };
        self.loaded.insert(at, id);
        self.changed.insert(at);
        if let Some(group) = self.groups.get_mut(&id) {
            group.loaded.insert(at);
            group.ghosts.remove(&at);
            group.put(at, &chunk.cells());
            at.beside().for_each(|beside| group.set_ghost(beside, borders));
        }
        Ok(())
    }

    fn remove(&mut self, at: ChunkPos, _: &Record<[u32; KINDS]>, borders: &BlockBorders) {
        self.sources.remove(&at);
        self.changed.remove(&at);
        let Some(id) = self.loaded.remove(&at) else { return };
        let Some(group) = self.groups.get_mut(&id) else { return };
        group.loaded.remove(&at);
        if group.loaded.is_empty() {
            self.groups.remove(&id);
            return;
        }
        [at].into_iter().chain(at.beside()).for_each(|at| group.set_ghost(at, borders));
        self.tidy(id, borders);
    }

    fn update_border(&mut self, at: Option<ChunkPos>, borders: &BlockBorders) {
        let Some(at) = at else {
            return self.groups.values_mut().for_each(|group| group.set_ghosts(borders));
        };
        for id in self.groups_beside(at.beside()) {
            if let Some(group) = self.groups.get_mut(&id) {
                group.set_ghost(at, borders);
            }
        }
    }

    fn place_sources(&mut self, sources: &Sources<Self>, loaded: Option<ChunkPos>) {
        let chunks = loaded.map_or_else(|| self.loaded().collect(), |chunk| vec![chunk]);
        for chunk in chunks {
            self.sources.remove(&chunk);
            self.sources.extend(ChunkSources::new(sources, chunk).map(|found| (chunk, found)));
        }
    }

    fn transfer(_: &OpenWorld, cell: [i64; 2], (_, kind): (u16, Kind), amount: u64) -> Transfer {
        Transfer { cell, liquid: Liquid::ALL[usize::from(kind) - 1], amount }
    }

    fn check_spring(spring: &Spring) -> Result<(), InputError> {
        spring.region.validate()?;
        spring.check(Rule::Fill)
    }

    fn check_drain(drain: &Drain) -> Result<(), InputError> {
        drain.region.validate()?;
        drain.check(Rule::Fill)
    }

    fn is_carry((): &()) -> bool {
        true
    }

    /// Steps each group, as [`Blocks::step`](crate::blocks::Blocks::step) does.
    fn step(world: &mut OpenWorld) {
        let OpenWorld { params, store, in_transit, ledgers, steps, .. } = world;
        for group in store.groups.values_mut() {
            // Films and springs depend on labels, so loaded and edited cells are labelled first.
            group.grid.refresh(&group.spare);
            transfer::deliver(group, in_transit);
            sources::apply(&store.sources, group, ledgers);
            let grid = &mut group.grid;
            exchange::dry(grid, params, *steps, ledgers, &group.spare);
            grid.refresh(&group.spare);
            step::fill(grid, &mut group.workspace, params, *steps, ledgers, &group.spare);
            transfer::collect(group, in_transit);
        }
    }

    fn is_asleep(world: &OpenWorld) -> bool {
        world.store.groups.values().all(|group| {
            let grid = &group.grid;
            let quiet = grid.restless.is_empty() && grid.loose.is_empty() && !grid.has_changed();
            quiet && !transfer::can_enter(group, &world.in_transit)
        })
    }

    fn step_length(params: &Params) -> f64 {
        params.tick
    }

    fn max_steps(_: &Params) -> u32 {
        u32::MAX
    }

    fn setup(world: &OpenWorld) -> Params {
        world.params.clone()
    }

    fn world(params: Params) -> Result<OpenWorld, InputError> {
        OpenWorld::new(params)
    }

    fn save(&self) -> Self::Saved {
        self.loaded().filter_map(|chunk| Some((chunk, self.chunk(chunk)?))).collect()
    }

    fn save_groups(&self) {}

    fn group_hashes(&self) -> impl Serialize {}

    fn restore(world: &mut OpenWorld, chunks: Self::Saved, (): ()) -> Result<(), InputError> {
        for (at, runs) in chunks {
            if runs.fault(&world.params).is_some() || world.is_loaded(at) {
                return Err(InputError::snapshot("a chunk that cannot be, or is there twice"));
            }
            world.store.insert(at, runs, None, &world.borders)?;
        }
        Ok(())
    }
}
