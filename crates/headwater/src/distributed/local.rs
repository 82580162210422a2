//! [`LocalBlocks`]: the blocks of grid rows that one process owns, in memory or in storage.

use crate::distributed::block::block::{BorderRows, RowBlock};
use crate::distributed::block::ledger_log::LedgerLog;
use crate::distributed::block::mouths::StructureMouths;
use crate::distributed::partition::split_rows;
use crate::distributed::storage::page::{RawField, slot};
use crate::distributed::world::outlets::remove_cells;
use crate::distributed::world::row_fields::{BlockView, RowFields};
use crate::distributed::world::spec::WorldSpec;
use crate::distributed::world::sum::WaterSum;
use crate::distributed::{Communicator, PageStore};
use crate::error::InputError;
use crate::field::Field;
use crate::flow::params::Params;
use crate::flow::sources::soil::SoilCell;
use crate::flow::world::Flow;
use crate::lattice::Lattice;
use std::io;
use std::ops::Range;

/// Default maximum number of rows of a block. Small blocks save time, because only whole blocks can
/// be skipped while their water is at rest.
const MAX_ROWS: usize = 512;

/// Target number of blocks per process. Several blocks are needed because rebalancing moves whole
/// blocks, and because a process steps only its inner blocks during a halo exchange. Fewer blocks
/// are created if they would otherwise be too small.
const BLOCKS_PER_PROCESS: usize = 8;

/// Minimum ratio of a block's owned rows to its halo rows. Halo rows are stepped twice, by both
/// neighbouring blocks.
const MIN_ROWS_PER_HALO_ROW: usize = 64;

/// Number of blocks that should fit in memory at the same time. Fewer may fit, because blocks have
/// a minimum size. The memory of `RESERVED_BLOCKS` of them is reserved for building, storing and
/// loading blocks.
const BLOCKS_IN_MEMORY: usize = 16;
const RESERVED_BLOCKS: usize = 3;

/// Memory limit of a process for the blocks of grid rows that it owns.
#[derive(Clone, Copy, Debug)]
pub struct MemoryBudget {
    /// Maximum total memory of the blocks that are loaded (bytes).
    bytes: usize,
    /// Maximum number of rows of a block; `None` selects the default.
    rows: Option<usize>,
}

impl MemoryBudget {
    /// Limits the size of each block to `rows` rows. If the halo requires larger blocks, the
    /// smallest possible size is used.
    pub fn with_block_rows(mut self, rows: usize) -> Self {
        self.rows = Some(rows);
        self
    }
}

impl From<usize> for MemoryBudget {
    /// Creates a memory limit from a number of bytes.
    fn from(bytes: usize) -> Self {
        Self { bytes, rows: None }
    }
}

/// Blocks of grid rows that one process owns. Blocks that exceed the memory limit are kept in
/// storage. Other processes may own the rows to the north and south of these blocks.
#[derive(Debug)]
pub struct LocalBlocks {
    /// World without fields. It is the same in all processes. Its springs and drains have no cells;
    /// all their open cells are counted as cells of other subdomains.
    pub(in crate::distributed) world: Flow,
    pub(in crate::distributed) blocks: Vec<RowBlock>,
    pub(in crate::distributed) store: Box<dyn PageStore>,
    /// Maximum total memory of the blocks that are loaded (bytes).
    budget: usize,
    /// Number of halo rows on each side of a block.
    pub(in crate::distributed) halo: usize,
    /// Rows of the processes to the north (index 0) and south (index 1) that form the outermost
    /// halos, as received in the last [exchange](Self::exchange_halos).
    pub(in crate::distributed) outer_halos: [Option<BorderRows>; 2],
    /// Numbers of open cells (cells that water can enter), with one entry for each block. An entry
    /// holds the numbers of all springs (index 0) and of all drains (index 1) in the block.
    pub(in crate::distributed) open_cell_counts: Vec<[Vec<usize>; 2]>,
    /// Numbers of open cells in the whole world, of all springs (index 0) and of all drains (index
    /// 1).
    pub(in crate::distributed) global_open_cell_counts: [Vec<usize>; 2],
    /// Structures (culverts, gates, weirs) of the world and the cells at their mouths; `None` if
    /// there are no structures.
    pub(in crate::distributed) mouths: Option<StructureMouths>,
    /// Whether the roughness varies from cell to cell.
    pub(in crate::distributed) has_roughness_map: bool,
    /// Specification of the world, from which blocks that other processes send are built.
    pub(in crate::distributed) spec: WorldSpec,
    /// Number of rows that other processes have sent to this process since its creation.
    pub(in crate::distributed) rows_received: usize,
    /// Ledger logs since the last report. There is one item for each round of block visits, with
    /// the logs of the blocks that were stepped in this round.
    pub(in crate::distributed) rounds: Vec<Vec<LedgerLog>>,
}

impl LocalBlocks {
    /// Creates the blocks of the given `rows`, which [`WorldSpec::partition_rows`] has assigned to
    /// this process. `make` returns the initial fields for a range of rows. It is called once for
    /// each block, from north to south, with a range that includes the halo. Loaded blocks use at
    /// most the memory `budget`, but always enough for two blocks of minimum size.
    ///
    /// # Errors
    /// Returns an error if `make` or the storage fails, and [`InputError`](crate::InputError) if
    /// the fields have the wrong shape or an invalid number.
    pub fn new<E: From<io::Error>>(
        spec: &WorldSpec,
        rows: Range<usize>,
        budget: impl Into<MemoryBudget>,
        store: impl PageStore + 'static,
        mut make: impl FnMut(Range<usize>) -> Result<RowFields, E>,
    ) -> Result<Self, E> {
        let MemoryBudget { bytes: budget, rows: max_rows } = budget.into();
        let lattice = spec.flow.lattice;
        let (cell, halo) = (spec.bytes_per_cell(), spec.halo_rows());
        let fit = (budget / BLOCKS_IN_MEMORY / (lattice.nx() * cell)).saturating_sub(2 * halo);
        let min_rows = halo + 2;
        let default_part =
            (rows.len() / BLOCKS_PER_PROCESS).max(MIN_ROWS_PER_HALO_ROW * halo).min(MAX_ROWS);
        let default = if rows.len() < lattice.ny() { default_part } else { MAX_ROWS };
        let max_rows = max_rows.unwrap_or(default).max(min_rows);
        let count = rows.len().div_ceil(fit.clamp(min_rows, max_rows)).max(1);
        let all = split_rows(rows.len(), count.min((rows.len() / min_rows).max(1)));
        let all = all.into_iter().map(|block| rows.start + block.start..rows.start + block.end);
        let all: Vec<Range<usize>> = all.collect();
        let mut this = Self {
            world: spec.flow.clone(),
            blocks: Vec::with_capacity(all.len()),
            store: Box::new(store),
            budget,
            halo,
            outer_halos: [None, None],
            open_cell_counts: Vec::with_capacity(all.len()),
            global_open_cell_counts: Default::default(),
            mouths: StructureMouths::from_structures(&spec.flow.structures, &lattice)
                .map_err(io::Error::other)?,
            has_roughness_map: false,
            spec: spec.clone(),
            rows_received: 0,
            rounds: Vec::new(),
        };
        let widest = all.iter().map(|block| spec.block_window(block).0.len()).max().unwrap_or(0);
        let reserved = RESERVED_BLOCKS * widest * lattice.nx() * cell;
        this.budget = budget.saturating_sub(reserved);
        for (number, block) in all.iter().enumerate() {
            let window = make(spec.block_window(block).0)?;
            let has_motion = window.velocity.is_some() || window.unit_discharge.is_some();
            let part = spec.build_subdomain(block, window).map_err(io::Error::other)?;
            this.has_roughness_map |= part.flow.roughness.is_some();
            this.free_memory(number, part.flow.lattice.cell_count() * cell)?;
            let mut block = RowBlock::new(part, cell, this.mouths.as_ref());
            block.is_still = !has_motion;
            this.open_cell_counts.push(block.open_cell_counts());
            this.blocks.push(block);
        }
        // Open cells are counted over all blocks below.
        remove_cells(&mut this.world.exchange, [&[], &[]]);
        Ok(this)
    }

    /// Returns the specification from which the world was built.
    pub fn spec(&self) -> &WorldSpec {
        &self.spec
    }

    /// Returns the lattice of the whole world.
    pub fn lattice(&self) -> &Lattice {
        &self.world.lattice
    }

    /// Returns the parameters of the world.
    pub fn params(&self) -> &Params {
        &self.world.params
    }

    /// Returns the range of grid rows that this process owns.
    pub fn rows(&self) -> Range<usize> {
        let first = self.blocks.first().map_or(0, |block| block.subdomain.rows.start);
        first..self.blocks.last().map_or(first, |block| block.subdomain.rows.end)
    }

    /// Returns the number of rows that other processes have sent to this process since its
    /// creation.
    pub fn rows_received(&self) -> usize {
        self.rows_received
    }

    /// Returns the total number of blocks of this process, and the number of blocks that are in
    /// memory.
    pub fn block_counts(&self) -> [usize; 2] {
        [self.blocks.len(), self.blocks.iter().filter(|block| block.is_loaded).count()]
    }

    /// Iterates over the blocks from north to south. An item consists of the rows of the block and
    /// a counter that increases whenever the state of the block may have changed.
    pub fn block_visits(&self) -> impl Iterator<Item = (Range<usize>, u64)> {
        self.blocks.iter().map(|block| (block.subdomain.rows.clone(), block.visits))
    }

    /// Loads block `i` into memory. Moves other blocks to storage if the memory limit requires it.
    pub(in crate::distributed) fn load_block(&mut self, i: usize) -> io::Result<()> {
        if !self.blocks[i].is_loaded {
            self.free_memory(i, self.blocks[i].bytes)?;
            self.blocks[i].load_fields(&mut *self.store)?;
        }
        Ok(())
    }

    /// Moves blocks other than block `i` to storage until `bytes` additional bytes fit within the
    /// memory limit.
    pub(in crate::distributed) fn free_memory(&mut self, i: usize, bytes: usize) -> io::Result<()> {
        let count = self.blocks.len().max(1);
        loop {
            let loaded =
                || self.blocks.iter().enumerate().filter(|(j, block)| *j != i && block.is_loaded);
            let all: usize = loaded().map(|(_, block)| block.bytes).sum();
            // Prefer sleeping blocks, then the block that is needed last. Blocks are stepped from
            // north to south.
            let last =
                loaded().max_by_key(|(j, block)| (block.is_asleep(), (j + count - i) % count));
            match last.map(|(j, _)| j) {
                Some(j) if all + bytes > self.budget => {
                    self.blocks[j].store_fields(&mut *self.store)?;
                }
                _ => return Ok(()),
            }
        }
    }

    /// Replaces the rain map, like [`Flow::set_rain_map`]. `rain_map_of_rows` returns the rain
    /// factors for a range of rows. It is called once for each block.
    ///
    /// # Errors
    /// Returns an error if the storage fails, and [`InputError`] if a map has the wrong shape or an
    /// invalid number, or if the rain of this world has no map.
    pub fn set_rain_map(
        &mut self,
        mut rain_map_of_rows: impl FnMut(Range<usize>) -> Field<f32>,
    ) -> io::Result<()> {
        if self.world.rain().is_none_or(|rain| rain.map.is_none()) {
            let allowed = "rain with a map";
            return Err(io::Error::other(InputError::new("rain map", "none", allowed)));
        }
        for block in &mut self.blocks {
            let map = rain_map_of_rows(block.window_rows(slot::RAIN_MAP));
            block.subdomain.flow.check_rain_map(&map).map_err(io::Error::other)?;
            block.set_max_rain_factor(map.min_max().map_or(1.0, |range| range.1));
            let (width, words) = (map.nx(), bytemuck::cast_vec(map.into_vec()));
            block.put_rows(
                slot::RAIN_MAP,
                0,
                &RawField::new(width, vec![words]),
                &mut *self.store,
            )?;
        }
        Ok(())
    }

    /// Exchanges the halos of the northernmost and southernmost blocks with the neighbouring
    /// processes. Collective: every process must call this method.
    pub fn exchange_halos(&mut self, comm: &dyn Communicator) {
        self.exchange_halos_overlapped(comm, |_, _| {});
    }

    /// Exchanges the halos of the northernmost and southernmost blocks with the neighbouring
    /// processes while `work` runs. `work` must not access the rows that are being sent or
    /// received.
    pub(in crate::distributed) fn exchange_halos_overlapped(
        &mut self,
        comm: &dyn Communicator,
        mut work: impl FnMut(&mut Self, &mut dyn FnMut()),
    ) {
        let neighbours = self.has_neighbours();
        let last = self.blocks.len().saturating_sub(1);
        if neighbours == [false; 2] {
            return work(self, &mut || {});
        }
        // `work` may load and store blocks, so the sent rows are moved out of the blocks.
        let margins = [(0, 0), (last, 1)];
        let to = margins.map(|(block, side)| std::mem::take(&mut self.blocks[block].margins[side]));
        let mut from =
            std::mem::take(&mut self.outer_halos).map(|old| old.unwrap_or_default().rows);
        // Both directions carry the same number of values.
        from.iter_mut().zip(&to).for_each(|(from, to)| from.resize(to.rows.len(), 0.0));
        let [north, south] = &mut from;
        let rows = to.each_ref().map(|margin| &margin.rows[..]);
        comm.exchange_halos_overlapped(rows, [&mut north[..], &mut south[..]], &mut |poke| {
            work(self, poke);
        });
        for ((block, side), margin) in margins.into_iter().zip(to) {
            self.blocks[block].margins[side] = margin;
        }
        let mut neighbours = neighbours.into_iter();
        self.outer_halos =
            from.map(|rows| (neighbours.next() == Some(true)).then(|| BorderRows::new(rows)));
    }

    /// Returns whether there are processes that own rows to the north (index 0) and to the south
    /// (index 1).
    pub(in crate::distributed) fn has_neighbours(&self) -> [bool; 2] {
        let (first, last) = (self.blocks.first(), self.blocks.last());
        [
            first.is_some_and(|it| it.subdomain.neighbours[0]),
            last.is_some_and(|it| it.subdomain.neighbours[1]),
        ]
    }

    /// Calls `read` with the block that owns row `y` of the grid, including the halo of the block.
    /// Halo rows of other processes have the values of the last [exchange](Self::exchange_halos).
    ///
    /// # Errors
    /// Returns an error if the storage fails, or if this process does not own row `y`.
    pub fn with_block<T>(
        &mut self,
        y: usize,
        read: impl FnOnce(BlockView<'_>) -> T,
    ) -> io::Result<T> {
        let i = self.block_index(y)?;
        self.load_block(i)?;
        let (above, rest) = self.blocks.split_at_mut(i);
        let Some((block, below)) = rest.split_first_mut() else {
            return Err(io::ErrorKind::InvalidInput.into());
        };
        let [before, after] = self.outer_halos.each_ref().map(Option::as_ref);
        if let Some(margin) = above.last().map(|last| &last.margins[1]).or(before) {
            block.set_halo(0, &margin.rows);
        }
        if let Some(margin) = below.first().map(|next| &next.margins[0]).or(after) {
            block.set_halo(1, &margin.rows);
        }
        Ok(read(block.view()))
    }

    /// Returns the number of open cells of each spring (index 0) and of each drain (index 1),
    /// summed over the blocks of this process.
    pub(in crate::distributed) fn open_cell_counts(&self) -> [Vec<usize>; 2] {
        [0, 1].map(|kind| {
            let of_blocks = self.open_cell_counts.iter().map(|open| open[kind].clone());
            let add = |sum: Vec<usize>, more: Vec<usize>| {
                sum.iter().zip(more).map(|(sum, more)| sum + more).collect()
            };
            of_blocks.reduce(add).unwrap_or_default()
        })
    }

    /// Sets the number of open cells of each spring (index 0) and of each drain (index 1) in the
    /// whole world.
    pub(in crate::distributed) fn set_global_open_cells(&mut self, all: [Vec<usize>; 2]) {
        for (block, own) in self.blocks.iter_mut().zip(&self.open_cell_counts) {
            block.subdomain.set_remote_open_cells([0, 1].map(|kind| {
                let counts = all[kind].iter().zip(&own[kind]);
                counts.map(|(all, own)| all.saturating_sub(*own)).collect()
            }));
        }
        self.global_open_cell_counts = all;
    }

    /// Adds the depths (index 0) and the rounding remainders of the depths (index 1) of all cells
    /// of this process to `before`, in row-major order, and returns the new sums. A rounding
    /// remainder is water below the `f32` resolution of a depth. `before` contains the sums over
    /// the rows to the north.
    pub(in crate::distributed) fn add_to_sums(&mut self, before: [f64; 2]) -> io::Result<[f64; 2]> {
        let mut sum = WaterSum::from(before);
        for block in &mut self.blocks {
            for index in [0, 1] {
                let rows = block.owned_rows(slot::WATER + index);
                let raw = block.raw_rows(slot::WATER + index, rows, &mut *self.store)?;
                sum.add_values(index, raw.first_list());
            }
        }
        Ok(sum.into())
    }

    /// Adds the rounding remainders of rain, evaporation, infiltration and seepage (indices 0 to 3)
    /// of all cells of this process to `sums`, in row-major order, and returns the new sums. A
    /// rounding remainder is water below the `f32` resolution of a depth. `sums` contains the sums
    /// over the rows to the north.
    pub(in crate::distributed) fn add_to_remainder_sums(
        &mut self,
        mut sums: [f64; 4],
    ) -> io::Result<[f64; 4]> {
        let exchange = &self.world.exchange;
        let fields = [
            exchange.rain.is_some().then_some(slot::RAIN),
            exchange.evaporation.is_some().then_some(slot::EVAPORATION),
            exchange.soil.is_some().then_some(slot::SOIL),
        ];
        for block in &mut self.blocks {
            for field in fields.into_iter().flatten() {
                let rows = block.owned_rows(field);
                let raw = block.raw_rows(field, rows, &mut *self.store)?;
                if field == slot::SOIL {
                    for SoilCell { to_take, to_give, .. } in raw.elements() {
                        sums[2] += f64::from(to_take);
                        sums[3] += f64::from(to_give);
                    }
                } else {
                    let sum = &mut sums[usize::from(field == slot::EVAPORATION)];
                    let values = raw.first_list().iter().map(|&word| f32::from_bits(word));
                    values.for_each(|value| *sum += f64::from(value));
                }
            }
        }
        Ok(sums)
    }

    /// Returns whether all water depths in all blocks of this process are finite.
    pub(in crate::distributed) fn is_finite(&self) -> bool {
        self.blocks.iter().all(|block| match block.is_loaded {
            true => block.subdomain.flow.state.depth.as_slice().iter().all(|h| h.is_finite()),
            false => block.is_finite,
        })
    }

    /// Returns a range of rows of field number `field` as 32-bit words. All rows must belong to the
    /// same block.
    pub(in crate::distributed) fn raw_rows(
        &mut self,
        field: usize,
        rows: &Range<usize>,
    ) -> io::Result<RawField> {
        let owns = |block: &&mut RowBlock| {
            let own = block.grid_rows(field);
            own.start <= rows.start && rows.end <= own.end
        };
        let block = self.blocks.iter_mut().find(owns).ok_or(io::ErrorKind::InvalidInput)?;
        let local = |y: usize| y + block.subdomain.own_rows.start - block.subdomain.rows.start;
        block.raw_rows(field, local(rows.start)..local(rows.end), &mut *self.store)
    }

    /// Returns the index of the block that owns row `y` of the grid.
    ///
    /// # Errors
    /// Returns an error if this process does not own the row.
    pub(in crate::distributed) fn block_index(&self, y: usize) -> io::Result<usize> {
        let found = self.blocks.iter().position(|block| block.subdomain.rows.contains(&y));
        found.ok_or_else(|| io::ErrorKind::InvalidInput.into())
    }
}
