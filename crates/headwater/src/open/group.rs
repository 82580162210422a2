//! [`ChunkGroup`]: what a model defines of its open worlds.

use super::border::{Borders, Edges};
use super::chunk::{Bounds, ChunkPos};
use super::transfer::{InTransit, TransferKey};
use crate::error::InputError;
use crate::ids::IdList;
use crate::ledger::Ledger;
use crate::parameter::Parameters;
use crate::region::Region;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Debug;

/// A model that has open worlds. Code for open worlds of any model is generic over it. It cannot be
/// implemented outside this crate.
pub trait OpenModel: ChunkGroup {}

impl<G: ChunkGroup> OpenModel for G {}

/// A single chunk in the form in which it is stored in bytes.
pub trait StoredChunk<Params, Volumes>: Clone + Debug + Serialize + DeserializeOwned {
    /// Returns the fault and the allowed values; `None` if the chunk is valid.
    fn fault(&self, params: &Params) -> Option<[String; 2]>;

    /// Returns the volume of each substance.
    fn volumes(&self) -> Volumes;

    fn edges(&self) -> Edges;
}

/// Chunks that were loaded and unloaded, and borders that were changed, since the last regrouping.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(bound = "")]
pub struct Pending<G: ChunkGroup> {
    /// Loaded chunks that are not yet in a group.
    pub(crate) added: BTreeMap<ChunkPos, G::Chunk>,
    /// Unloaded chunks that are still in a group: the hash of their bytes, and their volumes.
    pub(crate) removed: BTreeMap<ChunkPos, (u64, G::Volumes)>,
    /// Unloaded chunks whose border may have changed.
    pub(crate) touched: BTreeSet<ChunkPos>,
}

impl<G: ChunkGroup> Default for Pending<G> {
    fn default() -> Self {
        Self { added: BTreeMap::new(), removed: BTreeMap::new(), touched: BTreeSet::new() }
    }
}

/// Springs and drains by id, each with the remainder that it carries over from step to step.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(bound = "")]
pub struct Sources<G: ChunkGroup> {
    pub(crate) springs: IdList<(G::Spring, G::Carry)>,
    pub(crate) drains: IdList<(G::Drain, G::Carry)>,
}

/// Groups of chunks, by the first chunk of each.
pub(crate) type Groups<G> = BTreeMap<ChunkPos, G>;

/// Places in a region, by group.
pub(crate) type Spread<P> = BTreeMap<ChunkPos, Vec<P>>;

/// The places of each spring and of each drain, in the order of their lists.
pub(crate) type SourcePlaces<P> = [Vec<Spread<P>>; 2];

/// The state of a world that its groups read.
pub struct Context<'a, G: ChunkGroup> {
    pub(crate) params: &'a G::Params,
    pub(crate) cell_size: G::CellSize,
    pub(crate) steps: u64,
    pub(crate) borders: &'a Borders<G::Volumes>,
}

/// Connected chunks that are simulated together. Groups do not influence each other.
pub trait ChunkGroup: Clone + Debug {
    /// Name of the format of a saved world.
    const WORLD_FORMAT: &'static str;
    /// Name of the format of an unloaded chunk.
    const CHUNK_FORMAT: &'static str;
    /// Largest volume of a substance in a chunk, and in a ledger; more is refused when loading.
    const MAX_VOLUMES: [i128; 2];
    /// Cells on each side of the chunks of a group.
    const MARGIN: usize;
    /// Largest number of columns and rows of connected chunks.
    const MOST: [usize; 2];
    /// True if chunks that share only a corner are connected.
    const CORNERS: bool;

    type Params: Parameters + Debug + Serialize + DeserializeOwned;
    /// Size of a cell, as it is saved.
    type CellSize: Copy + Debug + Serialize + DeserializeOwned;
    type Chunk: StoredChunk<Self::Params, Self::Volumes>;
    /// Volume of each substance in a chunk.
    type Volumes: Copy + Debug + Serialize + DeserializeOwned + IntoIterator<Item: Into<i128>>;
    /// A ledger for each substance.
    type Ledgers: Clone
        + Debug
        + Default
        + Serialize
        + DeserializeOwned
        + AsRef<[Ledger<i128>]>
        + AsMut<[Ledger<i128>]>;
    /// Cell and substance of a transfer across a border.
    type Key: TransferKey;
    /// A transfer in the form of the public API.
    type Transfer;
    type Spring: Clone + Debug + Serialize + DeserializeOwned;
    type Drain: Clone + Debug + Serialize + DeserializeOwned;
    /// Remainder that a spring or a drain carries over from step to step.
    type Carry: Clone + Debug + Default + Serialize + DeserializeOwned;
    /// A place that springs, drains and edits act on.
    type Place: Copy + Debug;
    /// Loaded chunks in a snapshot, hashed in stored form.
    type SavedChunks: Serialize + DeserializeOwned;
    /// Loaded chunks in a snapshot with a separate hash.
    type SavedGroups: Serialize + DeserializeOwned;

    /// Checks the parameters of a world.
    fn check(params: &Self::Params, cell_size: Self::CellSize) -> Result<(), InputError>;

    /// Changes to parameters that have been validated.
    fn set_params(&mut self, params: &Self::Params) -> Result<(), InputError>;

    /// Returns the length of a step (s), and the largest number of steps in a frame.
    fn step_limits(params: &Self::Params) -> (f64, u32);

    /// Returns the size of a cell, in the unit of regions.
    fn cell_size(saved: Self::CellSize) -> f64;

    fn bounds(&self) -> &Bounds;

    fn chunks(&self) -> impl Iterator<Item = ChunkPos>;

    /// Returns a chunk of the group in its present state.
    fn chunk(&self, at: ChunkPos) -> Option<Self::Chunk>;

    /// Returns the volume of a substance.
    fn volume(&self, substance: usize) -> i128;

    /// Creates groups with the planned chunks and bounds from earlier groups and added chunks.
    /// `changed` lists the chunks that were added and removed.
    fn regroup(
        olds: Vec<Self>,
        added: BTreeMap<ChunkPos, Self::Chunk>,
        plans: Vec<(BTreeSet<ChunkPos>, Bounds)>,
        changed: &BTreeSet<ChunkPos>,
        context: &Context<Self>,
    ) -> Vec<Self>;

    /// Moves to `found` the chunks whose cells have changed since the last call.
    fn take_changes(&mut self, found: &mut BTreeSet<ChunkPos>);

    /// Returns the places of cells, given by column and row within the bounds.
    fn places(&self, cells: impl Iterator<Item = (usize, usize)>) -> Vec<Self::Place>;

    /// Advances all groups by a step.
    fn step(
        groups: &mut Groups<Self>,
        context: &Context<Self>,
        sources: &mut Sources<Self>,
        places: &SourcePlaces<Self::Place>,
        in_transit: &mut InTransit<Self::Key>,
        ledgers: &mut Self::Ledgers,
    );

    /// Returns whether the group is at rest until something changes.
    fn is_asleep(&self) -> bool;

    /// Returns whether any part of a transfer can enter at a cell, given by column and row within
    /// the bounds.
    fn has_room(&self, cell: (usize, usize), key: Self::Key) -> bool;

    /// Adds as much of a transfer as has room, at most the volume of a cell, and returns that
    /// amount.
    fn enter(&mut self, cell: (usize, usize), key: Self::Key, amount: u64) -> u64;

    /// Converts an amount of a substance at a cell to the form of the public API.
    fn transfer(
        context: &Context<Self>,
        cell: [i64; 2],
        key: Self::Key,
        amount: u64,
    ) -> Self::Transfer;

    fn check_spring(spring: &(Self::Spring, Self::Carry)) -> Result<(), InputError>;

    fn check_drain(drain: &(Self::Drain, Self::Carry)) -> Result<(), InputError>;

    /// Returns the regions of springs, and those of drains.
    fn regions(sources: &Sources<Self>) -> [Vec<&Region>; 2];

    fn save_chunks(groups: &Groups<Self>, pending: &Pending<Self>) -> Self::SavedChunks;

    fn save_groups(groups: &Groups<Self>) -> Self::SavedGroups;

    fn group_hashes(groups: &Groups<Self>) -> impl Serialize;

    /// Restores the groups of a snapshot, and the chunks that must be regrouped.
    fn restore(
        chunks: Self::SavedChunks,
        groups: Self::SavedGroups,
        context: &Context<Self>,
    ) -> Result<(Vec<Self>, Pending<Self>), InputError>;

    /// Adds the liquid that waits in chunks of the group, up to the free space.
    fn receive_transfers(&mut self, waiting: &mut InTransit<Self::Key>) {
        let chunks: Vec<_> = self.chunks().filter(|&at| waiting.has(at)).collect();
        for chunk in chunks {
            waiting.release(chunk, |key, amount| {
                let cell = self.bounds().cell(chunk.cell(key.parts().0));
                self.enter(cell, key, amount)
            });
        }
    }

    /// Returns whether any liquid that waits in chunks of the group has room.
    fn can_enter(&self, waiting: &InTransit<Self::Key>) -> bool {
        let has_room = |chunk: ChunkPos, key: Self::Key| {
            self.has_room(self.bounds().cell(chunk.cell(key.parts().0)), key)
        };
        self.chunks().any(|chunk| waiting.of(chunk).any(|(key, _)| has_room(chunk, key)))
    }
}
