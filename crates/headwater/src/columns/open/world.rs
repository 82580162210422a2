//! [`OpenWorld`]: chunks that come and go, and their steps.

use super::beyond::{Beyond, Record};
use super::island::Common;
use super::land::{Gone, Land};
use super::passed::{self, Passed, Waiting};
use super::piece::{Piece, Walls};
use super::place::PER_HEIGHT;
use super::sources::Sources;
use super::stored;
use crate::clock::FixedStep;
use crate::columns::params::{Motion, Params};
use crate::columns::world::check_cell;
use crate::error::InputError;
use crate::field::Field;
use crate::ledger::{Cause, Ledger};
use crate::open::{Border, ChunkPos};
use crate::walk::{rests, walks};
use std::collections::BTreeSet;
use xxhash_rust::xxh3::xxh3_64;

/// A world of pools without edges, of which some chunks are loaded. See the [module](crate::columns::open).
///
/// Columns of cells are counted to the east and rows downwards, from anywhere: both may be below 0. Places are in metres from the
/// corner of the cell `[0, 0]`, to the east and downward.
#[derive(Clone, Debug)]
pub struct OpenWorld {
    pub(super) params: Params,
    pub(super) cell: f64,
    pub(super) land: Land,
    pub(super) beyond: Beyond,
    pub(super) waiting: Waiting,
    pub(super) sources: Sources,
    /// In quanta.
    pub(super) ledger: Ledger<i128>,
    pub(super) steps: u64,
    pub(super) clock: FixedStep,
    /// Loaded chunks in which something has changed since somebody asked.
    pub(super) changed: BTreeSet<ChunkPos>,
}

/// Checks the parameters of an open world with cells so large (m).
fn check(params: &Params, cell: f64) -> Result<(), InputError> {
    params.validate()?;
    check_cell(cell)?;
    if params.motion != Motion::Discharge {
        return Err(InputError::new("motion", "`springs`", "`discharge` in an open world"));
    }
    if params.heat.is_some() {
        return Err(InputError::new("heat", "a world with heat", "none in an open world"));
    }
    params.check_stable(cell / f64::from(params.columns_per_cell))
}

impl OpenWorld {
    /// A world of cells of `cell` m, of which nothing is loaded.
    ///
    /// # Errors
    /// [`InputError`] if a parameter is out of its range, the size of a cell is not a number above 0, waves are too fast for the
    /// step, water is springs or has heat: chunks carry neither.
    pub fn new(cell: f64, params: Params) -> Result<Self, InputError> {
        check(&params, cell)?;
        Ok(Self {
            params,
            cell,
            land: Land::default(),
            beyond: Beyond::default(),
            waiting: Waiting::new(),
            sources: Sources::default(),
            ledger: Ledger::default(),
            steps: 0,
            clock: FixedStep::default(),
            changed: BTreeSet::new(),
        })
    }

    /// The world's parameters.
    pub fn params(&self) -> &Params {
        &self.params
    }

    /// Changes the parameters of a running world, but for those that belong to it from its start.
    ///
    /// # Errors
    /// [`InputError`] if a parameter is out of its range or cannot change. Nothing is changed then.
    pub fn set_params(&mut self, params: Params) -> Result<(), InputError> {
        check(&params, self.cell)?;
        params.validate_change(&self.params)?;
        for island in self.land.islands.values_mut() {
            island.world.set_params(params.clone())?;
        }
        self.params = params;
        Ok(())
    }

    /// Size of a cell (m).
    pub fn cell_size(&self) -> f64 {
        self.cell
    }

    /// What becomes of water at the border of what is loaded, where nothing else is [said](Self::set_border_of).
    pub fn border(&self) -> Border {
        self.beyond.border
    }

    /// Says what becomes of water at the border of what is loaded. It is [`Border::Hold`] at first.
    pub fn set_border(&mut self, border: Border) {
        if std::mem::replace(&mut self.beyond.border, border) != border {
            self.land.touch_all();
        }
    }

    /// What becomes of water that would run into a chunk while it is not loaded.
    pub fn border_of(&self, chunk: ChunkPos) -> Border {
        self.beyond.border_of(chunk)
    }

    /// Says what becomes of water that would run into a chunk while it is not loaded; `None`: what becomes of it everywhere.
    pub fn set_border_of(&mut self, chunk: ChunkPos, border: Option<Border>) {
        match border {
            Some(border) => self.beyond.borders.insert(chunk, border),
            None => self.beyond.borders.remove(&chunk),
        };
        self.land.touched.insert(chunk);
    }

    /// Brings a chunk into the world that was never there, or is [forgotten](Self::forget): its walls, `true` for each, and how full
    /// its cells are, 0 to 1. Water in walls is left out; in each run of air it lies on the ground. What the chunk holds comes through
    /// the boundary.
    ///
    /// # Errors
    /// [`InputError`] if the chunk is loaded or on the books, a field has not as many cells as a chunk, a cell is fuller than full, or
    /// more chunks hang together than a board has room for: 256 × 15. Nothing is changed then.
    pub fn insert(
        &mut self,
        chunk: ChunkPos,
        walls: &Field<bool>,
        fill: &Field<f64>,
    ) -> Result<(), InputError> {
        let walls = Walls::of_field(chunk, walls)?;
        let piece = Piece::filled(chunk, walls, fill, self.params.columns_per_cell)?;
        if self.beyond.records.contains_key(&chunk) {
            let allowed = "the bytes that it was unloaded to, unless it is forgotten first";
            return Err(InputError::new(chunk.to_string(), "a new chunk", allowed));
        }
        self.bring_in(chunk, piece, None)
    }

    /// Loads a chunk from the bytes that it was [unloaded](Self::unload) to. Bytes of another world of a chunk that was never in
    /// this one are welcome too, if its cells have as many columns of water; what they hold comes through the boundary.
    ///
    /// # Errors
    /// [`InputError`] if the chunk is loaded; if the bytes are damaged, of another chunk, or not the last to which this one was
    /// unloaded; or if too many chunks hang together, as of [`insert`](Self::insert). Nothing is changed then.
    pub fn load(&mut self, chunk: ChunkPos, bytes: &[u8]) -> Result<(), InputError> {
        let piece = stored::of_bytes(chunk, bytes, self.params.columns_per_cell)?;
        let hash = xxh3_64(bytes);
        if let Some(record) = self.beyond.records.get(&chunk).filter(|record| record.hash != hash) {
            let found = format!("bytes of hash {hash:016x}");
            let allowed = format!(
                "those that it was unloaded to last, of hash {:016x}, unless it is forgotten first",
                record.hash
            );
            return Err(InputError::new(chunk.to_string(), found, allowed));
        }
        self.bring_in(chunk, piece, Some(hash))
    }

    fn bring_in(
        &mut self,
        chunk: ChunkPos,
        piece: Piece,
        hash: Option<u64>,
    ) -> Result<(), InputError> {
        if self.land.is_loaded(chunk) {
            let allowed = "one that is not loaded";
            return Err(InputError::new(chunk.to_string(), "a chunk that is loaded", allowed));
        }
        let volume = piece.volume();
        self.land.load(chunk, piece, hash)?;
        if self.beyond.records.remove(&chunk).is_none() {
            self.ledger.book(Cause::Boundary, volume.into());
        }
        self.changed.insert(chunk);
        Ok(())
    }

    /// Unloads a chunk: gives its bytes, for the game to keep, and remembers some 80 bytes of it.
    ///
    /// # Errors
    /// [`InputError`] if it is not loaded.
    pub fn unload(&mut self, chunk: ChunkPos) -> Result<Vec<u8>, InputError> {
        let Some(piece) = self.land.piece(chunk) else {
            let allowed = "one that is loaded";
            return Err(InputError::new(chunk.to_string(), "a chunk that is not loaded", allowed));
        };
        let bytes = stored::to_bytes(chunk, &piece)?;
        let record = Record::of(&piece, &bytes);
        self.land.unload(chunk, Gone { hash: record.hash, volume: record.volume });
        self.beyond.records.insert(chunk, record);
        self.changed.remove(&chunk);
        Ok(bytes)
    }

    /// Forgets a chunk that was unloaded: what it holds, and what waits there, leaves the world through the boundary, and the
    /// chunk may be brought in anew.
    ///
    /// # Errors
    /// [`InputError`] if there is no such chunk, or it is loaded.
    pub fn forget(&mut self, chunk: ChunkPos) -> Result<(), InputError> {
        let Some(record) = self.beyond.records.remove(&chunk) else {
            let allowed = "one that was unloaded and not forgotten";
            return Err(InputError::new(chunk.to_string(), "another chunk", allowed));
        };
        self.ledger.book(Cause::Boundary, -i128::from(record.volume));
        self.take_passed(chunk);
        self.land.touched.insert(chunk);
        Ok(())
    }

    /// Takes what has [passed](Self::passed) into a chunk and waits there: it leaves the world through the boundary.
    pub fn take_passed(&mut self, chunk: ChunkPos) -> Vec<Passed> {
        let cells = self.waiting.remove(&chunk).unwrap_or_default();
        let all: i128 = cells.values().map(|&amount| i128::from(amount)).sum();
        self.ledger.book(Cause::Boundary, -all);
        passed::told(chunk, &cells, self.quantum_volume()).collect()
    }

    /// Volume of a quantum (m³ for a world 1 m thick).
    pub(super) fn quantum_volume(&self) -> f64 {
        let width = self.cell / f64::from(self.params.columns_per_cell);
        self.cell / f64::from(PER_HEIGHT) * width
    }

    /// Puts together and takes apart what has been loaded and unloaded.
    pub(super) fn settle(&mut self) {
        if self.land.is_unsettled() {
            let Self { params, cell, land, beyond, steps, .. } = self;
            land.settle(Common { params, cell: *cell, steps: *steps, beyond });
            self.sources.find(&self.land, self.cell);
        }
    }

    /// Does one step of all that is loaded: the one that [`Columns::step`](crate::columns::Columns::step) describes. What has been
    /// loaded and unloaded is put together and taken apart first. What waits in loaded chunks comes in before the step begins, and what has
    /// got over the border is taken after its end.
    pub fn step(&mut self) {
        self.settle();
        for island in self.land.islands.values_mut() {
            passed::bring_in(island, &mut self.waiting);
        }
        let times = [self.time(), self.params.step, self.quantum_volume()];
        self.sources.flow(&mut self.land, &mut self.ledger, times);
        for island in self.land.islands.values_mut() {
            island.note_changed(&mut self.changed);
            island.world.step();
            passed::collect(island, &mut self.waiting);
            island.note_changed(&mut self.changed);
        }
        self.steps += 1;
    }
}

walks!(OpenWorld, |params: &Params| params.step, |params: &Params| params.max_steps);
rests!(OpenWorld);
