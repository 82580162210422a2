//! [`ChunkStore`]: what a model defines of its open worlds.

use super::border::{Borders, Edges, Record};
use super::chunk::ChunkPos;
use super::source::Sources;
use super::transfer::TransferKey;
use super::world::OpenWorld;
use crate::error::InputError;
use crate::ledger::Ledger;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fmt::Debug;

/// A model that has open worlds. Code for open worlds of any model is generic over it; it cannot be
/// implemented outside of this crate.
pub trait OpenModel: ChunkStore {}

impl<S: ChunkStore> OpenModel for S {}

/// A chunk by itself, as it is stored in bytes.
pub trait StoredChunk: Serialize + DeserializeOwned {
    type Params;
    type Volumes;

    /// What is wrong with it, and what is allowed instead; `None` if it is valid.
    fn fault(&self, params: &Self::Params) -> Option<[String; 2]>;

    /// Volume of each substance.
    fn volumes(&self) -> Self::Volumes;

    fn edges(&self) -> Edges;
}

/// The loaded chunks of a model.
pub trait ChunkStore: Clone + Debug {
    /// Name of the format of a saved world.
    const WORLD_FORMAT: &'static str;
    /// Name of the format of an unloaded chunk.
    const CHUNK_FORMAT: &'static str;
    /// Largest volume of a substance in a chunk, and in a ledger; more is refused when loading.
    const MAX_VOLUMES: [i128; 2];

    /// Parameters of a world.
    type Params: Clone + Debug;
    /// What a world is made from: its parameters, and constants if there are any.
    type Setup: Serialize + DeserializeOwned;
    type Chunk: StoredChunk<Params = Self::Params, Volumes = Self::Volumes>;
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
    /// Where and what passes a border.
    type Key: TransferKey;
    /// What has passed a border, as callers see it.
    type Transfer;
    /// A spring.
    type Spring: Clone + Debug + Serialize + DeserializeOwned;
    /// A drain.
    type Drain: Clone + Debug + Serialize + DeserializeOwned;
    /// What a spring or a drain carries over from step to step.
    type Carry: Clone + Debug + Default + Serialize + DeserializeOwned;
    /// Loaded chunks in a snapshot that are hashed as they are.
    type Saved: Serialize + DeserializeOwned;
    /// Loaded chunks in a snapshot with a hash of their own.
    type SavedGroups: Serialize + DeserializeOwned;

    fn is_loaded(&self, chunk: ChunkPos) -> bool;

    /// The loaded chunks, in order.
    fn loaded(&self) -> impl ExactSizeIterator<Item = ChunkPos>;

    /// A loaded chunk in its present state.
    fn chunk(&self, chunk: ChunkPos) -> Option<Self::Chunk>;

    /// Volume of a substance in all loaded chunks.
    fn volume(&self, substance: usize) -> i128;

    /// Adds a chunk that is not loaded; `hash` is that of its bytes, if it comes from bytes.
    ///
    /// # Errors
    /// [`InputError`] if too many chunks are connected. Nothing changes then.
    fn insert(
        &mut self,
        at: ChunkPos,
        chunk: Self::Chunk,
        hash: Option<u64>,
        borders: &Borders<Self::Volumes>,
    ) -> Result<(), InputError>;

    /// Removes a loaded chunk whose record has been added to `borders`.
    fn remove(
        &mut self,
        at: ChunkPos,
        record: &Record<Self::Volumes>,
        borders: &Borders<Self::Volumes>,
    );

    /// Applies a change of the border of an unloaded chunk, or of all (`None`).
    fn update_border(&mut self, at: Option<ChunkPos>, borders: &Borders<Self::Volumes>);

    /// Finds the cells of springs and drains in a chunk that was just loaded, or in all (`None`).
    fn place_sources(&mut self, sources: &Sources<Self>, loaded: Option<ChunkPos>);

    /// An amount of a substance at a cell, as callers see it.
    fn transfer(
        world: &OpenWorld<Self>,
        cell: [i64; 2],
        key: Self::Key,
        amount: u64,
    ) -> Self::Transfer;

    fn check_spring(spring: &Self::Spring) -> Result<(), InputError>;

    fn check_drain(drain: &Self::Drain) -> Result<(), InputError>;

    /// Whether the carry of a spring or a drain is possible.
    fn is_carry(carry: &Self::Carry) -> bool;

    fn step(world: &mut OpenWorld<Self>);

    fn is_asleep(world: &OpenWorld<Self>) -> bool;

    /// Length of a step.
    fn step_length(params: &Self::Params) -> f64;

    /// Largest number of steps in a frame.
    fn max_steps(params: &Self::Params) -> u32;

    fn setup(world: &OpenWorld<Self>) -> Self::Setup;

    /// A world without loaded chunks.
    fn world(setup: Self::Setup) -> Result<OpenWorld<Self>, InputError>;

    fn save(&self) -> Self::Saved;

    fn save_groups(&self) -> Self::SavedGroups;

    fn group_hashes(&self) -> impl Serialize;

    /// Adds the chunks of a snapshot to a world in which all else has been restored.
    fn restore(
        world: &mut OpenWorld<Self>,
        saved: Self::Saved,
        groups: Self::SavedGroups,
    ) -> Result<(), InputError>;
}
