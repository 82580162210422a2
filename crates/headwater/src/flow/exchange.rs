//! Water that comes and goes from above and below: springs, drains, rain, evaporation and soil. It is
//! the part of a step before stage 1.
//!
//! Ten millimetres of rain an hour are 1.4e-8 m in a step of 5 ms, less than a float of 1 m can take
//! up. Whatever does not arrive is carried over and given when it counts; the ledger books what
//! arrived.

use super::state::{Closed, State};
use crate::field::Field;
use crate::ids::IdList;
use crate::lattice::Lattice;
use crate::ledger::{Cause, Ledger};
use crate::parallel::sum_over_rows;
use crate::parameter::{Range, parameters};
use crate::region::Region;
use crate::series::Series;
use crate::spare::Spare;
use serde::{Deserialize, Serialize};

/// One millimetre per hour, in metres per second.
pub const MM_PER_HOUR: f64 = 1e-3 / 3600.0;

parameters! {
    /// A spring (water comes) or a drain (water goes) over a region, spread evenly over its open cells.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct Source {
        /// Water in all, over time.
        rate: Series = Series::from(0.0); Live, "rate", "m³/s", |_| Range::new(0.0, 1e9), [0.0, 100.0];
    }
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

    fn rate_at(&self, time: f64) -> f64 {
        let runs = self.during.is_none_or(|[from, until]| from <= time && time < until);
        if runs { self.rate.at(time).max(0.0) } else { 0.0 }
    }
}

/// Rates of rain, evaporation and soil (mm/h).
const MM_RATE: Range = Range::new(0.0, 1e5);

parameters! {
    /// Rain over the whole grid.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(default, deny_unknown_fields)]
    pub struct Rain {
        /// Rain everywhere, over time; a cloudburst has 100.
        rate: Series = Series::from(0.0); Live, "rain", "mm/h", |_| MM_RATE, [0.0, 1000.0];
    }
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
}

parameters! {
    /// Soil that takes water up, and may give it back.
    #[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(default, deny_unknown_fields)]
    pub struct Soil {
        /// How fast soil takes water.
        rate: f64 = 0.0; Live, "soaking", "mm/h", |_| MM_RATE, [0.0, 1000.0];
        /// How much water it can hold; without one, any amount.
        capacity: Option<f64> = None; Live, "capacity", "m", |_| Range::new(0.0, 1000.0), [0.0, 1.0];
        /// How fast soil gives water back to the surface.
        seepage: f64 = 0.0; Live, "seepage", "mm/h", |_| MM_RATE, [0.0, 1000.0];
    }
}

impl From<f64> for Evaporation {
    fn from(rate: f64) -> Self {
        Self { rate: rate.into() }
    }
}

impl Soil {
    /// How much water it can hold (m).
    pub(super) fn most(&self) -> f64 {
        self.capacity.unwrap_or(f64::MAX)
    }
}

/// All exchange of a world, with its remainders: what rounding has held back.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Exchange {
    pub(super) springs: IdList<Outlet>,
    pub(super) drains: IdList<Outlet>,
    pub(super) rain: Option<(Rain, Field<f32>)>,
    pub(super) evaporation: Option<(Evaporation, Field<f32>)>,
    pub(super) soil: Option<Ground>,
}

/// A source, its cells, and the remainder of each of them (m).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Outlet {
    pub(super) source: Source,
    pub(super) cells: Vec<(usize, usize)>,
    #[serde(with = "crate::numbers")]
    pub(super) remainders: Vec<f32>,
}

/// The soil under the whole grid.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Ground {
    pub(super) soil: Soil,
    pub(super) cells: Field<SoilCell>,
}

/// The soil under one cell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SoilCell {
    /// Water in the soil (m); f64, for a slow seep adds far less than a float of the total can show.
    pub held: f64,
    /// What the soil has yet to take (m).
    pub to_take: f32,
    /// What the soil has yet to give (m).
    pub to_give: f32,
}

impl Outlet {
    pub(super) fn new(source: Source, lattice: &Lattice) -> Self {
        let cells: Vec<_> =
            source.region.cells(lattice).into_iter().map(|(x, y, _)| (x, y)).collect();
        Self { source, remainders: vec![0.0; cells.len()], cells }
    }

    fn open_cells(&self, state: &State) -> usize {
        self.cells.iter().filter(|cell| !state.closed.contains(cell.0, cell.1)).count()
    }

    /// The depth (m) due to each open cell in a step, or `None` if it rests or has no open cell.
    pub(super) fn share(&self, state: &State, area: f64, time: f64, dt: f64) -> Option<f32> {
        let rate = self.source.rate_at(time);
        let open = self.open_cells(state);
        (rate != 0.0 && open != 0).then(|| (rate * dt / (area * open as f64)) as f32)
    }

    /// Calls `act(depth, remainder, share)` on every open cell; `share` is the depth (m) due in this step.
    fn apply(
        &mut self,
        state: &mut State,
        area: f64,
        time: f64,
        dt: f64,
        act: impl Fn(&mut f32, &mut f32, f32) -> f64,
    ) -> f64 {
        let Some(share) = self.share(state, area, time, dt) else { return 0.0 };
        let mut moved = 0.0;
        for (&(x, y), remainder) in self.cells.iter().zip(&mut self.remainders) {
            if !state.closed.contains(x, y) {
                moved += act(&mut state.depth[(x, y)], remainder, share);
            }
        }
        moved * area
    }
}

impl Ground {
    pub(super) fn new(soil: Soil, nx: usize, ny: usize) -> Self {
        Self { soil, cells: Field::new(nx, ny, SoilCell::default()) }
    }

    /// Lets water seep into the soil; returns the volume per cell area (m) that went.
    fn soak(&mut self, state: &mut State, dt: f64, spare: &Spare) -> f64 {
        let (rate, capacity) = (self.soil.rate, self.soil.most());
        let wish = (rate * MM_PER_HOUR * dt) as f32;
        over_open_cells(spare, state, &mut self.cells, |_, _, depth, cell| {
            let most = (capacity - cell.held).max(0.0) as f32;
            let went = take(depth, &mut cell.to_take, wish, most);
            cell.held += went;
            went
        })
    }

    /// Lets the soil give water back; returns the volume per cell area (m) that came.
    fn seep(&mut self, state: &mut State, dt: f64, spare: &Spare) -> f64 {
        let wish = self.soil.seepage * MM_PER_HOUR * dt;
        over_open_cells(spare, state, &mut self.cells, |_, _, depth, cell| {
            let there = (cell.held - f64::from(cell.to_give)).max(0.0);
            let came = give(depth, &mut cell.to_give, wish.min(there) as f32);
            cell.held -= came;
            came
        })
    }
}

/// The depth (m) of a rate in mm/h in a step.
pub(super) fn due(rate: &Series, time: f64, dt: f64) -> f32 {
    (rate.at(time).max(0.0) * MM_PER_HOUR * dt) as f32
}

impl Exchange {
    /// Gives and takes all that is due in a step.
    pub(super) fn apply(
        &mut self,
        state: &mut State,
        ledger: &mut Ledger,
        lattice: &Lattice,
        time: f64,
        dt: f64,
        spare: &Spare,
    ) {
        let area = lattice.cell_area();
        for spring in &mut self.springs {
            ledger.book(Cause::Source, spring.apply(state, area, time, dt, give));
        }
        if let Some((rain, remainder)) = &mut self.rain {
            let due = due(&rain.rate, time, dt);
            let map = rain.map.as_ref();
            let factor = |x, y| map.map_or(1.0, |map| map[(x, y)]);
            let fall = |x, y, depth: &mut f32, remainder: &mut f32| {
                give(depth, remainder, due * factor(x, y))
            };
            ledger.book(Cause::Rain, area * over_open_cells(spare, state, remainder, fall));
        }
        if let Some(ground) = &mut self.soil {
            ledger.book(Cause::Infiltration, -area * ground.soak(state, dt, spare));
            if ground.soil.seepage > 0.0 {
                ledger.book(Cause::Infiltration, area * ground.seep(state, dt, spare));
            }
        }
        if let Some((evaporation, remainder)) = &mut self.evaporation {
            let due = due(&evaporation.rate, time, dt);
            let dry =
                |_, _, depth: &mut f32, remainder: &mut f32| take(depth, remainder, due, f32::MAX);
            ledger.book(Cause::Evaporation, -area * over_open_cells(spare, state, remainder, dry));
        }
        for drain in &mut self.drains {
            let act = |depth: &mut f32, remainder: &mut f32, share| {
                take(depth, remainder, share, f32::MAX)
            };
            ledger.book(Cause::Drain, -drain.apply(state, area, time, dt, act));
        }
    }

    /// True if nothing gives or takes water.
    pub(super) fn is_empty(&self) -> bool {
        self.springs.is_empty() && self.rain.is_none() && !self.takes()
    }

    /// True if anything gives or takes water everywhere.
    pub(super) fn is_everywhere(&self) -> bool {
        self.rain.is_some() || self.evaporation.is_some() || self.soil.is_some()
    }

    /// The cells of springs and drains.
    pub(super) fn cells(&self) -> impl Iterator<Item = (usize, usize)> {
        self.springs.iter().chain(&*self.drains).flat_map(|outlet| outlet.cells.iter().copied())
    }

    /// True if anything takes water.
    pub(super) fn takes(&self) -> bool {
        !self.drains.is_empty() || self.evaporation.is_some() || self.soil.is_some()
    }

    /// The fastest that all that gives at `time` (s) can lift the surface of a cell (m/s), or more.
    pub(super) fn fastest_rise(&self, state: &State, lattice: &Lattice, time: f64) -> f64 {
        let spring = |spring: &Outlet| {
            let open = spring.open_cells(state);
            spring.source.rate_at(time) / (lattice.cell_area() * open.max(1) as f64)
        };
        let springs: f64 = self.springs.iter().map(spring).sum();
        let rain = self.rain.iter().map(|(rain, _)| {
            let most = rain.map.as_ref().and_then(Field::min_max).map_or(1.0, |range| range.1);
            rain.rate.at(time).max(0.0) * MM_PER_HOUR * f64::from(most)
        });
        let seepage = self.soil.iter().map(|ground| ground.soil.seepage * MM_PER_HOUR);
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
            && self.soil.iter().all(|soil| soil.cells.same_shape(&state.bed))
    }
}

/// Sums `act(x, y, depth, remainder)` over all open cells, rows in parallel.
fn over_open_cells<T: Send>(
    spare: &Spare,
    state: &mut State,
    remainder: &mut Field<T>,
    act: impl Fn(usize, usize, &mut f32, &mut T) -> f64 + Sync,
) -> f64 {
    let State { depth, closed, .. } = state;
    let closed: &Closed = closed;
    let nx = depth.nx();
    let (depth, remainder) = (depth.as_mut_slice(), remainder.as_mut_slice());
    sum_over_rows(spare, depth, remainder, nx, |y, depth, remainder| {
        let mut sum = 0.0;
        for (x, (depth, remainder)) in depth.iter_mut().zip(remainder).enumerate() {
            if !(closed.row_has_any(y) && closed.contains(x, y)) {
                sum += act(x, y, depth, remainder);
            }
        }
        sum
    })
}

/// Adds `amount` and a remainder to a depth, as far as a float can show it; the rest is the new remainder. One below 0 is of more that
/// was given than was due: where somebody has taken that away since, it waits, for no depth is below 0.
/// Returns what arrived (m).
fn give(depth: &mut f32, remainder: &mut f32, amount: f32) -> f64 {
    *remainder += amount;
    let before = *depth;
    *depth = (before + *remainder).max(0.0);
    *remainder -= *depth - before;
    f64::from(*depth) - f64::from(before)
}

/// Takes `amount` and a remainder from a depth, but no more than it has and no more than `most`. What
/// a float cannot show stays as remainder; what is not there, or more than `most`, is forgotten. Returns what
/// went (m).
fn take(depth: &mut f32, remainder: &mut f32, amount: f32, most: f32) -> f64 {
    *remainder = (*remainder + amount).min(most);
    let before = *depth;
    *depth = (before - *remainder).max(0.0);
    *remainder = if *depth > 0.0 { *remainder - (before - *depth) } else { 0.0 };
    f64::from(before) - f64::from(*depth)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_given_too_much_is_not_taken_from_a_dry_cell() {
        let (mut depth, mut remainder) = (0.0_f32, -3e-12);
        let came = give(&mut depth, &mut remainder, 1e-12);
        assert_eq!((came, depth, remainder), (0.0, 0.0, -2e-12));
        give(&mut depth, &mut remainder, 3e-12);
        assert!((depth - 1e-12).abs() < 1e-18 && remainder.abs() < 1e-18);
    }

    #[test]
    fn rain_too_fine_for_a_float_arrives_all_the_same() {
        let (mut depth, mut remainder, mut booked) = (1.0_f32, 0.0, 0.0);
        for _ in 0..720_000 {
            booked += give(&mut depth, &mut remainder, 1.4e-8);
        }
        assert_eq!(booked, f64::from(depth) - 1.0);
        assert!((booked - 720_000.0 * 1.4e-8).abs() < 1e-6, "{booked}");
        assert_eq!(1.0_f32 + 1.4e-8, 1.0, "without the carry nothing would have come");
    }

    #[test]
    fn taking_stops_at_the_ground_and_forgets_what_was_not_there() {
        let (mut depth, mut remainder) = (0.5_f32, 0.0);
        assert_eq!(take(&mut depth, &mut remainder, 0.75, f32::MAX), 0.5);
        assert_eq!((depth, remainder), (0.0, 0.0));
        let mut depth = 0.5;
        assert_eq!(take(&mut depth, &mut remainder, 0.25, 0.125), 0.125);
    }
}
