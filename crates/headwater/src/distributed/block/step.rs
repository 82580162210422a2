//! [`Subdomain`]: a row block and its halo, stepped by the ordinary loops.

use crate::distributed::block::fields::{Lies, fields, fields_mut, part_of};
use crate::distributed::block::ledger_log::{Log, Writer};
use crate::distributed::block::mouths::Mouths;
use crate::distributed::partition::take_over;
use crate::flow::books::Books as _;
use crate::flow::step::Path;
use crate::flow::sweep;
use crate::flow::world::Flow;
use std::ops::Range;

/// Some rows of a world and a halo of copies beyond them.
#[derive(Debug)]
pub(in crate::distributed) struct Subdomain {
    /// A world over the part's rows and its halo.
    pub(in crate::distributed) flow: Flow,
    /// The part's rows on the grid.
    pub(in crate::distributed) rows: Range<usize>,
    /// The part's own rows, among those that it steps.
    pub(in crate::distributed) own: Range<usize>,
    /// Rows of its halo on either side where there are others.
    halo: usize,
    /// Whether there are other parts to the north and south.
    pub(in crate::distributed) beside: [bool; 2],
    log: Log,
}

impl Subdomain {
    /// A part with these `rows` of the grid, which has so many (`of`); `own` are they among those of a world over them and a halo.
    pub(in crate::distributed) fn over(
        mut flow: Flow,
        [rows, own]: [Range<usize>; 2],
        halo: usize,
        beside: [bool; 2],
    ) -> Self {
        flow.workspace.sweep.tiles.count_only(own.clone());
        Self { flow, rows, own, halo, beside, log: Log::default() }
    }

    /// Takes down how many open cells springs and drains have in other parts.
    pub(in crate::distributed) fn set_elsewhere(&mut self, [springs, drains]: [Vec<usize>; 2]) {
        let exchange = &mut self.flow.exchange;
        for (list, elsewhere) in [(&mut exchange.springs, springs), (&mut exchange.drains, drains)]
        {
            list.iter_mut().zip(elsewhere).for_each(|(outlet, open)| outlet.elsewhere = open);
        }
    }

    /// What of a step comes before its halo has to be what its owners have.
    pub(in crate::distributed) fn begin(&mut self, dt: f64, mouths: Option<&Mouths>) {
        self.flow.begin_step(Path::Rows);
        self.log_next_step();
        self.give_and_take(dt, mouths);
    }

    /// Stages 1 to 5 of a step, with a halo as its owners have it.
    pub(in crate::distributed) fn move_water(&mut self, dt: f64) {
        let mut books = Writer { log: &mut self.log, own: self.own.clone() };
        self.flow.move_water(dt, Path::Rows, &mut books);
    }

    /// Several steps that follow on one another, with a halo as its owners have it before the first.
    pub(in crate::distributed) fn pass(&mut self, lengths: &[f64]) {
        let mut books = Writer { log: &mut self.log, own: self.own.clone() };
        self.flow.pass(lengths, &mut books);
    }

    fn log_next_step(&mut self) {
        Writer { log: &mut self.log, own: self.own.clone() }.next_step();
    }

    /// Stage 0 of a step, in the part's own rows, once all structures have moved their water.
    fn give_and_take(&mut self, dt: f64, mouths: Option<&Mouths>) {
        let depths = mouths.map(|mouths| self.depths_from(mouths));
        let mut books = Writer { log: &mut self.log, own: self.own.clone() };
        let flow = &mut self.flow;
        let Some(depths) = depths else { return flow.give_and_take(dt, &mut books, None) };
        flow.workspace.sweep.tiles.wake(depths.iter().map(|(cell, _)| *cell));
        let mut through = |state: &mut crate::flow::State| {
            depths.iter().for_each(|(cell, depth)| state.depth[*cell] = *depth);
        };
        flow.give_and_take(dt, &mut books, Some(&mut through));
    }

    /// Copies the rows that the next part to the north (0) or south (1) has for its halo: the first rows, with the faces south of each, or
    /// the last ones, with those north. None if there is no such part.
    pub(in crate::distributed) fn gather(&self, side: usize, into: &mut Vec<f32>) {
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
    pub(in crate::distributed) fn take_over(&mut self, side: usize, rows: &[f32]) -> bool {
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
    pub(in crate::distributed) fn halo_of(&self, side: usize) -> Range<usize> {
        if side == 0 { 0..self.halo } else { self.own.end..self.own.end + self.halo }
    }

    /// Takes the log of what came and went in its own rows.
    pub(in crate::distributed) fn take_log(&mut self) -> Log {
        std::mem::take(&mut self.log)
    }
}
