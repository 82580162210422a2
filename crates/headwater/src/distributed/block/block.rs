//! [`RowBlock`]: a range of grid rows, in memory or in storage, with the metadata that scheduling
//! needs.

use crate::distributed::PageStore;
use crate::distributed::block::fields::{RowAlignment, fields, row_values};
use crate::distributed::block::mouths::{MouthCell, StructureMouths};
use crate::distributed::block::step::Subdomain;
use crate::distributed::storage::page::{RawField, damaged_bytes_error, for_each_stored, slot};
use crate::distributed::world::row_fields::BlockView;
use crate::flow::context::{Roughness, StepContext};
use crate::flow::params::Physics;
use crate::flow::schemes::{inertial, pipes, shallow};
use crate::flow::solver::sweep;
use crate::flow::sources::sample_time::SampleTime;
use crate::flow::world::Flow;
use serde::{Deserialize, Serialize};
use std::io;
use std::ops::Range;
use xxhash_rust::xxh3::{Xxh3, xxh3_128};

/// Copy of those border rows of a block that a neighbouring block needs as its halo.
#[derive(Debug, Default)]
pub(in crate::distributed) struct BorderRows {
    pub(in crate::distributed) rows: Vec<f32>,
    hash: u128,
}

impl BorderRows {
    pub(in crate::distributed) fn new(rows: Vec<f32>) -> Self {
        let hash = xxh3_128(bytemuck::cast_slice(&rows));
        Self { rows, hash }
    }
}

/// Block of consecutive rows of the grid. Blocks are the units of storage and load balancing.
#[derive(Debug)]
pub(in crate::distributed) struct RowBlock {
    /// Sub-world that covers the rows of the block and its halo. The fields are empty while the
    /// block is in storage.
    pub(in crate::distributed) subdomain: Subdomain,
    /// Whether the fields of the block are in memory.
    pub(in crate::distributed) is_loaded: bool,
    /// Whether the storage contains the current values of the static fields (index 0) and of the
    /// fields that steps change (index 1).
    is_stored: [bool; 2],
    /// Memory that the fields of the block occupy while they are loaded (bytes).
    pub(in crate::distributed) bytes: usize,
    /// Owned rows that the neighbours to the north (index 0) and south (index 1) need as halos.
    pub(in crate::distributed) margins: [BorderRows; 2],
    /// Maxima over the cells of the block that determine the length of the next step, such as the
    /// depth or the wave rate. See [`maxima`](Subdomain::maxima).
    pub(in crate::distributed) maxima: Vec<f64>,
    /// Whether the last check for rest found no motion in the block.
    pub(in crate::distributed) is_still: bool,
    /// Hashes of the state after the last step; `None` if the block was not found at rest then.
    rest_hashes: Option<RestHashes>,
    /// Whether the last step left `rest_hashes` unchanged, so that further steps of the block can
    /// be skipped.
    is_asleep: bool,
    /// Whether water is added or removed in the owned rows: by springs, drains, structures
    /// (culverts, gates, weirs), or a source or loss that applies to the whole grid.
    pub(in crate::distributed) has_sources: bool,
    /// Cells in the owned rows in which a structure (culvert, gate or weir) takes or releases
    /// water.
    pub(in crate::distributed) mouths: Vec<MouthCell>,
    /// Whether all depths were finite when the block was last moved to storage.
    pub(in crate::distributed) is_finite: bool,
    /// Counter that increases whenever the state of the block changes. Consumers compare the
    /// counter to detect changes.
    pub(in crate::distributed) visits: u64,
    /// Number of cell updates since this number was last reported, a measure of work for load
    /// balancing.
    pub(in crate::distributed) work: u64,
}

/// Metadata that is sent along with a block when the block moves to another process.
#[derive(Serialize, Deserialize)]
pub(in crate::distributed) struct BlockMetadata {
    maxima: Vec<f64>,
    is_still: bool,
    rest_hashes: Option<RestHashes>,
    is_asleep: bool,
    visits: u64,
}

/// Number of visits of a new block in which the block is always checked for rest. One visit
/// comprises one or several time steps.
const INITIAL_REST_CHECKS: u64 = 4;

/// Number of visits between checks of whether a block is at rest, after the initial checks. One
/// visit comprises one or several time steps.
const REST_CHECK_INTERVAL: u64 = 16;

/// Hashes of a block without motion. A step may still change the sign of zeros, so a block sleeps
/// only after a step that left the hashes unchanged. The block then stays unchanged as long as its
/// neighbours do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct RestHashes {
    /// Hash of the rows that the block owns.
    own: u128,
    /// Hashes of the halo rows to the north and to the south; `None` for a side without a
    /// neighbour.
    halo: [Option<u128>; 2],
}

impl RowBlock {
    pub(in crate::distributed) fn new(
        subdomain: Subdomain,
        bytes_of_cell: usize,
        mouths: Option<&StructureMouths>,
    ) -> Self {
        let bytes = subdomain.flow.lattice.cell_count() * bytes_of_cell;
        let (maxima, margins) = (subdomain.maxima(), Default::default());
        let mut block = Self {
            subdomain,
            is_loaded: true,
            is_stored: [false; 2],
            bytes,
            margins,
            maxima,
            is_still: true,
            rest_hashes: None,
            is_asleep: false,
            has_sources: false,
            mouths: Vec::new(),
            is_finite: true,
            visits: 0,
            work: 0,
        };
        block.pack_border_rows();
        block.update_mouths(mouths);
        block.update_sources();
        block
    }

    fn update_mouths(&mut self, mouths: Option<&StructureMouths>) {
        self.mouths = mouths.map_or_else(Vec::new, |mouths| self.subdomain.read_mouths(mouths));
    }

    /// Recomputes [`has_sources`](Self::has_sources) from the sources, losses and structures in the
    /// block.
    pub(in crate::distributed) fn update_sources(&mut self) {
        let exchange = &self.subdomain.flow.exchange;
        let has_outlets = exchange.acts_on_all_cells() || exchange.cells().next().is_some();
        self.has_sources = has_outlets || !self.mouths.is_empty();
    }

    /// Returns the grid index of the first owned row. It identifies the block in the storage.
    fn storage_key(&self) -> usize {
        self.subdomain.rows.start
    }

    /// Returns the number of open cells (cells that water can enter) in this block for each spring
    /// (index 0) and each drain (index 1).
    pub(in crate::distributed) fn open_cell_counts(&self) -> [Vec<usize>; 2] {
        let flow = &self.subdomain.flow;
        [&flow.exchange.springs, &flow.exchange.drains]
            .map(|list| list.iter().map(|outlet| outlet.local_open_cells(&flow.state)).collect())
    }

    /// Returns the metadata that is sent when the block moves to another process.
    pub(in crate::distributed) fn metadata(&self) -> BlockMetadata {
        let Self { maxima, is_still, rest_hashes: rest, is_asleep, visits, .. } = self;
        let (maxima, rest) = (maxima.clone(), *rest);
        BlockMetadata {
            maxima,
            is_still: *is_still,
            rest_hashes: rest,
            is_asleep: *is_asleep,
            visits: *visits,
        }
    }

    /// Restores the metadata of a block that has moved to this process.
    pub(in crate::distributed) fn set_metadata(&mut self, metadata: BlockMetadata) {
        let BlockMetadata { maxima, is_still, rest_hashes: rest, is_asleep, visits } = metadata;
        self.maxima = maxima;
        (self.is_still, self.rest_hashes, self.is_asleep, self.visits) =
            (is_still, rest, is_asleep, visits);
    }

    /// Copies the owned rows that the neighbours need as halos into [`margins`](Self::margins).
    pub(in crate::distributed) fn pack_border_rows(&mut self) {
        for (side, margin) in self.margins.iter_mut().enumerate() {
            self.subdomain.pack_border_rows(side, &mut margin.rows);
            margin.hash = xxh3_128(bytemuck::cast_slice(&margin.rows));
        }
    }

    /// Performs the first stage of a step of length `dt` (s): applies sources and losses, before
    /// any water moves between cells.
    pub(in crate::distributed) fn begin_step(&mut self, dt: f64, mouths: Option<&StructureMouths>) {
        self.subdomain.begin_step(dt, mouths);
        self.is_stored[1] = false;
        self.pack_border_rows();
    }

    /// Copies `rows`, which belong to the neighbour to the north (side 0) or south (side 1), into
    /// the halo.
    pub(in crate::distributed) fn set_halo(&mut self, side: usize, rows: &[f32]) {
        if self.subdomain.set_halo(side, rows) {
            self.is_stored[1] = false;
        }
    }

    /// Returns an estimate of the number of cells that one step of the block updates.
    pub(in crate::distributed) fn cells_stepped(&self) -> usize {
        let Flow { lattice, workspace, .. } = &self.subdomain.flow;
        workspace.sweep.tiles.stepped_cell_count(lattice.nx(), lattice.ny())
    }

    /// Updates the metadata of the block after a visit, in which the block has performed one or
    /// several time steps. `neighbours` are the rows that formed the halo during the visit.
    pub(in crate::distributed) fn finish_visit(
        &mut self,
        neighbours: [Option<&BorderRows>; 2],
        mouths: Option<&StructureMouths>,
    ) {
        self.pack_border_rows();
        self.update_mouths(mouths);
        self.maxima = self.subdomain.maxima();
        self.is_stored[1] = false;
        self.visits += 1;
        // To detect rest, two consecutive checks are needed: after creation, and later at
        // intervals.
        let checks = self.visits <= INITIAL_REST_CHECKS || self.visits % REST_CHECK_INTERVAL < 2;
        let rests = checks && !self.has_sources && self.subdomain.is_at_rest();
        self.is_still = rests;
        let rest = rests.then(|| RestHashes {
            own: self.hash_owned_rows(),
            halo: neighbours.map(hash_border_rows),
        });
        self.is_asleep = rest.is_some() && rest == self.rest_hashes;
        self.rest_hashes = rest;
    }

    /// Returns a hash of the owned rows of all fields that steps change.
    fn hash_owned_rows(&self) -> u128 {
        let (state, own) = (&self.subdomain.flow.state, &self.subdomain.own_rows);
        let mut hash = Xxh3::new();
        for (field, alignment) in fields(state) {
            let rows = own.start..own.end + usize::from(alignment == RowAlignment::Faces);
            hash.update(bytemuck::cast_slice(row_values(field, rows)));
        }
        hash.digest128()
    }

    /// Returns whether steps would leave the block unchanged, provided that the rows of its
    /// neighbours do not change.
    pub(in crate::distributed) fn is_asleep(&self) -> bool {
        self.is_asleep
    }

    /// Returns whether a step would leave the block unchanged if `neighbours` are the rows that
    /// form its halo.
    pub(in crate::distributed) fn stays_asleep_with(
        &self,
        neighbours: [Option<&BorderRows>; 2],
    ) -> bool {
        let same = |rest: &RestHashes| rest.halo == neighbours.map(hash_border_rows);
        self.is_asleep && self.rest_hashes.as_ref().is_some_and(same)
    }

    /// Returns read access to the state of the block. The fields must be in memory.
    pub(in crate::distributed) fn view(&self) -> BlockView<'_> {
        BlockView {
            flow: &self.subdomain.flow,
            rows: &self.subdomain.rows,
            own_rows: &self.subdomain.own_rows,
        }
    }

    /// Moves the fields of the block from memory to the storage.
    pub(in crate::distributed) fn store_fields(
        &mut self,
        store: &mut dyn PageStore,
    ) -> io::Result<()> {
        if !self.is_loaded {
            return Ok(());
        }
        let (key, is_stored) = (self.storage_key(), self.is_stored);
        self.is_finite = self.subdomain.flow.state.depth.as_slice().iter().all(|h| h.is_finite());
        let mut bytes = Vec::new();
        // Fields that are up to date in the storage are not written again. After an error all
        // fields stay in memory.
        for_each_stored(&mut self.subdomain.flow, |slot, stored| {
            if !is_stored[usize::from(slot::is_dynamic(slot))] {
                bytes.clear();
                stored.write(&mut bytes);
                store.put([key, slot], &bytes)?;
            }
            Ok(())
        })?;
        for_each_stored(&mut self.subdomain.flow, |_, stored| {
            stored.clear();
            Ok(())
        })?;
        let flow = &mut self.subdomain.flow;
        // The workspace is dropped except for the state of the tiles.
        let tiles = std::mem::take(&mut flow.workspace.sweep.tiles);
        flow.workspace = Default::default();
        flow.workspace.sweep.tiles = tiles;
        flow.scratch = Default::default();
        (self.is_loaded, self.is_stored) = (false, [true; 2]);
        Ok(())
    }

    /// Loads the fields of the block from the storage into memory.
    pub(in crate::distributed) fn load_fields(
        &mut self,
        store: &mut dyn PageStore,
    ) -> io::Result<()> {
        if self.is_loaded {
            return Ok(());
        }
        let key = self.storage_key();
        for_each_stored(&mut self.subdomain.flow, |slot, stored| {
            stored.read(&store.get([key, slot])?).ok_or_else(damaged_bytes_error)
        })?;
        self.is_loaded = true;
        Ok(())
    }

    /// Returns the numbers by which the storage identifies the fields of this block.
    pub(in crate::distributed) fn field_numbers(&mut self) -> io::Result<Vec<usize>> {
        let mut all = Vec::new();
        for_each_stored(&mut self.subdomain.flow, |slot, _| {
            all.push(slot);
            Ok(())
        })?;
        Ok(all)
    }

    /// Returns a range of rows of field number `field` (see
    /// [`slot`](crate::distributed::storage::page::slot)) as 32-bit words. Rows are counted from
    /// the first row of the block's halo to the north.
    pub(in crate::distributed) fn raw_rows(
        &mut self,
        field: usize,
        rows: Range<usize>,
        store: &mut dyn PageStore,
    ) -> io::Result<RawField> {
        if !self.is_loaded {
            let raw = RawField::read(&store.get([self.storage_key(), field])?)
                .ok_or_else(damaged_bytes_error)?;
            return raw.into_rows(rows).ok_or_else(damaged_bytes_error);
        }
        let mut found = None;
        for_each_stored(&mut self.subdomain.flow, |slot, stored| {
            if slot == field {
                found = stored.copy_rows(rows.clone());
            }
            Ok(())
        })?;
        found.ok_or_else(damaged_bytes_error)
    }

    /// Returns the rows of field number `field` that the block owns, counted from the first row of
    /// its halo to the north. For fields on faces between rows, a block owns the face north of each
    /// of its rows; the last block also owns the southernmost faces.
    pub(in crate::distributed) fn owned_rows(&self, field: usize) -> Range<usize> {
        let own = self.subdomain.own_rows.clone();
        let is_last = !self.subdomain.neighbours[1];
        own.start..own.end + usize::from(is_last && self.is_on_row_faces(field))
    }

    /// Returns the rows of field number `field` that the block owns, counted from the top of the
    /// grid.
    pub(in crate::distributed) fn grid_rows(&self, field: usize) -> Range<usize> {
        let (own, first) = (self.owned_rows(field), self.subdomain.own_rows.start);
        let on_grid = |y: usize| y - first + self.subdomain.rows.start;
        on_grid(own.start)..on_grid(own.end)
    }

    fn is_on_row_faces(&self, field: usize) -> bool {
        slot::is_on_row_faces(&self.subdomain.flow.lattice, field)
    }
}

impl RowBlock {
    /// Returns the rows of field number `field` that the block and its halo cover, counted from the
    /// top of the grid.
    pub(in crate::distributed) fn window_rows(&self, field: usize) -> Range<usize> {
        let first = self.subdomain.rows.start - self.subdomain.own_rows.start;
        let faces = usize::from(self.is_on_row_faces(field));
        first..first + self.subdomain.flow.lattice.ny() + faces
    }

    /// Replaces rows of field number `field` from row `first` on, counted from the first row of the
    /// block's halo to the north. For a block in storage, all rows of the field must be given.
    pub(in crate::distributed) fn put_rows(
        &mut self,
        field: usize,
        first: usize,
        raw: &RawField,
        store: &mut dyn PageStore,
    ) -> io::Result<()> {
        if !self.is_loaded {
            let mut bytes = Vec::new();
            raw.write(&mut bytes);
            return store.put([self.storage_key(), field], &bytes);
        }
        self.is_stored[usize::from(slot::is_dynamic(field))] = false;
        let mut fits = None;
        for_each_stored(&mut self.subdomain.flow, |slot, stored| {
            if slot == field {
                fits = stored.set_rows(first, raw);
            }
            Ok(())
        })?;
        fits.ok_or_else(damaged_bytes_error)
    }

    /// Sets the maximum rain factor in [`maxima`](Self::maxima). Called after the rain map has
    /// changed.
    pub(in crate::distributed) fn set_max_rain_factor(&mut self, factor: f32) {
        // With the physics `Pipes`, the maxima have no entry for rain; see `Subdomain::maxima`.
        self.maxima.last_mut().into_iter().for_each(|rain| *rain = factor.into());
    }

    /// Recomputes the data that depend on the fields of the block, such as border rows and maxima,
    /// after the fields have been replaced. Wakes all tiles and the block.
    pub(in crate::distributed) fn recompute_derived_data(
        &mut self,
        mouths: Option<&StructureMouths>,
    ) {
        self.subdomain.flow.workspace.sweep.tiles.wake_all();
        self.mark_changed(mouths);
    }

    /// Wakes the block after some cells have changed, and recomputes the data that depend on its
    /// fields, such as border rows and maxima. The caller must have woken the tiles that contain
    /// the changed cells.
    pub(in crate::distributed) fn mark_changed(&mut self, mouths: Option<&StructureMouths>) {
        self.pack_border_rows();
        self.update_mouths(mouths);
        self.is_stored = [false; 2];
        self.maxima = self.subdomain.maxima();
        (self.rest_hashes, self.is_asleep, self.is_still) = (None, false, false);
        // Consumers refresh their copies of a block when the number of visits changes.
        self.visits += 1;
    }
}

fn hash_border_rows(margin: Option<&BorderRows>) -> Option<u128> {
    margin.map(|margin| margin.hash)
}

impl Subdomain {
    /// Returns whether no water moves in the owned rows or through the faces around them.
    fn is_at_rest(&self) -> bool {
        let Flow { lattice, params, state, boundaries, scratch, last_dt, .. } = &self.flow;
        let dt = f64::from(*last_dt);
        let when = SampleTime::for_step(params.level, self.flow.time, dt);
        let edges = &boundaries.edge_states(when, params.gravity, scratch);
        let roughness = Roughness::Uniform(0.0);
        let step = StepContext { lattice, params, edges, roughness, dt };
        // The faces south of a row are the faces north of the next row.
        let rows = self.own_rows.start..(self.own_rows.end + 1).min(lattice.ny());
        match params.level {
            Physics::Pipes => {
                sweep::is_at_rest::<pipes::sweep::PipesScheme<'_>>(state, &step, rows)
            }
            Physics::Inertial => {
                sweep::is_at_rest::<inertial::sweep::InertialScheme<'_>>(state, &step, rows)
            }
            Physics::ShallowWater => {
                sweep::is_at_rest::<shallow::sweep::ShallowScheme<'_>>(state, &step, rows)
            }
        }
    }
}
