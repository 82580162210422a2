//! Responses of [`LocalBlocks`] to requests.

use crate::distributed::block::block::RowBlock;
use crate::distributed::local::LocalBlocks;
use crate::distributed::messages::{Facts, Question, Reply, Request, Response, Stepped, Workers};
use crate::distributed::storage::page::{damaged, slot};
use crate::distributed::world::outlets::leave_no_cell;
use crate::distributed::world::sum::Sum;
use crate::distributed::{Communicator, SingleProcess};
use crate::flow::world::Flow;
use crate::lattice::Way;
use crate::region::{Point, Region};
use std::io;
use std::ops::Range;

impl LocalBlocks {
    /// Handles a request. Steps, moves of blocks and halo refreshes are collective; other requests
    /// need no communication.
    ///
    /// # Errors
    /// Those of the storage, and an error if the request is invalid.
    pub fn answer(&mut self, ask: &Request, peers: &mut dyn Communicator) -> io::Result<Response> {
        let reply = match &ask.0 {
            Question::Facts => Reply::Facts(self.facts()),
            Question::Open(all) => {
                self.take_down(all);
                self.open_in_all = Some(all.clone());
                Reply::Done
            }
            Question::Steps { stop, most } => {
                let done = self.steps_toward(*stop, *most, peers)?;
                let (time, last_dt, steps) =
                    (self.world.time, self.world.last_dt, self.world.steps);
                let rounds = std::mem::take(&mut self.rounds);
                let work = self.bands.iter_mut().map(|band| std::mem::take(&mut band.work));
                let work = work.collect();
                Reply::Stepped(Stepped { done, time, last_dt, steps, rounds, work })
            }
            Question::Move(moves) => {
                self.shift(moves, peers)?;
                Reply::Done
            }
            Question::Sum(before) => Reply::Sum(self.sum(*before)?),
            Question::Sound => Reply::Sound(self.is_sound()),
            Question::Numbers { which, rows } => {
                let mut all = None;
                for (i, rows) in self.shared_out(*which, rows) {
                    let raw = self.bands[i].numbers(*which, rows, &mut *self.shelf)?;
                    all = match all {
                        None => Some(raw),
                        Some(above) => Some(above.join(raw).ok_or_else(damaged)?),
                    };
                }
                Reply::Numbers(all.ok_or(io::ErrorKind::InvalidInput)?)
            }
            Question::Put { which, y, place, raw } => {
                let i = self.band_of(*y)?;
                if raw.height() < self.bands[i].window_rows(*which).len() {
                    // Storage replaces whole fields only.
                    self.load(i)?;
                }
                self.bands[i].put(*which, *place, raw, &mut *self.shelf)?;
                Reply::Done
            }
            Question::HeldBack { kind, number } => {
                let of_band =
                    |band: &mut RowBlock| held_back(band, *kind, *number).map(|h| h.to_vec());
                let all: Option<Vec<Vec<f32>>> = self.bands.iter_mut().map(of_band).collect();
                Reply::HeldBack(all.ok_or(io::ErrorKind::InvalidInput)?.concat())
            }
            Question::HoldBack { kind, number, held } => {
                let mut rest = &held[..];
                for band in &mut self.bands {
                    let own = held_back(band, *kind, *number).ok_or(io::ErrorKind::InvalidInput)?;
                    let (new, more) =
                        rest.split_at_checked(own.len()).ok_or(io::ErrorKind::InvalidInput)?;
                    own.copy_from_slice(new);
                    rest = more;
                }
                Reply::Done
            }
            Question::Begin { time, last_dt, steps, begun } => {
                self.begin_anew((*time, *last_dt, *steps), *begun)?;
                Reply::Done
            }
            Question::Refresh => {
                self.refresh(peers);
                Reply::Done
            }
            Question::Weights(brush, before) => Reply::Weights(self.weights(brush, *before)?),
            Question::Edit(part) => Reply::Sum(self.edit(part)?),
            Question::Close { rows, cells } => {
                self.close(rows, cells)?;
                Reply::Done
            }
            Question::AddOutlet { kind, source } => {
                self.add_outlet(*kind, source)?;
                Reply::Done
            }
            Question::Structures => {
                let mouths = self.mouths.as_ref().map(|mouths| mouths.structures().clone());
                Reply::Structures(mouths.unwrap_or_default())
            }
            Question::SetStructures(structures) => {
                let same = self.mouths.iter_mut().all(|mouths| mouths.follow(structures));
                if !same {
                    return Err(damaged());
                }
                Reply::Done
            }
            Question::Through(a, b) => Reply::Through(self.through(*a, *b)?),
            Question::Held(region, before) => Reply::Held(self.held(region, *before)?),
        };
        Ok(Response(reply))
    }

    fn facts(&self) -> Facts {
        let total = |kind: usize| {
            let of_bands = self.open.iter().map(|open| open[kind].clone());
            let add = |sum: Vec<usize>, more: Vec<usize>| {
                sum.iter().zip(more).map(|(sum, more)| sum + more).collect()
            };
            of_bands.reduce(add).unwrap_or_default()
        };
        let flood = self.bands.first().and_then(|band| band.part.flow.flood.as_ref());
        Facts {
            bands: self.bands.iter().map(|band| band.part.rows.clone()).collect(),
            are_here: self.bands.iter().all(|band| band.is_here),
            open: [total(0), total(1)],
            is_rough: self.is_rough,
            is_begun: flood.is_some_and(|record| record.is_begun()),
        }
    }

    /// Sets the total number of open cells of springs and drains.
    pub(in crate::distributed) fn take_down(&mut self, all: &[Vec<usize>; 2]) {
        for (band, own) in self.bands.iter_mut().zip(&self.open) {
            let others = |kind: usize| {
                all[kind]
                    .iter()
                    .zip(&own[kind])
                    .map(|(all, own)| all.saturating_sub(*own))
                    .collect()
            };
            band.part.set_elsewhere([others(0), others(1)]);
        }
        leave_no_cell(&mut self.world.exchange, all.each_ref().map(Vec::as_slice));
    }

    fn sum(&mut self, before: [f64; 2]) -> io::Result<[f64; 2]> {
        let mut sum = Sum::from(before);
        // Sums in the order of the grid, depths and remainders separately.
        for band in &mut self.bands {
            for which in [0, 1] {
                let rows = band.own_rows(slot::WATER + which);
                let raw = band.numbers(slot::WATER + which, rows, &mut *self.shelf)?;
                sum.add(which, raw.numbers());
            }
        }
        Ok(sum.into())
    }

    /// Returns whether the water in all blocks is finite.
    fn is_sound(&self) -> bool {
        self.bands.iter().all(|band| match band.is_here {
            true => band.part.flow.state.depth.as_slice().iter().all(|h| h.is_finite()),
            false => band.is_sound,
        })
    }

    /// Returns the blocks that own some rows of a field, each with the rows in its window.
    fn shared_out(&self, which: usize, rows: &Range<usize>) -> Vec<(usize, Range<usize>)> {
        let shares = self.bands.iter().enumerate().map(|(i, band)| {
            let (all, first) = (band.rows_of(which), band.part.rows.start);
            let common = rows.start.max(all.start)..rows.end.min(all.end);
            let place = |y: usize| y + band.part.own.start - first;
            (
                i,
                common.clone(),
                if common.is_empty() { 0..0 } else { place(common.start)..place(common.end) },
            )
        });
        let has_some = shares.filter(|(_, common, _)| !common.is_empty());
        has_some.map(|(i, _, place)| (i, place)).collect()
    }

    fn begin_anew(
        &mut self,
        (time, last_dt, steps): (f64, f32, u64),
        begun: bool,
    ) -> io::Result<()> {
        let set = |flow: &mut Flow| (flow.time, flow.last_dt, flow.steps) = (time, last_dt, steps);
        set(&mut self.world);
        for i in 0..self.bands.len() {
            let flow = &mut self.bands[i].part.flow;
            set(flow);
            flow.flood.iter_mut().for_each(|record| record.take_back(0, &[], begun));
            self.load(i)?;
            self.bands[i].begin_anew(self.mouths.as_ref());
            self.open[i] = self.bands[i].open_cells();
        }
        self.rounds.clear();
        Ok(())
    }

    /// Returns the discharge (m³/s) over each owned face along a line, with its number.
    fn through(&mut self, a: Point, b: Point) -> io::Result<Vec<(usize, f64)>> {
        let mut faces = Vec::new();
        self.world.each_face_through(a, b, |way, face, sign| faces.push((way, face, sign)));
        let mut found = Vec::new();
        // Visits each block once.
        for band in &mut self.bands {
            for (way, which) in [(Way::X, 2), (Way::Y, 3), (Way::Z, 4)] {
                let which = slot::WATER + which;
                let rows = band.rows_of(which);
                let here = |y: usize| rows.contains(&y);
                let all = faces.iter().enumerate();
                let mut all = all.filter(|(_, (of, (_, y), _))| *of == way && here(*y)).peekable();
                if all.peek().is_none() {
                    continue;
                }
                let own = band.own_rows(which);
                let raw = band.numbers(which, own, &mut *self.shelf)?;
                let width = slot::shape(&self.world.lattice, which)[0];
                found.extend(all.map(|(number, (_, (x, y), sign))| {
                    let bits = raw.numbers()[(y - rows.start) * width + x];
                    (number, sign * f64::from(f32::from_bits(bits)))
                }));
            }
        }
        Ok(found)
    }

    /// Continues the sum of the depths (m) in the cells of a region.
    fn held(&mut self, region: &Region, mut sum: f64) -> io::Result<f64> {
        let lattice = self.world.lattice;
        for band in &mut self.bands {
            let cells = region.cells_in(lattice, band.part.rows.clone());
            if cells.is_empty() {
                continue;
            }
            let mut held = vec![0.0_f64; cells.len()];
            for which in [slot::WATER, slot::WATER + 1] {
                let raw = band.numbers(which, band.own_rows(which), &mut *self.shelf)?;
                for ((x, y, _), held) in cells.iter().zip(&mut held) {
                    let place = (y - band.part.rows.start) * lattice.nx() + x;
                    *held += f64::from(f32::from_bits(raw.numbers()[place]));
                }
            }
            sum = held.into_iter().fold(sum, |sum, held| sum + held);
        }
        Ok(sum)
    }
}

/// Returns the rounding carry of a spring (kind 0) or a drain (1) in a block.
fn held_back(band: &mut RowBlock, kind: usize, number: usize) -> Option<&mut [f32]> {
    let exchange = &mut band.part.flow.exchange;
    let list = if kind == 0 { &mut exchange.springs } else { &mut exchange.drains };
    list.get_mut(number).map(|outlet| &mut outlet.remainders[..])
}

impl Workers for LocalBlocks {
    fn count(&self) -> usize {
        1
    }

    fn all(&mut self, ask: &Request) -> io::Result<Vec<Response>> {
        Ok(vec![self.answer(ask, &mut SingleProcess)?])
    }

    fn one(&mut self, _: usize, ask: &Request) -> io::Result<Response> {
        self.answer(ask, &mut SingleProcess)
    }
}
