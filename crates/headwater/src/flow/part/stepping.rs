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
    rows: Range<usize>,
    /// The part's own rows, among those that it steps.
    pub(super) own: Range<usize>,
    /// How many rows the grid has.
    of: usize,
    /// Whether there are other parts to the north and south.
    beside: [bool; 2],
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
        let mut flow = Flow::restore(world)?;
        if own.end > flow.lattice.ny() || own.len() != rows.len() {
            return Err(InputError::snapshot("its rows are not those of its share"));
        }
        let [springs, drains] = elsewhere;
        let exchange = &mut flow.exchange;
        for (list, elsewhere) in [(&mut exchange.springs, springs), (&mut exchange.drains, drains)]
        {
            list.iter_mut().zip(elsewhere).for_each(|(outlet, open)| outlet.elsewhere = open);
        }
        flow.workspace.sweep.tiles.count_only(own.clone());
        let buffers = Default::default();
        Ok(Self {
            flow,
            rows,
            own,
            of,
            beside,
            mouths,
            log: Log::default(),
            swapped: true,
            buffers,
        })
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
                    let mut books = Writer { log: &mut self.log, own: self.own.clone() };
                    self.flow.pass(lengths, &mut books);
                    self.swapped = false;
                }
            }
            self.flow.time = time;
            done += count;
        }
        Ok(done)
    }

    fn step(&mut self, dt: f64, peers: &mut dyn Peers) {
        let time = self.flow.time;
        self.flow.begin_step(Path::Rows);
        self.log_next_step();
        self.give_and_take(dt);
        self.swap_if_stale(peers);
        let mut books = Writer { log: &mut self.log, own: self.own.clone() };
        self.flow.move_water(dt, Path::Rows, &mut books);
        self.swapped = false;
        if self.flow.flood.is_some() {
            // How fast water is over a face depends on the depths on both sides.
            self.swap_if_stale(peers);
        }
        self.flow.end_step(dt);
        self.flow.time = time;
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
        let Self { flow, own, beside, buffers: [to, from], .. } = self;
        let halo = halo(flow.params.level);
        // To the north go the first rows of the part, with the faces south of each, to the south the last ones, with those north.
        let sent = [
            [own.start..own.start + halo, own.start + 1..own.start + halo + 1],
            [own.end - halo.min(own.end)..own.end, own.end - halo.min(own.end)..own.end],
        ];
        for (((buffer, from), rows), &other) in
            to.iter_mut().zip(&mut *from).zip(sent).zip(&*beside)
        {
            buffer.clear();
            if other {
                for (field, lies) in fields(&flow.state) {
                    let [cells, faces] = rows.clone();
                    let rows = if lies == Lies::InRows { cells } else { faces };
                    buffer.extend_from_slice(part_of(field, rows));
                }
            }
            // What comes is as much as what goes.
            from.resize(buffer.len(), 0.0);
        }
        let [north, south] = from;
        peers.swap(to.each_ref().map(Vec::as_slice), [&mut north[..], &mut south[..]]);
        let taken =
            [[0..halo, 0..halo], [own.end..own.end + halo, own.end + 1..own.end + halo + 1]];
        for ((buffer, rows), &other) in from.iter().zip(taken).zip(&*beside) {
            if !other {
                continue;
            }
            let mut rest = &buffer[..];
            let tiles = &mut flow.workspace.sweep.tiles;
            for (field, lies) in fields_mut(&mut flow.state) {
                let [cells, faces] = rows.clone();
                let width = field.nx();
                for y in if lies == Lies::InRows { cells } else { faces } {
                    let (row, more) = rest.split_at(width);
                    take_over(field.row_mut(y), row, sweep::SIZE, |x| tiles.wake([(x, y)]));
                    rest = more;
                }
            }
        }
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
