//! [`ConnectedChunks`]: the trait that a model implements to support open worlds.

use super::border::{Borders, Edges};
use super::chunk::{Bounds, ChunkPos};
use super::transfer::{PendingTransfers, TransferKey};
use crate::error::InputError;
use crate::ids::IdList;
use crate::ledger::Ledger;
use crate::parameter::Parameters;
use crate::region::Region;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Debug;

/// A model that supports open worlds. Use this trait as a bound in code that is generic over the
/// model of an [`OpenWorld`](super::OpenWorld). The trait cannot be implemented outside this crate.
pub trait OpenModel: ConnectedChunks {}

impl<G: ConnectedChunks> OpenModel for G {}

/// Contents of a single chunk, in the form that is serialized when the chunk is unloaded.
pub trait StoredChunk<Params, Volumes>: Clone + Debug + Serialize + DeserializeOwned {
    /// Checks the contents of the chunk. Returns `None` if they are valid. Otherwise, returns a
    /// description of the invalid value and a description of the allowed values, for an error
    /// message.
    fn validation_error(&self, params: &Params) -> Option<[String; 2]>;

    /// Returns the volume of each substance in the chunk.
    fn volumes(&self) -> Volumes;

    fn edges(&self) -> Edges;
}

/// Changes that are not yet reflected in the groups of connected chunks: chunks that were loaded or
/// unloaded, and borders that have changed.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(bound = "")]
pub struct PendingChanges<G: ConnectedChunks> {
    /// Contents of chunks that were loaded and do not yet belong to a group.
    pub(crate) added: BTreeMap<ChunkPos, G::Chunk>,
    /// Chunks that were unloaded and still belong to a group, with the hash of each chunk's bytes
    /// and the volume of each substance in the chunk.
    pub(crate) removed: BTreeMap<ChunkPos, (u64, G::Volumes)>,
    /// Unloaded chunks whose border may have changed.
    pub(crate) touched: BTreeSet<ChunkPos>,
}

impl<G: ConnectedChunks> Default for PendingChanges<G> {
    fn default() -> Self {
        Self { added: BTreeMap::new(), removed: BTreeMap::new(), touched: BTreeSet::new() }
    }
}

/// Springs and drains of a world, by identifier. Each is stored with the rounding remainder that it
/// carries over to the next step.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(bound = "")]
pub struct Sources<G: ConnectedChunks> {
    pub(crate) springs: IdList<(G::Spring, G::Carry)>,
    pub(crate) drains: IdList<(G::Drain, G::Carry)>,
}

/// Groups of connected chunks. The key of a group is the smallest position among its chunks, in the
/// order of [`ChunkPos`].
pub(crate) type Groups<G> = BTreeMap<ChunkPos, G>;

/// Cells that lie in one region, listed separately for each group of connected chunks. Each list
/// has the same key as its group in [`Groups`].
pub(crate) type PlacesByGroup<P> = BTreeMap<ChunkPos, Vec<P>>;

/// Cells on which springs and drains act. The first list has one entry per spring, and the second
/// has one entry per drain, each in the order of the identifiers in [`Sources`].
pub(crate) type SourcePlaces<P> = [Vec<PlacesByGroup<P>>; 2];

/// State of an open world that its groups of connected chunks can read, but not change.
pub struct Context<'a, G: ConnectedChunks> {
    pub(crate) params: &'a G::Params,
    pub(crate) cell_size: G::CellSize,
    pub(crate) steps: u64,
    pub(crate) borders: &'a Borders<G::Volumes>,
}

/// A set of connected chunks that are simulated together on one grid. Different groups do not
/// influence each other.
pub trait ConnectedChunks: Clone + Debug {
    /// Format name in the header of a saved world.
    const WORLD_FORMAT: &'static str;
    /// Format name in the header of the bytes of an unloaded chunk.
    const CHUNK_FORMAT: &'static str;
    /// Two upper limits on volumes: for a substance in one chunk, and for an entry of a ledger.
    /// Loading fails if a volume exceeds its limit.
    const MAX_VOLUMES: [i128; 2];
    /// Number of cells by which the grid of a group extends beyond its chunks on each side.
    const MARGIN: usize;
    /// Largest extent of a group: the number of columns of chunks and the number of rows of chunks.
    const MAX_EXTENT: [usize; 2];
    /// Whether chunks that share only a corner are connected, and so belong to the same group.
    const CONNECTS_CORNERS: bool;

    type Params: Parameters + Debug + Serialize + DeserializeOwned;
    /// Size of a cell, as stored in snapshots. It is `()` if the model has no physical cell size.
    type CellSize: Copy + Debug + Serialize + DeserializeOwned;
    type Chunk: StoredChunk<Self::Params, Self::Volumes>;
    /// Volume of each substance in a chunk, in the order of the world's ledgers.
    type Volumes: Copy + Debug + Serialize + DeserializeOwned + IntoIterator<Item: Into<i128>>;
    /// Ledgers of the world, with one ledger per substance.
    type Ledgers: Clone
        + Debug
        + Default
        + Serialize
        + DeserializeOwned
        + AsRef<[Ledger<i128>]>
        + AsMut<[Ledger<i128>]>;
    /// Cell and substance of a transfer into an unloaded chunk, which together identify the
    /// transfer.
    type Key: TransferKey;
    /// A transfer into an unloaded chunk, as the public API returns it.
    type Transfer;
    type Spring: Clone + Debug + Serialize + DeserializeOwned;
    type Drain: Clone + Debug + Serialize + DeserializeOwned;
    /// Rounding remainder that a spring or drain carries over from one step to the next.
    type Carry: Clone + Debug + Default + Serialize + DeserializeOwned;
    /// Position of a cell in the group's grid, used for cells on which springs, drains and edits
    /// act.
    type Place: Copy + Debug;
    /// Part of a snapshot that stores the contents of loaded chunks. The state hash covers all of
    /// it. See also [`SavedGroups`](Self::SavedGroups).
    type SavedChunks: Serialize + DeserializeOwned;
    /// Part of a snapshot that stores the contents of loaded chunks by group of connected chunks.
    /// The state hash does not cover it directly, but includes one hash for each group.
    type SavedGroups: Serialize + DeserializeOwned;

    /// Checks that the parameters and the cell size of a world are in range.
    ///
    /// # Errors
    /// Returns [`InputError`] if a value is out of range.
    fn check_params(params: &Self::Params, cell_size: Self::CellSize) -> Result<(), InputError>;

    /// Applies new parameters to the group. The caller has checked their ranges.
    ///
    /// # Errors
    /// Returns [`InputError`] if the group cannot use the parameters.
    fn set_params(&mut self, params: &Self::Params) -> Result<(), InputError>;

    /// Returns the duration of a step (s), and the largest number of steps per frame.
    fn step_limits(params: &Self::Params) -> (f64, u32);

    /// Returns the side length of a cell, in the unit in which the model's regions are given.
    fn cell_size(saved: Self::CellSize) -> f64;

    fn bounds(&self) -> &Bounds;

    fn chunks(&self) -> impl Iterator<Item = ChunkPos>;

    /// Returns the current contents of a chunk, or `None` if the chunk is not in the group.
    fn chunk(&self, position: ChunkPos) -> Option<Self::Chunk>;

    /// Returns the total volume of a substance in the group. `substance` is an index into the
    /// ledgers.
    fn volume(&self, substance: usize) -> i128;

    /// Creates one group for each plan in `plans`. A plan lists the chunks of a new group and gives
    /// the group's bounds. The contents of the chunks come from the old groups and from the added
    /// chunks. `changed` lists the chunks that were added or removed.
    fn regroup(
        olds: Vec<Self>,
        added: BTreeMap<ChunkPos, Self::Chunk>,
        plans: Vec<(BTreeSet<ChunkPos>, Bounds)>,
        changed: &BTreeSet<ChunkPos>,
        context: &Context<Self>,
    ) -> Vec<Self>;

    /// Adds to `found` the chunks with cells that have changed since the last call, and clears the
    /// group's own record of these changes.
    fn collect_changed_chunks(&mut self, found: &mut BTreeSet<ChunkPos>);

    /// Converts cells, given by column and row within the group's bounds, to positions in the
    /// group's grid.
    fn places_of_cells(&self, cells: impl Iterator<Item = (usize, usize)>) -> Vec<Self::Place>;

    /// Advances all groups by one step, including their springs and drains.
    fn step(
        groups: &mut Groups<Self>,
        context: &Context<Self>,
        sources: &mut Sources<Self>,
        places: &SourcePlaces<Self::Place>,
        in_transit: &mut PendingTransfers<Self::Key>,
        ledgers: &mut Self::Ledgers,
    );

    /// Returns whether the group is at rest: no step changes it until its next edit or regrouping.
    fn is_asleep(&self) -> bool;

    /// Returns whether a cell has free space for liquid that waits to enter its chunk. `key`
    /// identifies the substance. The cell is given by its column and row within the bounds.
    fn has_room(&self, cell: (usize, usize), key: Self::Key) -> bool;

    /// Adds liquid that waits to enter a chunk to a cell. Adds the smallest of `amount`, one full
    /// cell and the free space of the cell. Returns the amount added.
    fn add_liquid(&mut self, cell: (usize, usize), key: Self::Key, amount: u64) -> u64;

    /// Converts an amount of liquid that waits to enter `cell` of an unloaded chunk to the transfer
    /// type of the public API.
    fn build_transfer(
        context: &Context<Self>,
        cell: [i64; 2],
        key: Self::Key,
        amount: u64,
    ) -> Self::Transfer;

    fn check_spring(spring: &(Self::Spring, Self::Carry)) -> Result<(), InputError>;

    fn check_drain(drain: &(Self::Drain, Self::Carry)) -> Result<(), InputError>;

    /// Returns the regions of all springs, followed by the regions of all drains.
    fn source_regions(sources: &Sources<Self>) -> [Vec<&Region>; 2];

    fn save_chunks(groups: &Groups<Self>, pending: &PendingChanges<Self>) -> Self::SavedChunks;

    fn save_groups(groups: &Groups<Self>) -> Self::SavedGroups;

    fn group_hashes(groups: &Groups<Self>) -> impl Serialize;

    /// Restores groups from a snapshot, together with the chunks that had not yet been assigned to
    /// a group.
    ///
    /// # Errors
    /// Returns [`InputError`] if the snapshot is inconsistent or holds invalid values.
    fn restore(
        chunks: Self::SavedChunks,
        groups: Self::SavedGroups,
        context: &Context<Self>,
    ) -> Result<(Vec<Self>, PendingChanges<Self>), InputError>;

    /// Moves pending liquid into its target chunks in this group, up to the free space of their
    /// cells. The rest stays pending.
    fn receive_transfers(&mut self, pending: &mut PendingTransfers<Self::Key>) {
        let chunks: Vec<_> = self.chunks().filter(|&at| pending.contains_chunk(at)).collect();
        for chunk in chunks {
            pending.deliver_to_chunk(chunk, |key, amount| {
                let cell =
                    self.bounds().local_cell(chunk.cell_at_index(key.cell_and_substance().0));
                self.add_liquid(cell, key, amount)
            });
        }
    }

    /// Returns whether any of the liquid that waits to enter chunks of this group fits into the
    /// free space of their cells.
    fn can_receive_transfers(&self, pending: &PendingTransfers<Self::Key>) -> bool {
        let has_room = |chunk: ChunkPos, key: Self::Key| {
            self.has_room(
                self.bounds().local_cell(chunk.cell_at_index(key.cell_and_substance().0)),
                key,
            )
        };
        self.chunks().any(|chunk| pending.chunk_amounts(chunk).any(|(key, _)| has_room(chunk, key)))
    }
}
