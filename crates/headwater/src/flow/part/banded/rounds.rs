//! [`Banded`] itself: how its bands are stepped, round by round, and which of them are in memory.

use super::band::{Band, Margin};
use super::outlets::Outlets;
use super::outline::Outline;
use super::sum::Sum;
use super::window::{BandView, Window};
use crate::error::InputError;
use crate::flow::params::{Params, Physics};
use crate::flow::part::length::longest;
use crate::flow::part::log;
use crate::flow::sweep;
use crate::flow::walk::arrive;
use crate::flow::world::Flow;
use crate::lattice::Lattice;
use crate::ledger::Ledger;
use crate::part::{Shelf, bands};
use std::io;
use std::ops::Range;

/// The most rows of a band: what sleeps is left out band by band.
const MOST_ROWS: usize = 512;

/// How many bands have room in memory, if they have more than the least of rows, and how many of them at least have what is
/// being done with another: making it, putting it away and bringing it back.
const AT_ONCE: usize = 16;
const ON_THE_WAY: usize = 3;

/// A world in bands of rows, of which so many are in memory as there is room for. Made of an [`Outline`] and of [`Window`]s, it comes to the same bits as a
/// [`Flow`] that never was in bands.
#[derive(Debug)]
pub struct Banded {
    /// The world but for its fields. Springs and drains have no cells, and all of them elsewhere.
    pub(super) world: Flow,
    /// Springs and drains with their cells.
    pub(super) outlets: Outlets,
    pub(super) bands: Vec<Band>,
    pub(super) shelf: Box<dyn Shelf>,
    /// Bytes that bands in memory may have.
    budget: usize,
    /// Rows of their halos.
    halo: usize,
}

impl Banded {
    /// Makes a world of an outline and of what `make` says of windows of its rows, which overlap; each is asked for once, from north to south.
    /// Bands in memory have at most `budget` bytes, or what two bands of the least rows have.
    ///
    /// # Errors
    /// Those of `make`, of the shelf, and as an [`InputError`] that a window has another shape or an impossible number.
    pub fn new<E: From<io::Error>>(
        outline: Outline,
        budget: usize,
        shelf: impl Shelf + 'static,
        mut make: impl FnMut(Range<usize>) -> Result<Window, E>,
    ) -> Result<Self, E> {
        let lattice = outline.flow.lattice;
        let (cell, halo) = (outline.bytes_of_cell(), outline.halo());
        let rows = (budget / AT_ONCE / (lattice.nx() * cell)).saturating_sub(2 * halo);
        let least = halo + 2;
        let count = lattice.ny().div_ceil(rows.clamp(least, MOST_ROWS)).max(1);
        let all = bands(lattice.ny(), count.min((lattice.ny() / least).max(1)));
        let mut world = Self {
            outlets: Outlets::of(&outline.flow.exchange),
            world: outline.flow.clone(),
            bands: Vec::with_capacity(all.len()),
            shelf: Box::new(shelf),
            budget,
            halo,
        };
        let widest = all.iter().map(|band| outline.window(band).0.len()).max().unwrap_or(0);
        let on_the_way = ON_THE_WAY * widest * lattice.nx() * cell;
        world.budget = budget.saturating_sub(on_the_way);
        let none = || [Vec::new(), Vec::new()];
        let mut open: Vec<[Vec<usize>; 2]> = Vec::with_capacity(all.len());
        let mut volume = Sum::default();
        for (number, band) in all.iter().enumerate() {
            let window = make(outline.window(band).0)?;
            let part = outline.part(band, window).map_err(io::Error::other)?;
            let exchange = &part.flow.exchange;
            let mut counts = none();
            for (count, list) in counts.iter_mut().zip([&exchange.springs, &exchange.drains]) {
                count.extend(list.iter().map(|outlet| outlet.open_cells(&part.flow.state)));
            }
            open.push(counts);
            volume.add_part(&part);
            world.make_room(number, part.flow.lattice.cells() * cell)?;
            world.bands.push(Band::new(part, number, cell));
        }
        let total =
            |kind: usize, i: usize| open.iter().map(|counts| counts[kind][i]).sum::<usize>();
        let of_all = open.first().map_or_else(none, |first| {
            [0, 1].map(|kind| (0..first[kind].len()).map(|i| total(kind, i)).collect())
        });
        for (band, open) in world.bands.iter_mut().zip(&open) {
            let beside = |kind: usize| -> Vec<usize> {
                of_all[kind].iter().zip(&open[kind]).map(|(all, own)| all - own).collect()
            };
            band.part.set_elsewhere([beside(0), beside(1)]);
        }
        world.outlets.empty(&mut world.world.exchange, of_all);
        world.world.ledger = Ledger::new(volume.all() * lattice.cell_area());
        Ok(world)
    }

    /// Where cells and faces are.
    pub fn lattice(&self) -> &Lattice {
        &self.world.lattice
    }

    /// The parameters.
    pub fn params(&self) -> &Params {
        &self.world.params
    }

    /// Simulated time since the start (s).
    pub fn time(&self) -> f64 {
        self.world.time
    }

    /// Steps done since the start.
    pub fn steps(&self) -> u64 {
        self.world.steps
    }

    /// What came and went, by cause.
    pub fn ledger(&self) -> &Ledger {
        &self.world.ledger
    }

    /// How many bands there are, and how many of them are in memory.
    pub fn bands(&self) -> [usize; 2] {
        [self.bands.len(), self.bands.iter().filter(|band| band.is_here).count()]
    }

    /// The rows of each band from north to south, and how often it has been stepped.
    pub fn visits(&self) -> impl Iterator<Item = (Range<usize>, u64)> {
        self.bands.iter().map(|band| (band.part.rows.clone(), band.visits))
    }

    /// Does steps of an advance to the time `stop` (s), at most `most`, and says how many; 0 if there was nothing left to do. They are
    /// those that [`Flow::steps_toward`] does.
    ///
    /// # Errors
    /// If `stop` is no finite number, or the shelf fails. The world is of no use then.
    pub fn steps_toward(&mut self, stop: f64, most: usize) -> io::Result<usize> {
        InputError::check("a time to advance to", stop, true, "a finite number of seconds")
            .map_err(io::Error::other)?;
        let mut done = 0;
        while done < most {
            let follow = self.world.steps_follow_on();
            let together = if follow { (most - done).min(self.halo / 2) } else { 1 };
            let stable = self.longest()?;
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
            self.round(&walk)?;
            done += count;
        }
        Ok(done)
    }

    /// As [`Flow::lengths_within`], from another time (s) on.
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

    /// The longest stable step (s).
    fn longest(&mut self) -> io::Result<f64> {
        let mut values: Vec<f64> = Vec::new();
        for band in &self.bands {
            if values.is_empty() {
                values.clone_from(&band.wishes);
            } else {
                let all = values.iter_mut().zip(&band.wishes);
                all.for_each(|(most, wish)| *most = most.max(*wish));
            }
        }
        let mut loss = Ok(0.0);
        if self.world.params.level == Physics::Inertial {
            // How deep the deepest water is has been found.
            let deepest = values[0].max(values[1]);
            loss = self.loss(deepest);
        }
        let loss = loss?;
        Ok(longest(&self.world, &values, 0.0, |_| loss))
    }

    /// The greatest loss of all bands. Where nothing moves nothing is lost, nor where springs have given to water at rest.
    fn loss(&mut self, deepest: f64) -> io::Result<f64> {
        let mut most = 0.0_f64;
        for i in 0..self.bands.len() {
            if !(self.bands[i].is_still || self.bands[i].is_asleep()) {
                self.load(i)?;
                most = most.max(self.bands[i].part.loss(deepest));
            }
        }
        Ok(most)
    }

    /// Steps every band that does not sleep.
    fn round(&mut self, walk: &Walk) -> io::Result<()> {
        let count = self.bands.len();
        let single = match &walk.passes[..] {
            [(lengths, _)] if lengths.len() == 1 => Some(lengths[0]),
            _ => None,
        };
        // What is given changes what neighbours see before anything moves.
        let mut begun = vec![false; count];
        for (i, begun) in begun.iter_mut().enumerate() {
            if let Some(dt) = single.filter(|_| self.bands[i].gives) {
                self.load(i)?;
                self.bands[i].begin(dt);
                *begun = true;
            }
        }
        let mut logs = Vec::with_capacity(count);
        // The last rows of the band before as they were before its steps, where it has done any.
        let mut before: Option<Margin> = None;
        for (i, begun) in begun.into_iter().enumerate() {
            let (above, rest) = self.bands.split_at(i);
            let north = above.last().map(|band| before.as_ref().unwrap_or(&band.margins[1]));
            let south = rest.get(1).map(|band| &band.margins[0]);
            if !begun && self.bands[i].sleeps_beside([north, south]) {
                before = None;
                continue;
            }
            self.load(i)?;
            let (above, rest) = self.bands.split_at_mut(i);
            let Some((band, below)) = rest.split_first_mut() else { continue };
            if let Some(last) = above.last() {
                band.take_over(0, &before.as_ref().unwrap_or(&last.margins[1]).rows);
            }
            if let Some(next) = below.first() {
                band.take_over(1, &next.margins[0].rows);
            }
            for (lengths, time) in &walk.passes {
                band.part.flow.time = *time;
                match lengths[..] {
                    [dt] => {
                        if !begun {
                            band.part.begin(dt);
                        }
                        band.part.move_water(dt);
                        band.part.flow.end_step(dt);
                    }
                    _ => band.part.pass(lengths),
                }
            }
            band.part.flow.time = walk.time;
            logs.push(band.part.take_log());
            let last = std::mem::take(&mut band.margins[1]);
            let north = above.last().map(|band| before.as_ref().unwrap_or(&band.margins[1]));
            band.settle([north, below.first().map(|band| &band.margins[0])]);
            before = Some(last);
        }
        let area = self.world.lattice.cell_area();
        log::book(&logs, area, &mut self.world.ledger).map_err(io::Error::other)?;
        let last = walk.passes.iter().rev().find_map(|(lengths, _)| lengths.last());
        let steps: usize = walk.passes.iter().map(|(lengths, _)| lengths.len()).sum();
        let world = &mut self.world;
        world.time = walk.time;
        world.steps += steps as u64;
        world.last_dt = last.map_or(world.last_dt, |dt| *dt as f32);
        for band in &mut self.bands {
            let flow = &mut band.part.flow;
            (flow.time, flow.steps, flow.last_dt) = (world.time, world.steps, world.last_dt);
        }
        Ok(())
    }

    /// Has a band in memory.
    pub(super) fn load(&mut self, i: usize) -> io::Result<()> {
        if !self.bands[i].is_here {
            self.make_room(i, self.bands[i].bytes)?;
            self.bands[i].bring(&mut *self.shelf)?;
        }
        Ok(())
    }

    /// Puts bands away until so many bytes have room beside the others; of band `i`, which is needed now.
    fn make_room(&mut self, i: usize, bytes: usize) -> io::Result<()> {
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

    /// Looks at the band that has row `y`, with rows around it as they are now.
    ///
    /// # Errors
    /// Those of the shelf, and if there is no such row.
    pub fn look<T>(&mut self, y: usize, look: impl FnOnce(BandView<'_>) -> T) -> io::Result<T> {
        let i = self.band_of(y)?;
        self.load(i)?;
        let (above, rest) = self.bands.split_at_mut(i);
        let Some((band, below)) = rest.split_first_mut() else {
            return Err(io::ErrorKind::InvalidInput.into());
        };
        if let Some(last) = above.last() {
            band.take_over(0, &last.margins[1].rows);
        }
        if let Some(next) = below.first() {
            band.take_over(1, &next.margins[0].rows);
        }
        Ok(look(band.view()))
    }

    /// The number of the band that has row `y`.
    pub(super) fn band_of(&self, y: usize) -> io::Result<usize> {
        let found = self.bands.iter().position(|band| band.part.rows.contains(&y));
        found.ok_or_else(|| io::ErrorKind::InvalidInput.into())
    }

    /// True as long as the water in all bands is numbers.
    pub fn is_sound(&self) -> bool {
        self.bands.iter().all(|band| match band.is_here {
            true => band.part.flow.state.depth.as_slice().iter().all(|h| h.is_finite()),
            false => band.is_sound,
        })
    }
}

/// Steps that are done at a visit of a band.
struct Walk {
    /// Lengths (s) of those of each pass, and the time (s) that it begins at.
    passes: Vec<(Vec<f64>, f64)>,
    /// The time (s) after all of them.
    time: f64,
}
