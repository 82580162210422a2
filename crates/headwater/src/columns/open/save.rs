//! Saving an open world with all that is loaded, and going on from there; and a hash to tell whether two are the same.

use super::beyond::Beyond;
use super::island::Island;
use super::land::Gone;
use super::passed::Waiting;
use super::piece::{Piece, Walls};
use super::place::PER_HEIGHT;
use super::sources::Outlet;
use super::tract::Tract;
use super::world::OpenWorld;
use crate::clock::FixedStep;
use crate::columns::board::Board;
use crate::columns::layout::Layout;
use crate::columns::params::Params;
use crate::columns::snapshot::Snapshot;
use crate::columns::world::Columns;
use crate::error::InputError;
use crate::hash;
use crate::ids::IdList;
use crate::ledger::Ledger;
use crate::model;
use crate::open::{CHUNK, ChunkPos};
use crate::parameter::Parameters;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// What the bytes say that they are.
const NAME: &str = "columns, an open world";

/// All that a step reads or writes, but for the islands.
#[derive(Serialize, Deserialize)]
struct State {
    params: Params,
    cell: f64,
    beyond: Beyond,
    waiting: Waiting,
    springs: IdList<Outlet>,
    drains: IdList<Outlet>,
    steps: u64,
    clock: FixedStep,
    fresh: BTreeMap<ChunkPos, Piece>,
    gone: BTreeMap<ChunkPos, Gone>,
    touched: BTreeSet<ChunkPos>,
}

/// An island: its chunks with their walls, and its world.
type Saved = (BTreeMap<ChunkPos, Walls>, Snapshot);

impl OpenWorld {
    fn state(&self) -> State {
        State {
            params: self.params.clone(),
            cell: self.cell,
            beyond: self.beyond.clone(),
            waiting: self.waiting.clone(),
            springs: self.sources.springs.clone(),
            drains: self.sources.drains.clone(),
            steps: self.steps,
            clock: self.clock,
            fresh: self.land.fresh.clone(),
            gone: self.land.gone.clone(),
            touched: self.land.touched.clone(),
        }
    }

    /// All that the world needs to go on, bit for bit, as bytes: what is loaded among it, but not the chunks that the game keeps.
    ///
    /// # Errors
    /// Nothing in a world fails to be told in bytes.
    pub fn save(&self) -> Result<Vec<u8>, InputError> {
        let islands = self.land.islands.values();
        let islands: Vec<Saved> =
            islands.map(|island| (island.chunks.clone(), island.world.snapshot())).collect();
        model::save(NAME, &(self.state(), islands, &self.ledger))
    }

    /// The world that was [saved](Self::save), with the same chunks loaded.
    ///
    /// # Errors
    /// [`InputError`] if the bytes are damaged or hold impossible numbers.
    pub fn restore(bytes: &[u8]) -> Result<Self, InputError> {
        let (state, islands, ledger): (State, Vec<Saved>, Ledger<i128>) = model::load(NAME, bytes)?;
        let refuse = |problem| Err(InputError::snapshot(problem));
        let mut world = Self::new(state.cell, state.params)?;
        let per_cell = world.params.columns_per_cell;
        if state.steps >> 53 != 0 || !state.clock.is_sound() {
            return refuse("an impossible number of steps");
        }
        if !ledger.amounts().all(|amount| (0..1 << 80).contains(&amount)) {
            return refuse("a ledger of impossible volumes");
        }
        let most = 1 << 50;
        let volumes = state.beyond.records.values().map(|record| record.volume);
        if !volumes
            .chain(state.gone.values().map(|gone| gone.volume))
            .all(|v| (0..most).contains(&v))
        {
            return refuse("a chunk of an impossible volume");
        }
        let can_wait = |(&number, &amount): (&u16, &u64)| {
            usize::from(number) < CHUNK * CHUNK && (1..1 << 56).contains(&amount)
        };
        if !state.waiting.values().all(|cells| cells.iter().all(can_wait)) {
            return refuse("impossible water that waits");
        }
        for outlet in state.springs.iter().chain(state.drains.iter()) {
            outlet.source.region.validate()?;
            outlet.source.check()?;
            if outlet.remainder.abs().is_nan() || outlet.remainder.abs() >= 1.0 {
                return refuse("a spring or a drain that owes too much");
            }
        }
        if state.fresh.values().any(|piece| piece.fault(per_cell).is_some()) {
            return refuse("a chunk that cannot be");
        }
        world.beyond = state.beyond;
        (world.waiting, world.ledger) = (state.waiting, ledger);
        (world.sources.springs, world.sources.drains) = (state.springs, state.drains);
        (world.steps, world.clock) = (state.steps, state.clock);
        for (chunks, snapshot) in islands {
            let island = world.restored(chunks, snapshot)?;
            world.land.insert(island);
        }
        (world.land.fresh, world.land.gone) = (state.fresh, state.gone);
        world.land.touched = state.touched;
        if !world.land.is_sound(&world.beyond) {
            return refuse("chunks that are loaded and unloaded");
        }
        world.sources.find(&world.land, world.cell);
        Ok(world)
    }

    /// An island from its chunks and its world.
    fn restored(
        &self,
        chunks: BTreeMap<ChunkPos, Walls>,
        snapshot: Snapshot,
    ) -> Result<Island, InputError> {
        let refuse = |problem| Err(InputError::snapshot(problem));
        if chunks.is_empty() || !chunks.values().all(Walls::is_sound) {
            return refuse("an island without land");
        }
        let tract = Tract::around(chunks.keys().copied())?;
        let is_ours =
            snapshot.params == self.params && snapshot.cell.to_bits() == self.cell.to_bits();
        // Where water may pass may have changed since the last step.
        let size = [snapshot.walls.nx(), snapshot.walls.ny()];
        let fits = size == tract.size
            && chunks.iter().all(|(chunk, walls)| {
                let (left, top) = tract.cell(chunk.origin());
                let cells = (0..CHUNK).flat_map(|x| (0..CHUNK).map(move |y| (x, y)));
                cells
                    .into_iter()
                    .all(|(x, y)| snapshot.walls[(left + x, top + y)] == walls.is_wall(x, y))
            });
        if !is_ours || !fits {
            return refuse("an island of another world");
        }
        let board = Board::new(&snapshot.walls);
        let per_cell = self.params.columns_per_cell as usize;
        let layout = Layout::with_height(board, self.cell, per_cell, PER_HEIGHT as usize);
        let world = Columns::restore_on(layout, snapshot)?;
        let bare = world.bodies.is_empty() && world.bubbles.is_empty();
        if !bare || world.steps != self.steps || world.exchange.both().next().is_some() {
            return refuse("an island with what no open world has");
        }
        Ok(Island::of_world(world, tract, chunks, &self.beyond))
    }

    /// A hash of all that a step reads or writes, and of what is remembered of chunks that were unloaded: the same on every machine,
    /// for any number of threads and any order in which chunks were loaded and unloaded between two steps or edits.
    pub fn state_hash(&self) -> u64 {
        let islands = self.land.islands.iter();
        let islands: Vec<(ChunkPos, u64)> =
            islands.map(|(&first, island)| (first, island.world.state_hash())).collect();
        hash::of(&(self.state(), islands))
    }
}
