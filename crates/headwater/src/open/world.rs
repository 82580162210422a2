//! [`OpenWorld`]: loading and unloading of chunks, borders and ledgers.

use super::border::{Border, Borders, Record};
use super::chunk::ChunkPos;
use super::source::Sources;
use super::store::{ChunkStore, StoredChunk};
use super::transfer::{InTransit, TransferKey};
use crate::clock::FixedStep;
use crate::error::InputError;
use crate::ledger::{Cause, Ledger};
use crate::model;
use crate::walk::{rests, walks};
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

/// A world without bounds, of which some chunks are loaded.
///
/// Columns of cells are counted to the east and rows downwards. Both may be negative.
#[derive(Clone, Debug)]
pub struct OpenWorld<S: ChunkStore> {
    pub(crate) params: S::Params,
    pub(crate) store: S,
    pub(crate) borders: Borders<S::Volumes>,
    pub(crate) in_transit: InTransit<S::Key>,
    pub(crate) sources: Sources<S>,
    pub(crate) ledgers: S::Ledgers,
    pub(crate) steps: u64,
    pub(crate) clock: FixedStep,
}

/// Ledger of a substance in an open world, compared with the volume that is there.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct OpenBalance<N> {
    /// Inflow and outflow by cause. The content of new chunks enters through the
    /// [boundary](Cause::Boundary), and what the game forgets or takes leaves through it.
    pub ledger: Ledger<N>,
    /// Volume in loaded chunks.
    pub loaded: N,
    /// Volume in unloaded chunks.
    pub unloaded: N,
    /// Volume that has left the loaded chunks and waits to enter an unloaded one.
    pub in_transit: N,
    /// Excess of the volume that is there over the ledger. Exact: any value but 0 is a fault.
    pub residual: N,
}

impl OpenBalance<i128> {
    /// The same in another unit: everything times `unit`.
    pub fn scaled(&self, unit: f64) -> OpenBalance<f64> {
        let [loaded, unloaded, in_transit, residual] =
            [self.loaded, self.unloaded, self.in_transit, self.residual]
                .map(|volume| volume as f64 * unit);
        let ledger = self.ledger.scaled(unit);
        OpenBalance { ledger, loaded, unloaded, in_transit, residual }
    }
}

/// An unloaded chunk in bytes.
#[derive(Serialize, Deserialize)]
struct Stored<C> {
    at: ChunkPos,
    chunk: C,
}

fn wrong_chunk(chunk: ChunkPos, found: impl ToString, allowed: &'static str) -> InputError {
    InputError::new(chunk.to_string(), found.to_string(), allowed)
}

impl<S: ChunkStore> OpenWorld<S> {
    /// A world without chunks, whose parameters have been checked.
    pub(crate) fn empty(params: S::Params, store: S) -> Self {
        Self {
            params,
            store,
            borders: Borders::default(),
            in_transit: InTransit::default(),
            sources: Sources::default(),
            ledgers: S::Ledgers::default(),
            steps: 0,
            clock: FixedStep::default(),
        }
    }

    /// Advances the loaded chunks by one step of their model. Transfers enter loaded chunks before
    /// it, and are collected at the borders after it.
    pub fn step(&mut self) {
        S::step(self);
        self.steps += 1;
    }

    /// Whether all loaded chunks are at rest: nothing moves until something is edited, loaded or
    /// unloaded, except for springs, drains and drying.
    pub fn is_asleep(&self) -> bool {
        S::is_asleep(self)
    }

    /// The world's parameters.
    pub fn params(&self) -> &S::Params {
        &self.params
    }

    /// The default border of unloaded chunks.
    pub fn border(&self) -> Border {
        self.borders.default
    }

    /// Sets the default border of unloaded chunks. It is [`Border::Hold`] at first.
    pub fn set_border(&mut self, border: Border) {
        if std::mem::replace(&mut self.borders.default, border) != border {
            self.store.update_border(None, &self.borders);
        }
    }

    /// The border of a chunk while it is not loaded.
    pub fn border_of(&self, chunk: ChunkPos) -> Border {
        self.borders.of(chunk)
    }

    /// Sets the border of a chunk while it is not loaded; `None` stands for the default.
    pub fn set_border_of(&mut self, chunk: ChunkPos, border: Option<Border>) {
        match border {
            Some(border) => self.borders.overrides.insert(chunk, border),
            None => self.borders.overrides.remove(&chunk),
        };
        self.store.update_border(Some(chunk), &self.borders);
    }

    /// Whether a chunk is loaded.
    pub fn is_loaded(&self, chunk: ChunkPos) -> bool {
        self.store.is_loaded(chunk)
    }

    /// The loaded chunks, ordered by column, then by row.
    pub fn loaded(&self) -> impl ExactSizeIterator<Item = ChunkPos> {
        self.store.loaded()
    }

    /// Whether a chunk was unloaded and not forgotten. Its bytes can be loaded again.
    pub fn is_unloaded(&self, chunk: ChunkPos) -> bool {
        self.borders.records.contains_key(&chunk)
    }

    /// Adds a new chunk; `found` names it if it is refused because it was unloaded.
    pub(crate) fn insert_new(
        &mut self,
        at: ChunkPos,
        chunk: S::Chunk,
        found: &'static str,
    ) -> Result<(), InputError> {
        if self.is_unloaded(at) {
            let allowed = "the bytes that it was unloaded to, unless it is forgotten first";
            return Err(wrong_chunk(at, found, allowed));
        }
        self.add(at, chunk, None)
    }

    /// Loads a chunk from the bytes to which it was [unloaded](Self::unload). Bytes of another
    /// world are accepted for a chunk that was never in this one; their content enters through the
    /// boundary.
    ///
    /// # Errors
    /// [`InputError`] if the chunk is loaded; if the bytes are damaged, of another chunk, or not
    /// the last to which this chunk was unloaded; if too many chunks are connected. Nothing changes
    /// then.
    pub fn load(&mut self, chunk: ChunkPos, bytes: &[u8]) -> Result<(), InputError> {
        let with_chunk = |error| InputError { what: chunk.to_string().into(), ..error };
        let stored: Stored<S::Chunk> = model::load(S::CHUNK_FORMAT, bytes).map_err(with_chunk)?;
        if stored.at != chunk {
            let found = format!("bytes of {}", stored.at);
            return Err(wrong_chunk(chunk, found, "the bytes that it was unloaded to"));
        }
        if let Some([found, allowed]) = stored.chunk.fault(&self.params) {
            return Err(InputError::new(chunk.to_string(), found, allowed));
        }
        let hash = xxh3_64(bytes);
        if let Some(record) = self.borders.records.get(&chunk).filter(|record| record.hash != hash)
        {
            let found = format!("bytes of hash {hash:016x}");
            let allowed = format!(
                "those that it was unloaded to last, of hash {:016x}, unless it is forgotten first",
                record.hash
            );
            return Err(InputError::new(chunk.to_string(), found, allowed));
        }
        self.add(chunk, stored.chunk, Some(hash))
    }

    fn add(&mut self, at: ChunkPos, chunk: S::Chunk, hash: Option<u64>) -> Result<(), InputError> {
        if self.is_loaded(at) {
            return Err(wrong_chunk(at, "a chunk that is loaded", "one that is not loaded"));
        }
        let volumes = chunk.volumes();
        self.store.insert(at, chunk, hash, &self.borders)?;
        if self.borders.records.remove(&at).is_none() {
            self.record_boundary(volumes, 1);
        }
        self.store.place_sources(&self.sources, Some(at));
        Ok(())
    }

    /// Unloads a chunk: returns its bytes, and keeps a record of some 80 bytes.
    ///
    /// # Errors
    /// [`InputError`] if it is not loaded.
    pub fn unload(&mut self, chunk: ChunkPos) -> Result<Vec<u8>, InputError> {
        let Some(stored) = self.store.chunk(chunk).map(|data| Stored { at: chunk, chunk: data })
        else {
            return Err(wrong_chunk(chunk, "a chunk that is not loaded", "one that is loaded"));
        };
        let bytes = model::save(S::CHUNK_FORMAT, &stored)?;
        let (volumes, edges) = (stored.chunk.volumes(), stored.chunk.edges());
        let record = Record { hash: xxh3_64(&bytes), volumes, edges };
        self.borders.records.insert(chunk, record);
        self.store.remove(chunk, &record, &self.borders);
        Ok(bytes)
    }

    /// Forgets an unloaded chunk. Its content, and what waits to enter it, leaves the world through
    /// the boundary. The chunk may be inserted anew.
    ///
    /// # Errors
    /// [`InputError`] if the chunk was not unloaded, or is loaded.
    pub fn forget(&mut self, chunk: ChunkPos) -> Result<(), InputError> {
        let Some(record) = self.borders.records.remove(&chunk) else {
            let allowed = "one that was unloaded and not forgotten";
            return Err(wrong_chunk(chunk, "another chunk", allowed));
        };
        self.record_boundary(record.volumes, -1);
        self.take_transfers(chunk);
        self.store.update_border(Some(chunk), &self.borders);
        Ok(())
    }

    /// What has passed the border of a chunk and waits to enter it, from its top row down.
    pub fn transfers(&self, chunk: ChunkPos) -> impl Iterator<Item = S::Transfer> {
        let cells = self.in_transit.of(chunk);
        cells.map(move |(key, amount)| self.transfer(chunk, key, amount))
    }

    /// Takes the [transfers](Self::transfers) of a chunk out of the world, through the boundary.
    pub fn take_transfers(&mut self, chunk: ChunkPos) -> Vec<S::Transfer> {
        let cells = self.in_transit.take(chunk);
        for (key, &amount) in &cells {
            let ledger = &mut self.ledgers.as_mut()[key.substance()];
            ledger.book(Cause::Boundary, -i128::from(amount));
        }
        cells.into_iter().map(|(key, amount)| self.transfer(chunk, key, amount)).collect()
    }

    fn transfer(&self, chunk: ChunkPos, key: S::Key, amount: u64) -> S::Transfer {
        let ([left, top], (x, y)) = (chunk.origin(), key.place());
        S::transfer(self, [left + x as i64, top + y as i64], key, amount)
    }

    fn record_boundary(&mut self, volumes: S::Volumes, sign: i128) {
        for (ledger, volume) in self.ledgers.as_mut().iter_mut().zip(volumes) {
            ledger.book(Cause::Boundary, sign * volume.into());
        }
    }

    /// The ledger of a substance, compared with the volume that is there.
    pub(crate) fn substance_balance(&self, substance: usize) -> OpenBalance<i128> {
        let loaded = self.store.volume(substance);
        let records = self.borders.records.values();
        let in_chunk = |record: &Record<S::Volumes>| {
            record.volumes.into_iter().nth(substance).map_or(0, Into::into)
        };
        let unloaded = records.map(in_chunk).sum();
        let in_transit = self.in_transit.total(substance);
        let closed = self.ledgers.as_ref()[substance].balance(loaded + unloaded + in_transit);
        let (ledger, residual) = (closed.ledger, closed.residual);
        OpenBalance { ledger, loaded, unloaded, in_transit, residual }
    }

    /// Locates a cell in a loaded chunk.
    ///
    /// # Errors
    /// [`InputError`] if its chunk is not loaded.
    pub(crate) fn loaded_cell(
        &self,
        cell: [i64; 2],
    ) -> Result<(ChunkPos, (usize, usize)), InputError> {
        ChunkPos::locate(cell).filter(|(chunk, _)| self.is_loaded(*chunk)).ok_or_else(|| {
            let found = format!("({}, {})", cell[0], cell[1]);
            InputError::new("a cell", found, "one of a chunk that is loaded")
        })
    }
}

walks!(OpenWorld<S>, S::step_length, S::max_steps, S: ChunkStore);
rests!(OpenWorld<S>, S: ChunkStore);
