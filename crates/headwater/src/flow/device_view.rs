//! Worlds stepped on a device such as a GPU: the inputs of a step ([`DeviceView`]), and reading
//! back ([`Flow::read_back`]), after which snapshots, edits and queries work as always.
//!
//! It is no way around the checks: nothing can be read back that a world could not have come to.

use super::boundary::Boundary;
use super::boundary_faces::weir;
use super::check::{check_field, check_shape, is_amount};
use super::due::{self, MM_PER_HOUR};
use super::exchange::{Outlet, Rain, Source};
use super::inertial::{self, Demand, Surge, limit};
use super::outside::Outside;
use super::soil::{Soil, SoilCell};
use super::state::Momentum;
use super::tracers::{TracerSet, TracersProgress, TracersView};
use super::when::When;
use super::world::Flow;
use super::{pipes, shallow};
use crate::error::InputError;
use crate::field::Field;
use crate::lattice::Edge;
use crate::ledger::Cause;
use crate::region::Point;
use crate::series::Series;

/// What a step on a device needs beside bed, depth, discharges and closed cells, equal to
/// [`Flow::step`] to the last bit.
#[derive(Clone, Copy, Debug)]
pub struct DeviceView<'a> {
    flow: &'a Flow,
}

/// A spring or drain, with the cells that it was spread over when it was added.
#[derive(Clone, Copy, Debug)]
pub struct OutletView<'a> {
    /// Where it is, and how much it moves.
    pub source: &'a Source,
    /// Its cells. What is due goes to the open ones alone.
    pub cells: &'a [(usize, usize)],
    /// The remainder of each of them (m).
    pub remainders: &'a [f32],
}

/// What a soil wishes to take and to give in a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SoilDue {
    /// What every cell of it would take (m).
    pub soak: f32,
    /// What every cell of it would give back (m).
    pub seep: f64,
    /// What it can hold (m).
    pub capacity: f64,
}

/// Remainders of cells, which rounding has held back, and what their soil holds, where there is such a thing.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Remainders {
    /// Of the springs, cell by cell, in the order in which they were added (m).
    pub springs: Vec<Vec<f32>>,
    /// Of the drains (m).
    pub drains: Vec<Vec<f32>>,
    /// Of the rain (m).
    pub rain: Option<Field<f32>>,
    /// Of evaporation (m).
    pub evaporation: Option<Field<f32>>,
    /// The soil.
    pub soil: Option<Field<SoilCell>>,
}

/// What has become of a world on a device.
#[derive(Clone, Debug, PartialEq)]
pub struct Progress {
    /// Depth of the water (m).
    pub depth: Field<f32>,
    /// What depths cannot show of it, see [`State::remainder`](super::State::remainder) (m).
    pub remainder: Field<f32>,
    /// Discharge over x-faces (m³/s).
    pub discharge_x: Field<f32>,
    /// Discharge over y-faces (m³/s).
    pub discharge_y: Field<f32>,
    /// Discharge over z-faces (m³/s), on hexagons.
    pub discharge_z: Option<Field<f32>>,
    /// Momentum, for physics that know it.
    pub momentum: Option<Momentum>,
    /// Remainders.
    pub remainders: Remainders,
    /// The tracers, where there are such.
    pub tracers: Option<TracersProgress>,
    /// What came (above 0) and went (below 0) by cause (m³) since the world was handed over.
    pub booked: Vec<(Cause, f64)>,
    /// Simulated time since the start (s).
    pub time: f64,
    /// Length of the last step (s).
    pub last_dt: f32,
    /// Steps done since the start.
    pub steps: u64,
}

impl<'a> DeviceView<'a> {
    /// The index in [`boundaries`](Self::boundaries) of each face of an edge, from the west or
    /// north; beyond them, a wall.
    pub fn edge(&self, edge: Edge) -> &'a [u32] {
        self.flow.boundaries.owners(edge)
    }

    /// All boundaries that were ever set, in that order.
    pub fn boundaries(&self) -> &'a [Boundary] {
        self.flow.boundaries.list()
    }

    /// What each of [`boundaries`](Self::boundaries) is for a step of `dt` seconds from `time` (s).
    pub fn outside(&self, time: f64, dt: f64) -> Vec<Outside> {
        let params = &self.flow.params;
        let when = When::step(params.level, time, dt);
        self.flow.boundaries.outside(when, params.gravity).collect()
    }

    /// Whether west and east are joined, and north and south.
    pub fn joined(&self) -> [bool; 2] {
        let joined = self.flow.boundaries.joined();
        [joined.x, joined.y]
    }

    /// `(2/3)^(3/2)·√g` (m^½/s): times `h^(3/2)`, the unit discharge over an open edge.
    pub fn weir(&self) -> f32 {
        weir(self.flow.params.gravity)
    }

    /// Each cell's roughness (s/m^⅓), where it is not that of the parameters.
    pub fn roughness(&self) -> Option<&'a Field<f32>> {
        self.flow.roughness.as_ref()
    }

    /// What stays the same over a step of `dt` seconds with pipes.
    pub fn pipes(&self, dt: f64) -> pipes::Coefficients {
        pipes::Coefficients::of_step(&self.flow.params, &self.flow.lattice, dt)
    }

    /// What stays the same over a step of `dt` seconds with pipes as deep as the water.
    pub fn inertial(&self, dt: f64) -> inertial::Coefficients {
        inertial::Coefficients::of_step(&self.flow.params, &self.flow.lattice, dt)
    }

    /// What stays the same over a step of `dt` seconds of shallow water.
    pub fn shallow(&self, dt: f64) -> shallow::Coefficients {
        shallow::Coefficients::of_step(&self.flow.params, &self.flow.lattice, dt)
    }

    /// How many cells the fastest wave of shallow water crosses in a second now.
    pub fn shallow_rate(&self) -> f32 {
        let Flow { state, lattice, params, boundaries, time, scratch, .. } = self.flow;
        let ahead = self.flow.ahead(*time);
        let (edges, tiles) =
            (boundaries.at(ahead, params.gravity, scratch), &self.flow.workspace.sweep.tiles);
        shallow::limit::rate(state, lattice, params.gravity, (&edges, &|_, _| true), tiles, scratch)
            .0
    }

    /// The longest step (s) of shallow water whose fastest wave crosses `rate` cells a second, with what comes at a
    /// time (s).
    pub fn shallow_limit(&self, rate: f32, time: f64) -> f64 {
        let Flow { lattice, params, .. } = self.flow;
        let rise = self.flow.fastest_rise(self.flow.ahead(time));
        shallow::limit::longest(rate, lattice, params.gravity, rise)
    }

    /// The least depth (m) at which a unit discharge (m²/s) can come in by itself.
    pub fn critical_depth(&self, unit: f32) -> f32 {
        libm::cbrtf(unit * unit / self.flow.params.gravity as f32)
    }

    /// True if anything takes water from above or below.
    pub fn takes(&self) -> bool {
        self.flow.exchange.takes()
    }

    /// The longest step (s) with pipes.
    pub fn pipes_limit(&self) -> f64 {
        pipes::stable_dt(&self.flow.params, &self.flow.lattice) * self.flow.edge_share()
    }

    /// What stands outside and what comes at a time (s), as pipes as deep as the water ask for it.
    pub fn surge(&self, time: f64) -> Surge {
        let Flow { state, lattice, params, boundaries, scratch, .. } = self.flow;
        let ahead = self.flow.ahead(time);
        let rise = self.flow.fastest_rise(ahead);
        limit::surge(state, lattice, params, &boundaries.at(ahead, params.gravity, scratch), rise)
    }

    /// What the water inside asks of a step now, as pipes as deep as the water ask for it.
    pub fn demand(&self, surge: Surge) -> Demand {
        let Flow { state, workspace, scratch, .. } = self.flow;
        limit::demand(state, &workspace.sweep.tiles, surge, scratch).0
    }

    /// The longest step (s) with pipes as deep as the water. It allows `waves` and limits losses, but to no less
    /// than [`LEAST_OF_WAVES`](Self::LEAST_OF_WAVES) of that.
    pub fn inertial_limit(&self, demand: Demand, surge: Surge) -> f64 {
        let waves = self.wave_limit(demand.deepest, surge);
        waves.min(self.loss_limit(demand.loss).max(Self::LEAST_OF_WAVES * waves))
    }

    /// The longest step (s) that waves allow on water of a depth (m).
    pub fn wave_limit(&self, deepest: f64, surge: Surge) -> f64 {
        let Flow { lattice, params, .. } = self.flow;
        limit::wave_dt(deepest, surge, lattice, params) * self.flow.edge_share()
    }

    /// The longest step (s) that a loss allows, see [`Demand`].
    pub fn loss_limit(&self, loss: f64) -> f64 {
        limit::LOSS * self.flow.lattice.cell_area() / loss * self.flow.edge_share()
    }

    /// The part of the step for waves that losses leave in any case.
    pub const LEAST_OF_WAVES: f64 = limit::LEAST;

    /// Length of the last step (s), 0 before the first.
    pub fn last_dt(&self) -> f32 {
        self.flow.last_dt
    }

    /// The springs.
    pub fn springs(&self) -> impl ExactSizeIterator<Item = OutletView<'a>> + use<'a> {
        self.flow.exchange.springs.iter().map(passed)
    }

    /// The drains.
    pub fn drains(&self) -> impl ExactSizeIterator<Item = OutletView<'a>> + use<'a> {
        self.flow.exchange.drains.iter().map(passed)
    }

    /// The depth (m) that each spring and each drain moves in each of its open cells in a step from `time` on, the
    /// springs first; `None` if it rests then.
    pub fn shares(&self, time: f64, dt: f64) -> Vec<Option<f32>> {
        let Flow { exchange, state, lattice, .. } = self.flow;
        let all = exchange.springs.iter().chain(&*exchange.drains);
        all.map(|outlet| outlet.share(state, lattice.cell_area(), time, dt)).collect()
    }

    /// The rain, and its remainder in each cell (m).
    pub fn rain(&self) -> Option<(&'a Rain, &'a Field<f32>)> {
        self.flow.exchange.rain.as_ref().map(|(rain, remainder)| (rain, remainder))
    }

    /// What evaporates (mm/h), and its remainder in each cell (m).
    pub fn evaporation(&self) -> Option<(&'a Series, &'a Field<f32>)> {
        self.flow
            .exchange
            .evaporation
            .as_ref()
            .map(|(evaporation, remainder)| (&evaporation.rate, remainder))
    }

    /// The depth (m) of a rate in mm/h in a step from `time` on: of rain where its map is 1, or of evaporation.
    pub fn due(&self, rate: &Series, time: f64, dt: f64) -> f32 {
        due::due(rate, time, dt)
    }

    /// What the soil holds.
    pub fn soil(&self) -> Option<&'a Field<SoilCell>> {
        self.flow.exchange.soil.as_ref().map(|ground| &ground.cells)
    }

    /// True if soils differ from cell to cell or take less the more they hold;
    /// [`soil_due`](Self::soil_due) ignores those.
    pub fn has_uneven_soil(&self) -> bool {
        self.flow.exchange.soil.as_ref().is_some_and(|ground| !ground.is_even())
    }

    /// What the soil wishes to take and to give in a step.
    pub fn soil_due(&self, dt: f64) -> Option<SoilDue> {
        self.flow.exchange.soil.as_ref().map(|ground| {
            let Soil { rate, seepage, .. } = ground.soil;
            let soak = (rate * MM_PER_HOUR * dt) as f32;
            SoilDue { soak, seep: seepage * MM_PER_HOUR * dt, capacity: ground.soil.most() }
        })
    }

    /// The faces that count for [`Flow::discharge_through`] a line from `a` to `b`: family (0 for
    /// x-, 1 for y-, 2 for z-faces), column and row, and sign.
    pub fn faces_through(&self, a: Point, b: Point) -> Vec<(usize, (usize, usize), f64)> {
        let mut faces = Vec::new();
        self.flow
            .each_face_through(a, b, |axis, face, sign| faces.push((axis as usize, face, sign)));
        faces
    }

    /// True if a stream comes in over an edge of which more is known than its discharge.
    pub fn has_streams(&self) -> bool {
        self.flow.boundaries.has_streams()
    }

    /// True if there are culverts, gates or weirs.
    pub fn has_structures(&self) -> bool {
        !self.flow.structures.is_empty()
    }

    /// True if there are floating bodies.
    pub fn has_bodies(&self) -> bool {
        !self.flow.bodies.is_empty()
    }

    /// The tracers that go with the water.
    pub fn tracers(&self) -> Option<TracersView<'a>> {
        self.flow.tracers.as_ref().map(TracerSet::view)
    }

    /// True if something is kept of a flood.
    pub fn has_flood(&self) -> bool {
        self.flow.flood.is_some()
    }

    /// True if the world is on its way to a steady state.
    pub fn is_settling(&self) -> bool {
        self.flow.settling.is_some()
    }
}

fn passed(outlet: &Outlet) -> OutletView<'_> {
    OutletView { source: &outlet.source, cells: &outlet.cells, remainders: &outlet.remainders }
}

impl Flow {
    /// What a step needs to know, for whoever does it on a device.
    pub fn device_view(&self) -> DeviceView<'_> {
        DeviceView { flow: self }
    }

    /// Takes over what became of this world on a device. Its bed, its closed cells and what was set on it stay as
    /// they are; the ledger books what came and went there.
    ///
    /// # Errors
    /// [`InputError`] if a field has another shape than the grid, a number is not finite, a depth is below 0,
    /// or time runs backwards. The world then is as it was.
    pub fn read_back(&mut self, progress: Progress) -> Result<(), InputError> {
        self.check_progress(&progress)?;
        let Progress { depth, remainder, momentum, remainders, .. } = progress;
        let Progress { discharge_x, discharge_y, discharge_z, .. } = progress;
        let state = &mut self.state;
        state.depth = depth;
        state.remainder = remainder;
        state.discharge_x = discharge_x;
        state.discharge_y = discharge_y;
        state.discharge_z = discharge_z;
        state.momentum = momentum;
        let exchange = &mut self.exchange;
        for (outlet, remainder) in exchange.springs.iter_mut().zip(remainders.springs) {
            outlet.remainders = remainder;
        }
        for (outlet, remainder) in exchange.drains.iter_mut().zip(remainders.drains) {
            outlet.remainders = remainder;
        }
        if let (Some((_, old)), Some(remainder)) = (&mut exchange.rain, remainders.rain) {
            *old = remainder;
        }
        if let (Some((_, old)), Some(remainder)) =
            (&mut exchange.evaporation, remainders.evaporation)
        {
            *old = remainder;
        }
        if let (Some(ground), Some(cells)) = (&mut exchange.soil, remainders.soil) {
            ground.cells = cells;
        }
        if let (Some(tracers), Some(progress)) = (&mut self.tracers, progress.tracers) {
            tracers.read_back(progress);
        }
        for (cause, volume) in progress.booked {
            self.ledger.record(cause, volume);
        }
        self.time = progress.time;
        self.last_dt = progress.last_dt;
        self.steps = progress.steps;
        self.touch_all();
        Ok(())
    }

    fn check_progress(&self, progress: &Progress) -> Result<(), InputError> {
        let lattice = &self.lattice;
        let damaged = |what| Err(InputError::invalid_snapshot(what));
        check_field("depth", &progress.depth, lattice, "0 m or above", is_amount)?;
        let state = &self.state;
        let finite = |field: &Field<f32>| field.as_slice().iter().all(|value| value.is_finite());
        let fits = |new: &Field<f32>, old: &Field<f32>| new.same_shape(old) && finite(new);
        let same = |new: &Option<Field<f32>>, old: Option<&Field<f32>>| match (new, old) {
            (Some(new), Some(old)) => fits(new, old),
            (None, None) => true,
            _ => false,
        };
        if !fits(&progress.remainder, &state.remainder) {
            return damaged("a remainder that was read back is not finite, or has another shape");
        }
        let discharges = fits(&progress.discharge_x, &state.discharge_x)
            && fits(&progress.discharge_y, &state.discharge_y)
            && same(&progress.discharge_z, state.discharge_z.as_ref());
        if !discharges {
            return damaged("a discharge that was read back is not finite, or has another shape");
        }
        let momentum = match (&progress.momentum, &state.momentum) {
            (Some(new), Some(old)) => fits(&new.x, &old.x) && fits(&new.y, &old.y),
            (None, None) => true,
            _ => false,
        };
        if !momentum {
            return damaged("a momentum that was read back is not finite, or has another shape");
        }
        let Remainders { springs, drains, rain, evaporation, soil } = &progress.remainders;
        let exchange = &self.exchange;
        let outlets = |remainder: &[Vec<f32>], outlets: &[Outlet]| {
            let alike = |(remainder, outlet): (&Vec<f32>, &Outlet)| {
                remainder.len() == outlet.remainders.len()
                    && remainder.iter().all(|remainder| remainder.is_finite())
            };
            remainder.len() == outlets.len() && remainder.iter().zip(outlets).all(alike)
        };
        if !(outlets(springs, &exchange.springs)
            && outlets(drains, &exchange.drains)
            && same(rain, exchange.rain.as_ref().map(|(_, remainder)| remainder))
            && same(evaporation, exchange.evaporation.as_ref().map(|(_, remainder)| remainder))
            && soil.is_some() == exchange.soil.is_some())
        {
            return damaged("remainders that were read back do not fit the world's sources");
        }
        if let Some(soil) = soil {
            check_shape("soil", soil, lattice)?;
        }
        if !TracerSet::could_be(self.tracers.as_ref(), progress.tracers.as_ref()) {
            return damaged("the tracers that were read back are not finite, or too many");
        }
        for &(_, volume) in &progress.booked {
            InputError::check("a booking", volume, true, "a finite volume in m³")?;
        }
        let forward = progress.time >= self.time && progress.steps >= self.steps;
        InputError::check(
            "the time that was read back",
            progress.time,
            forward,
            "no earlier than the world's",
        )?;
        let last = f64::from(progress.last_dt);
        InputError::check("the last step", last, last >= 0.0, "a number of seconds of 0 or above")
    }
}
