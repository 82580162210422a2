//! [`DistributedFlow`]: a world whose rows are distributed over processes, or partly kept in
//! storage.

use crate::distributed::block::ledger_log::{self, LedgerLog};
use crate::distributed::local::LocalBlocks;
use crate::distributed::rebalance::{BlockLoads, RebalancePolicy, block_ranges, next_partition};
use crate::distributed::storage::page::{RawField, slot};
use crate::distributed::world::outlets::{Outlets, remove_cells};
use crate::distributed::world::row_fields::{BlockView, RowFields};
use crate::distributed::world::spec::WorldSpec;
use crate::distributed::world::sum::WaterSum;
use crate::distributed::{Communicator, PageStore, SingleProcess};
use crate::field::Field;
use crate::flow::params::Params;
use crate::flow::sources::exchange::Exchange;
use crate::flow::sources::flow_ledger::PartVolumes;
use crate::flow::structure::Structures;
use crate::flow::world::Flow;
use crate::lattice::Lattice;
use crate::ledger::{Balance, Ledger};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::io;
use std::ops::Range;
use std::sync::Arc;

/// Maximum number of values in one broadcast of a field. Larger fields in memory are broadcast in
/// pieces.
const VALUES_PER_BROADCAST: usize = 1 << 20;

/// World of the model `flow`, split into blocks of rows that one or several processes own. Every
/// process has its own `DistributedFlow` with the same time, ledger, sources and structures, and
/// [`LocalBlocks`] with its rows. Results are bit-identical to an undivided [`Flow`].
///
/// Methods that take `&mut self` are collective unless stated otherwise: all processes call them in
/// the same order with the same arguments, and get the same result or error.
#[derive(Debug)]
pub struct DistributedFlow {
    pub(in crate::distributed) comm: Arc<dyn Communicator>,
    /// Row blocks that this process owns.
    pub(in crate::distributed) local: LocalBlocks,
    /// Springs and drains with all their cells on the grid. Their rounding remainders (water below
    /// the `f32` resolution of a depth) are those at creation; the blocks contain the current ones.
    pub(in crate::distributed) outlets: Outlets,
    /// Rank of the owner and row range of each block in the world, from north to south.
    pub(in crate::distributed) partition: Vec<(usize, Range<usize>)>,
    /// Whether all blocks of all processes were in memory when the world was created.
    all_loaded: bool,
    /// Policy for moving blocks between processes; `None` if blocks do not move.
    rebalance: Option<RebalancePolicy>,
    /// Work of each block (number of cell updates) since the last check of the load balance, and
    /// the number of steps during which the work was measured.
    work: (Vec<u64>, u64),
}

/// Results of the steps that one process has performed. They are sent to all processes.
#[derive(Serialize, Deserialize)]
struct StepResult {
    done: usize,
    /// Simulated time that the process has reached (s), as the bits of an `f64`.
    time: u64,
    /// Ledger logs (inflows and outflows) of the row blocks. One item for each round, in which
    /// every block is visited once.
    rounds: Vec<Vec<LedgerLog>>,
    /// Number of cell updates in each block, a measure of work for load balancing.
    work: Vec<u64>,
}

impl DistributedFlow {
    /// Creates a world that one process owns. `make` returns the initial fields for a range of
    /// rows. It is called once for each row block, from north to south, with ranges that overlap by
    /// the halos. Loaded blocks use at most the memory `budget`, but always enough for two blocks
    /// of minimum size.
    ///
    /// # Errors
    /// Returns an error if `make` or the storage fails, and [`InputError`](crate::InputError) if
    /// the fields have the wrong shape or an invalid number.
    pub fn new<E: From<io::Error>>(
        spec: &WorldSpec,
        budget: usize,
        store: impl PageStore + 'static,
        make: impl FnMut(Range<usize>) -> Result<RowFields, E>,
    ) -> Result<Self, E> {
        let rows = 0..spec.lattice().ny();
        let blocks = LocalBlocks::new(spec, rows, budget, store, make)?;
        Ok(Self::from_blocks(Arc::new(SingleProcess), blocks)?)
    }

    /// Creates a world from row blocks that each process has built from the same specification.
    /// Collective: every process must call this method.
    ///
    /// # Errors
    /// Returns an error if the storage fails, or if the blocks do not cover all rows in the order
    /// of the ranks.
    pub fn from_blocks(comm: Arc<dyn Communicator>, blocks: LocalBlocks) -> io::Result<Self> {
        let outlets = Outlets::from_exchange(&blocks.spec.flow.exchange);
        let mut world = Self {
            comm,
            local: blocks,
            outlets,
            partition: Vec::new(),
            all_loaded: true,
            rebalance: None,
            work: Default::default(),
        };
        let rows = world.local.blocks.iter().map(|block| block.subdomain.rows.clone()).collect();
        let [all, loaded] = world.local.block_counts();
        let own: (Vec<Range<usize>>, bool) = (rows, all == loaded);
        for (rank, (rows, all_loaded)) in
            world.comm.allgather_values(Ok(own))?.into_iter().enumerate()
        {
            world.partition.extend(rows.into_iter().map(|rows| (rank, rows)));
            world.all_loaded &= all_loaded;
        }
        let starts = world.partition.iter().map(|(_, rows)| rows.start);
        let ends = world.partition.iter().map(|(_, rows)| rows.end);
        let ny = world.lattice().ny();
        if !starts.chain([ny]).eq([0].into_iter().chain(ends)) {
            let message = "the row blocks of the processes do not cover the rows of the world";
            return Err(io::Error::new(io::ErrorKind::InvalidInput, message));
        }
        world.count_open_cells()?;
        world.local.world.ledger.total = Ledger::new(world.volume()?);
        Ok(world)
    }

    /// Returns the row blocks that this process owns. Not collective.
    pub fn local_blocks(&self) -> &LocalBlocks {
        &self.local
    }

    /// Returns the communicator that connects the processes. Not collective.
    pub fn communicator(&self) -> &Arc<dyn Communicator> {
        &self.comm
    }

    /// Replaces the rain map, like [`LocalBlocks::set_rain_map`]. Not collective: each process
    /// replaces the map of its own rows.
    ///
    /// # Errors
    /// Returns an error under the same conditions as [`LocalBlocks::set_rain_map`].
    pub fn set_rain_map(
        &mut self,
        rain_map_of_rows: impl FnMut(Range<usize>) -> Field<f32>,
    ) -> io::Result<()> {
        self.local.set_rain_map(rain_map_of_rows)
    }

    /// Updates the halos between the processes, so that [`with_block`](Self::with_block) provides
    /// the current values of rows that other processes own.
    pub fn exchange_halos(&mut self) {
        self.local.exchange_halos(&*self.comm);
    }

    /// Calls `read` with the block of this process that owns row `y` of the grid, including the
    /// halo of the block. Halo rows of other processes have the values of the last
    /// [exchange](Self::exchange_halos). Not collective.
    ///
    /// # Errors
    /// Returns an error if the storage fails, or if this process does not own row `y`.
    pub fn with_block<T>(
        &mut self,
        y: usize,
        read: impl FnOnce(BlockView<'_>) -> T,
    ) -> io::Result<T> {
        self.local.with_block(y, read)
    }

    /// Sets the policy for load balancing; `None`, the default, disables load balancing. The policy
    /// does not affect results. The method is not collective, but all processes must set the same
    /// policy.
    pub fn set_rebalance_policy(&mut self, policy: Option<RebalancePolicy>) {
        self.rebalance = policy;
    }

    /// Returns the range of grid rows that each process owns, in the order of the ranks.
    pub fn rows_of_ranks(&self) -> Vec<Range<usize>> {
        let first = self.first_blocks();
        block_ranges(&first).map(|blocks| self.rows_of_blocks(blocks)).collect()
    }

    /// Returns the partition of the row blocks: the index of the first block of each process,
    /// followed by the number of blocks.
    fn first_blocks(&self) -> Vec<usize> {
        let first = |rank: usize| self.partition.partition_point(|(of, _)| *of < rank);
        (0..=self.comm.size()).map(first).collect()
    }

    fn rows_of_blocks(&self, blocks: Range<usize>) -> Range<usize> {
        let of = &self.partition[blocks];
        let first = of.first().map_or(0, |(_, rows)| rows.start);
        first..of.last().map_or(first, |(_, rows)| rows.end)
    }

    /// Returns the lattice of the whole world.
    pub fn lattice(&self) -> &Lattice {
        &self.world().lattice
    }

    /// Returns the parameters of the world.
    pub fn params(&self) -> &Params {
        &self.world().params
    }

    /// Returns the simulated time since the start (s).
    pub fn time(&self) -> f64 {
        self.world().time
    }

    /// Returns the number of steps since the start.
    pub fn steps(&self) -> u64 {
        self.world().steps
    }

    /// Returns the ledger: inflows and outflows by cause (m³), like [`Flow::ledger`].
    pub fn ledger(&self) -> &Ledger {
        &self.world().ledger.total
    }

    /// Returns the world without its fields. It is the same in all processes.
    pub(in crate::distributed) fn world(&self) -> &Flow {
        &self.local.world
    }

    /// Returns the structures with their current rounding carry: the volume that rounding has so
    /// far excluded from the transfers of each structure.
    pub(in crate::distributed) fn structures(&self) -> Structures {
        let mut structures = self.world().structures.clone();
        // The copies that contain only mouth cells number their cells differently.
        self.local.mouths.iter().for_each(|mouths| {
            structures.copy_remainders(mouths.structures());
        });
        structures
    }

    /// Advances toward the time `stop` (s) by at most `max_steps` steps, like
    /// [`Flow::steps_toward`]. Returns the number of steps performed; 0 if `stop` has been reached.
    ///
    /// # Errors
    /// Returns an error if `stop` is not finite, or if the storage fails. The world is unusable
    /// after an error.
    pub fn steps_toward(&mut self, stop: f64, max_steps: usize) -> io::Result<usize> {
        let done = self.local.steps_toward(stop, max_steps, &*self.comm)?;
        let time = self.time().to_bits();
        let rounds = std::mem::take(&mut self.local.rounds);
        let work = self.local.blocks.iter_mut().map(|block| std::mem::take(&mut block.work));
        let own = StepResult { done, time, rounds, work: work.collect() };
        let mut all = self.comm.allgather_values(Ok(own))?;
        let same = |one: &StepResult| (one.done, one.time) == (done, time);
        if !all.iter().all(same) {
            return Err(io::Error::other("the processes have taken different steps"));
        }
        let world = &mut self.local.world;
        let area = world.lattice.cell_area();
        // Ledger terms are added in the row order of the whole grid.
        for round in 0..all.first().map_or(0, |one| one.rounds.len()) {
            let logs = all.iter_mut().filter_map(|one| one.rounds.get_mut(round));
            let logs: Vec<LedgerLog> = logs.flat_map(std::mem::take).collect();
            ledger_log::record_sums(&logs, area, &mut world.ledger).map_err(io::Error::other)?;
        }
        let (work, steps) = &mut self.work;
        work.resize(self.partition.len(), 0);
        let found = all.iter().flat_map(|one| &one.work);
        work.iter_mut().zip(found).for_each(|(sum, more)| *sum += more);
        *steps += done as u64;
        self.rebalance()?;
        Ok(done)
    }

    /// Moves row blocks between processes if this reduces the work of the busiest process by
    /// more than the policy's minimum gain.
    fn rebalance(&mut self) -> io::Result<()> {
        let policy = self.rebalance.filter(|of| self.work.1 >= of.steps && self.comm.size() > 1);
        let Some(RebalancePolicy { gain, .. }) = policy else { return Ok(()) };
        let (work, _) = std::mem::take(&mut self.work);
        let rows: Vec<usize> = self.partition.iter().map(|(_, rows)| rows.len()).collect();
        let mut first = self.first_blocks();
        let Some(shares) = (BlockLoads { work: &work, rows: &rows }).rebalance(&first, gain) else {
            return Ok(());
        };
        while first != shares {
            let next = next_partition(&first, &shares);
            let own = block_ranges(&next).nth(self.comm.rank()).unwrap_or_default();
            self.local.migrate_blocks(self.rows_of_blocks(own), &*self.comm)?;
            for (rank, blocks) in block_ranges(&next).enumerate() {
                self.partition[blocks].iter_mut().for_each(|(of, _)| *of = rank);
            }
            first = next;
        }
        Ok(())
    }

    /// Folds a value over the processes in the order of the ranks. Each process applies `fold` to
    /// its blocks and the value of the previous process. Returns the final value on all processes.
    pub(in crate::distributed) fn fold_ranks<T>(
        &mut self,
        start: T,
        mut fold: impl FnMut(&mut LocalBlocks, T) -> io::Result<T>,
    ) -> io::Result<T>
    where
        T: Copy + Serialize + DeserializeOwned,
    {
        let Self { comm, local: blocks, .. } = self;
        let continued = |value, rank| comm.broadcast_value(rank, || fold(blocks, value));
        (0..comm.size()).try_fold(start, continued)
    }

    /// Returns the volume of water on the grid (m³).
    ///
    /// # Errors
    /// Returns an error if the storage fails.
    pub fn volume(&mut self) -> io::Result<f64> {
        let sum: [f64; 2] =
            self.fold_ranks(WaterSum::default().into(), LocalBlocks::add_to_sums)?;
        Ok(WaterSum::from(sum).total() * self.lattice().cell_area())
    }

    /// Returns the mass balance of the water: the ledger, the current volume on the grid and in
    /// structures (m³), and the residual. The residual is that volume minus the volume expected
    /// from the ledger.
    ///
    /// # Errors
    /// Returns an error if the storage fails.
    pub fn balance(&mut self) -> io::Result<Balance> {
        let held = self.structures().water_in_transit() * self.lattice().cell_area();
        let now = self.volume()? + held;
        let exchange = self.exchange_with_outlets()?;
        let area = self.lattice().cell_area();
        let mut sums = [0.0; 4];
        if exchange.acts_on_all_cells() {
            sums = self.fold_ranks(sums, LocalBlocks::add_to_remainder_sums)?;
        }
        Ok(self.ledger().balance_with_rounding(now, exchange.rounding(area, sums)))
    }

    /// Returns the volumes (m³) that each boundary condition, spring, drain and structure has moved
    /// since the world was created, like [`Flow::part_volumes`].
    ///
    /// # Errors
    /// Returns an error if the communication fails.
    pub fn part_volumes(&mut self) -> io::Result<PartVolumes> {
        let exchange = self.exchange_with_outlets()?;
        Ok(exchange.with_remainders(&self.world().ledger.parts, self.lattice().cell_area()))
    }

    /// Returns the sources and losses of the world, with the current rounding remainders (water
    /// below the `f32` resolution of a depth) of the springs and drains. Values that are stored per
    /// cell of the grid, such as the soil state, are not included.
    fn exchange_with_outlets(&mut self) -> io::Result<Exchange> {
        let Outlets { springs, drains } = self.current_outlets()?;
        Ok(Exchange { springs, drains, ..self.world().exchange.clone() })
    }

    /// Returns whether the water depths on all processes are finite.
    pub fn is_finite(&mut self) -> bool {
        let mut not_finite = [f64::from(u8::from(!self.local.is_finite()))];
        self.comm.allreduce_max(&mut not_finite);
        not_finite[0] == 0.0
    }

    /// Recounts the open cells (cells that water can enter) of all springs and drains in the whole
    /// world.
    pub(in crate::distributed) fn count_open_cells(&mut self) -> io::Result<()> {
        let mut open = [(); 2].map(|()| Vec::<usize>::new());
        for own in self.comm.allgather_values(Ok(self.local.open_cell_counts()))? {
            for (sum, more) in open.iter_mut().zip(&own) {
                sum.resize(more.len(), 0);
                sum.iter_mut().zip(more).for_each(|(sum, more)| *sum += more);
            }
        }
        remove_cells(&mut self.local.world.exchange, open.each_ref().map(Vec::as_slice));
        self.local.set_global_open_cells(open);
        Ok(())
    }

    /// Splits the rows of field number `field` into pieces, from north to south. An item consists
    /// of the rank of the process that owns the piece, and the rows of the piece.
    pub(in crate::distributed) fn row_pieces(&self, field: usize) -> Vec<(usize, Range<usize>)> {
        let [nx, ny] = slot::shape(self.lattice(), field);
        let mut pieces = Vec::new();
        for (i, (rank, rows)) in self.partition.iter().enumerate() {
            // The last block also owns the faces south of its last row.
            let end = if i + 1 == self.partition.len() { ny } else { rows.end };
            // A field in storage can be read only as a whole.
            let all = (end - rows.start).max(1);
            let count =
                if self.all_loaded { (VALUES_PER_BROADCAST / nx).clamp(1, all) } else { all };
            let starts = (rows.start..end).step_by(count);
            pieces.extend(starts.map(|start| (*rank, start..(start + count).min(end))));
        }
        pieces
    }

    /// Returns a range of rows of field number `field` as 32-bit words, on all processes. The rows
    /// must belong to a single process.
    pub(in crate::distributed) fn raw_rows(
        &mut self,
        rank: usize,
        field: usize,
        rows: &Range<usize>,
    ) -> io::Result<RawField> {
        let Self { comm, local: blocks, .. } = self;
        comm.broadcast_value(rank, || blocks.raw_rows(field, rows))
    }
}
