//! [`ChunkGroup`]: the interface that a model implements to support open worlds.

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

/// A model that supports open worlds. Use it as a bound in code for open worlds of any model. It
/// cannot be implemented outside this crate.
pub trait OpenModel: ChunkGroup {}

impl<G: ChunkGroup> OpenModel for G {}

/// A single chunk in the form in which it is serialized to bytes.
pub trait StoredChunk<Params, Volumes>: Clone + Debug + Serialize + DeserializeOwned {
    /// Returns the invalid value found and the allowed values, as text. Returns `None` if the chunk
    /// is valid.
    fn fault(&self, params: &Params) -> Option<[String; 2]>;

    /// Returns the volume of each substance in the chunk.
    fn volumes(&self) -> Volumes;

    fn edges(&self) -> Edges;
}

/// Changes since the last regrouping: chunks that were loaded or unloaded, and borders that have
/// changed.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(bound = "")]
pub struct Pending<G: ChunkGroup> {
    /// Chunks that were loaded and do not yet belong to a group.
    pub(crate) added: BTreeMap<ChunkPos, G::Chunk>,
    /// Chunks that were unloaded and still belong to a group, with the hash of their bytes and the
    /// volume of each substance.
    pub(crate) removed: BTreeMap<ChunkPos, (u64, G::Volumes)>,
    /// Unloaded chunks with a border that may have changed.
    pub(crate) touched: BTreeSet<ChunkPos>,
}

impl<G: ChunkGroup> Default for Pending<G> {
    fn default() -> Self {
        Self { added: BTreeMap::new(), removed: BTreeMap::new(), touched: BTreeSet::new() }
    }
}

/// Springs and drains by identifier. Each comes with the rounding remainder that it carries over
/// from step to step.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(bound = "")]
pub struct Sources<G: ChunkGroup> {
    pub(crate) springs: IdList<(G::Spring, G::Carry)>,
    pub(crate) drains: IdList<(G::Drain, G::Carry)>,
}

/// Groups of connected chunks. The key is the first chunk of the group.
pub(crate) type Groups<G> = BTreeMap<ChunkPos, G>;

/// Places in a region, by group. A place is a cell of a group's grid.
pub(crate) type Spread<P> = BTreeMap<ChunkPos, Vec<P>>;

/// Places on which each spring and each drain acts, in the order of their lists.
pub(crate) type SourcePlaces<P> = [Vec<Spread<P>>; 2];

/// State of a world that its groups can read.
pub struct Context<'a, G: ChunkGroup> {
    pub(crate) params: &'a G::Params,
    pub(crate) cell_size: G::CellSize,
    pub(crate) steps: u64,
    pub(crate) borders: &'a Borders<G::Volumes>,
}

/// Connected chunks that are simulated together. Different groups do not influence each other.
pub trait ChunkGroup: Clone + Debug {
    /// Name of the file format of a saved world.
    const WORLD_FORMAT: &'static str;
    /// Name of the file format of an unloaded chunk.
    const CHUNK_FORMAT: &'static str;
    /// Largest volume of a substance in a chunk, and largest volume in a ledger. Loading fails with
    /// larger volumes.
    const MAX_VOLUMES: [i128; 2];
    /// Number of cells added to the grid of a group on each side of its chunks.
    const MARGIN: usize;
    /// Largest number of columns and of rows of connected chunks.
    const MOST: [usize; 2];
    /// Whether chunks that share only a corner are connected.
    const CORNERS: bool;

    type Params: Parameters + Debug + Serialize + DeserializeOwned;
    /// Size of a cell, in the form in which it is saved.
    type CellSize: Copy + Debug + Serialize + DeserializeOwned;
    type Chunk: StoredChunk<Self::Params, Self::Volumes>;
    /// Volume of each substance in a chunk.
    type Volumes: Copy + Debug + Serialize + DeserializeOwned + IntoIterator<Item: Into<i128>>;
    /// Ledgers of all substances, one per substance.
    type Ledgers: Clone
        + Debug
        + Default
        + Serialize
        + DeserializeOwned
        + AsRef<[Ledger<i128>]>
        + AsMut<[Ledger<i128>]>;
    /// Key of a transfer across a border: a cell of a chunk, and a substance.
    type Key: TransferKey;
    /// A transfer across a border, in the form of the public API.
    type Transfer;
    type Spring: Clone + Debug + Serialize + DeserializeOwned;
    type Drain: Clone + Debug + Serialize + DeserializeOwned;
    /// Rounding remainder that a spring or a drain carries over from step to step.
    type Carry: Clone + Debug + Default + Serialize + DeserializeOwned;
    /// A cell of the group's grid on which springs, drains and edits act.
    type Place: Copy + Debug;
    /// Loaded chunks in a snapshot, as part of the hashed state.
    type SavedChunks: Serialize + DeserializeOwned;
    /// Loaded chunks in a snapshot that are hashed separately.
    type SavedGroups: Serialize + DeserializeOwned;

    /// Checks the parameters and the cell size of a world.
    fn check(params: &Self::Params, cell_size: Self::CellSize) -> Result<(), InputError>;

    /// Applies new parameters, which have been validated, to the group.
    fn set_params(&mut self, params: &Self::Params) -> Result<(), InputError>;

    /// Returns the length of a step (s), and the largest number of steps per frame.
    fn step_limits(params: &Self::Params) -> (f64, u32);

    /// Returns the size of a cell in the unit of regions.
    fn cell_size(saved: Self::CellSize) -> f64;

    fn bounds(&self) -> &Bounds;

    fn chunks(&self) -> impl Iterator<Item = ChunkPos>;

    /// Returns the current content of a chunk, or `None` if the chunk is not in the group.
    fn chunk(&self, at: ChunkPos) -> Option<Self::Chunk>;

    /// Returns the total volume of a substance in the group.
    fn volume(&self, substance: usize) -> i128;

    /// Creates groups with the planned chunks and bounds, from old groups and added chunks.
    /// `changed` lists the chunks that were added or removed.
    fn regroup(
        olds: Vec<Self>,
        added: BTreeMap<ChunkPos, Self::Chunk>,
        plans: Vec<(BTreeSet<ChunkPos>, Bounds)>,
        changed: &BTreeSet<ChunkPos>,
        context: &Context<Self>,
    ) -> Vec<Self>;

    /// Moves the chunks with cells that have changed since the last call to `found`.
    fn take_changes(&mut self, found: &mut BTreeSet<ChunkPos>);

    /// Returns the places for cells that are given by column and row within the bounds.
    fn places(&self, cells: impl Iterator<Item = (usize, usize)>) -> Vec<Self::Place>;

    /// Advances all groups by one step.
    fn step(
        groups: &mut Groups<Self>,
        context: &Context<Self>,
        sources: &mut Sources<Self>,
        places: &SourcePlaces<Self::Place>,
        in_transit: &mut InTransit<Self::Key>,
        ledgers: &mut Self::Ledgers,
    );

    /// Returns whether no step changes the group until its next edit or regrouping.
    fn is_asleep(&self) -> bool;

    /// Returns whether any part of a transfer can enter the group at a cell, given by column and
    /// row within the bounds.
    fn has_room(&self, cell: (usize, usize), key: Self::Key) -> bool;

    /// Adds as much of a transfer at a cell as there is space for, but at most the volume of a
    /// cell. Returns the amount added.
    fn enter(&mut self, cell: (usize, usize), key: Self::Key, amount: u64) -> u64;

    /// Converts an amount of a substance at a cell to the transfer type of the public API.
    fn transfer(
        context: &Context<Self>,
        cell: [i64; 2],
        key: Self::Key,
        amount: u64,
    ) -> Self::Transfer;

    fn check_spring(spring: &(Self::Spring, Self::Carry)) -> Result<(), InputError>;

    fn check_drain(drain: &(Self::Drain, Self::Carry)) -> Result<(), InputError>;

    /// Returns the regions of all springs and the regions of all drains.
    fn regions(sources: &Sources<Self>) -> [Vec<&Region>; 2];

    fn save_chunks(groups: &Groups<Self>, pending: &Pending<Self>) -> Self::SavedChunks;

    fn save_groups(groups: &Groups<Self>) -> Self::SavedGroups;

    fn group_hashes(groups: &Groups<Self>) -> impl Serialize;

    /// Restores groups from a snapshot, together with the chunks that must be regrouped.
    fn restore(
        chunks: Self::SavedChunks,
        groups: Self::SavedGroups,
        context: &Context<Self>,
    ) -> Result<(Vec<Self>, Pending<Self>), InputError>;

    /// Adds the liquid that waits in chunks of the group to these chunks, up to the free space.
    fn receive_transfers(&mut self, waiting: &mut InTransit<Self::Key>) {
        let chunks: Vec<_> = self.chunks().filter(|&at| waiting.has(at)).collect();
        for chunk in chunks {
            waiting.release(chunk, |key, amount| {
                let cell = self.bounds().cell(chunk.cell(key.parts().0));
                self.enter(cell, key, amount)
            });
        }
    }

    /// Returns whether there is free space for any of the liquid that waits in chunks of the group.
    fn can_enter(&self, waiting: &InTransit<Self::Key>) -> bool {
        let has_room = |chunk: ChunkPos, key: Self::Key| {
            self.has_room(self.bounds().cell(chunk.cell(key.parts().0)), key)
        };
        self.chunks().any(|chunk| waiting.of(chunk).any(|(key, _)| has_room(chunk, key)))
    }
}
