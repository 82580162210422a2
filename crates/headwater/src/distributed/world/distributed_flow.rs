//! [`DistributedFlow`]: a distributed world as its coordinator sees it.

use crate::distributed::PageStore;
use crate::distributed::block::ledger_log;
use crate::distributed::local::LocalBlocks;
use crate::distributed::messages::{
    Facts, Question, Reply, Request, Response, Stepped, Workers, astray, check,
};
use crate::distributed::rebalance::{Load, RebalancePolicy, on_the_way, spans};
use crate::distributed::storage::page::{Raw, slot};
use crate::distributed::world::outlets::{Outlets, leave_no_cell};
use crate::distributed::world::spec::WorldSpec;
use crate::distributed::world::sum::Sum;
use crate::distributed::world::window::{BlockView, Window};
use crate::field::Field;
use crate::flow::params::Params;
use crate::flow::structure::Structures;
use crate::flow::world::Flow;
use crate::lattice::Lattice;
use crate::ledger::{Balance, Ledger};
use std::io;
use std::ops::Range;

/// Values of a field per request, if this costs no more than requesting the field of a whole block.
const TOGETHER: usize = 1 << 20;

/// A world split into row blocks of one process ([`LocalBlocks`]) or several. It is built from a
/// [`WorldSpec`] and [`Window`]s, and bit-identical to an undivided [`Flow`].
#[derive(Debug)]
pub struct DistributedFlow<K = LocalBlocks> {
    /// World without fields. Its springs and drains have no cells here; all cells count as
    /// elsewhere.
    pub(in crate::distributed) world: Flow,
    /// Springs and drains with their cells.
    pub(in crate::distributed) outlets: Outlets,
    /// Worker and rows of each block.
    pub(in crate::distributed) bands: Vec<(usize, Range<usize>)>,
    /// Whether all blocks were in memory at the start.
    are_here: bool,
    pub(in crate::distributed) is_rough: bool,
    /// Halo rows of a block.
    pub(in crate::distributed) halo: usize,
    pub(in crate::distributed) keepers: K,
    /// Policy for moving blocks between workers, if any.
    handover: Option<RebalancePolicy>,
    /// Work of each block since the last check, and the number of steps that it covers.
    work: (Vec<u64>, u64),
}

impl DistributedFlow {
    /// Creates a world in one process from its specification and from windows that `make` returns.
    /// Windows overlap; each is requested once, from north to south. Blocks in memory use at most
    /// `budget` bytes, or those of two blocks of the fewest rows.
    ///
    /// # Errors
    /// Those of `make` and of the storage, and an [`InputError`](crate::InputError) if a window has
    /// the wrong shape or an invalid number.
    pub fn new<E: From<io::Error>>(
        outline: WorldSpec,
        budget: usize,
        shelf: impl PageStore + 'static,
        make: impl FnMut(Range<usize>) -> Result<Window, E>,
    ) -> Result<Self, E> {
        let rows = 0..outline.lattice().ny();
        let bands = LocalBlocks::new(&outline, rows, budget, shelf, make)?;
        Ok(Self::over(outline, bands)?)
    }

    /// Returns the number of blocks, and how many of them are in memory.
    pub fn bands(&self) -> [usize; 2] {
        self.keepers.count()
    }

    /// Iterates over the rows of each block from north to south, with the number of times it was
    /// stepped.
    pub fn visits(&self) -> impl Iterator<Item = (Range<usize>, u64)> {
        self.keepers.visits()
    }

    /// Stores blocks until those in memory use at most `bytes`.
    ///
    /// # Errors
    /// Those of the storage.
    pub fn shrink(&mut self, bytes: usize) -> io::Result<()> {
        self.keepers.shrink(bytes)
    }

    /// Replaces the rain map, as [`LocalBlocks::set_rain_map`].
    ///
    /// # Errors
    /// Those of [`LocalBlocks::set_rain_map`].
    pub fn set_rain_map(&mut self, make: impl FnMut(Range<usize>) -> Field<f32>) -> io::Result<()> {
        self.keepers.set_rain_map(make)
    }

    /// Calls `look` with the block that owns row `y` and its current halo.
    ///
    /// # Errors
    /// Those of the storage, and an error if there is no such row.
    pub fn look<T>(&mut self, y: usize, look: impl FnOnce(BlockView<'_>) -> T) -> io::Result<T> {
        self.keepers.look(y, look)
    }
}

impl<K: Workers> DistributedFlow<K> {
    /// Creates the world of a specification from which the workers have built their blocks.
    ///
    /// # Errors
    /// Those of the workers, and an error if they do not own all rows.
    pub fn over(outline: WorldSpec, keepers: K) -> io::Result<Self> {
        let (mut world, open) = Self::of(outline, keepers)?;
        world.keepers.all(&Request(Question::Open(open)))?;
        world.world.ledger = Ledger::new(world.volume()?);
        Ok(world)
    }

    /// Creates the world before its ledger is opened. Also returns the open cells of each spring
    /// and each drain.
    pub(in crate::distributed) fn of(
        outline: WorldSpec,
        keepers: K,
    ) -> io::Result<(Self, [Vec<usize>; 2])> {
        let mut world = Self {
            halo: outline.halo(),
            outlets: Outlets::of(&outline.flow.exchange),
            world: outline.flow,
            bands: Vec::new(),
            are_here: true,
            is_rough: false,
            keepers,
            handover: None,
            work: Default::default(),
        };
        let all = world.facts()?;
        let open = world.take_open(&all);
        for (number, facts) in all.into_iter().enumerate() {
            world.bands.extend(facts.bands.into_iter().map(|rows| (number, rows)));
            world.are_here &= facts.are_here;
            world.is_rough |= facts.is_rough;
        }
        let starts = world.bands.iter().map(|(_, rows)| rows.start);
        let ends = world.bands.iter().map(|(_, rows)| rows.end);
        let ny = world.world.lattice.ny();
        if !starts.chain([ny]).eq([0].into_iter().chain(ends)) {
            let found = "the bands of its keepers are not those of the world";
            return Err(io::Error::new(io::ErrorKind::InvalidInput, found));
        }
        Ok((world, open))
    }

    /// Sums the open cells of springs and drains over all workers and returns the totals.
    pub(in crate::distributed) fn take_open(&mut self, facts: &[Facts]) -> [Vec<usize>; 2] {
        let mut open = [(); 2].map(|()| Vec::new());
        for facts in facts {
            for (sum, more) in open.iter_mut().zip(&facts.open) {
                sum.resize(more.len(), 0);
                sum.iter_mut().zip(more).for_each(|(sum, more)| *sum += more);
            }
        }
        leave_no_cell(&mut self.world.exchange, open.each_ref().map(Vec::as_slice));
        open
    }

    /// Returns the workers.
    pub fn keepers(&self) -> &K {
        &self.keepers
    }

    /// Sets when blocks move between workers; `None`, the default, for never. The state is the same
    /// in both cases.
    pub fn set_handover(&mut self, handover: Option<RebalancePolicy>) {
        self.handover = handover;
    }

    /// Returns the rows of each worker.
    pub fn held(&self) -> Vec<Range<usize>> {
        (0..self.keepers.count()).map(|keeper| self.rows_of(keeper)).collect()
    }

    /// Returns the rows of the world that one worker owns.
    pub(in crate::distributed) fn rows_of(&self, keeper: usize) -> Range<usize> {
        let mut own = self.bands.iter().filter(|(of, _)| *of == keeper).map(|(_, rows)| rows);
        let first = own.next().cloned().unwrap_or(0..0);
        first.start..own.next_back().map_or(first.end, |rows| rows.end)
    }

    /// Returns the lattice of the whole world.
    pub fn lattice(&self) -> &Lattice {
        &self.world.lattice
    }

    /// Returns the parameters.
    pub fn params(&self) -> &Params {
        &self.world.params
    }

    /// Returns the simulated time since the start (s).
    pub fn time(&self) -> f64 {
        self.world.time
    }

    /// Returns the number of steps since the start.
    pub fn steps(&self) -> u64 {
        self.world.steps
    }

    /// Returns the ledger: volumes added and removed, by cause.
    pub fn ledger(&self) -> &Ledger {
        &self.world.ledger
    }

    /// Advances toward the time `stop` (s) by at most `most` steps and returns their number; 0 at
    /// the end. The steps are those of [`Flow::steps_toward`].
    ///
    /// # Errors
    /// If `stop` is not finite, or a worker fails. The world is unusable afterwards.
    pub fn steps_toward(&mut self, stop: f64, most: usize) -> io::Result<usize> {
        let told = self.keepers.all(&Request(Question::Steps { stop, most }))?;
        let all: io::Result<Vec<Stepped>> = told.into_iter().map(stepped).collect();
        let mut all = all?;
        let Some(first) = all.first() else { return Ok(0) };
        let same = |one: &Stepped| {
            (one.steps, one.time.to_bits(), one.rounds.len())
                == (first.steps, first.time.to_bits(), first.rounds.len())
        };
        if !all.iter().all(same) {
            return Err(io::Error::other("the keepers of its bands have done other steps"));
        }
        let (done, rounds) = (first.done, first.rounds.len());
        let world = &mut self.world;
        (world.time, world.last_dt, world.steps) = (first.time, first.last_dt, first.steps);
        let area = world.lattice.cell_area();
        for round in 0..rounds {
            let logs = all.iter_mut().flat_map(|one| std::mem::take(&mut one.rounds[round]));
            let logs: Vec<_> = logs.collect();
            ledger_log::book(&logs, area, &mut world.ledger).map_err(io::Error::other)?;
        }
        let (work, steps) = &mut self.work;
        work.resize(self.bands.len(), 0);
        let found = all.iter().flat_map(|one| &one.work);
        work.iter_mut().zip(found).for_each(|(sum, more)| *sum += more);
        *steps += done as u64;
        self.even_out()?;
        Ok(done)
    }

    /// Moves blocks between workers if the load is uneven.
    fn even_out(&mut self) -> io::Result<()> {
        let due =
            |handover: &RebalancePolicy| self.work.1 >= handover.steps && self.keepers.count() > 1;
        let Some(RebalancePolicy { gain, .. }) = self.handover.filter(due) else { return Ok(()) };
        let (work, _) = std::mem::take(&mut self.work);
        let rows: Vec<usize> = self.bands.iter().map(|(_, rows)| rows.len()).collect();
        let mut first = vec![0];
        first.extend(
            (1..=self.keepers.count())
                .map(|keeper| self.bands.partition_point(|(of, _)| *of < keeper)),
        );
        let Some(shares) = (Load { work: &work, rows: &rows }).better(&first, gain) else {
            return Ok(());
        };
        while first != shares {
            let next = on_the_way(&first, &shares);
            let rows = |bands: Range<usize>| {
                self.bands[bands.start].1.start..self.bands[bands.end - 1].1.end
            };
            let moves = spans(&first).map(rows).zip(spans(&next).map(rows)).collect();
            let told = self.keepers.all(&Request(Question::Move(moves)))?;
            if !told.iter().all(|told| matches!(told.0, Reply::Done)) {
                return Err(astray());
            }
            for (keeper, bands) in spans(&next).enumerate() {
                self.bands[bands].iter_mut().for_each(|(of, _)| *of = keeper);
            }
            first = next;
        }
        Ok(())
    }

    /// Returns the volume of water on the grid (m³).
    ///
    /// # Errors
    /// Those of the workers.
    pub fn volume(&mut self) -> io::Result<f64> {
        let mut sum = Sum::default();
        // Sums of floats depend on their order, so workers add their rows one after the other.
        for keeper in 0..self.keepers.count() {
            match self.keepers.one(keeper, &Request(Question::Sum(sum.into())))?.0 {
                Reply::Sum(all) => sum = all.into(),
                _ => return Err(astray()),
            }
        }
        Ok(sum.all() * self.world.lattice.cell_area())
    }

    /// Returns the volume of water (m³), accurate but for the last digits. Faster than
    /// [`volume`](Self::volume), because workers sum in parallel.
    ///
    /// # Errors
    /// Those of the workers.
    pub fn volume_about(&mut self) -> io::Result<f64> {
        let mut all = 0.0;
        for told in self.keepers.all(&Request(Question::Sum(Sum::default().into())))? {
            let Reply::Sum(own) = told.0 else { return Err(astray()) };
            all += Sum::from(own).all();
        }
        Ok(all * self.world.lattice.cell_area())
    }

    /// Compares the ledger with the water on the grid.
    ///
    /// # Errors
    /// Those of the workers.
    pub fn balance(&mut self) -> io::Result<Balance> {
        let held = self.structures_now()?.held() * self.world.lattice.cell_area();
        let there = self.volume()? + held;
        Ok(self.world.ledger.balance(there))
    }

    /// Returns the structures with their current rounding carry.
    pub(in crate::distributed) fn structures_now(&mut self) -> io::Result<&Structures> {
        if !self.world.structures.is_empty() && self.keepers.count() > 0 {
            match self.keepers.one(0, &Request(Question::Structures))?.0 {
                Reply::Structures(structures) => self.world.structures.follow(&structures),
                _ => return Err(astray()),
            };
        }
        Ok(&self.world.structures)
    }

    /// Sets the rounding carry of the structures.
    pub(in crate::distributed) fn set_structures(
        &mut self,
        structures: Structures,
    ) -> io::Result<()> {
        check(self.world.structures.follow(&structures))?;
        self.keepers.all(&Request(Question::SetStructures(structures))).map(drop)
    }

    /// Returns whether all water is finite.
    ///
    /// # Errors
    /// Those of the workers.
    pub fn is_sound(&mut self) -> io::Result<bool> {
        let told = self.keepers.all(&Request(Question::Sound))?;
        Ok(told.iter().all(|told| matches!(told.0, Reply::Sound(true))))
    }

    /// Returns the facts about the blocks of each worker.
    pub(in crate::distributed) fn facts(&mut self) -> io::Result<Vec<Facts>> {
        let told = self.keepers.all(&Request(Question::Facts))?;
        let facts = told.into_iter().map(|told| match told.0 {
            Reply::Facts(facts) => Ok(facts),
            _ => Err(astray()),
        });
        facts.collect()
    }

    /// Returns how many of `rows` rows of `numbers` values each to request together: all of them if
    /// they come from storage.
    pub(in crate::distributed) fn together(&self, rows: usize, numbers: usize) -> usize {
        if self.are_here { (TOGETHER / numbers).clamp(1, rows.max(1)) } else { rows.max(1) }
    }

    /// Returns the pieces of a field from north to south, each with its worker.
    pub(in crate::distributed) fn pieces(&self, which: usize) -> Vec<(usize, Range<usize>)> {
        let [nx, ny] = slot::shape(&self.world.lattice, which);
        let mut pieces = Vec::new();
        for (i, (keeper, rows)) in self.bands.iter().enumerate() {
            // The last block also owns the faces south of its last row.
            let end = if i + 1 == self.bands.len() { ny } else { rows.end };
            let together = self.together(end - rows.start, nx);
            let starts = (rows.start..end).step_by(together);
            pieces.extend(starts.map(|start| (*keeper, start..(start + together).min(end))));
        }
        pieces
    }

    /// Returns some rows of a field from one worker.
    pub(in crate::distributed) fn numbers(
        &mut self,
        keeper: usize,
        which: usize,
        rows: Range<usize>,
    ) -> io::Result<Raw> {
        match self.keepers.one(keeper, &Request(Question::Numbers { which, rows }))?.0 {
            Reply::Numbers(raw) => Ok(raw),
            _ => Err(astray()),
        }
    }
}

fn stepped(told: Response) -> io::Result<Stepped> {
    match told.0 {
        Reply::Stepped(stepped) => Ok(stepped),
        _ => Err(astray()),
    }
}
