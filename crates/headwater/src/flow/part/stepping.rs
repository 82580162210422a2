//! [`Part`]: some rows of a world, stepped with the help of its peers.

use super::log::{Log, Writer};
use super::mouths::Mouths;
use super::rows::{Lies, Numbers, PartRows, fields, fields_mut, part_of};
use super::share::{Share, halo};
use crate::error::InputError;
use crate::flow::books::Books as _;
use crate::flow::step::Path;
use crate::flow::sweep;
use crate::flow::walk::arrive;
use crate::flow::world::Flow;
use crate::ids::IdList;
use crate::part::{Peers, take_over};
use std::ops::Range;

/// Some rows of a world: see [`Flow::share`].
#[derive(Debug)]
pub struct Part {
    /// A world over the part's rows and its halo.
    pub(super) flow: Flow,
    /// The part's rows on the grid.
    pub(super) rows: Range<usize>,
    /// The part's own rows, among those that it steps.
    pub(super) own: Range<usize>,
    /// How many rows the grid has.
    of: usize,
    /// Rows of its halo on either side where there are others.
    halo: usize,
    /// Whether there are other parts to the north and south.
    pub(super) beside: [bool; 2],
    pub(super) mouths: Option<Mouths>,
    log: Log,
    /// Whether the halo is what its owners have.
    swapped: bool,
    /// Rows sent and received.
    buffers: [[Vec<f32>; 2]; 2],
}

impl Part {
    /// The part that a share is of.
    ///
    /// # Errors
    /// [`InputError`] if its parts do not fit one another or hold impossible numbers.
    pub fn new(share: Share) -> Result<Self, InputError> {
        let Share { world, rows, own, of, beside, elsewhere, mouths } = share;
        let flow = Flow::restore(world)?;
        if own.end > flow.lattice.ny() || own.len() != rows.len() {
            return Err(InputError::snapshot("its rows are not those of its share"));
        }
        let halo = halo(flow.params.level);
        let mut part = Self::over(flow, [rows, own], of, halo, beside);
        part.set_elsewhere(elsewhere);
        part.mouths = mouths;
        Ok(part)
    }

    /// A part with these `rows` of the grid, which has so many (`of`); `own` are they among those of a world over them and a halo.
    pub(super) fn over(
        mut flow: Flow,
        [rows, own]: [Range<usize>; 2],
        of: usize,
        halo: usize,
        beside: [bool; 2],
    ) -> Self {
        flow.workspace.sweep.tiles.count_only(own.clone());
        let buffers = Default::default();
        let log = Log::default();
        Self { flow, rows, own, of, halo, beside, mouths: None, log, swapped: true, buffers }
    }

    /// Takes down how many open cells springs and drains have in other parts.
    pub(super) fn set_elsewhere(&mut self, [springs, drains]: [Vec<usize>; 2]) {
        let exchange = &mut self.flow.exchange;
        for (list, elsewhere) in [(&mut exchange.springs, springs), (&mut exchange.drains, drains)]
        {
            list.iter_mut().zip(elsewhere).for_each(|(outlet, open)| outlet.elsewhere = open);
        }
    }

    /// Simulated time since the start (s).
    pub fn time(&self) -> f64 {
        self.flow.time
    }

    /// Steps done since the start.
    pub fn steps(&self) -> u64 {
        self.flow.steps
    }

    /// Does steps of an advance to the time `stop` (s), at most `most`, and says how many; 0 if there was nothing left to do. They are
    /// those that [`Flow::steps_toward`] does.
    ///
    /// # Errors
    /// [`InputError`] if `stop` is no finite number; all parts find that out.
    pub fn steps_toward(
        &mut self,
        stop: f64,
        most: usize,
        peers: &mut dyn Peers,
    ) -> Result<usize, InputError> {
        InputError::check("a time to advance to", stop, true, "a finite number of seconds")?;
        let mut done = 0;
        while done < most {
            let together = self.flow.steps_follow_on() && self.mouths.is_none();
            let most = if together { (most - done).min(sweep::MOST) } else { 1 };
            let stable = self.longest(peers);
            let (lengths, count) = self.flow.lengths_within(stable, stop, most);
            let lengths = &lengths[..count];
            let time = lengths.iter().fold(self.flow.time, |time, dt| arrive(time, stop, *dt));
            match *lengths {
                [] => break,
                [dt] => self.step(dt, peers),
                _ => {
                    self.swap_if_stale(peers);
                    self.pass(lengths);
                }
            }
            self.flow.time = time;
            done += count;
        }
        Ok(done)
    }

    fn step(&mut self, dt: f64, peers: &mut dyn Peers) {
        let time = self.flow.time;
        self.begin(dt);
        self.swap_if_stale(peers);
        self.move_water(dt);
        if self.flow.flood.is_some() {
            // How fast water is over a face depends on the depths on both sides.
            self.swap_if_stale(peers);
        }
        self.flow.end_step(dt);
        self.flow.time = time;
    }

    /// What of a step comes before its halo has to be what its owners have.
    pub(super) fn begin(&mut self, dt: f64) {
        self.flow.begin_step(Path::Rows);
        self.log_next_step();
        self.give_and_take(dt);
    }

    /// Stages 1 to 5 of a step, with a halo as its owners have it.
    pub(super) fn move_water(&mut self, dt: f64) {
        let mut books = Writer { log: &mut self.log, own: self.own.clone() };
        self.flow.move_water(dt, Path::Rows, &mut books);
        self.swapped = false;
    }

    /// Several steps that follow on one another, with a halo as its owners have it before the first.
    pub(super) fn pass(&mut self, lengths: &[f64]) {
        let mut books = Writer { log: &mut self.log, own: self.own.clone() };
        self.flow.pass(lengths, &mut books);
        self.swapped = false;
    }

    fn log_next_step(&mut self) {
        Writer { log: &mut self.log, own: self.own.clone() }.next_step();
    }

    /// Stage 0 of a step, in the part's own rows.
    fn give_and_take(&mut self, dt: f64) {
        let Self { flow, mouths, log, own, rows, .. } = self;
        let mut books = Writer { log, own: own.clone() };
        if !flow.exchange.is_empty() || mouths.is_some() {
            self.swapped = false;
        }
        let Some(mouths) = mouths else { return flow.give_and_take(dt, &mut books, None) };
        mouths.apply(flow.params.gravity, [flow.time, dt], &flow.spare);
        let here = mouths.cells().filter(|(_, (_, y))| rows.contains(y));
        let here = here.map(|(i, (x, y))| ((x, y - rows.start + own.start), mouths.depth(i)));
        let here: Vec<_> = here.collect();
        flow.workspace.sweep.tiles.wake(here.iter().map(|(cell, _)| *cell));
        let mut through = |state: &mut crate::flow::State| {
            here.iter().for_each(|(cell, depth)| state.depth[*cell] = *depth);
        };
        flow.give_and_take(dt, &mut books, Some(&mut through));
    }

    /// The depths (m) in the cells of mouths that are the part's own; of others, 0.
    pub(super) fn depths_of_mouths(&self) -> impl Iterator<Item = f64> + '_ {
        let cells = self.mouths.iter().flat_map(Mouths::cells);
        cells.map(|(_, (x, y))| match self.rows.contains(&y) {
            true => self.flow.state.depth[(x, y - self.rows.start + self.own.start)].into(),
            false => 0.0,
        })
    }

    /// Makes the halo what its owners have, if it is not.
    fn swap_if_stale(&mut self, peers: &mut dyn Peers) {
        if std::mem::replace(&mut self.swapped, true) {
            return;
        }
        let [mut to, mut from] = std::mem::take(&mut self.buffers);
        for (side, (to, from)) in to.iter_mut().zip(&mut from).enumerate() {
            self.gather(side, to);
            // What comes is as much as what goes.
            from.resize(to.len(), 0.0);
        }
        let [north, south] = &mut from;
        peers.swap(to.each_ref().map(Vec::as_slice), [&mut north[..], &mut south[..]]);
        for (side, rows) in from.iter().enumerate() {
            self.take_over(side, rows);
        }
        self.buffers = [to, from];
    }

    /// Copies the rows that the next part to the north (0) or south (1) has for its halo: the first rows, with the faces south of each, or
    /// the last ones, with those north. None if there is no such part.
    pub(super) fn gather(&self, side: usize, into: &mut Vec<f32>) {
        let Self { flow, own, halo, .. } = self;
        into.clear();
        if !self.beside[side] {
            return;
        }
        let cells = match side {
            0 => own.start..own.start + halo,
            _ => own.end - halo.min(&own.end)..own.end,
        };
        for (field, lies) in fields(&flow.state) {
            let faces = usize::from(side == 0 && lies == Lies::Between);
            into.extend_from_slice(part_of(field, cells.start + faces..cells.end + faces));
        }
    }

    /// Takes over what the next part to the north (0) or south (1) has [gathered](Self::gather) of its own rows, and wakes what it changes. Says whether
    /// it has changed anything.
    pub(super) fn take_over(&mut self, side: usize, rows: &[f32]) -> bool {
        let mut changed = false;
        if !self.beside[side] {
            return changed;
        }
        let cells = self.halo_of(side);
        let Self { flow, .. } = self;
        let mut rest = rows;
        let tiles = &mut flow.workspace.sweep.tiles;
        for (field, lies) in fields_mut(&mut flow.state) {
            let faces = usize::from(side == 1 && lies == Lies::Between);
            let width = field.nx();
            for y in cells.start + faces..cells.end + faces {
                let (row, more) = rest.split_at(width);
                take_over(field.row_mut(y), row, sweep::SIZE, |x| {
                    changed = true;
                    tiles.wake([(x, y)]);
                });
                rest = more;
            }
        }
        changed
    }

    /// The rows of its halo to the north (0) or south (1), among those that it steps.
    pub(super) fn halo_of(&self, side: usize) -> Range<usize> {
        if side == 0 { 0..self.halo } else { self.own.end..self.own.end + self.halo }
    }

    /// What has come and gone in its own rows since this was asked last, for [`Flow::book`].
    pub fn take_log(&mut self) -> Log {
        std::mem::take(&mut self.log)
    }

    /// Its own rows as they are now, for [`Flow::take_back`].
    pub fn rows(&self) -> PartRows {
        let Self { flow, rows, own, .. } = self;
        let (state, exchange) = (&flow.state, &flow.exchange);
        let is_last = rows.end == self.of;
        let numbers = |values: &[f32]| Numbers(values.to_vec());
        let of_field = |(field, lies)| {
            let more = usize::from(is_last && lies == Lies::Between);
            numbers(part_of(field, own.start..own.end + more))
        };
        let held = |list: &IdList<crate::flow::exchange::Outlet>| {
            list.iter().map(|outlet| numbers(&outlet.remainders)).collect()
        };
        let mouths = self.mouths.as_ref().filter(|_| rows.start == 0);
        PartRows {
            rows: rows.clone(),
            fields: fields(state).map(of_field).collect(),
            held_back: [
                exchange.rain.as_ref().map(|(_, held)| numbers(part_of(held, own.clone()))),
                exchange.evaporation.as_ref().map(|(_, held)| numbers(part_of(held, own.clone()))),
            ],
            soil: exchange.soil.as_ref().map(|soil| part_of(&soil.cells, own.clone()).to_vec()),
            flood: flow
                .flood
                .as_ref()
                .map(|record| (part_of(&record.marks, own.clone()).to_vec(), record.is_begun())),
            outlets: [held(&exchange.springs), held(&exchange.drains)],
            structures: mouths.map(|mouths| mouths.structures().clone()),
            time: flow.time,
            last_dt: flow.last_dt,
            steps: flow.steps,
        }
    }
}
