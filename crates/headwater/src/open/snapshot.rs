//! Snapshots that save and restore the state of an open world, and a hash for comparing states.

use super::border::Borders;
use super::group::{ConnectedChunks, Sources, StoredChunk};
use super::store::Store;
use super::transfer::PendingTransfers;
use super::world::OpenWorld;
use crate::clock::FixedStep;
use crate::error::InputError;
use crate::hash;
use crate::model;
use serde::{Deserialize, Serialize};

/// State that a step reads or writes, except the ledgers. A model may store and hash its groups of
/// connected chunks separately.
#[derive(Serialize, Deserialize)]
#[serde(bound = "")]
struct SavedState<G: ConnectedChunks> {
    params: G::Params,
    cell_size: G::CellSize,
    borders: Borders<G::Volumes>,
    in_transit: PendingTransfers<G::Key>,
    sources: Sources<G>,
    steps: u64,
    clock: FixedStep,
    chunks: G::SavedChunks,
}

impl<G: ConnectedChunks> OpenWorld<G> {
    fn state(&self) -> SavedState<G> {
        SavedState {
            params: self.params.clone(),
            cell_size: self.cell_size,
            borders: self.borders.clone(),
            in_transit: self.in_transit.clone(),
            sources: self.sources.clone(),
            steps: self.steps,
            clock: self.clock,
            chunks: G::save_chunks(&self.store.groups, &self.store.pending),
        }
    }

    /// Returns the bytes of a snapshot of the world. The snapshot contains the loaded chunks, but
    /// not the contents of unloaded ones.
    ///
    /// # Errors
    /// Returns [`InputError`] if serialization fails, which does not happen for a valid world.
    pub fn save(&self) -> Result<Vec<u8>, InputError> {
        let groups = G::save_groups(&self.store.groups);
        model::save(G::WORLD_FORMAT, &(self.state(), groups, &self.ledgers))
    }

    /// Restores a world and its loaded chunks from bytes returned by [`save`](Self::save). The
    /// restored world continues bit for bit like the original.
    ///
    /// # Errors
    /// Returns [`InputError`] if the bytes are damaged or hold invalid values.
    pub fn restore(bytes: &[u8]) -> Result<Self, InputError> {
        let (state, groups, ledgers): (SavedState<G>, G::SavedGroups, G::Ledgers) =
            model::load(G::WORLD_FORMAT, bytes)?;
        let SavedState { params, cell_size, borders, in_transit, sources, steps, clock, chunks } =
            state;
        let refuse = |problem| Err(InputError::invalid_snapshot(problem));
        let [max_in_chunk, max_in_ledger] = G::MAX_VOLUMES;
        let is_possible = |amount: i128| (0..=max_in_ledger).contains(&amount);
        if !ledgers.as_ref().iter().all(|ledger| ledger.amounts().all(is_possible)) {
            return refuse("a ledger of impossible volumes");
        }
        if steps >> 53 != 0 || !clock.is_valid() {
            return refuse("an impossible number of steps");
        }
        if !in_transit.is_valid(ledgers.as_ref().len()) {
            return refuse("an impossible liquid that waits");
        }
        sources.springs.iter().try_for_each(G::check_spring)?;
        sources.drains.iter().try_for_each(G::check_drain)?;
        let empty = Self::empty(params, cell_size)?;
        let mut world = Self { borders, in_transit, sources, ledgers, steps, clock, ..empty };
        let (groups, pending) = G::restore(chunks, groups, &world.context())?;
        let removed = pending.removed.values().map(|(_, volumes)| *volumes);
        let volumes = world.borders.records.values().map(|record| record.volumes).chain(removed);
        if !volumes.flatten().all(|volume| (0..=max_in_chunk).contains(&volume.into())) {
            return refuse("a chunk of an impossible volume");
        }
        if pending.added.values().any(|chunk| chunk.validation_error(&world.params).is_some()) {
            return refuse("a chunk that cannot be");
        }
        world.store = Store::restore(groups, pending)?;
        if world.loaded_chunks().any(|chunk| world.is_unloaded(chunk)) {
            return refuse("a chunk that is loaded and unloaded");
        }
        world.place_sources();
        Ok(world)
    }

    /// Returns a hash of the records of unloaded chunks and of all state that a step reads or
    /// writes, except the ledgers. The hash is the same on all machines and for any number of
    /// threads. It does not depend on the order in which chunks are loaded and unloaded between two
    /// steps.
    pub fn state_hash(&self) -> u64 {
        hash::state_hash(&(self.state(), G::group_hashes(&self.store.groups)))
    }
}
