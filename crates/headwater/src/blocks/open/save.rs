//! Saving an open world with all that is loaded, and going on from there; and a hash to tell whether two are the same.

use super::beyond::Beyond;
use super::passed::Waiting;
use super::stored::Runs;
use super::world::OpenWorld;
use crate::blocks::cell::{FULL, LIQUIDS};
use crate::blocks::exchange::{Drain, Spring};
use crate::blocks::ledgers::Ledgers;
use crate::blocks::params::Params;
use crate::clock::FixedStep;
use crate::error::InputError;
use crate::hash;
use crate::ids::IdList;
use crate::model;
use crate::open::{CHUNK, ChunkPos};
use serde::{Deserialize, Serialize};

/// What the bytes say that they are.
const NAME: &str = "blocks, an open world";

/// All that a step reads or writes.
#[derive(Serialize, Deserialize)]
struct State {
    params: Params,
    beyond: Beyond,
    waiting: Waiting,
    springs: IdList<Spring>,
    drains: IdList<Drain>,
    steps: u64,
    clock: FixedStep,
    loaded: Vec<(ChunkPos, Runs)>,
}

impl OpenWorld {
    fn state(&self) -> State {
        let cells = |chunk| Some((chunk, Runs::of(self.land.cells(chunk)?)));
        State {
            params: self.params.clone(),
            beyond: self.beyond.clone(),
            waiting: self.waiting.clone(),
            springs: self.sources.springs.clone(),
            drains: self.sources.drains.clone(),
            steps: self.steps,
            clock: self.clock,
            loaded: self.land.loaded().filter_map(cells).collect(),
        }
    }

    /// All that the world needs to go on, bit for bit, as bytes: what is loaded among it, but not the chunks that the game keeps.
    ///
    /// # Errors
    /// Nothing in a world fails to be told in bytes.
    pub fn save(&self) -> Result<Vec<u8>, InputError> {
        model::save(NAME, &(self.state(), &self.ledgers))
    }

    /// The world that was [saved](Self::save), with the same chunks loaded.
    ///
    /// # Errors
    /// [`InputError`] if the bytes are damaged or hold impossible numbers.
    pub fn restore(bytes: &[u8]) -> Result<Self, InputError> {
        let (state, ledgers): (State, Ledgers) = model::load(NAME, bytes)?;
        let State { params, beyond, waiting, springs, drains, steps, clock, loaded } = state;
        let refuse = |problem| Err(InputError::snapshot(problem));
        let is_possible = |amount: i128| (0..1 << 56).contains(&amount);
        if !ledgers.iter().all(|ledger| ledger.amounts().all(is_possible)) {
            return refuse("ledgers of impossible volumes");
        }
        if steps >> 53 != 0 || !clock.is_sound() {
            return refuse("an impossible number of steps");
        }
        let most = (CHUNK * CHUNK) as u32 * u32::from(FULL);
        if beyond.records.values().flat_map(|record| record.volumes).any(|volume| volume > most) {
            return refuse("a chunk of an impossible volume");
        }
        let can_wait = |(&(number, kind), &amount): (&(u16, u16), &u64)| {
            usize::from(number) < CHUNK * CHUNK
                && LIQUIDS.contains(&kind)
                && (1..1 << 56).contains(&amount)
        };
        if !waiting.values().all(|cells| cells.iter().all(can_wait)) {
            return refuse("an impossible liquid that waits");
        }
        let mut world = Self::new(params)?;
        for spring in &springs {
            spring.region.validate()?;
            spring.check(world.params.rule)?;
        }
        for drain in &drains {
            drain.region.validate()?;
            drain.check(world.params.rule)?;
        }
        if loaded.iter().any(|(chunk, _)| beyond.records.contains_key(chunk)) {
            return refuse("a chunk that is loaded and unloaded");
        }
        world.beyond = beyond;
        (world.waiting, world.ledgers) = (waiting, ledgers);
        (world.sources.springs, world.sources.drains) = (springs, drains);
        (world.steps, world.clock) = (steps, clock);
        for (chunk, runs) in &loaded {
            let Ok(cells) = runs.cells() else { return refuse("a chunk that cannot be") };
            if world.land.is_loaded(*chunk) {
                return refuse("a chunk that is there twice");
            }
            world.land.load(*chunk, &cells, &world.beyond)?;
            world.sources.find_in(*chunk);
        }
        Ok(world)
    }

    /// A hash of all that a step reads or writes, and of what is remembered of chunks that were unloaded: the same on every machine,
    /// for any number of threads and any order in which chunks were loaded and unloaded between two steps.
    pub fn state_hash(&self) -> u64 {
        hash::of(&self.state())
    }
}
