//! [`RowBlock`]: a subdomain, in memory or in storage, and its metadata.

use crate::distributed::PageStore;
use crate::distributed::block::fields::{Lies, fields, part_of};
use crate::distributed::block::mouths::{MouthCell, Mouths};
use crate::distributed::block::step::Subdomain;
use crate::distributed::storage::page::{Raw, damaged, for_each_stored, slot};
use crate::distributed::world::row_fields::BlockView;
use crate::flow::context::{Roughness, Step};
use crate::flow::params::Physics;
use crate::flow::when::When;
use crate::flow::world::Flow;
use crate::flow::{inertial, pipes, shallow, sweep};
use serde::{Deserialize, Serialize};
use std::io;
use std::ops::Range;
use xxhash_rust::xxh3::{Xxh3, xxh3_128};

/// Owned rows that a neighbour has in its halo.
#[derive(Debug, Default)]
pub(in crate::distributed) struct Margin {
    pub(in crate::distributed) rows: Vec<f32>,
    hash: u128,
}

impl Margin {
    pub(in crate::distributed) fn new(rows: Vec<f32>) -> Self {
        let hash = xxh3_128(bytemuck::cast_slice(&rows));
        Self { rows, hash }
    }
}

/// Block of consecutive rows of a world.
#[derive(Debug)]
pub(in crate::distributed) struct RowBlock {
    /// Its subdomain. The fields are empty while the block is in storage.
    pub(in crate::distributed) part: Subdomain,
    /// Whether it is in memory.
    pub(in crate::distributed) is_loaded: bool,
    /// Whether the storage has its current ground, and its current water.
    is_stored: [bool; 2],
    /// Bytes of its fields in memory.
    pub(in crate::distributed) bytes: usize,
    /// Rows that the neighbours to the north and south have in their halos.
    pub(in crate::distributed) margins: [Margin; 2],
    /// Maxima that determine the length of the next step.
    pub(in crate::distributed) maxima: Vec<f64>,
    /// Whether nothing moved in it at the last check.
    pub(in crate::distributed) is_still: bool,
    /// Hashes of its state after the last step, if nothing moved.
    rest: Option<Rest>,
    /// Whether these hashes were the same after the previous step.
    sleeps: bool,
    /// Whether its rows have springs, drains or mouths, or a global source or loss applies.
    pub(in crate::distributed) has_sources: bool,
    /// Mouth cells of structures in its rows.
    pub(in crate::distributed) mouths: Vec<MouthCell>,
    /// Whether all its values are finite.
    pub(in crate::distributed) is_finite: bool,
    /// Number of times it was stepped.
    pub(in crate::distributed) visits: u64,
    /// Cells stepped since the last report, each counted once per step.
    pub(in crate::distributed) work: u64,
}

/// Metadata of a block that stays in memory with it.
#[derive(Serialize, Deserialize)]
pub(in crate::distributed) struct BlockMetadata {
    maxima: Vec<f64>,
    is_still: bool,
    rest: Option<Rest>,
    sleeps: bool,
    visits: u64,
}

/// Number of first visits that check for rest, and the interval (visits) of checks after them.
const LOOKS: u64 = 4;
const EVERY: u64 = 16;

/// State of a block without motion. Lack of motion alone does not suffice, because steps change the
/// sign of zeros. A block that a step left unchanged stays unchanged while its neighbours do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Rest {
    /// Hash of its owned rows.
    own: u128,
    /// Hashes of its halo rows.
    beside: [Option<u128>; 2],
}

impl RowBlock {
    pub(in crate::distributed) fn new(
        part: Subdomain,
        bytes_of_cell: usize,
        mouths: Option<&Mouths>,
    ) -> Self {
        let bytes = part.flow.lattice.cells() * bytes_of_cell;
        let (maxima, margins) = (part.maxima(), Default::default());
        let mut block = Self {
            part,
            is_loaded: true,
            is_stored: [false; 2],
            bytes,
            margins,
            maxima,
            is_still: true,
            rest: None,
            sleeps: false,
            has_sources: false,
            mouths: Vec::new(),
            is_finite: true,
            visits: 0,
            work: 0,
        };
        block.gather();
        block.read_mouths(mouths);
        block.update_sources();
        block
    }

    fn read_mouths(&mut self, mouths: Option<&Mouths>) {
        self.mouths = mouths.map_or_else(Vec::new, |mouths| self.part.read_mouths(mouths));
    }

    /// Updates whether any source or loss applies to its rows.
    pub(in crate::distributed) fn update_sources(&mut self) {
        let exchange = &self.part.flow.exchange;
        let has_outlets = exchange.is_everywhere() || exchange.cells().next().is_some();
        self.has_sources = has_outlets || !self.mouths.is_empty();
    }

    /// Returns its storage key: its first row.
    fn number(&self) -> usize {
        self.part.rows.start
    }

    /// Returns the open cells of each spring and each drain in it.
    pub(in crate::distributed) fn open_cells(&self) -> [Vec<usize>; 2] {
        let flow = &self.part.flow;
        [&flow.exchange.springs, &flow.exchange.drains]
            .map(|list| list.iter().map(|outlet| outlet.open_here(&flow.state)).collect())
    }

    /// Returns its metadata.
    pub(in crate::distributed) fn metadata(&self) -> BlockMetadata {
        let Self { maxima, is_still, rest, sleeps, visits, .. } = self;
        let (maxima, rest) = (maxima.clone(), *rest);
        BlockMetadata { maxima, is_still: *is_still, rest, sleeps: *sleeps, visits: *visits }
    }

    /// Sets its metadata after a migration.
    pub(in crate::distributed) fn set_metadata(&mut self, metadata: BlockMetadata) {
        let BlockMetadata { maxima, is_still, rest, sleeps, visits } = metadata;
        self.maxima = maxima;
        (self.is_still, self.rest, self.sleeps, self.visits) = (is_still, rest, sleeps, visits);
    }

    /// Updates the rows that its neighbours copy.
    pub(in crate::distributed) fn gather(&mut self) {
        for (side, margin) in self.margins.iter_mut().enumerate() {
            self.part.gather(side, &mut margin.rows);
            margin.hash = xxh3_128(bytemuck::cast_slice(&margin.rows));
        }
    }

    /// Begins a step: applies sources before any water moves.
    pub(in crate::distributed) fn begin(&mut self, dt: f64, mouths: Option<&Mouths>) {
        self.part.begin(dt, mouths);
        self.is_stored[1] = false;
        self.gather();
    }

    /// Copies the rows of the neighbour to the north (0) or south (1) into its halo.
    pub(in crate::distributed) fn set_halo(&mut self, side: usize, rows: &[f32]) {
        if self.part.set_halo(side, rows) {
            self.is_stored[1] = false;
        }
    }

    /// Estimates the number of cells of a step.
    pub(in crate::distributed) fn cells_stepped(&self) -> usize {
        let Flow { lattice, workspace, .. } = &self.part.flow;
        workspace.sweep.tiles.cells_stepped(lattice.nx(), lattice.ny())
    }

    /// Updates its metadata after steps with the given neighbours' rows.
    pub(in crate::distributed) fn settle(
        &mut self,
        beside: [Option<&Margin>; 2],
        mouths: Option<&Mouths>,
    ) {
        self.gather();
        self.read_mouths(mouths);
        self.maxima = self.part.maxima();
        self.is_stored[1] = false;
        self.visits += 1;
        // Rest takes two checks in a row, at first and at intervals later.
        let looks = self.visits <= LOOKS || self.visits % EVERY < 2;
        let rests = looks && !self.has_sources && self.part.rests();
        self.is_still = rests;
        let rest = rests.then(|| Rest { own: self.hash_own(), beside: beside.map(hash) });
        self.sleeps = rest.is_some() && rest == self.rest;
        self.rest = rest;
    }

    /// Hashes all fields of its owned rows that steps change.
    fn hash_own(&self) -> u128 {
        let (state, own) = (&self.part.flow.state, &self.part.own);
        let mut hash = Xxh3::new();
        for (field, lies) in fields(state) {
            let rows = own.start..own.end + usize::from(lies == Lies::Between);
            hash.update(bytemuck::cast_slice(part_of(field, rows)));
        }
        hash.digest128()
    }

    /// Returns whether a step would change nothing while the neighbours' rows are the same.
    pub(in crate::distributed) fn is_asleep(&self) -> bool {
        self.sleeps
    }

    /// Returns whether a step would change nothing with these neighbours' rows.
    pub(in crate::distributed) fn sleeps_beside(&self, beside: [Option<&Margin>; 2]) -> bool {
        let same = |rest: &Rest| rest.beside == beside.map(hash);
        self.sleeps && self.rest.as_ref().is_some_and(same)
    }

    /// Returns a view of it. It must be in memory.
    pub(in crate::distributed) fn view(&self) -> BlockView<'_> {
        BlockView { flow: &self.part.flow, rows: &self.part.rows, own: &self.part.own }
    }

    /// Moves its fields to storage.
    pub(in crate::distributed) fn store_fields(
        &mut self,
        store: &mut dyn PageStore,
    ) -> io::Result<()> {
        if !self.is_loaded {
            return Ok(());
        }
        let (number, is_stored) = (self.number(), self.is_stored);
        self.is_finite = self.part.flow.state.depth.as_slice().iter().all(|h| h.is_finite());
        let mut bytes = Vec::new();
        // Fields that are stored already are not written again. Fields that fail to be stored stay
        // in memory.
        for_each_stored(&mut self.part.flow, |slot, stored| {
            if !is_stored[usize::from(slot::changes(slot))] {
                bytes.clear();
                stored.write(&mut bytes);
                store.put([number, slot], &bytes)?;
            }
            Ok(())
        })?;
        for_each_stored(&mut self.part.flow, |_, stored| {
            stored.clear();
            Ok(())
        })?;
        let flow = &mut self.part.flow;
        // The workspace is dropped, except for which tiles sleep.
        let tiles = std::mem::take(&mut flow.workspace.sweep.tiles);
        flow.workspace = Default::default();
        flow.workspace.sweep.tiles = tiles;
        flow.scratch = Default::default();
        (self.is_loaded, self.is_stored) = (false, [true; 2]);
        Ok(())
    }

    /// Loads its fields from storage.
    pub(in crate::distributed) fn load_fields(
        &mut self,
        store: &mut dyn PageStore,
    ) -> io::Result<()> {
        if self.is_loaded {
            return Ok(());
        }
        let number = self.number();
        for_each_stored(&mut self.part.flow, |slot, stored| {
            stored.read(&store.get([number, slot])?).ok_or_else(damaged)
        })?;
        self.is_loaded = true;
        Ok(())
    }

    /// Returns the numbers of its fields.
    pub(in crate::distributed) fn fields(&mut self) -> io::Result<Vec<usize>> {
        let mut all = Vec::new();
        for_each_stored(&mut self.part.flow, |slot, _| {
            all.push(slot);
            Ok(())
        })?;
        Ok(all)
    }

    /// Returns a field in some rows of its window.
    pub(in crate::distributed) fn numbers(
        &mut self,
        wished: usize,
        rows: Range<usize>,
        store: &mut dyn PageStore,
    ) -> io::Result<Raw> {
        if !self.is_loaded {
            let raw = Raw::read(&store.get([self.number(), wished])?).ok_or_else(damaged)?;
            return raw.cut(rows).ok_or_else(damaged);
        }
        let mut found = None;
        for_each_stored(&mut self.part.flow, |slot, stored| {
            if slot == wished {
                found = stored.raw(rows.clone());
            }
            Ok(())
        })?;
        found.ok_or_else(damaged)
    }

    /// Returns the window rows of a field that it owns. Of faces between rows these are the faces
    /// north of each row; the last block also owns the southernmost faces.
    pub(in crate::distributed) fn own_rows(&self, wished: usize) -> Range<usize> {
        let own = self.part.own.clone();
        let is_last = !self.part.beside[1];
        own.start..own.end + usize::from(is_last && self.is_between(wished))
    }

    /// Returns the grid rows of a field that it owns.
    pub(in crate::distributed) fn rows_of(&self, wished: usize) -> Range<usize> {
        let (own, first) = (self.own_rows(wished), self.part.own.start);
        let on_grid = |y: usize| y - first + self.part.rows.start;
        on_grid(own.start)..on_grid(own.end)
    }

    fn is_between(&self, wished: usize) -> bool {
        slot::is_between(&self.part.flow.lattice, wished)
    }
}

impl RowBlock {
    /// Returns the grid rows of a field that its window covers.
    pub(in crate::distributed) fn window_rows(&self, wished: usize) -> Range<usize> {
        let first = self.part.rows.start - self.part.own.start;
        let faces = usize::from(self.is_between(wished));
        first..first + self.part.flow.lattice.ny() + faces
    }

    /// Replaces values of a field from a row of its window on. A block in storage needs all values.
    pub(in crate::distributed) fn put(
        &mut self,
        which: usize,
        first: usize,
        raw: &Raw,
        store: &mut dyn PageStore,
    ) -> io::Result<()> {
        if !self.is_loaded {
            let mut bytes = Vec::new();
            raw.write(&mut bytes);
            return store.put([self.number(), which], &bytes);
        }
        self.is_stored[usize::from(slot::changes(which))] = false;
        let mut fits = None;
        for_each_stored(&mut self.part.flow, |slot, stored| {
            if slot == which {
                fits = stored.put(first, raw);
            }
            Ok(())
        })?;
        fits.ok_or_else(damaged)
    }

    /// Sets the greatest factor of its rain after the map has changed.
    pub(in crate::distributed) fn set_greatest_rain(&mut self, factor: f32) {
        // Pipes have no such entry, see `Subdomain::maxima`.
        self.maxima.last_mut().into_iter().for_each(|rain| *rain = factor.into());
    }

    /// Updates everything derived from its fields after they were replaced.
    pub(in crate::distributed) fn restart_block(&mut self, mouths: Option<&Mouths>) {
        self.part.flow.workspace.sweep.tiles.wake_all();
        self.has_changed(mouths);
    }

    /// Updates everything derived from its fields after some cells changed, whose tiles are awake.
    pub(in crate::distributed) fn has_changed(&mut self, mouths: Option<&Mouths>) {
        self.gather();
        self.read_mouths(mouths);
        self.is_stored = [false; 2];
        self.maxima = self.part.maxima();
        (self.rest, self.sleeps, self.is_still) = (None, false, false);
        // Makes views of this block refresh.
        self.visits += 1;
    }
}

fn hash(margin: Option<&Margin>) -> Option<u128> {
    margin.map(|margin| margin.hash)
}

impl Subdomain {
    /// Returns whether nothing moves in its owned rows and over the faces around them.
    fn rests(&self) -> bool {
        let Flow { lattice, params, state, boundaries, scratch, last_dt, .. } = &self.flow;
        let dt = f64::from(*last_dt);
        let when = When::step(params.level, self.flow.time, dt);
        let edges = &boundaries.at(when, params.gravity, scratch);
        let roughness = Roughness::Uniform(0.0);
        let step = Step { lattice, params, edges, roughness, dt };
        // The faces south of a row are those north of the next row.
        let rows = self.own.start..(self.own.end + 1).min(lattice.ny());
        match params.level {
            Physics::Pipes => sweep::rests::<pipes::sweep::Pipes<'_>>(state, &step, rows),
            Physics::Inertial => sweep::rests::<inertial::sweep::Inertial<'_>>(state, &step, rows),
            Physics::ShallowWater => {
                sweep::rests::<shallow::sweep::Shallow<'_>>(state, &step, rows)
            }
        }
    }
}
