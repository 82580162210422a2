//! Snapshots of an open world, and its state hash.

use super::border::Borders;
use super::source::Sources;
use super::store::ChunkStore;
use super::transfer::InTransit;
use super::world::OpenWorld;
use crate::clock::FixedStep;
use crate::error::InputError;
use crate::hash;
use crate::model;
use serde::{Deserialize, Serialize};

/// All that a step reads or writes, except groups of chunks with a hash of their own.
#[derive(Serialize, Deserialize)]
#[serde(bound = "")]
struct State<S: ChunkStore> {
    setup: S::Setup,
    borders: Borders<S::Volumes>,
    in_transit: InTransit<S::Key>,
    sources: Sources<S>,
    steps: u64,
    clock: FixedStep,
    chunks: S::Saved,
}

impl<S: ChunkStore> OpenWorld<S> {
    fn state(&self) -> State<S> {
        State {
            setup: S::setup(self),
            borders: self.borders.clone(),
            in_transit: self.in_transit.clone(),
            sources: self.sources.clone(),
            steps: self.steps,
            clock: self.clock,
            chunks: self.store.save(),
        }
    }

    /// Saves the world with its loaded chunks, but without the unloaded ones.
    ///
    /// # Errors
    /// [`InputError`] if serialization fails, which no valid world causes.
    pub fn save(&self) -> Result<Vec<u8>, InputError> {
        model::save(S::WORLD_FORMAT, &(self.state(), self.store.save_groups(), &self.ledgers))
    }

    /// Restores a [saved](Self::save) world with its loaded chunks. It continues bit for bit.
    ///
    /// # Errors
    /// [`InputError`] if the bytes are damaged or hold impossible numbers.
    pub fn restore(bytes: &[u8]) -> Result<Self, InputError> {
        let (state, groups, ledgers): (State<S>, S::SavedGroups, S::Ledgers) =
            model::load(S::WORLD_FORMAT, bytes)?;
        let State { setup, borders, in_transit, sources, steps, clock, chunks } = state;
        let refuse = |problem| Err(InputError::snapshot(problem));
        let [max_in_chunk, max_in_ledger] = S::MAX_VOLUMES;
        let is_possible = |amount: i128| (0..=max_in_ledger).contains(&amount);
        if !ledgers.as_ref().iter().all(|ledger| ledger.amounts().all(is_possible)) {
            return refuse("a ledger of impossible volumes");
        }
        if steps >> 53 != 0 || !clock.is_sound() {
            return refuse("an impossible number of steps");
        }
        let mut volumes = borders.records.values().flat_map(|record| record.volumes);
        if !volumes.all(|volume| (0..=max_in_chunk).contains(&volume.into())) {
            return refuse("a chunk of an impossible volume");
        }
        if !in_transit.is_valid(ledgers.as_ref().len()) {
            return refuse("an impossible liquid that waits");
        }
        sources.springs.iter().try_for_each(|spring| S::check_spring(&spring.source))?;
        sources.drains.iter().try_for_each(|drain| S::check_drain(&drain.source))?;
        let springs = sources.springs.iter().map(|spring| &spring.carry);
        if !springs.chain(sources.drains.iter().map(|drain| &drain.carry)).all(S::is_carry) {
            return refuse("a spring or a drain that owes too much");
        }
        let mut world = S::world(setup)?;
        (world.borders, world.in_transit, world.sources) = (borders, in_transit, sources);
        (world.ledgers, world.steps, world.clock) = (ledgers, steps, clock);
        S::restore(&mut world, chunks, groups)?;
        if world.loaded().any(|chunk| world.is_unloaded(chunk)) {
            return refuse("a chunk that is loaded and unloaded");
        }
        world.store.place_sources(&world.sources, None);
        Ok(world)
    }

    /// A hash of all that a step reads or writes, and of the records of unloaded chunks. It is the
    /// same on every machine, for any number of threads, and for any order in which chunks were
    /// loaded and unloaded between two steps.
    pub fn state_hash(&self) -> u64 {
        hash::of(&(self.state(), self.store.group_hashes()))
    }
}
