//! Vertical exchange of water: springs, drains, rain, evaporation and soil. The exchange is part of
//! stage 0 of a time step. The ledger records the volumes that are actually added and removed.

use super::flow_ledger::PartVolumes;
use super::ledger_sink::LedgerSink;
use super::rounding_carry::{
    MM_PER_HOUR, OpenCell, RATE_RANGE, add_with_carry, depth_from_rate, remove_with_carry,
    sum_over_open_cells,
};
use super::sample_time::SampleTime;
use super::soil::{SoilCell, SoilLayer};
use crate::field::Field;
use crate::flow::state::State;
use crate::ids::IdList;
use crate::lattice::Lattice;
use crate::ledger::{Cause, Ledger};
use crate::parameter::{Range, parameters};
use crate::region::Region;
use crate::scratch::{PooledVec, ScratchPool};
use crate::series::Series;
use serde::{Deserialize, Serialize};
use std::ops;

parameters! {
    /// A spring, which adds water to a region, or a drain, which removes water from a region. The
    /// rate is distributed evenly over the open cells of the region.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct Source {
        /// Total discharge of the source over time.
        rate: Series = Series::from(0.0); Live, "rate", "m³/s", |_| Range::new(0.0, 1e9), [0.0, 100.0];
    }
    required { rate }
    and {
        /// Region whose cells gain or lose water.
        region: Region = Region::Everywhere;
        /// Start and end of the period (s) in which the source is active; `None` means always.
        during: Option<[f64; 2]> = None;
    }
}

impl Source {
    /// Creates a source that is always active, with a rate in m³/s.
    pub fn new(region: Region, rate: impl Into<Series>) -> Self {
        Self { region, rate: rate.into(), during: None }
    }

    fn rate(&self, sample_time: SampleTime) -> f64 {
        sample_time.sampled_rate_during(&self.rate, self.during).max(0.0)
    }
}

parameters! {
    /// Rain on all cells, with an optional map of its spatial distribution.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(default, deny_unknown_fields)]
    pub struct Rain {
        /// Rain rate over time; 100 mm/h is a cloudburst.
        rate: Series = Series::from(0.0); Live, "rain", "mm/h", |_| RATE_RANGE, [0.0, 1000.0];
    }
    required { rate }
    and {
        /// Factor on the rate for each cell, not negative; `None` means 1 everywhere.
        map: Option<Field<f32>> = None;
    }
}

parameters! {
    /// Evaporation from wet cells.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(default, deny_unknown_fields)]
    pub struct Evaporation {
        /// Evaporation rate of open water over time.
        rate: Series = Series::from(0.0); Live, "evaporation", "mm/h", |_| RATE_RANGE, [0.0, 1000.0];
    }
    required { rate }
}

impl From<f64> for Evaporation {
    fn from(rate: f64) -> Self {
        Self { rate: rate.into() }
    }
}

/// All springs, drains, rain, evaporation and soil of a world, with their rounding remainders in
/// each cell.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Exchange {
    pub(crate) springs: IdList<Outlet>,
    pub(crate) drains: IdList<Outlet>,
    pub(crate) rain: Option<(Rain, Field<f32>)>,
    pub(crate) evaporation: Option<(Evaporation, Field<f32>)>,
    pub(crate) soil: Option<SoilLayer>,
}

/// A spring or drain, its cells, and the rounding remainder of each cell (m).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Outlet {
    pub(crate) source: Source,
    pub(crate) cells: Vec<(usize, usize)>,
    #[serde(with = "crate::numbers")]
    pub(crate) remainders: Vec<f32>,
    /// In a distributed simulation, the number of open cells of this source in the rows that other
    /// processes simulate; otherwise 0.
    #[serde(skip)]
    pub(crate) remote_open_cells: usize,
}

impl Outlet {
    pub(crate) fn new(source: Source, lattice: &Lattice) -> Self {
        let cells: Vec<_> =
            source.region.cells(lattice).into_iter().map(|(x, y, _)| (x, y)).collect();
        Self { source, remainders: vec![0.0; cells.len()], cells, remote_open_cells: 0 }
    }

    /// Returns a copy of this source that contains only its cells in the grid rows `band`. The copy
    /// is for a process that simulates only part of the grid. In the local grid of that process,
    /// the first row of `band` has the index `first`.
    pub(crate) fn restricted_to_rows(&self, band: &ops::Range<usize>, first: usize) -> Self {
        let all = self.cells.iter().zip(&self.remainders);
        let own = all.filter(|((_, y), _)| band.contains(y));
        let here = own.map(|(&(x, y), &held)| ((x, y - band.start + first), held));
        let (cells, remainders) = here.unzip();
        Self { source: self.source.clone(), cells, remainders, remote_open_cells: 0 }
    }

    /// Returns the sum of the rounding remainders over the cells (m).
    pub(crate) fn remainder(&self) -> f64 {
        self.remainders.iter().fold(0.0, |sum, part| sum + f64::from(*part))
    }

    /// Returns the number of open cells of this source in the whole world.
    pub(in crate::flow) fn open_cells(&self, state: &State) -> usize {
        self.local_open_cells(state) + self.remote_open_cells
    }

    /// Returns the number of open cells of this source in the rows that this process simulates.
    pub(crate) fn local_open_cells(&self, state: &State) -> usize {
        self.cells.iter().filter(|cell| !state.closed.contains(cell.0, cell.1)).count()
    }

    /// Returns the depth (m) that the source adds to or removes from each open cell in a step of
    /// `dt` seconds from `time` (s), or `None` if the source is off or has no open cell.
    pub(in crate::flow) fn depth_per_cell(
        &self,
        state: &State,
        area: f64,
        time: f64,
        dt: f64,
    ) -> Option<f32> {
        let rate =
            self.source.rate(SampleTime::Step { from: time, until: time + dt, level_time: time });
        let open = self.open_cells(state);
        (rate != 0.0 && open != 0).then(|| (rate * dt / (area * open as f64)) as f32)
    }

    /// Calls `act(depth, remainder, depth_per_cell)` for every open cell of the source. `depth` and
    /// `remainder` are the water depth and the rounding remainder of the cell, and `depth_per_cell`
    /// is the depth to add or remove in this step (all in m). Returns the results of the calls.
    fn apply<'s>(
        &mut self,
        state: &mut State,
        area: f64,
        (time, dt): (f64, f64),
        scratch: &'s ScratchPool,
        act: impl Fn(&mut f32, &mut f32, f32) -> f64,
    ) -> PooledVec<'s, f64> {
        let mut moved = scratch.take_vec();
        let Some(depth_per_cell) = self.depth_per_cell(state, area, time, dt) else { return moved };
        for (&(x, y), remainder) in self.cells.iter().zip(&mut self.remainders) {
            if !state.closed.contains(x, y) {
                moved.push(act(&mut state.depth[(x, y)], remainder, depth_per_cell));
            }
        }
        moved
    }
}

impl Exchange {
    /// Applies all vertical exchange of a step to the state, and records the volumes in `sink`.
    pub(in crate::flow) fn apply(
        &mut self,
        state: &mut State,
        sink: &mut impl LedgerSink,
        lattice: &Lattice,
        time: f64,
        dt: f64,
        scratch: &ScratchPool,
    ) {
        let area = lattice.cell_area();
        for (id, spring) in self.springs.entries_mut() {
            let came = spring.apply(state, area, (time, dt), scratch, add_with_carry);
            sink.record_outlet(Cause::Source, id, area, &came);
        }
        if let Some((rain, remainder)) = &mut self.rain {
            let amount = depth_from_rate(&rain.rate, time, dt);
            let map = rain.map.as_ref();
            let factor = |at| map.map_or(1.0, |map| map[at]);
            let add_rain = |cell: OpenCell, depth: &mut f32, remainder: &mut f32| {
                add_with_carry(depth, remainder, amount * factor(cell.at))
            };
            sink.record_rows(
                Cause::Rain,
                area,
                &sum_over_open_cells(scratch, state, remainder, add_rain),
            );
        }
        if let Some(ground) = &mut self.soil {
            sink.record_rows(Cause::Infiltration, -area, &ground.infiltrate(state, dt, scratch));
            if ground.seepage() > 0.0 {
                sink.record_rows(Cause::Infiltration, area, &ground.seep(state, dt, scratch));
            }
        }
        if let Some((evaporation, remainder)) = &mut self.evaporation {
            let amount = depth_from_rate(&evaporation.rate, time, dt);
            let evaporate = |cell: OpenCell, depth: &mut f32, remainder: &mut f32| {
                remove_with_carry(depth, remainder, amount * cell.wet, f32::MAX)
            };
            let went = sum_over_open_cells(scratch, state, remainder, evaporate);
            sink.record_rows(Cause::Evaporation, -area, &went);
        }
        for (id, drain) in self.drains.entries_mut() {
            let act = |depth: &mut f32, remainder: &mut f32, depth_per_cell| {
                remove_with_carry(depth, remainder, depth_per_cell, f32::MAX)
            };
            let went = drain.apply(state, area, (time, dt), scratch, act);
            sink.record_outlet(Cause::Drain, id, -area, &went);
        }
    }

    /// Returns the inflows and outflows (m³) that are too small for the `f32` depths and are still
    /// carried as rounding remainders. `area` is the area of a cell (m²). `by_cell` contains the
    /// remainders of rain, evaporation, infiltration and seepage, each summed over all cells (m).
    pub(crate) fn rounding(&self, area: f64, by_cell: [f64; 4]) -> Ledger {
        let outlets = |list: &IdList<Outlet>| list.iter().map(Outlet::remainder).sum::<f64>();
        let [rain, evaporation, infiltration, seepage] = by_cell.map(|depth| depth * area);
        let mut rounding = Ledger::default();
        rounding.add(Cause::Source, [outlets(&self.springs) * area, 0.0]);
        rounding.add(Cause::Drain, [0.0, outlets(&self.drains) * area]);
        rounding.add(Cause::Rain, [rain, 0.0]);
        rounding.add(Cause::Evaporation, [0.0, evaporation]);
        rounding.add(Cause::Infiltration, [seepage, infiltration]);
        rounding
    }

    /// Returns a copy of the volumes `parts` (m³), in which each spring and drain includes its
    /// rounding remainder. `area` is the area of a cell (m²).
    pub(crate) fn with_remainders(&self, parts: &PartVolumes, area: f64) -> PartVolumes {
        let mut parts = parts.clone();
        for (cause, list) in [(Cause::Source, &self.springs), (Cause::Drain, &self.drains)] {
            for (id, outlet) in list.entries() {
                parts.add_outlet(cause, id, outlet.remainder() * area);
            }
        }
        parts
    }

    /// Returns the sums of the rounding remainders of rain, evaporation, infiltration and seepage
    /// over all cells (m).
    pub(in crate::flow) fn remainder_sums(&self) -> [f64; 4] {
        let soil = |part: fn(&SoilCell) -> f32| {
            let cells = self.soil.iter().flat_map(|soil| soil.cells.as_slice());
            cells.fold(0.0, |sum, cell| sum + f64::from(part(cell)))
        };
        let field = |field: Option<&Field<f32>>| {
            let cells = field.into_iter().flat_map(Field::as_slice);
            cells.fold(0.0, |sum, cell| sum + f64::from(*cell))
        };
        [
            field(self.rain.as_ref().map(|rain| &rain.1)),
            field(self.evaporation.as_ref().map(|evaporation| &evaporation.1)),
            soil(|cell| cell.to_take),
            soil(|cell| cell.to_give),
        ]
    }

    pub(in crate::flow) fn is_empty(&self) -> bool {
        self.springs.is_empty() && self.rain.is_none() && !self.removes_water()
    }

    pub(crate) fn acts_on_all_cells(&self) -> bool {
        self.rain.is_some() || self.evaporation.is_some() || self.soil.is_some()
    }

    pub(crate) fn outlets_mut(&mut self) -> [&mut IdList<Outlet>; 2] {
        [&mut self.springs, &mut self.drains]
    }

    pub(crate) fn cells(&self) -> impl Iterator<Item = (usize, usize)> {
        self.springs.iter().chain(&*self.drains).flat_map(|outlet| outlet.cells.iter().copied())
    }

    /// Returns whether there are drains, evaporation or soil, which may remove water from cells.
    pub(in crate::flow) fn removes_water(&self) -> bool {
        !self.drains.is_empty() || self.evaporation.is_some() || self.soil.is_some()
    }

    /// Returns the largest factor of the rain map; 1 without a map.
    pub(crate) fn max_rain_factor(&self) -> f32 {
        let map = self.rain.as_ref().and_then(|(rain, _)| rain.map.as_ref());
        map.and_then(Field::min_max).map_or(1.0, |range| range.1)
    }

    /// Returns an upper bound on the rate (m/s) at which springs, rain and seepage raise a water
    /// surface. `max_factor` is the largest factor of the rain map (dimensionless).
    pub(crate) fn max_rise_rate(
        &self,
        state: &State,
        lattice: &Lattice,
        sample_time: SampleTime,
        max_factor: f32,
    ) -> f64 {
        let spring = |spring: &Outlet| {
            let open = spring.open_cells(state);
            spring.source.rate(sample_time) / (lattice.cell_area() * open.max(1) as f64)
        };
        let springs: f64 = self.springs.iter().map(spring).sum();
        let rain = self.rain.iter().map(|(rain, _)| {
            sample_time.sampled_rate(&rain.rate).max(0.0) * MM_PER_HOUR * f64::from(max_factor)
        });
        let seepage = self.soil.iter().map(|ground| ground.seepage() * MM_PER_HOUR);
        springs + rain.sum::<f64>() + seepage.sum::<f64>()
    }

    pub(in crate::flow) fn fits(&self, state: &State) -> bool {
        let inside = |&(x, y): &(usize, usize)| x < state.bed.nx() && y < state.bed.ny();
        let outlets = self.springs.iter().chain(&*self.drains);
        let map = self.rain.as_ref().and_then(|(rain, _)| rain.map.as_ref());
        let remainder = self.rain.iter().map(|r| &r.1).chain(self.evaporation.iter().map(|e| &e.1));
        outlets
            .into_iter()
            .all(|o| o.cells.len() == o.remainders.len() && o.cells.iter().all(inside))
            && remainder.chain(map).all(|field| field.has_same_shape(&state.bed))
            && self.soil.iter().all(|soil| soil.fits(&state.bed))
    }
}
