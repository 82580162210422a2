//! [`OpenWorld`]: an unbounded world, with methods to step it, load and unload chunks, set borders
//! and check ledgers.

use super::border::{Border, Borders, UnloadedRecord};
use super::chunk::ChunkPos;
use super::group::{ConnectedChunks, Context, SourcePlaces, Sources, StoredChunk};
use super::store::Store;
use super::transfer::{PendingTransfers, TransferKey};
use crate::clock::FixedStep;
use crate::clock::fixed_step::{fixed_step_methods, run_to_rest_method};
use crate::error::InputError;
use crate::ids::IdList;
use crate::ledger::{Cause, Ledger};
use crate::model;
use crate::parameter::Parameters;
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

/// An unbounded world of which only some chunks are loaded and simulated.
///
/// Columns of cells are numbered eastward and rows downward. Both numbers may be negative.
#[derive(Clone, Debug)]
pub struct OpenWorld<G: ConnectedChunks> {
    pub(crate) params: G::Params,
    pub(crate) cell_size: G::CellSize,
    pub(crate) store: Store<G>,
    pub(crate) borders: Borders<G::Volumes>,
    pub(crate) in_transit: PendingTransfers<G::Key>,
    pub(super) sources: Sources<G>,
    pub(super) places: SourcePlaces<G::Place>,
    pub(crate) ledgers: G::Ledgers,
    pub(super) steps: u64,
    pub(super) clock: FixedStep,
}

/// Mass balance of a substance in an open world: its ledger, its volumes in loaded chunks, in
/// unloaded chunks and in transit, and the residual.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct OpenBalance<N> {
    /// Inflow and outflow of the substance by cause. The contents of a new chunk count as inflow
    /// through the [boundary](Cause::Boundary). The contents of forgotten chunks, and transfers
    /// that the game removes, count as outflow through the boundary.
    pub ledger: Ledger<N>,
    /// Volume of the substance in loaded chunks.
    pub loaded_volume: N,
    /// Volume of the substance in unloaded chunks.
    pub unloaded_volume: N,
    /// Volume of the substance that has left the loaded chunks and waits to enter an unloaded
    /// chunk.
    pub transit_volume: N,
    /// Total volume minus the volume expected from the ledger. Volumes are exact, so any nonzero
    /// value is a bug.
    pub residual: N,
}

impl OpenBalance<i128> {
    /// Returns the balance with all values multiplied by `unit`, which converts them to another
    /// unit.
    pub fn scaled(&self, unit: f64) -> OpenBalance<f64> {
        let [loaded_volume, unloaded_volume, transit_volume, residual] =
            [self.loaded_volume, self.unloaded_volume, self.transit_volume, self.residual]
                .map(|volume| volume as f64 * unit);
        let ledger = self.ledger.scaled(unit);
        OpenBalance { ledger, loaded_volume, unloaded_volume, transit_volume, residual }
    }
}

/// Contents of a chunk together with its position, in the form that is serialized.
#[derive(Serialize, Deserialize)]
struct StoredContents<C> {
    at: ChunkPos,
    chunk: C,
}

fn chunk_error(chunk: ChunkPos, found: impl ToString, allowed: &'static str) -> InputError {
    InputError::new(chunk.to_string(), found.to_string(), allowed)
}

impl<G: ConnectedChunks> OpenWorld<G> {
    /// Creates a world that contains no chunks.
    ///
    /// # Errors
    /// Returns [`InputError`] if a parameter or the cell size is out of range.
    pub(crate) fn empty(params: G::Params, cell_size: G::CellSize) -> Result<Self, InputError> {
        G::check_params(&params, cell_size)?;
        Ok(Self {
            params,
            cell_size,
            store: Store::default(),
            borders: Borders::default(),
            in_transit: PendingTransfers::default(),
            sources: Sources { springs: IdList::default(), drains: IdList::default() },
            places: SourcePlaces::default(),
            ledgers: G::Ledgers::default(),
            steps: 0,
            clock: FixedStep::default(),
        })
    }

    pub(crate) fn context(&self) -> Context<'_, G> {
        let Self { params, cell_size, steps, borders, .. } = self;
        Context { params, cell_size: *cell_size, steps: *steps, borders }
    }

    /// Advances the loaded chunks by one step of their model, as described at
    /// [`Blocks::step`](crate::blocks::Blocks::step) and
    /// [`Columns::step`](crate::columns::Columns::step). At the start of the step, liquids that
    /// have been waiting to enter loaded chunks flow into them. At the end, liquids that have
    /// crossed into unloaded chunks are stored as transfers, which wait until these chunks are
    /// loaded.
    pub fn step(&mut self) {
        self.regroup();
        let Self { params, cell_size, steps, borders, .. } = self;
        let context = Context { params, cell_size: *cell_size, steps: *steps, borders };
        let Self { store, sources, places, in_transit, ledgers, .. } = self;
        G::step(&mut store.groups, &context, sources, places, in_transit, ledgers);
        self.steps += 1;
    }

    /// Returns whether the loaded chunks are at rest. If true, steps change nothing until the next
    /// edit, load or unload. Springs, drains and evaporation are not considered. Returns false
    /// between a load, an unload or a border change and the next step.
    pub fn is_asleep(&self) -> bool {
        let is_asleep =
            |group: &G| group.is_asleep() && !group.can_receive_transfers(&self.in_transit);
        self.store.is_grouped() && self.store.groups.values().all(is_asleep)
    }

    /// Updates the groups of connected chunks after chunks were loaded or unloaded.
    pub(crate) fn regroup(&mut self) {
        if !self.store.is_grouped() {
            let Self { params, cell_size, steps, borders, .. } = self;
            let context = Context { params, cell_size: *cell_size, steps: *steps, borders };
            self.store.regroup(&context);
            self.place_sources();
        }
    }

    /// Finds the cells on which each spring and each drain acts, in all loaded chunks.
    pub(crate) fn place_sources(&mut self) {
        let place = |region| self.store.places_in_region(region, self.cell_size);
        let regions = G::source_regions(&self.sources).map(Vec::into_iter);
        self.places = regions.map(|regions| regions.map(place).collect());
    }

    /// Returns the current parameters of the world.
    pub fn params(&self) -> &G::Params {
        &self.params
    }

    /// Changes the parameters of a running world. Fixed parameters must keep their current values.
    ///
    /// # Errors
    /// Returns [`InputError`] if a parameter is out of range, or if a fixed parameter differs from
    /// its current value. In these cases, nothing changes.
    pub fn set_params(&mut self, params: G::Params) -> Result<(), InputError> {
        G::check_params(&params, self.cell_size)?;
        params.check_fixed_unchanged(&self.params)?;
        self.store.groups.values_mut().try_for_each(|group| group.set_params(&params))?;
        self.params = params;
        Ok(())
    }

    /// Sets the default behaviour of liquids at the border of unloaded chunks. A new world uses
    /// [`Border::Hold`].
    pub fn set_border(&mut self, border: Border) {
        if std::mem::replace(&mut self.borders.default, border) != border {
            self.store.mark_border_changed(None);
        }
    }

    /// Sets the behaviour of liquids at the border of one chunk while the chunk is not loaded.
    /// `None` selects the default of the world.
    pub fn set_chunk_border(&mut self, chunk: ChunkPos, border: Option<Border>) {
        match border {
            Some(border) => self.borders.overrides.insert(chunk, border),
            None => self.borders.overrides.remove(&chunk),
        };
        self.store.mark_border_changed(Some(chunk));
    }

    /// Returns whether a chunk is loaded.
    pub fn is_loaded(&self, chunk: ChunkPos) -> bool {
        self.store.is_loaded(chunk)
    }

    /// Returns the positions of the loaded chunks, sorted by column, then by row.
    pub fn loaded_chunks(&self) -> impl ExactSizeIterator<Item = ChunkPos> {
        self.store.loaded_chunks().into_iter()
    }

    /// Returns whether a chunk was unloaded and has not been forgotten, so that its bytes can be
    /// loaded again.
    pub fn is_unloaded(&self, chunk: ChunkPos) -> bool {
        self.borders.records.contains_key(&chunk)
    }

    /// Adds a new chunk. Its contents count as inflow through the boundary. If an unloaded chunk
    /// has the same position, the error message refers to the new chunk by `description`.
    ///
    /// # Errors
    /// Returns [`InputError`] if the chunk is loaded, if it was unloaded and not yet forgotten, or
    /// if too many chunks would be connected.
    pub(crate) fn insert_new(
        &mut self,
        at: ChunkPos,
        chunk: G::Chunk,
        description: &'static str,
    ) -> Result<(), InputError> {
        if self.is_unloaded(at) {
            let allowed = "the bytes that it was unloaded to, unless it is forgotten first";
            return Err(chunk_error(at, description, allowed));
        }
        self.add_chunk(at, chunk, None)
    }

    /// Loads a chunk from the bytes returned by [`unload`](Self::unload). Bytes from another world
    /// are accepted if this world has never contained the chunk. In that case, their content counts
    /// as inflow through the boundary.
    ///
    /// # Errors
    /// Returns [`InputError`] if the chunk is loaded; if the bytes are damaged, belong to another
    /// chunk, or are not the latest bytes of this chunk; or if too many chunks would be connected.
    /// In these cases, nothing changes.
    pub fn load(&mut self, chunk: ChunkPos, bytes: &[u8]) -> Result<(), InputError> {
        let with_chunk = |error| InputError { what: chunk.to_string().into(), ..error };
        let stored: StoredContents<G::Chunk> =
            model::load(G::CHUNK_FORMAT, bytes).map_err(with_chunk)?;
        if stored.at != chunk {
            let found = format!("bytes of {}", stored.at);
            return Err(chunk_error(chunk, found, "the bytes that it was unloaded to"));
        }
        if let Some([found, allowed]) = stored.chunk.validation_error(&self.params) {
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
        self.add_chunk(chunk, stored.chunk, Some(hash))
    }

    fn add_chunk(
        &mut self,
        position: ChunkPos,
        chunk: G::Chunk,
        hash: Option<u64>,
    ) -> Result<(), InputError> {
        if self.is_loaded(position) {
            return Err(chunk_error(position, "a chunk that is loaded", "one that is not loaded"));
        }
        let volumes = chunk.volumes();
        self.store.insert(position, chunk, hash)?;
        if self.borders.records.remove(&position).is_none() {
            self.record_boundary_volumes(volumes, 1);
        }
        Ok(())
    }

    /// Unloads a chunk and returns its contents as bytes. The world keeps a record of about 80
    /// bytes for the chunk.
    ///
    /// # Errors
    /// Returns [`InputError`] if the chunk is not loaded.
    pub fn unload(&mut self, chunk: ChunkPos) -> Result<Vec<u8>, InputError> {
        let Some(stored) =
            self.store.chunk(chunk).map(|data| StoredContents { at: chunk, chunk: data })
        else {
            return Err(chunk_error(chunk, "a chunk that is not loaded", "one that is loaded"));
        };
        let bytes = model::save(G::CHUNK_FORMAT, &stored)?;
        let (volumes, edges) = (stored.chunk.volumes(), stored.chunk.edges());
        let record = UnloadedRecord { hash: xxh3_64(&bytes), volumes, edges };
        self.borders.records.insert(chunk, record);
        self.store.remove(chunk, record.hash, volumes);
        Ok(bytes)
    }

    /// Forgets an unloaded chunk. Its contents and the transfers that wait to enter it are counted
    /// as outflow through the boundary. Afterwards, a new chunk can be inserted at the same
    /// position.
    ///
    /// # Errors
    /// Returns [`InputError`] if the chunk is not unloaded, or was already forgotten.
    pub fn forget(&mut self, chunk: ChunkPos) -> Result<(), InputError> {
        let Some(record) = self.borders.records.remove(&chunk) else {
            let allowed = "one that was unloaded and not forgotten";
            return Err(chunk_error(chunk, "another chunk", allowed));
        };
        self.record_boundary_volumes(record.volumes, -1);
        self.take_transfers(chunk);
        self.store.mark_border_changed(Some(chunk));
        Ok(())
    }

    /// Returns the transfers that wait to enter a chunk, from the chunk's top row down.
    pub fn transfers(&self, chunk: ChunkPos) -> impl Iterator<Item = G::Transfer> {
        let cells = self.in_transit.chunk_amounts(chunk);
        cells.map(move |(key, amount)| self.make_transfer(chunk, key, amount))
    }

    /// Removes and returns the [transfers](Self::transfers) that wait to enter a chunk. Their
    /// volume counts as outflow through the boundary.
    pub fn take_transfers(&mut self, chunk: ChunkPos) -> Vec<G::Transfer> {
        let cells = self.in_transit.take(chunk);
        for (key, &amount) in &cells {
            let ledger = &mut self.ledgers.as_mut()[key.cell_and_substance().1];
            ledger.record(Cause::Boundary, -i128::from(amount));
        }
        cells.into_iter().map(|(key, amount)| self.make_transfer(chunk, key, amount)).collect()
    }

    fn make_transfer(&self, chunk: ChunkPos, key: G::Key, amount: u64) -> G::Transfer {
        G::build_transfer(
            &self.context(),
            chunk.cell_at_index(key.cell_and_substance().0),
            key,
            amount,
        )
    }

    fn record_boundary_volumes(&mut self, volumes: G::Volumes, sign: i128) {
        for (ledger, volume) in self.ledgers.as_mut().iter_mut().zip(volumes) {
            ledger.record(Cause::Boundary, sign * volume.into());
        }
    }

    /// Returns the positions of the chunks that were loaded or changed since the last call and are
    /// still loaded, sorted by column, then by row. A game redraws these chunks or sends them over
    /// a network.
    pub fn take_changed_chunks(&mut self) -> Vec<ChunkPos> {
        self.store.take_changed_chunks()
    }

    /// Compares the ledger of a substance with the substance's total volume. `substance` is an
    /// index into the ledgers.
    pub(crate) fn substance_balance(&self, substance: usize) -> OpenBalance<i128> {
        let loaded_volume = self.store.volume(substance);
        let records = self.borders.records.values();
        let in_chunk = |record: &UnloadedRecord<G::Volumes>| {
            record.volumes.into_iter().nth(substance).map_or(0, Into::into)
        };
        let unloaded_volume = records.map(in_chunk).sum();
        let transit_volume = self.in_transit.total_amount(substance);
        let closed = self.ledgers.as_ref()[substance]
            .balance(loaded_volume + unloaded_volume + transit_volume);
        let (ledger, residual) = (closed.ledger, closed.residual);
        OpenBalance { ledger, loaded_volume, unloaded_volume, transit_volume, residual }
    }

    /// Returns the position of the chunk that contains a cell, and the column and row of the cell
    /// within that chunk.
    ///
    /// # Errors
    /// Returns [`InputError`] if the chunk that contains the cell is not loaded.
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

fixed_step_methods!(OpenWorld<G>, |params| G::step_limits(params).0, |params| G::step_limits(params).1, G: ConnectedChunks);
run_to_rest_method!(OpenWorld<G>, G: ConnectedChunks);
