//! Time steps of [`LocalBlocks`]. Sleeping blocks are skipped, and a visit does several steps if no
//! step depends on the others' results. Blocks that need no rows of other processes come first, the
//! outermost blocks last.

use crate::distributed::Communicator;
use crate::distributed::block::block::{Margin, RowBlock};
use crate::distributed::block::ledger_log::Log;
use crate::distributed::block::step_length::longest;
use crate::distributed::local::LocalBlocks;
use crate::error::InputError;
use crate::flow::params::Physics;
use crate::flow::sweep;
use crate::flow::walk::arrive;
use std::io;

impl LocalBlocks {
    /// Advances toward the time `stop` (s) by at most `most` steps and returns their number; 0 at
    /// the end. The steps are those of [`Flow::steps_toward`](crate::flow::Flow::steps_toward).
    /// Collective.
    ///
    /// # Errors
    /// If `stop` is not finite, or the storage fails. The world is unusable afterwards.
    pub(in crate::distributed) fn steps_toward(
        &mut self,
        stop: f64,
        most: usize,
        comm: &dyn Communicator,
    ) -> io::Result<usize> {
        InputError::check("a time to advance to", stop, true, "a finite number of seconds")
            .map_err(io::Error::other)?;
        let mut done = 0;
        while done < most {
            let follow = self.world.steps_follow_on();
            let together = if follow { (most - done).min(self.halo / 2) } else { 1 };
            let stable = self.longest(comm)?;
            let mut walk = Walk { passes: Vec::new(), time: self.world.time };
            let mut count = 0;
            while count < together {
                let room = (together - count).min(sweep::MOST);
                let (lengths, more) = self.lengths_from(walk.time, stable, stop, room);
                if more == 0 {
                    break;
                }
                let after = |time, dt: &f64| arrive(time, stop, *dt);
                let time = lengths[..more].iter().fold(walk.time, after);
                walk.passes.push((lengths[..more].to_vec(), walk.time));
                walk.time = time;
                count += more;
            }
            if count == 0 {
                break;
            }
            self.round(&walk, comm)?;
            done += count;
        }
        Ok(done)
    }

    /// Returns step lengths as [`Flow::lengths_within`](crate::flow::Flow::lengths_within), from
    /// another time (s) on.
    fn lengths_from(
        &mut self,
        time: f64,
        stable: f64,
        stop: f64,
        most: usize,
    ) -> ([f64; sweep::MOST], usize) {
        let now = std::mem::replace(&mut self.world.time, time);
        let lengths = self.world.lengths_within(stable, stop, most);
        self.world.time = now;
        lengths
    }

    /// Returns the longest stable step (s).
    fn longest(&mut self, comm: &dyn Communicator) -> io::Result<f64> {
        let through = self.share_mouths(comm);
        let mut values: Vec<f64> = Vec::new();
        for block in &self.blocks {
            if values.is_empty() {
                values.clone_from(&block.maxima);
            } else {
                let all = values.iter_mut().zip(&block.maxima);
                all.for_each(|(most, wish)| *most = most.max(*wish));
            }
        }
        if !values.is_empty() {
            comm.allreduce_max(&mut values);
        }
        let mut loss = [0.0];
        if self.world.params.level == Physics::Inertial {
            // The greatest depth is now part of `values`.
            loss = [self.loss(values[0].max(values[1]))?];
            comm.allreduce_max(&mut loss);
        }
        Ok(longest(&self.world, &values, through, |_| loss[0]))
    }

    /// Exchanges the state of all mouth cells. Returns the fastest rise (m/s) that structures can
    /// cause.
    fn share_mouths(&mut self, comm: &dyn Communicator) -> f64 {
        let Some(mouths) = &mut self.mouths else { return 0.0 };
        let mut values = mouths.values(self.blocks.iter().flat_map(|block| &block.mouths));
        comm.allreduce_max(&mut values);
        mouths.fill(&values);
        let world = &self.world;
        mouths.fastest_rise(world.params.gravity, world.ahead(world.time), &world.scratch)
    }

    /// Returns the greatest loss rate of all blocks. Skips blocks without motion, and springs that
    /// feed water at rest.
    fn loss(&mut self, deepest: f64) -> io::Result<f64> {
        let mut most = 0.0_f64;
        for i in 0..self.blocks.len() {
            if !(self.blocks[i].is_still || self.blocks[i].is_asleep()) {
                self.load(i)?;
                most = most.max(self.blocks[i].part.loss(deepest));
            }
        }
        Ok(most)
    }

    /// Steps every block that does not sleep. Those that need no rows of other processes are
    /// stepped during the halo exchange.
    fn round(&mut self, walk: &Walk, comm: &dyn Communicator) -> io::Result<()> {
        let count = self.blocks.len();
        let single = match &walk.passes[..] {
            [(lengths, _)] if lengths.len() == 1 => Some(lengths[0]),
            _ => None,
        };
        let mut round = Round::of(count);
        if let (Some(mouths), Some(dt)) = (&mut self.mouths, single) {
            let world = &self.world;
            mouths.apply(world.params.gravity, [world.time, dt], &world.scratch);
        }
        // Sources change the rows that neighbours see, so they are applied before any block moves.
        for (i, begun) in round.begun.iter_mut().enumerate() {
            if let Some(dt) = single.filter(|_| self.blocks[i].has_sources) {
                self.load(i)?;
                self.blocks[i].begin(dt, self.mouths.as_ref());
                *begun = true;
            }
        }
        let [north, south] = self.beside();
        let inner = usize::from(north)..count - usize::from(south).min(count);
        let mut inside = Ok(());
        self.exchange_halos_overlapped(comm, |blocks, poke| {
            inside = inner.clone().try_for_each(|i| {
                poke();
                blocks.visit(i, walk, &mut round)
            });
        });
        inside?;
        for i in (0..count).filter(|i| !inner.contains(i)) {
            self.visit(i, walk, &mut round)?;
        }
        self.rounds.push(round.logs.into_iter().flatten().collect());
        let last = walk.passes.iter().rev().find_map(|(lengths, _)| lengths.last());
        let world = &mut self.world;
        world.time = walk.time;
        world.steps += walk.steps() as u64;
        world.last_dt = last.map_or(world.last_dt, |dt| *dt as f32);
        for block in &mut self.blocks {
            let flow = &mut block.part.flow;
            (flow.time, flow.steps, flow.last_dt) = (world.time, world.steps, world.last_dt);
        }
        Ok(())
    }

    /// Steps a block, unless it sleeps, with its neighbours as they were before the round.
    fn visit(&mut self, i: usize, walk: &Walk, round: &mut Round) -> io::Result<()> {
        let around = self.around.each_ref().map(Option::as_ref);
        let (above, rest) = self.blocks.split_at(i);
        let Some((block, below)) = rest.split_first() else { return Ok(()) };
        let begun = round.begun[i];
        if !begun && block.sleeps_beside(round.beside(above, below, around)) {
            round.is_done(i, Default::default());
            return Ok(());
        }
        self.load(i)?;
        let around = self.around.each_ref().map(Option::as_ref);
        let (above, rest) = self.blocks.split_at_mut(i);
        let Some((block, below)) = rest.split_first_mut() else { return Ok(()) };
        let beside = round.beside(above, below, around);
        for (side, margin) in beside.iter().enumerate() {
            if let Some(margin) = margin {
                block.set_halo(side, &margin.rows);
            }
        }
        block.work += (walk.steps() * block.cells_stepped()) as u64;
        for (lengths, time) in &walk.passes {
            block.part.flow.time = *time;
            match lengths[..] {
                [dt] => {
                    if !begun {
                        block.part.begin(dt, self.mouths.as_ref());
                    }
                    block.part.move_water(dt);
                    block.part.flow.end_step(dt);
                }
                _ => block.part.pass(lengths),
            }
        }
        block.part.flow.time = walk.time;
        let log = block.part.take_log();
        let before = round.still_needed(i).map(|(side, is)| match is {
            true => Some(std::mem::take(&mut block.margins[side])),
            false => None,
        });
        block.settle(beside, self.mouths.as_ref());
        round.logs[i] = Some(log);
        round.is_done(i, before);
        Ok(())
    }
}

/// Progress of a round.
struct Round {
    /// Blocks whose step has begun.
    begun: Vec<bool>,
    /// Blocks that have been visited.
    done: Vec<bool>,
    /// Halo rows for the neighbours as they were before the steps, where a block is done and its
    /// neighbour is not.
    before: Vec<[Option<Margin>; 2]>,
    /// Ledger logs of the blocks that were stepped.
    logs: Vec<Option<Log>>,
}

impl Round {
    fn of(count: usize) -> Self {
        let all = 0..count;
        Self {
            begun: vec![false; count],
            done: vec![false; count],
            before: all.clone().map(|_| Default::default()).collect(),
            logs: all.map(|_| None).collect(),
        }
    }

    /// Returns the neighbours' rows of a block as they were before the round.
    fn beside<'a>(
        &'a self,
        above: &'a [RowBlock],
        below: &'a [RowBlock],
        around: [Option<&'a Margin>; 2],
    ) -> [Option<&'a Margin>; 2] {
        let i = above.len();
        let of =
            |block: usize, side: usize| self.before.get(block).and_then(|it| it[side].as_ref());
        let north = above.last().map(|it| of(i - 1, 1).unwrap_or(&it.margins[1]));
        let south = below.first().map(|it| of(i + 1, 0).unwrap_or(&it.margins[0]));
        [north.or(around[0]), south.or(around[1])]
    }

    /// Returns for each neighbour whether it still needs the block's earlier rows, with its side.
    fn still_needed(&self, i: usize) -> [(usize, bool); 2] {
        let waits = |other: Option<usize>| other.and_then(|i| self.done.get(i)) == Some(&false);
        [(0, waits(i.checked_sub(1))), (1, waits(Some(i + 1)))]
    }

    /// Marks a block as done and keeps its earlier rows for its neighbours.
    fn is_done(&mut self, i: usize, before: [Option<Margin>; 2]) {
        self.done[i] = true;
        self.before[i] = before;
        // The neighbours no longer need their own earlier rows for this block.
        if i > 0 {
            self.before[i - 1][1] = None;
        }
        if let Some(below) = self.before.get_mut(i + 1) {
            below[0] = None;
        }
    }
}

/// Steps of one visit.
struct Walk {
    /// Step lengths (s) of each pass, and its start time (s).
    passes: Vec<(Vec<f64>, f64)>,
    /// Time (s) after all steps.
    time: f64,
}

impl Walk {
    /// Returns the number of steps.
    fn steps(&self) -> usize {
        self.passes.iter().map(|(lengths, _)| lengths.len()).sum()
    }
}
