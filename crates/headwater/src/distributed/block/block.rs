//! A band: its part, in memory or on a shelf, and what is known of it in either case.

use crate::distributed::PageStore;
use crate::distributed::block::fields::{Lies, fields, part_of};
use crate::distributed::block::mouths::{MouthCell, Mouths};
use crate::distributed::block::step::Subdomain;
use crate::distributed::storage::page::{Raw, damaged, each_stored, slot};
use crate::distributed::world::window::BlockView;
use crate::flow::context::{Roughness, Step};
use crate::flow::params::Physics;
use crate::flow::when::When;
use crate::flow::world::Flow;
use crate::flow::{inertial, pipes, shallow, sweep};
use serde::{Deserialize, Serialize};
use std::io;
use std::ops::Range;
use xxhash_rust::xxh3::{Xxh3, xxh3_128};

/// Rows of a band that a neighbour has in its halo.
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

/// Some rows of a world.
#[derive(Debug)]
pub(in crate::distributed) struct RowBlock {
    /// Its part, whose fields are empty while it is on the shelf.
    pub(in crate::distributed) part: Subdomain,
    /// Whether it is in memory.
    pub(in crate::distributed) is_here: bool,
    /// Whether its ground is on the shelf as it is, and its water.
    is_kept: [bool; 2],
    /// Bytes of its fields in memory.
    pub(in crate::distributed) bytes: usize,
    /// The rows that its neighbours to the north and south have in their halos.
    pub(in crate::distributed) margins: [Margin; 2],
    /// What the next step's length depends on.
    pub(in crate::distributed) wishes: Vec<f64>,
    /// Whether nothing moved in it when it was looked at last.
    pub(in crate::distributed) is_still: bool,
    /// What it was like after the last step, if nothing moved in it then.
    rest: Option<Rest>,
    /// Whether it was so after the step before too.
    sleeps: bool,
    /// Whether springs, drains or mouths of structures are in its rows, or anything gives or takes everywhere.
    pub(in crate::distributed) gives: bool,
    /// The mouth cells of structures in its rows.
    pub(in crate::distributed) mouths: Vec<MouthCell>,
    /// Whether it holds numbers alone.
    pub(in crate::distributed) is_sound: bool,
    /// How often it has been stepped.
    pub(in crate::distributed) visits: u64,
    /// How many cells were stepped in it how often, since that was asked last.
    pub(in crate::distributed) work: u64,
}

/// What is known of a band beside its fields, wherever it is.
#[derive(Serialize, Deserialize)]
pub(in crate::distributed) struct Known {
    wishes: Vec<f64>,
    is_still: bool,
    rest: Option<Rest>,
    sleeps: bool,
    visits: u64,
}

/// Visits at first at which it is looked whether a band rests, and how many there are from then on from one such time to the next.
const LOOKS: u64 = 4;
const EVERY: u64 = 16;

/// A band in which nothing moves. That alone is not enough: steps change zeros into zeros with a sign. But what was
/// the same before and after a step beside the same neighbours stays so.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Rest {
    /// A hash of its own rows.
    own: u128,
    /// Hashes of what its neighbours have in its halo.
    beside: [Option<u128>; 2],
}

impl RowBlock {
    pub(in crate::distributed) fn new(
        part: Subdomain,
        bytes_of_cell: usize,
        mouths: Option<&Mouths>,
    ) -> Self {
        let bytes = part.flow.lattice.cells() * bytes_of_cell;
        let (wishes, margins) = (part.wishes(), Default::default());
        let mut band = Self {
            part,
            is_here: true,
            is_kept: [false; 2],
            bytes,
            margins,
            wishes,
            is_still: true,
            rest: None,
            sleeps: false,
            gives: false,
            mouths: Vec::new(),
            is_sound: true,
            visits: 0,
            work: 0,
        };
        band.gather();
        band.look_at_mouths(mouths);
        band.find_what_gives();
        band
    }

    fn look_at_mouths(&mut self, mouths: Option<&Mouths>) {
        self.mouths = mouths.map_or_else(Vec::new, |mouths| self.part.look_at_mouths(mouths));
    }

    /// Finds out whether anything gives or takes water in its rows.
    pub(in crate::distributed) fn find_what_gives(&mut self) {
        let exchange = &self.part.flow.exchange;
        let has_outlets = exchange.is_everywhere() || exchange.cells().next().is_some();
        self.gives = has_outlets || !self.mouths.is_empty();
    }

    /// Its number, by which it is known on the shelf: no other band has one of its rows.
    fn number(&self) -> usize {
        self.part.rows.start
    }

    /// How many open cells each spring and each drain has in it.
    pub(in crate::distributed) fn open_cells(&self) -> [Vec<usize>; 2] {
        let flow = &self.part.flow;
        [&flow.exchange.springs, &flow.exchange.drains]
            .map(|list| list.iter().map(|outlet| outlet.open_here(&flow.state)).collect())
    }

    /// What is known of it.
    pub(in crate::distributed) fn known(&self) -> Known {
        let Self { wishes, is_still, rest, sleeps, visits, .. } = self;
        let (wishes, rest) = (wishes.clone(), *rest);
        Known { wishes, is_still: *is_still, rest, sleeps: *sleeps, visits: *visits }
    }

    /// Takes over what was known of it elsewhere.
    pub(in crate::distributed) fn take_known(&mut self, known: Known) {
        let Known { wishes, is_still, rest, sleeps, visits } = known;
        self.wishes = wishes;
        (self.is_still, self.rest, self.sleeps, self.visits) = (is_still, rest, sleeps, visits);
    }

    /// Brings what its neighbours have of it up to date.
    pub(in crate::distributed) fn gather(&mut self) {
        for (side, margin) in self.margins.iter_mut().enumerate() {
            self.part.gather(side, &mut margin.rows);
            margin.hash = xxh3_128(bytemuck::cast_slice(&margin.rows));
        }
    }

    /// Begins a step, in which springs and the like give before anything moves.
    pub(in crate::distributed) fn begin(&mut self, dt: f64, mouths: Option<&Mouths>) {
        self.part.begin(dt, mouths);
        self.is_kept[1] = false;
        self.gather();
    }

    /// Takes over what its neighbours to the north (0) or south (1) have in the rows of its halo.
    pub(in crate::distributed) fn take_over(&mut self, side: usize, rows: &[f32]) {
        if self.part.take_over(side, rows) {
            self.is_kept[1] = false;
        }
    }

    /// About how many cells a step goes through.
    pub(in crate::distributed) fn cells_stepped(&self) -> usize {
        let Flow { lattice, workspace, .. } = &self.part.flow;
        workspace.sweep.tiles.cells_stepped(lattice.nx(), lattice.ny())
    }

    /// It has been stepped beside neighbours with these rows: what is known of it is brought up to date.
    pub(in crate::distributed) fn settle(
        &mut self,
        beside: [Option<&Margin>; 2],
        mouths: Option<&Mouths>,
    ) {
        self.gather();
        self.look_at_mouths(mouths);
        self.wishes = self.part.wishes();
        self.is_kept[1] = false;
        self.visits += 1;
        // At first, and then now and again, twice in a row.
        let looks = self.visits <= LOOKS || self.visits % EVERY < 2;
        let rests = looks && !self.gives && self.part.rests();
        self.is_still = rests;
        let rest = rests.then(|| Rest { own: self.hash_own(), beside: beside.map(hash) });
        self.sleeps = rest.is_some() && rest == self.rest;
        self.rest = rest;
    }

    /// A hash of all that steps change in its own rows.
    fn hash_own(&self) -> u128 {
        let (state, own) = (&self.part.flow.state, &self.part.own);
        let mut hash = Xxh3::new();
        for (field, lies) in fields(state) {
            let rows = own.start..own.end + usize::from(lies == Lies::Between);
            hash.update(bytemuck::cast_slice(part_of(field, rows)));
        }
        hash.digest128()
    }

    /// Whether a step would change nothing in it, as long as its neighbours have the same rows.
    pub(in crate::distributed) fn is_asleep(&self) -> bool {
        self.sleeps
    }

    /// Whether a step would change nothing in it beside neighbours with these rows.
    pub(in crate::distributed) fn sleeps_beside(&self, beside: [Option<&Margin>; 2]) -> bool {
        let same = |rest: &Rest| rest.beside == beside.map(hash);
        self.sleeps && self.rest.as_ref().is_some_and(same)
    }

    /// It, to look at; it has to be in memory.
    pub(in crate::distributed) fn view(&self) -> BlockView<'_> {
        BlockView { flow: &self.part.flow, rows: &self.part.rows, own: &self.part.own }
    }

    /// Puts its fields on the shelf.
    pub(in crate::distributed) fn put_away(&mut self, shelf: &mut dyn PageStore) -> io::Result<()> {
        if !self.is_here {
            return Ok(());
        }
        let (number, is_kept) = (self.number(), self.is_kept);
        self.is_sound = self.part.flow.state.depth.as_slice().iter().all(|h| h.is_finite());
        let mut bytes = Vec::new();
        // What is on the shelf already stays there; what could not be put there stays here.
        each_stored(&mut self.part.flow, |slot, stored| {
            if !is_kept[usize::from(slot::changes(slot))] {
                bytes.clear();
                stored.write(&mut bytes);
                shelf.put([number, slot], &bytes)?;
            }
            Ok(())
        })?;
        each_stored(&mut self.part.flow, |_, stored| {
            stored.clear();
            Ok(())
        })?;
        let flow = &mut self.part.flow;
        // Which tiles sleep is all that is worth keeping of it.
        let tiles = std::mem::take(&mut flow.workspace.sweep.tiles);
        flow.workspace = Default::default();
        flow.workspace.sweep.tiles = tiles;
        flow.spare = Default::default();
        (self.is_here, self.is_kept) = (false, [true; 2]);
        Ok(())
    }

    /// Takes them from there again.
    pub(in crate::distributed) fn bring(&mut self, shelf: &mut dyn PageStore) -> io::Result<()> {
        if self.is_here {
            return Ok(());
        }
        let number = self.number();
        each_stored(&mut self.part.flow, |slot, stored| {
            stored.read(&shelf.get([number, slot])?).ok_or_else(damaged)
        })?;
        self.is_here = true;
        Ok(())
    }

    /// Which fields it has.
    pub(in crate::distributed) fn fields(&mut self) -> io::Result<Vec<usize>> {
        let mut all = Vec::new();
        each_stored(&mut self.part.flow, |slot, _| {
            all.push(slot);
            Ok(())
        })?;
        Ok(all)
    }

    /// A field in some rows of its window.
    pub(in crate::distributed) fn numbers(
        &mut self,
        wished: usize,
        rows: Range<usize>,
        shelf: &mut dyn PageStore,
    ) -> io::Result<Raw> {
        if !self.is_here {
            let raw = Raw::read(&shelf.get([self.number(), wished])?).ok_or_else(damaged)?;
            return raw.cut(rows).ok_or_else(damaged);
        }
        let mut found = None;
        each_stored(&mut self.part.flow, |slot, stored| {
            if slot == wished {
                found = stored.raw(rows.clone());
            }
            Ok(())
        })?;
        found.ok_or_else(damaged)
    }

    /// Rows of its window that are its own; of faces that lie between rows, those to the north of each, and of the last band the last
    /// ones.
    pub(in crate::distributed) fn own_rows(&self, wished: usize) -> Range<usize> {
        let own = self.part.own.clone();
        let is_last = !self.part.beside[1];
        own.start..own.end + usize::from(is_last && self.is_between(wished))
    }

    /// The same on the grid.
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
    /// The rows of the world that its window has of a field.
    pub(in crate::distributed) fn window_rows(&self, wished: usize) -> Range<usize> {
        let first = self.part.rows.start - self.part.own.start;
        let faces = usize::from(self.is_between(wished));
        first..first + self.part.flow.lattice.ny() + faces
    }

    /// Puts other numbers in the place of those of a field, from a row of its window on: all of them, if it is not in memory.
    pub(in crate::distributed) fn put(
        &mut self,
        which: usize,
        first: usize,
        raw: &Raw,
        shelf: &mut dyn PageStore,
    ) -> io::Result<()> {
        if !self.is_here {
            let mut bytes = Vec::new();
            raw.write(&mut bytes);
            return shelf.put([self.number(), which], &bytes);
        }
        self.is_kept[usize::from(slot::changes(which))] = false;
        let mut fits = None;
        each_stored(&mut self.part.flow, |slot, stored| {
            if slot == which {
                fits = stored.put(first, raw);
            }
            Ok(())
        })?;
        fits.ok_or_else(damaged)
    }

    /// Sets the greatest factor of its rain after the map has changed.
    pub(in crate::distributed) fn set_greatest_rain(&mut self, factor: f32) {
        // See `Subdomain::wishes`: pipes have none.
        self.wishes.last_mut().into_iter().for_each(|rain| *rain = factor.into());
    }

    /// Updates everything derived from its fields after they were replaced.
    pub(in crate::distributed) fn begin_anew(&mut self, mouths: Option<&Mouths>) {
        self.part.flow.workspace.sweep.tiles.wake_all();
        self.has_changed(mouths);
    }

    /// Updates everything derived from its fields after some cells changed, whose tiles are awake.
    pub(in crate::distributed) fn has_changed(&mut self, mouths: Option<&Mouths>) {
        self.gather();
        self.look_at_mouths(mouths);
        self.is_kept = [false; 2];
        self.wishes = self.part.wishes();
        (self.rest, self.sleeps, self.is_still) = (None, false, false);
        // Whoever looks at it looks again.
        self.visits += 1;
    }
}

fn hash(margin: Option<&Margin>) -> Option<u128> {
    margin.map(|margin| margin.hash)
}

impl Subdomain {
    /// Whether nothing moves in its own rows, nor over the faces around them.
    fn rests(&self) -> bool {
        let Flow { lattice, params, state, boundaries, spare, last_dt, .. } = &self.flow;
        let dt = f64::from(*last_dt);
        let when = When::step(params.level, self.flow.time, dt);
        let edges = &boundaries.at(when, params.gravity, spare);
        let roughness = Roughness::Uniform(0.0);
        let step = Step { lattice, params, edges, roughness, dt };
        // The faces to the south are those to the north of the next row.
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
