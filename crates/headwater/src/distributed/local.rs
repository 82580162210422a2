//! [`LocalBlocks`]: the bands of a world that one process has, all of the world's or those of some of its rows.

use crate::distributed::block::block::{Margin, RowBlock};
use crate::distributed::block::ledger_log::Log;
use crate::distributed::block::mouths::Mouths;
use crate::distributed::partition::bands;
use crate::distributed::storage::page::{Raw, slot};
use crate::distributed::world::outlets::leave_no_cell;
use crate::distributed::world::spec::WorldSpec;
use crate::distributed::world::window::{BlockView, Window};
use crate::distributed::{Communicator, PageStore};
use crate::error::InputError;
use crate::field::Field;
use crate::flow::params::Params;
use crate::flow::world::Flow;
use crate::lattice::Lattice;
use std::io;
use std::ops::Range;

/// The most rows of a band: what sleeps is left out band by band.
const MOST_ROWS: usize = 512;

/// How many bands are made of some rows of a world, if they are not too small for that: what sleeps goes from peer to peer band by band, and
/// all but the first and the last are stepped while rows are swapped.
const BANDS: usize = 8;

/// How many times as many rows a band has then as its halo, at least: these are stepped too, for its sake alone.
const HALOS: usize = 64;

/// How many bands have room in memory, if they have more than the least of rows, and how many of them at least have what is
/// being done with another: making it, putting it away and bringing it back.
const AT_ONCE: usize = 16;
const ON_THE_WAY: usize = 3;

/// How much room there is for bands.
#[derive(Clone, Copy, Debug)]
pub struct MemoryBudget {
    /// Bytes that those in memory may have.
    bytes: usize,
    /// The most rows of each; some hundreds if it is not said.
    rows: Option<usize>,
}

impl MemoryBudget {
    /// For bands of at most so many rows, or of the least that a halo needs.
    pub fn of_rows(mut self, rows: usize) -> Self {
        self.rows = Some(rows);
        self
    }
}

impl From<usize> for MemoryBudget {
    /// So many bytes in memory.
    fn from(bytes: usize) -> Self {
        Self { bytes, rows: None }
    }
}

/// Some rows of a world in bands, of which so many are in memory as there is room for; somebody else may have the rows to the north and
/// south of them.
#[derive(Debug)]
pub struct LocalBlocks {
    /// The world but for its fields. Springs and drains have no cells, and all of them elsewhere.
    pub(in crate::distributed) world: Flow,
    pub(in crate::distributed) bands: Vec<RowBlock>,
    pub(in crate::distributed) shelf: Box<dyn PageStore>,
    /// Bytes that bands in memory may have.
    budget: usize,
    /// Rows of their halos.
    pub(in crate::distributed) halo: usize,
    /// What others have beside the first band and the last, as it was when it was [swapped](Self::refresh) last.
    pub(in crate::distributed) around: [Option<Margin>; 2],
    /// How many open cells springs and drains have in each.
    pub(in crate::distributed) open: Vec<[Vec<usize>; 2]>,
    /// How many they have in all.
    pub(in crate::distributed) open_in_all: Option<[Vec<usize>; 2]>,
    /// The structures, if there are any.
    pub(in crate::distributed) mouths: Option<Mouths>,
    pub(in crate::distributed) is_rough: bool,
    /// Of what a band is made that comes.
    pub(in crate::distributed) outline: WorldSpec,
    /// How many rows have come from peers.
    pub(in crate::distributed) moved: usize,
    /// What has come and gone in each round, band by band, since that was taken last.
    pub(in crate::distributed) rounds: Vec<Vec<Log>>,
}

impl LocalBlocks {
    /// Makes the bands of some `rows` of a world (see [`WorldSpec::spans`]) of its outline and of what `make` says of windows of its rows, which overlap and
    /// reach beyond these rows; each is asked for once, from north to south. LocalBlocks in memory have at most the bytes of their `room`, or what two bands of
    /// the least rows have.
    ///
    /// # Errors
    /// Those of `make`, of the shelf, and as an [`InputError`](crate::InputError) that a window has another shape or an impossible number.
    pub fn new<E: From<io::Error>>(
        outline: &WorldSpec,
        rows: Range<usize>,
        room: impl Into<MemoryBudget>,
        shelf: impl PageStore + 'static,
        mut make: impl FnMut(Range<usize>) -> Result<Window, E>,
    ) -> Result<Self, E> {
        let MemoryBudget { bytes: budget, rows: wished } = room.into();
        let lattice = outline.flow.lattice;
        let (cell, halo) = (outline.bytes_of_cell(), outline.halo());
        let fit = (budget / AT_ONCE / (lattice.nx() * cell)).saturating_sub(2 * halo);
        let least = halo + 2;
        let of_some = (rows.len() / BANDS).max(HALOS * halo).min(MOST_ROWS);
        let usual = if rows.len() < lattice.ny() { of_some } else { MOST_ROWS };
        let most = wished.unwrap_or(usual).max(least);
        let count = rows.len().div_ceil(fit.clamp(least, most)).max(1);
        let all = bands(rows.len(), count.min((rows.len() / least).max(1)));
        let all = all.into_iter().map(|band| rows.start + band.start..rows.start + band.end);
        let all: Vec<Range<usize>> = all.collect();
        let mut made = Self {
            world: outline.flow.clone(),
            bands: Vec::with_capacity(all.len()),
            shelf: Box::new(shelf),
            budget,
            halo,
            around: [None, None],
            open: Vec::with_capacity(all.len()),
            open_in_all: None,
            mouths: Mouths::of(&outline.flow.structures, &lattice).map_err(io::Error::other)?,
            is_rough: false,
            outline: outline.clone(),
            moved: 0,
            rounds: Vec::new(),
        };
        let widest = all.iter().map(|band| outline.window(band).0.len()).max().unwrap_or(0);
        let on_the_way = ON_THE_WAY * widest * lattice.nx() * cell;
        made.budget = budget.saturating_sub(on_the_way);
        for (number, band) in all.iter().enumerate() {
            let window = make(outline.window(band).0)?;
            let moves = window.velocity.is_some() || window.unit_discharge.is_some();
            let part = outline.part(band, window).map_err(io::Error::other)?;
            made.is_rough |= part.flow.roughness.is_some();
            made.make_room(number, part.flow.lattice.cells() * cell)?;
            let mut band = RowBlock::new(part, cell, made.mouths.as_ref());
            band.is_still = !moves;
            made.open.push(band.open_cells());
            made.bands.push(band);
        }
        // How many open cells they have, all bands together say.
        leave_no_cell(&mut made.world.exchange, [&[], &[]]);
        Ok(made)
    }

    /// Where all cells and faces of the world are.
    pub fn lattice(&self) -> &Lattice {
        &self.world.lattice
    }

    /// The parameters.
    pub fn params(&self) -> &Params {
        &self.world.params
    }

    /// Which rows of the world they have.
    pub fn rows(&self) -> Range<usize> {
        let first = self.bands.first().map_or(0, |band| band.part.rows.start);
        first..self.bands.last().map_or(first, |band| band.part.rows.end)
    }

    /// How many rows have come from peers so far.
    pub fn moved(&self) -> usize {
        self.moved
    }

    /// How many bands there are, and how many of them are in memory.
    pub fn count(&self) -> [usize; 2] {
        [self.bands.len(), self.bands.iter().filter(|band| band.is_here).count()]
    }

    /// The rows of each band from north to south, and how often it has been stepped.
    pub fn visits(&self) -> impl Iterator<Item = (Range<usize>, u64)> {
        self.bands.iter().map(|band| (band.part.rows.clone(), band.visits))
    }

    /// Has a band in memory.
    pub(in crate::distributed) fn load(&mut self, i: usize) -> io::Result<()> {
        if !self.bands[i].is_here {
            self.make_room(i, self.bands[i].bytes)?;
            self.bands[i].bring(&mut *self.shelf)?;
        }
        Ok(())
    }

    /// Puts bands away until so many bytes have room beside the others; of band `i`, which is needed now.
    pub(in crate::distributed) fn make_room(&mut self, i: usize, bytes: usize) -> io::Result<()> {
        let count = self.bands.len().max(1);
        loop {
            let here = || self.bands.iter().enumerate().filter(|(j, band)| *j != i && band.is_here);
            let all: usize = here().map(|(_, band)| band.bytes).sum();
            // First what sleeps, then what is needed last: bands are stepped from north to south.
            let last = here().max_by_key(|(j, band)| (band.is_asleep(), (j + count - i) % count));
            match last.map(|(j, _)| j) {
                Some(j) if all + bytes > self.budget => self.bands[j].put_away(&mut *self.shelf)?,
                _ => return Ok(()),
            }
        }
    }

    /// Changes where it rains how hard, as [`Flow::set_rain_map`]: `make` returns the factors in the rows of a window and is called once
    /// for each band.
    ///
    /// # Errors
    /// Those of the shelf, and as an [`InputError`] that a map has another shape or an impossible number, or that the rain has no map.
    pub fn set_rain_map(
        &mut self,
        mut make: impl FnMut(Range<usize>) -> Field<f32>,
    ) -> io::Result<()> {
        if self.world.rain().is_none_or(|rain| rain.map.is_none()) {
            let allowed = "rain with a map";
            return Err(io::Error::other(InputError::new("rain map", "none", allowed)));
        }
        for band in &mut self.bands {
            let map = make(band.window_rows(slot::RAIN_MAP));
            band.part.flow.check_rain_map(&map).map_err(io::Error::other)?;
            band.set_greatest_rain(map.min_max().map_or(1.0, |range| range.1));
            let (width, words) = (map.nx(), bytemuck::cast_vec(map.into_vec()));
            band.put(slot::RAIN_MAP, 0, &Raw::new(width, vec![words]), &mut *self.shelf)?;
        }
        Ok(())
    }

    /// Puts bands away until those in memory have so many bytes at most.
    ///
    /// # Errors
    /// Those of the shelf.
    pub fn shrink(&mut self, bytes: usize) -> io::Result<()> {
        let budget = std::mem::replace(&mut self.budget, bytes);
        let shrunk = self.make_room(self.bands.len(), 0);
        self.budget = budget;
        shrunk
    }

    /// Learns what its peers have beside its rows now, who all ask at the same point.
    pub fn refresh(&mut self, peers: &mut dyn Communicator) {
        self.refresh_meanwhile(peers, |_, _| {});
    }

    /// Learns that, and does something meanwhile that needs none of these rows, nor those that go to them.
    pub(in crate::distributed) fn refresh_meanwhile(
        &mut self,
        peers: &mut dyn Communicator,
        mut work: impl FnMut(&mut Self, &mut dyn FnMut()),
    ) {
        let beside = self.beside();
        let last = self.bands.len().saturating_sub(1);
        if beside == [false; 2] {
            return work(self, &mut || {});
        }
        // LocalBlocks may come and go meanwhile; what goes to peers stays.
        let margins = [(0, 0), (last, 1)];
        let to = margins.map(|(band, side)| std::mem::take(&mut self.bands[band].margins[side]));
        let mut from = std::mem::take(&mut self.around).map(|old| old.unwrap_or_default().rows);
        // What comes is as much as what goes.
        from.iter_mut().zip(&to).for_each(|(from, to)| from.resize(to.rows.len(), 0.0));
        let [north, south] = &mut from;
        let rows = to.each_ref().map(|margin| &margin.rows[..]);
        peers.exchange_halos_overlapped(rows, [&mut north[..], &mut south[..]], &mut |poke| {
            work(self, poke);
        });
        for ((band, side), margin) in margins.into_iter().zip(to) {
            self.bands[band].margins[side] = margin;
        }
        let mut beside = beside.into_iter();
        self.around = from.map(|rows| (beside.next() == Some(true)).then(|| Margin::new(rows)));
    }

    /// Whether others have rows to the north and south of these.
    pub(in crate::distributed) fn beside(&self) -> [bool; 2] {
        let (first, last) = (self.bands.first(), self.bands.last());
        [first.is_some_and(|it| it.part.beside[0]), last.is_some_and(|it| it.part.beside[1])]
    }

    /// Looks at the band that has row `y`, with rows around it as they are now; those that others have as they were when they were
    /// [asked](Self::refresh) last.
    ///
    /// # Errors
    /// Those of the shelf, and if there is no such row.
    pub fn look<T>(&mut self, y: usize, look: impl FnOnce(BlockView<'_>) -> T) -> io::Result<T> {
        let i = self.band_of(y)?;
        self.load(i)?;
        let (above, rest) = self.bands.split_at_mut(i);
        let Some((band, below)) = rest.split_first_mut() else {
            return Err(io::ErrorKind::InvalidInput.into());
        };
        let [before, after] = self.around.each_ref().map(Option::as_ref);
        if let Some(margin) = above.last().map(|last| &last.margins[1]).or(before) {
            band.take_over(0, &margin.rows);
        }
        if let Some(margin) = below.first().map(|next| &next.margins[0]).or(after) {
            band.take_over(1, &margin.rows);
        }
        Ok(look(band.view()))
    }

    /// The number of the band that has row `y`.
    pub(in crate::distributed) fn band_of(&self, y: usize) -> io::Result<usize> {
        let found = self.bands.iter().position(|band| band.part.rows.contains(&y));
        found.ok_or_else(|| io::ErrorKind::InvalidInput.into())
    }
}
