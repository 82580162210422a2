//! Time steps of [`LocalBlocks`], the row blocks of one process.
//!
//! Time advances in rounds. In one round each block is visited once, and a visit performs several
//! time steps if their lengths can be computed in advance. Sleeping blocks are skipped. Blocks that
//! need no rows of other processes are stepped first, and the outermost blocks last.

use crate::distributed::Communicator;
use crate::distributed::block::block::{BorderRows, RowBlock};
use crate::distributed::block::ledger_log::LedgerLog;
use crate::distributed::block::step_length::stable_dt;
use crate::distributed::local::LocalBlocks;
use crate::error::InputError;
use crate::flow::advance::time_after_step;
use crate::flow::params::Physics;
use crate::flow::solver::sweep;
use std::io;

impl LocalBlocks {
    /// Advances toward the time `stop` (s) by at most `max_steps` steps, like
    /// [`Flow::steps_toward`](crate::flow::Flow::steps_toward). Returns the number of steps
    /// performed; 0 if `stop` has been reached. Collective: every process must call this method.
    ///
    /// # Errors
    /// Returns an error if `stop` is not finite, or if the storage fails. The world is unusable
    /// after an error.
    pub(in crate::distributed) fn steps_toward(
        &mut self,
        stop: f64,
        max_steps: usize,
        comm: &dyn Communicator,
    ) -> io::Result<usize> {
        InputError::check("a time to advance to", stop, true, "a finite number of seconds")
            .map_err(io::Error::other)?;
        let mut done = 0;
        while done < max_steps {
            let fixed = self.world.can_combine_steps();
            let steps = if fixed { (max_steps - done).min(self.halo / 2) } else { 1 };
            let stable = self.stable_dt(comm)?;
            let mut visit = VisitPlan { passes: Vec::new(), time: self.world.time };
            let mut count = 0;
            while count < steps {
                let room = (steps - count).min(sweep::STEPS_PER_PASS);
                let (lengths, more) = self.step_lengths_from(visit.time, stable, stop, room);
                if more == 0 {
                    break;
                }
                let after = |time, dt: &f64| time_after_step(time, stop, *dt);
                let time = lengths[..more].iter().fold(visit.time, after);
                visit.passes.push((lengths[..more].to_vec(), visit.time));
                visit.time = time;
                count += more;
            }
            if count == 0 {
                break;
            }
            self.visit_blocks(&visit, comm)?;
            done += count;
        }
        Ok(done)
    }

    /// Returns an array with the lengths (s) of the next steps after `time` (s), and the number of
    /// these steps. Array elements beyond this number are unused. See
    /// [`Flow::step_lengths`](crate::flow::Flow::step_lengths).
    fn step_lengths_from(
        &mut self,
        time: f64,
        stable: f64,
        stop: f64,
        max_steps: usize,
    ) -> ([f64; sweep::STEPS_PER_PASS], usize) {
        let now = std::mem::replace(&mut self.world.time, time);
        let lengths = self.world.step_lengths(stable, stop, max_steps);
        self.world.time = now;
        lengths
    }

    /// Returns the longest stable time step (s) of the whole world. Collective: every process must
    /// call this method.
    fn stable_dt(&mut self, comm: &dyn Communicator) -> io::Result<f64> {
        let through = self.exchange_mouth_states(comm);
        let mut values: Vec<f64> = Vec::new();
        for block in &self.blocks {
            if values.is_empty() {
                values.clone_from(&block.maxima);
            } else {
                let all = values.iter_mut().zip(&block.maxima);
                all.for_each(|(max, own)| *max = max.max(*own));
            }
        }
        if !values.is_empty() {
            comm.allreduce_max(&mut values);
        }
        let mut loss = [0.0];
        if self.world.params.level == Physics::Inertial {
            // `values` now contains the maximum depth of the whole world.
            loss = [self.max_loss_rate(values[0].max(values[1]))?];
            comm.allreduce_max(&mut loss);
        }
        Ok(stable_dt(&self.world, &values, through, |_| loss[0]))
    }

    /// Exchanges the states of all cells in which a structure (culvert, gate or weir) takes or
    /// releases water. Returns the maximum rate (m/s) at which structures can raise the water
    /// surface. Collective: every process must call this method.
    fn exchange_mouth_states(&mut self, comm: &dyn Communicator) -> f64 {
        let Some(mouths) = &mut self.mouths else { return 0.0 };
        let mut values = mouths.pack_values(self.blocks.iter().flat_map(|block| &block.mouths));
        comm.allreduce_max(&mut values);
        mouths.unpack_values(&values);
        let world = &self.world;
        mouths.max_rise_rate(
            world.params.gravity,
            world.next_step_sample_time(world.time),
            &world.scratch,
        )
    }

    /// Returns the maximum of outflow divided by depth (m²/s) over the cells of the blocks of this
    /// process; see [`max_loss_rate`](crate::distributed::block::step::Subdomain::max_loss_rate).
    /// Skips blocks without motion. `deepest` is the largest depth in the world (m).
    fn max_loss_rate(&mut self, deepest: f64) -> io::Result<f64> {
        let mut max_rate = 0.0_f64;
        for i in 0..self.blocks.len() {
            if !(self.blocks[i].is_still || self.blocks[i].is_asleep()) {
                self.load_block(i)?;
                max_rate = max_rate.max(self.blocks[i].subdomain.max_loss_rate(deepest));
            }
        }
        Ok(max_rate)
    }

    /// Performs one round: visits every block that is not asleep. Blocks that need no rows of other
    /// processes are stepped while the halo exchange is in progress.
    fn visit_blocks(&mut self, visit: &VisitPlan, comm: &dyn Communicator) -> io::Result<()> {
        let count = self.blocks.len();
        let single = match &visit.passes[..] {
            [(lengths, _)] if lengths.len() == 1 => Some(lengths[0]),
            _ => None,
        };
        let mut round = RoundProgress::new(count);
        if let (Some(mouths), Some(dt)) = (&mut self.mouths, single) {
            let world = &mut self.world;
            mouths.apply_structures(world.params.gravity, [world.time, dt], &world.scratch);
            mouths.structures().record_volumes(dt, &mut world.ledger);
        }
        // Sources change rows in the halos of neighbours, so all sources are applied before water
        // moves.
        for (i, started) in round.has_started.iter_mut().enumerate() {
            if let Some(dt) = single.filter(|_| self.blocks[i].has_sources) {
                self.load_block(i)?;
                self.blocks[i].begin_step(dt, self.mouths.as_ref());
                *started = true;
            }
        }
        let [north, south] = self.has_neighbours();
        let inner = usize::from(north)..count - usize::from(south).min(count);
        let mut inside = Ok(());
        self.exchange_halos_overlapped(comm, |blocks, poke| {
            inside = inner.clone().try_for_each(|i| {
                poke();
                blocks.visit_block(i, visit, &mut round)
            });
        });
        inside?;
        for i in (0..count).filter(|i| !inner.contains(i)) {
            self.visit_block(i, visit, &mut round)?;
        }
        self.rounds.push(round.logs.into_iter().flatten().collect());
        let last = visit.passes.iter().rev().find_map(|(lengths, _)| lengths.last());
        let world = &mut self.world;
        world.time = visit.time;
        world.steps += visit.steps() as u64;
        world.last_dt = last.map_or(world.last_dt, |dt| *dt as f32);
        for block in &mut self.blocks {
            let flow = &mut block.subdomain.flow;
            (flow.time, flow.steps, flow.last_dt) = (world.time, world.steps, world.last_dt);
        }
        Ok(())
    }

    /// Performs all steps of `visit` in block `i`, unless the block is asleep. The halo is first
    /// filled with the values that the neighbours' rows had before the round.
    fn visit_block(
        &mut self,
        i: usize,
        visit: &VisitPlan,
        round: &mut RoundProgress,
    ) -> io::Result<()> {
        let outer = self.outer_halos.each_ref().map(Option::as_ref);
        let (above, rest) = self.blocks.split_at(i);
        let Some((block, below)) = rest.split_first() else { return Ok(()) };
        let started = round.has_started[i];
        if !started && block.stays_asleep_with(round.neighbour_rows(above, below, outer)) {
            round.mark_visited(i, Default::default());
            return Ok(());
        }
        self.load_block(i)?;
        let outer = self.outer_halos.each_ref().map(Option::as_ref);
        let (above, rest) = self.blocks.split_at_mut(i);
        let Some((block, below)) = rest.split_first_mut() else { return Ok(()) };
        let neighbours = round.neighbour_rows(above, below, outer);
        for (side, margin) in neighbours.iter().enumerate() {
            if let Some(margin) = margin {
                block.set_halo(side, &margin.rows);
            }
        }
        block.work += (visit.steps() * block.cells_stepped()) as u64;
        for (lengths, time) in &visit.passes {
            block.subdomain.flow.time = *time;
            match lengths[..] {
                [dt] => {
                    if !started {
                        block.subdomain.begin_step(dt, self.mouths.as_ref());
                    }
                    block.subdomain.move_water(dt);
                    block.subdomain.flow.end_step(dt);
                }
                _ => block.subdomain.run_pass(lengths),
            }
        }
        block.subdomain.flow.time = visit.time;
        let log = block.subdomain.take_log();
        let before = round.pending_neighbours(i).map(|(side, is)| match is {
            true => Some(std::mem::take(&mut block.margins[side])),
            false => None,
        });
        block.finish_visit(neighbours, self.mouths.as_ref());
        round.logs[i] = Some(log);
        round.mark_visited(i, before);
        Ok(())
    }
}

/// Progress of one round, in which each block is visited once.
struct RoundProgress {
    /// For each block, whether stage 0 of this round's step (sources and losses) has already been
    /// performed.
    has_started: Vec<bool>,
    /// Whether each block has been visited in this round.
    is_visited: Vec<bool>,
    /// Border rows of each visited block (northern, southern) as they were before the round. They
    /// are kept until the neighbour on that side has been visited.
    border_rows_before: Vec<[Option<BorderRows>; 2]>,
    /// Ledger log (inflows and outflows) of each block. `None` if the block was not stepped in this
    /// round.
    logs: Vec<Option<LedgerLog>>,
}

impl RoundProgress {
    fn new(count: usize) -> Self {
        let all = 0..count;
        Self {
            has_started: vec![false; count],
            is_visited: vec![false; count],
            border_rows_before: all.clone().map(|_| Default::default()).collect(),
            logs: all.map(|_| None).collect(),
        }
    }

    /// Returns the halo rows to the north (index 0) and south (index 1) of a block, with their
    /// values from before the round. `above` holds all blocks of this process to the north of the
    /// block, and `below` all blocks to the south. `outer` holds the rows of the neighbouring
    /// processes. An element of the result is `None` if the block lies at that edge of the grid.
    fn neighbour_rows<'a>(
        &'a self,
        above: &'a [RowBlock],
        below: &'a [RowBlock],
        outer: [Option<&'a BorderRows>; 2],
    ) -> [Option<&'a BorderRows>; 2] {
        let i = above.len();
        let of = |block: usize, side: usize| {
            self.border_rows_before.get(block).and_then(|it| it[side].as_ref())
        };
        let north = above.last().map(|it| of(i - 1, 1).unwrap_or(&it.margins[1]));
        let south = below.first().map(|it| of(i + 1, 0).unwrap_or(&it.margins[0]));
        [north.or(outer[0]), south.or(outer[1])]
    }

    /// Returns a pair for each side of block `i`: the side (0: north, 1: south), and whether the
    /// neighbour on this side has yet to be visited. Such a neighbour still needs the rows that the
    /// block had before the round.
    fn pending_neighbours(&self, i: usize) -> [(usize, bool); 2] {
        let pending =
            |other: Option<usize>| other.and_then(|i| self.is_visited.get(i)) == Some(&false);
        [(0, pending(i.checked_sub(1))), (1, pending(Some(i + 1)))]
    }

    /// Marks block `i` as visited. `before` contains the border rows that the block had before the
    /// round, for each side whose neighbour still needs them.
    fn mark_visited(&mut self, i: usize, before: [Option<BorderRows>; 2]) {
        self.is_visited[i] = true;
        self.border_rows_before[i] = before;
        // The visited block no longer needs its neighbours' rows from before the round.
        if i > 0 {
            self.border_rows_before[i - 1][1] = None;
        }
        if let Some(below) = self.border_rows_before.get_mut(i + 1) {
            below[0] = None;
        }
    }
}

/// Time steps that a block performs in one visit.
struct VisitPlan {
    /// Passes of the visit, each as the step lengths (s) and the start time (s). A pass is a
    /// sequence of steps between which no halo is exchanged.
    passes: Vec<(Vec<f64>, f64)>,
    /// Simulated time at the end of the visit (s).
    time: f64,
}

impl VisitPlan {
    /// Returns the total number of steps in the visit.
    fn steps(&self) -> usize {
        self.passes.iter().map(|(lengths, _)| lengths.len()).sum()
    }
}
