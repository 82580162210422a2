//! Checkpoints of a distributed world. A checkpoint consists of the fields of the row blocks
//! without halos, in a [`PageStore`], and metadata for everything else. An undivided world, or a
//! world with any other partition of the rows, can resume from a checkpoint.

use crate::distributed::PageStore;
use crate::distributed::block::block::RowBlock;
use crate::distributed::local::LocalBlocks;
use crate::distributed::storage::page::{RawField, damaged_bytes_error, for_each_stored, slot};
use crate::distributed::world::distributed_flow::DistributedFlow;
use crate::distributed::world::outlets::Outlets;
use crate::field::Field;
use crate::flow::boundary::Boundaries;
use crate::flow::observe::flood::Flood;
use crate::flow::params::Params;
use crate::flow::sources::exchange::{Evaporation, Exchange, Outlet, Rain};
use crate::flow::sources::flow_ledger::FlowLedger;
use crate::flow::sources::soil::{SoilLayer, SoilMap};
use crate::flow::structure::Structures;
use crate::flow::world::Flow;
use crate::ids::IdList;
use crate::lattice::Lattice;
use serde::{Deserialize, Serialize};
use std::io;
use std::ops::Range;

/// State of a distributed world except for its fields.
#[derive(Serialize, Deserialize)]
struct CheckpointMetadata {
    lattice: Lattice,
    params: Params,
    boundaries: Boundaries,
    /// Springs, with the rounding remainder of each cell.
    springs: IdList<Outlet>,
    drains: IdList<Outlet>,
    structures: Structures,
    rain: Option<Rain>,
    evaporation: Option<Evaporation>,
    /// Parameters of the soils, without the fields that contain the state of each cell.
    soil: Option<SoilLayer>,
    has_roughness_map: bool,
    /// Parameters of the flood statistics (maximum depths, arrival times), and whether the
    /// statistics already include the initial state of the world.
    flood: Option<(Flood, bool)>,
    ledger: FlowLedger,
    time: f64,
    last_dt: f32,
    steps: u64,
}

impl CheckpointMetadata {
    /// Collects the metadata of the world `flow`, with its current springs, drains and structures.
    fn from_world(
        flow: &Flow,
        outlets: Outlets,
        structures: Structures,
        has_roughness_map: bool,
        flood_has_initial_state: bool,
    ) -> Self {
        let exchange = &flow.exchange;
        Self {
            lattice: flow.lattice,
            params: flow.params.clone(),
            boundaries: flow.boundaries.clone(),
            springs: outlets.springs,
            drains: outlets.drains,
            structures,
            rain: rain_without_map(exchange),
            evaporation: exchange.evaporation.as_ref().map(|(one, _)| one.clone()),
            soil: soil_without_cells(exchange),
            has_roughness_map,
            flood: flow.flood.as_ref().map(|record| (record.flood, flood_has_initial_state)),
            ledger: flow.ledger.clone(),
            time: flow.time,
            last_dt: flow.last_dt,
            steps: flow.steps,
        }
    }

    fn encode(&self) -> io::Result<Vec<u8>> {
        postcard::to_stdvec(self).map_err(io::Error::other)
    }

    /// Decodes metadata and checks that the metadata belongs to the world `flow`.
    ///
    /// # Errors
    /// Returns an error if the bytes are invalid or belong to another world.
    fn decode(bytes: &[u8], flow: &Flow, has_roughness_map: bool) -> io::Result<Self> {
        let new: Self = postcard::from_bytes(bytes).map_err(io::Error::other)?;
        let exchange = &flow.exchange;
        let flood = flow.flood.as_ref().map(|record| record.flood);
        let fits = [
            new.lattice == flow.lattice,
            new.params == flow.params,
            new.boundaries == flow.boundaries,
            new.has_roughness_map == has_roughness_map,
            new.rain == rain_without_map(exchange),
            new.evaporation.as_ref() == exchange.evaporation.as_ref().map(|(one, _)| one),
            new.soil == soil_without_cells(exchange),
            new.flood.map(|(flood, _)| flood) == flood,
            new.time.is_finite() && new.last_dt.is_finite(),
        ];
        check_same_world(fits == [true; 9]).map(|()| new)
    }
}

/// Returns a copy of the rain in which the map of rain factors is empty.
fn rain_without_map(exchange: &Exchange) -> Option<Rain> {
    let (rain, _) = exchange.rain.as_ref()?;
    Some(Rain { rate: rain.rate.clone(), map: rain.map.as_ref().map(|_| Field::default()) })
}

/// Returns a copy of the parameters of the soils, without the state of each cell.
fn soil_without_cells(exchange: &Exchange) -> Option<SoilLayer> {
    let SoilLayer { soil, map, .. } = exchange.soil.as_ref()?;
    let map = map.as_ref().map(|SoilMap { soils, .. }| soils.clone());
    let map = map.map(|soils| SoilMap { soils, map: Field::default() });
    Some(SoilLayer { map, ..SoilLayer::new(*soil, 0, 0) })
}

/// Returns an error if `is_same_world` is false. The error says that the checkpoint belongs to
/// another world.
fn check_same_world(is_same_world: bool) -> io::Result<()> {
    let message = "the checkpoint belongs to a different world";
    is_same_world.then_some(()).ok_or_else(|| io::Error::new(io::ErrorKind::InvalidData, message))
}

/// Returns the rows of field number `field` that a block owns, counted from the top of the grid.
/// `block` is the range of cell rows of the block. For fields on faces between rows, a block owns
/// the faces north of each of its rows; the last block also owns the southernmost faces.
fn owned_rows(lattice: &Lattice, block: &Range<usize>, field: usize) -> Range<usize> {
    let is_last = block.end == lattice.ny();
    block.start..block.end + usize::from(is_last && slot::is_on_row_faces(lattice, field))
}

/// Reads field number `field` of a block from the storage.
///
/// # Errors
/// Returns an error if the storage fails, or if the stored bytes do not have the shape of the
/// field.
fn read_field(
    lattice: &Lattice,
    block: &Range<usize>,
    field: usize,
    store: &mut dyn PageStore,
) -> io::Result<RawField> {
    let raw = RawField::read(&store.get([block.start, field])?).ok_or_else(damaged_bytes_error)?;
    let [width, height] = [slot::shape(lattice, field)[0], owned_rows(lattice, block, field).len()];
    raw.has_shape(width, height, slot::words_per_element(field))
        .then_some(raw)
        .ok_or_else(damaged_bytes_error)
}

/// Checks that the row ranges `blocks` are consecutive and together cover exactly `rows` rows.
///
/// # Errors
/// Returns an error if the ranges have gaps, overlap, or cover another number of rows.
fn check_blocks(blocks: &[Range<usize>], rows: usize) -> io::Result<()> {
    let starts = blocks.iter().map(|block| block.start).chain([rows]);
    let are_some = blocks.iter().all(|block| !block.is_empty());
    check_same_world(
        are_some && starts.eq([0].into_iter().chain(blocks.iter().map(|block| block.end))),
    )
}

impl LocalBlocks {
    /// Reads the fields and halos of the blocks of this process from the storage. `blocks` are the
    /// row ranges of the blocks in the checkpoint. Reads only the stored blocks that overlap the
    /// rows of this process.
    fn read_checkpoint(
        &mut self,
        blocks: &[Range<usize>],
        from: &mut dyn PageStore,
    ) -> io::Result<()> {
        let lattice = self.world.lattice;
        check_blocks(blocks, lattice.ny())?;
        let Some(first) = self.blocks.first_mut() else { return Ok(()) };
        let fields = first.field_numbers()?;
        for block in blocks {
            for &field in &fields {
                let stored = owned_rows(&lattice, block, field);
                let common = |i: usize| {
                    let window = self.blocks[i].window_rows(field);
                    window.start.max(stored.start)..window.end.min(stored.end)
                };
                let needed = (0..self.blocks.len()).map(|i| (i, common(i)));
                let needed: Vec<_> = needed.filter(|(_, rows)| !rows.is_empty()).collect();
                if needed.is_empty() {
                    continue;
                }
                let raw = read_field(&lattice, block, field, from)?;
                for (i, rows) in needed {
                    // Rows of a field can be replaced only while the block is in memory.
                    self.load_block(i)?;
                    let place = rows.start - self.blocks[i].window_rows(field).start;
                    let own = rows.start - stored.start..rows.end - stored.start;
                    let own = raw.copy_rows(own).ok_or_else(damaged_bytes_error)?;
                    self.blocks[i].put_rows(field, place, &own, &mut *self.store)?;
                }
            }
        }
        Ok(())
    }

    /// Returns whether the flood statistics (maximum depths, arrival times) already include the
    /// initial state of the world.
    pub(in crate::distributed) fn flood_has_initial_state(&self) -> bool {
        let flood = self.blocks.first().and_then(|block| block.subdomain.flow.flood.as_ref());
        flood.is_some_and(|record| record.has_records())
    }

    /// Returns the rounding remainder of each cell in these blocks, for each spring (index 0) and
    /// for each drain (index 1).
    fn outlet_remainders(&self) -> [Vec<Vec<f32>>; 2] {
        let mut all = [(); 2].map(|()| Vec::<Vec<f32>>::new());
        for block in &self.blocks {
            let exchange = &block.subdomain.flow.exchange;
            for (all, list) in all.iter_mut().zip([&exchange.springs, &exchange.drains]) {
                all.resize(list.len(), Vec::new());
                all.iter_mut().zip(list.iter()).for_each(|(sum, own)| sum.extend(&own.remainders));
            }
        }
        all
    }

    /// Sets the rounding remainders of the springs (kind 0) or drains (kind 1) in these blocks.
    /// `outlets` contains the same springs or drains with all their cells on the grid.
    fn set_outlet_remainders(&mut self, kind: usize, outlets: &IdList<Outlet>) {
        for block in &mut self.blocks {
            let rows = block.subdomain.rows.clone();
            let own = block.subdomain.flow.exchange.outlets_mut().into_iter().nth(kind);
            for (own, new) in own.into_iter().flat_map(|own| own.iter_mut()).zip(outlets.iter()) {
                let cells = new.cells.iter().zip(&new.remainders);
                let here = cells.filter(|((_, y), _)| rows.contains(y));
                own.remainders = here.map(|(_, remainder)| *remainder).collect();
            }
        }
    }

    /// Recomputes the data that depend on the fields, after the fields have been restored.
    /// `flood_has_initial_state` states whether the flood statistics already include the initial
    /// state of the world.
    fn update_derived_data(&mut self, flood_has_initial_state: bool) -> io::Result<()> {
        let Flow { time, last_dt, steps, .. } = self.world;
        for i in 0..self.blocks.len() {
            let flow = &mut self.blocks[i].subdomain.flow;
            (flow.time, flow.last_dt, flow.steps) = (time, last_dt, steps);
            flow.flood
                .iter_mut()
                .for_each(|record| record.restore(0, &[], flood_has_initial_state));
            self.load_block(i)?;
            self.blocks[i].recompute_derived_data(self.mouths.as_ref());
            self.open_cell_counts[i] = self.blocks[i].open_cell_counts();
        }
        self.rounds.clear();
        Ok(())
    }
}

impl DistributedFlow {
    /// Returns the springs and drains with the current rounding remainder of each cell. Collective:
    /// every process must call this method.
    pub(in crate::distributed) fn current_outlets(&mut self) -> io::Result<Outlets> {
        let mut outlets = self.outlets.clone();
        let all = self.comm.allgather_values(Ok(self.local.outlet_remainders()))?;
        for kind in [0, 1] {
            for (number, outlet) in outlets.springs_or_drains_mut(kind).iter_mut().enumerate() {
                let own = all.iter().filter_map(|own| own[kind].get(number));
                outlet.remainders = own.flatten().copied().collect();
            }
        }
        Ok(outlets)
    }

    /// Writes all fields of the blocks of this process to the store `into`, and returns the row
    /// ranges of the blocks. The key of a field consists of the first row of its block and the
    /// number of the field. Not collective: a process may call this method alone.
    ///
    /// # Errors
    /// Returns an error if the storage of the world cannot be read, or if `into` cannot be written.
    pub fn write_checkpoint(&mut self, into: &mut dyn PageStore) -> io::Result<Vec<Range<usize>>> {
        let LocalBlocks { blocks, store, .. } = &mut self.local;
        let mut all = Vec::with_capacity(blocks.len());
        let mut bytes = Vec::new();
        for block in blocks {
            let first = block.subdomain.rows.start;
            for field in block.field_numbers()? {
                let raw = block.raw_rows(field, block.owned_rows(field), &mut **store)?;
                bytes.clear();
                raw.write(&mut bytes);
                into.put([first, field], &bytes)?;
            }
            all.push(block.subdomain.rows.clone());
        }
        Ok(all)
    }

    /// Serializes the state of the world, except for its fields, as the metadata of a checkpoint.
    ///
    /// # Errors
    /// Returns an error if serialization fails in any process.
    pub fn metadata(&mut self) -> io::Result<Vec<u8>> {
        let outlets = self.current_outlets()?;
        let (structures, blocks) = (self.structures(), &self.local);
        let (has_roughness_map, flood_has_initial_state) =
            (blocks.has_roughness_map, blocks.flood_has_initial_state());
        CheckpointMetadata::from_world(
            &blocks.world,
            outlets,
            structures,
            has_roughness_map,
            flood_has_initial_state,
        )
        .encode()
    }

    /// Restores the state of the world from all blocks in `store` and the
    /// [metadata](Self::metadata) of the checkpoint. The world is unusable after an error.
    ///
    /// # Errors
    /// Returns an error if access to `store` or to the storage of this world fails, or if the
    /// blocks or the metadata are incomplete or belong to another world.
    pub fn restore(
        &mut self,
        blocks: &[Range<usize>],
        metadata: &[u8],
        store: &mut dyn PageStore,
    ) -> io::Result<()> {
        let read = self.local.read_checkpoint(blocks, store);
        self.comm.allgather_values(read)?;
        self.set_metadata(metadata)
    }

    /// Restores the state of the world from an undivided world. Only the first process passes this
    /// world as `flow`. The distributed world is unusable after an error.
    ///
    /// # Errors
    /// Returns an error if the storage fails, or if `flow` does not have the specification of this
    /// world.
    pub fn restore_undivided(&mut self, flow: Option<Flow>) -> io::Result<()> {
        let mut flow = flow;
        let metadata = self.comm.broadcast_value(0, || {
            let flow = flow.as_ref().ok_or(io::ErrorKind::InvalidInput)?;
            let flood_has_initial_state =
                flow.flood.as_ref().is_some_and(|record| record.has_records());
            let (outlets, structures) =
                (Outlets::from_exchange(&flow.exchange), flow.structures.clone());
            check_same_world(flow.lattice == *self.lattice())?;
            CheckpointMetadata::from_world(
                flow,
                outlets,
                structures,
                flow.roughness.is_some(),
                flood_has_initial_state,
            )
            .encode()
        })?;
        CheckpointMetadata::decode(&metadata, self.world(), self.local.has_roughness_map)?;
        let Self { comm, local: blocks, .. } = self;
        let fields = blocks.blocks.first_mut().map_or(Ok(Vec::new()), RowBlock::field_numbers)?;
        for (rank, rows) in &self.partition {
            let (window, _, _) = blocks.spec.block_window(rows);
            for &field in &fields {
                let faces = usize::from(slot::is_on_row_faces(&blocks.world.lattice, field));
                let raw: RawField = comm.broadcast_value(0, || {
                    let mut found = None;
                    let flow = flow.as_mut().ok_or(io::ErrorKind::InvalidInput)?;
                    for_each_stored(flow, |slot, stored| {
                        if slot == field {
                            found = stored.copy_rows(window.start..window.end + faces);
                        }
                        Ok(())
                    })?;
                    found.ok_or_else(damaged_bytes_error)
                })?;
                if *rank == comm.rank() {
                    let i = blocks.block_index(rows.start)?;
                    blocks.blocks[i].put_rows(field, 0, &raw, &mut *blocks.store)?;
                }
            }
        }
        self.set_metadata(&metadata)
    }

    /// Restores the metadata of a checkpoint. Call this method after the fields have been restored.
    fn set_metadata(&mut self, bytes: &[u8]) -> io::Result<()> {
        let new = CheckpointMetadata::decode(bytes, self.world(), self.local.has_roughness_map)?;
        for (kind, list) in [&new.springs, &new.drains].into_iter().enumerate() {
            // Scene events append springs and drains to the list of the scene.
            for added in self.outlets.springs_or_drains(kind).len()..list.len() {
                let source = list[added].source.clone();
                self.add_outlet(kind, Outlet::new(source, self.lattice()))?;
            }
            let own = self.outlets.springs_or_drains(kind);
            let same = |(a, b): (&Outlet, &Outlet)| {
                (&a.cells, &a.source) == (&b.cells, &b.source)
                    && a.remainders.len() == a.cells.len()
            };
            check_same_world(list.len() == own.len() && list.iter().zip(&**own).all(same))?;
            self.local.set_outlet_remainders(kind, list);
        }
        let CheckpointMetadata { ledger, time, last_dt, steps, flood, structures, .. } = new;
        let blocks = &mut self.local;
        check_same_world(
            blocks.mouths.as_mut().is_none_or(|mouths| mouths.set_carry_from(&structures)),
        )?;
        let world = &mut blocks.world;
        (world.ledger, world.time, world.last_dt, world.steps) = (ledger, time, last_dt, steps);
        blocks
            .update_derived_data(flood.is_some_and(|(_, has_initial_state)| has_initial_state))?;
        // Scene events may have closed or opened cells.
        self.count_open_cells()
    }
}

impl Flow {
    /// Restores an undivided world from a checkpoint of a [`DistributedFlow`]: all stored blocks
    /// and the [metadata](DistributedFlow::metadata). The undivided world must be built from the
    /// same specification.
    ///
    /// # Errors
    /// Returns an error if the storage fails, or if the blocks or the metadata belong to another
    /// world or are incomplete.
    pub fn restore_blocks(
        mut self,
        blocks: &[Range<usize>],
        metadata: &[u8],
        from: &mut dyn PageStore,
    ) -> io::Result<Self> {
        let lattice = self.lattice;
        check_blocks(blocks, lattice.ny())?;
        let new = CheckpointMetadata::decode(metadata, &self, self.roughness.is_some())?;
        for block in blocks {
            for_each_stored(&mut self, |field, stored| {
                let raw = read_field(&lattice, block, field, from)?;
                stored.set_rows(block.start, &raw).ok_or_else(damaged_bytes_error)
            })?;
        }
        check_same_world(self.structures.copy_remainders(&new.structures))?;
        let exchange = &mut self.exchange;
        (exchange.springs, exchange.drains) = (new.springs, new.drains);
        let flood_has_initial_state =
            new.flood.is_some_and(|(_, has_initial_state)| has_initial_state);
        self.flood.iter_mut().for_each(|record| record.restore(0, &[], flood_has_initial_state));
        (self.ledger, self.time, self.last_dt, self.steps) =
            (new.ledger, new.time, new.last_dt, new.steps);
        self.revalidate().map_err(io::Error::other)
    }
}
