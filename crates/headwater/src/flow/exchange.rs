//! Water that comes and goes from above and below: springs, drains, rain, evaporation and soil. It is
//! the part of a step before stage 1. The ledger books what arrived.

use super::books::Books;
use super::due::{MM_PER_HOUR, MM_RATE, Place, due, give, over_open_cells, take};
use super::soil::Ground;
use super::state::State;
use super::when::When;
use crate::field::Field;
use crate::ids::IdList;
use crate::lattice::Lattice;
use crate::ledger::Cause;
use crate::parameter::{Range, parameters};
use crate::region::Region;
use crate::scratch::{PooledVec, ScratchPool};
use crate::series::Series;
use serde::{Deserialize, Serialize};
use std::ops;

parameters! {
    /// A spring (water comes) or a drain (water goes) over a region, spread evenly over its open cells.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct Source {
        /// Water in all, over time.
        rate: Series = Series::from(0.0); Live, "rate", "m³/s", |_| Range::new(0.0, 1e9), [0.0, 100.0];
    }
    required { rate }
    and {
        /// Where.
        region: Region = Region::Everywhere;
        /// From when to when it runs (s); `None` is always.
        during: Option<[f64; 2]> = None;
    }
}

impl Source {
    /// A source that always runs.
    pub fn new(region: Region, rate: impl Into<Series>) -> Self {
        Self { region, rate: rate.into(), during: None }
    }

    fn rate(&self, when: When) -> f64 {
        when.rate_during(&self.rate, self.during).max(0.0)
    }
}

parameters! {
    /// Rain over the whole grid.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(default, deny_unknown_fields)]
    pub struct Rain {
        /// Rain everywhere, over time; a cloudburst has 100.
        rate: Series = Series::from(0.0); Live, "rain", "mm/h", |_| MM_RATE, [0.0, 1000.0];
    }
    required { rate }
    and {
        /// A factor for each cell, 0 or above; `None` is 1 everywhere.
        map: Option<Field<f32>> = None;
    }
}

parameters! {
    /// Water that goes into the air.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(default, deny_unknown_fields)]
    pub struct Evaporation {
        /// What open water loses to the air, over time.
        rate: Series = Series::from(0.0); Live, "drying", "mm/h", |_| MM_RATE, [0.0, 1000.0];
    }
    required { rate }
}

impl From<f64> for Evaporation {
    fn from(rate: f64) -> Self {
        Self { rate: rate.into() }
    }
}

/// All exchange of a world, with its remainders: what rounding has held back.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Exchange {
    pub(crate) springs: IdList<Outlet>,
    pub(crate) drains: IdList<Outlet>,
    pub(crate) rain: Option<(Rain, Field<f32>)>,
    pub(crate) evaporation: Option<(Evaporation, Field<f32>)>,
    pub(crate) soil: Option<Ground>,
}

/// A source, its cells, and the remainder of each of them (m).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Outlet {
    pub(crate) source: Source,
    pub(crate) cells: Vec<(usize, usize)>,
    #[serde(with = "crate::numbers")]
    pub(crate) remainders: Vec<f32>,
    /// How many open cells it has besides, in other parts of a world that is stepped in parts.
    #[serde(skip)]
    pub(crate) elsewhere: usize,
}

impl Outlet {
    pub(crate) fn new(source: Source, lattice: &Lattice) -> Self {
        let cells: Vec<_> =
            source.region.cells(lattice).into_iter().map(|(x, y, _)| (x, y)).collect();
        Self { source, remainders: vec![0.0; cells.len()], cells, elsewhere: 0 }
    }

    /// It as far as it is in a band of rows, of which the first is row `first` of a window.
    pub(crate) fn of_block(&self, band: &ops::Range<usize>, first: usize) -> Self {
        let all = self.cells.iter().zip(&self.remainders);
        let own = all.filter(|((_, y), _)| band.contains(y));
        let here = own.map(|(&(x, y), &held)| ((x, y - band.start + first), held));
        let (cells, remainders) = here.unzip();
        Self { source: self.source.clone(), cells, remainders, elsewhere: 0 }
    }

    pub(super) fn open_cells(&self, state: &State) -> usize {
        self.open_here(state) + self.elsewhere
    }

    pub(crate) fn open_here(&self, state: &State) -> usize {
        self.cells.iter().filter(|cell| !state.closed.contains(cell.0, cell.1)).count()
    }

    /// The depth (m) due to each open cell in a step of `dt` seconds from `time` (s) on, or `None` if it rests or has no open cell.
    pub(super) fn share(&self, state: &State, area: f64, time: f64, dt: f64) -> Option<f32> {
        let rate = self.source.rate(When::Step { from: time, until: time + dt, moment: time });
        let open = self.open_cells(state);
        (rate != 0.0 && open != 0).then(|| (rate * dt / (area * open as f64)) as f32)
    }

    /// Calls `act(depth, remainder, share)` on every open cell with the depth (m) due in this step;
    /// returns the results.
    fn apply<'s>(
        &mut self,
        state: &mut State,
        area: f64,
        (time, dt): (f64, f64),
        scratch: &'s ScratchPool,
        act: impl Fn(&mut f32, &mut f32, f32) -> f64,
    ) -> PooledVec<'s, f64> {
        let mut moved = scratch.vec();
        let Some(share) = self.share(state, area, time, dt) else { return moved };
        for (&(x, y), remainder) in self.cells.iter().zip(&mut self.remainders) {
            if !state.closed.contains(x, y) {
                moved.push(act(&mut state.depth[(x, y)], remainder, share));
            }
        }
        moved
    }
}

impl Exchange {
    pub(super) fn apply(
        &mut self,
        state: &mut State,
        books: &mut impl Books,
        lattice: &Lattice,
        time: f64,
        dt: f64,
        scratch: &ScratchPool,
    ) {
        let area = lattice.cell_area();
        for spring in &mut self.springs {
            let came = spring.apply(state, area, (time, dt), scratch, give);
            books.book_cells(Cause::Source, area, &came);
        }
        if let Some((rain, remainder)) = &mut self.rain {
            let due = due(&rain.rate, time, dt);
            let map = rain.map.as_ref();
            let factor = |at| map.map_or(1.0, |map| map[at]);
            let fall = |place: Place, depth: &mut f32, remainder: &mut f32| {
                give(depth, remainder, due * factor(place.at))
            };
            books.book_rows(Cause::Rain, area, &over_open_cells(scratch, state, remainder, fall));
        }
        if let Some(ground) = &mut self.soil {
            books.book_rows(Cause::Infiltration, -area, &ground.soak(state, dt, scratch));
            if ground.seepage() > 0.0 {
                books.book_rows(Cause::Infiltration, area, &ground.seep(state, dt, scratch));
            }
        }
        if let Some((evaporation, remainder)) = &mut self.evaporation {
            let due = due(&evaporation.rate, time, dt);
            let dry = |place: Place, depth: &mut f32, remainder: &mut f32| {
                take(depth, remainder, due * place.wet, f32::MAX)
            };
            let went = over_open_cells(scratch, state, remainder, dry);
            books.book_rows(Cause::Evaporation, -area, &went);
        }
        for drain in &mut self.drains {
            let act = |depth: &mut f32, remainder: &mut f32, share| {
                take(depth, remainder, share, f32::MAX)
            };
            let went = drain.apply(state, area, (time, dt), scratch, act);
            books.book_cells(Cause::Drain, -area, &went);
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.springs.is_empty() && self.rain.is_none() && !self.takes()
    }

    pub(crate) fn is_everywhere(&self) -> bool {
        self.rain.is_some() || self.evaporation.is_some() || self.soil.is_some()
    }

    pub(crate) fn outlets_mut(&mut self) -> [&mut IdList<Outlet>; 2] {
        [&mut self.springs, &mut self.drains]
    }

    pub(crate) fn cells(&self) -> impl Iterator<Item = (usize, usize)> {
        self.springs.iter().chain(&*self.drains).flat_map(|outlet| outlet.cells.iter().copied())
    }

    pub(super) fn takes(&self) -> bool {
        !self.drains.is_empty() || self.evaporation.is_some() || self.soil.is_some()
    }

    pub(crate) fn greatest_rain(&self) -> f32 {
        let map = self.rain.as_ref().and_then(|(rain, _)| rain.map.as_ref());
        map.and_then(Field::min_max).map_or(1.0, |range| range.1)
    }

    /// The fastest that all that gives can lift the surface of a cell (m/s), or more; `most` is the greatest factor of the rain.
    pub(crate) fn fastest_rise(
        &self,
        state: &State,
        lattice: &Lattice,
        when: When,
        most: f32,
    ) -> f64 {
        let spring = |spring: &Outlet| {
            let open = spring.open_cells(state);
            spring.source.rate(when) / (lattice.cell_area() * open.max(1) as f64)
        };
        let springs: f64 = self.springs.iter().map(spring).sum();
        let rain = self
            .rain
            .iter()
            .map(|(rain, _)| when.rate(&rain.rate).max(0.0) * MM_PER_HOUR * f64::from(most));
        let seepage = self.soil.iter().map(|ground| ground.seepage() * MM_PER_HOUR);
        springs + rain.sum::<f64>() + seepage.sum::<f64>()
    }

    pub(super) fn fits(&self, state: &State) -> bool {
        let inside = |&(x, y): &(usize, usize)| x < state.bed.nx() && y < state.bed.ny();
        let outlets = self.springs.iter().chain(&*self.drains);
        let map = self.rain.as_ref().and_then(|(rain, _)| rain.map.as_ref());
        let remainder = self.rain.iter().map(|r| &r.1).chain(self.evaporation.iter().map(|e| &e.1));
        outlets
            .into_iter()
            .all(|o| o.cells.len() == o.remainders.len() && o.cells.iter().all(inside))
            && remainder.chain(map).all(|field| field.same_shape(&state.bed))
            && self.soil.iter().all(|soil| soil.fits(&state.bed))
    }
}
