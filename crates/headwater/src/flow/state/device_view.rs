//! Support for stepping a flow world on a device such as a GPU: [`DeviceView`] exposes the inputs
//! of a step, and [`Flow::import_device_state`] imports the resulting state. After the import,
//! snapshots, edits and queries work as usual.
//!
//! Imported data is validated like any other input.

use super::Momentum;
use crate::error::InputError;
use crate::field::Field;
use crate::flow::boundary::Boundary;
use crate::flow::boundary::faces::weir_coefficient;
use crate::flow::boundary::state::BoundaryState;
use crate::flow::check::{check_field, check_shape, is_finite_non_negative};
use crate::flow::observe::tracers::{TracerSet, TracersState, TracersView};
use crate::flow::schemes::inertial::{self, ExteriorExtremes, InteriorExtremes, limit};
use crate::flow::schemes::{pipes, shallow};
use crate::flow::sources::exchange::{Outlet, Rain, Source};
use crate::flow::sources::rounding_carry::{self, MM_PER_HOUR};
use crate::flow::sources::sample_time::SampleTime;
use crate::flow::sources::soil::{Soil, SoilCell};
use crate::flow::world::Flow;
use crate::lattice::Edge;
use crate::ledger::Cause;
use crate::region::Point;
use crate::series::Series;

/// Inputs of a time step on a device such as a GPU. Bed, depth, discharges and closed cells are in
/// the [`State`](super::State) of the world. The values equal those that [`Flow::step`] uses, bit
/// for bit.
#[derive(Clone, Copy, Debug)]
pub struct DeviceView<'a> {
    flow: &'a Flow,
}

/// A spring or drain, and the cells that its region covered when it was added.
#[derive(Clone, Copy, Debug)]
pub struct OutletView<'a> {
    /// Region, rate and active period of the spring or drain.
    pub source: &'a Source,
    /// Cells of the region, as column and row. The rate of the source is distributed evenly over
    /// those cells that are open.
    pub cells: &'a [(usize, usize)],
    /// Water depth (m) that is carried over to the next step because of rounding, for each cell in
    /// `cells`.
    pub remainders: &'a [f32],
}

/// Infiltration and seepage of a cell in one step, the same in all cells because all have the same
/// soil. Both values are upper bounds. The actual amounts are limited by the available surface
/// water, the storage capacity and the stored water.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SoilExchange {
    /// Water depth (m) that infiltrates into the soil of each cell in the step, if enough water is
    /// available.
    pub infiltration: f32,
    /// Water depth (m) that seeps from the soil of each cell in the step, if enough water is
    /// stored.
    pub seepage: f64,
    /// Storage capacity of the soil (m).
    pub capacity: f64,
}

/// Rounding remainders of springs, drains, rain and evaporation, and the soil state of each cell. A
/// rounding remainder is the water depth that is below the resolution of the stored depths and is
/// carried over to the next step.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RoundingRemainders {
    /// Rounding remainders (m) of each spring, one per cell of its region. Springs are in the order
    /// in which they were added.
    pub springs: Vec<Vec<f32>>,
    /// Rounding remainders (m) of each drain, one per cell of its region. Drains are in the order
    /// in which they were added.
    pub drains: Vec<Vec<f32>>,
    /// Rounding remainder of the rain in each cell (m); `None` without rain.
    pub rain: Option<Field<f32>>,
    /// Rounding remainder of the evaporation in each cell (m); `None` without evaporation.
    pub evaporation: Option<Field<f32>>,
    /// Soil state of each cell; `None` without soil.
    pub soil: Option<Field<SoilCell>>,
}

/// State of a flow world after time steps on a device, to be imported by
/// [`Flow::import_device_state`].
#[derive(Clone, Debug, PartialEq)]
pub struct DeviceState {
    /// Depth of the water (m), `nx × ny`.
    pub depth: Field<f32>,
    /// Water in each cell that is below the resolution of `depth` (m); see
    /// [`State::remainder`](super::State::remainder).
    pub remainder: Field<f32>,
    /// Discharge through x-faces (m³/s), positive to the east.
    pub discharge_x: Field<f32>,
    /// Discharge through y-faces (m³/s), positive to the south.
    pub discharge_y: Field<f32>,
    /// Discharge through z-faces (m³/s), positive to the south; `None` on squares, which have no
    /// z-faces.
    pub discharge_z: Option<Field<f32>>,
    /// Momentum of the water; `None` with physics models that do not use it.
    pub momentum: Option<Momentum>,
    /// Rounding remainders of the sources, and the soil state.
    pub remainders: RoundingRemainders,
    /// State of the tracer particles, if the world has any.
    pub tracers: Option<TracersState>,
    /// Volumes (m³) of water gained (positive) or lost (negative) by cause, since the inputs were
    /// exported.
    pub volume_changes: Vec<(Cause, f64)>,
    /// Simulated time (s) since the start of the simulation.
    pub time: f64,
    /// Length of the last step (s).
    pub last_dt: f32,
    /// Number of steps since the start of the simulation.
    pub steps: u64,
}

impl<'a> DeviceView<'a> {
    /// Returns the index in [`boundaries`](Self::boundaries) of the boundary condition of each face
    /// of an edge. Faces are counted from the west or north end. An index beyond the end of that
    /// list means a wall.
    pub fn edge_boundaries(&self, edge: Edge) -> &'a [u32] {
        self.flow.boundaries.boundary_indices(edge)
    }

    /// Returns all boundary conditions ever set, in the order in which they were set.
    pub fn boundaries(&self) -> &'a [Boundary] {
        self.flow.boundaries.conditions()
    }

    /// Evaluates all [`boundaries`](Self::boundaries) for a step of `dt` seconds from `time` (s).
    /// Returns the boundary states in the same order.
    pub fn boundary_states(&self, time: f64, dt: f64) -> Vec<BoundaryState> {
        let params = &self.flow.params;
        let when = SampleTime::for_step(params.level, time, dt);
        self.flow.boundaries.states(when, params.gravity).collect()
    }

    /// Returns two flags: whether west and east are periodic, and whether north and south are
    /// periodic.
    pub fn periodic_axes(&self) -> [bool; 2] {
        let periodic = self.flow.boundaries.periodicity();
        [periodic.x, periodic.y]
    }

    /// Returns the coefficient `(2/3)^(3/2)·√g` (m^½/s) of free outflow over an edge. Multiplied by
    /// `h^(3/2)`, it gives the unit discharge (m²/s) for a depth `h` (m).
    pub fn weir_coefficient(&self) -> f32 {
        weir_coefficient(self.flow.params.gravity)
    }

    /// Returns Manning's roughness of each cell (s/m^⅓), or `None` if all cells use
    /// [`Params::manning`](crate::flow::Params::manning).
    pub fn roughness(&self) -> Option<&'a Field<f32>> {
        self.flow.roughness.as_ref()
    }

    /// Returns the coefficients for a step of `dt` seconds with
    /// [`Physics::Pipes`](crate::flow::Physics::Pipes).
    pub fn pipes_coefficients(&self, dt: f64) -> pipes::Coefficients {
        pipes::Coefficients::for_step(&self.flow.params, &self.flow.lattice, dt)
    }

    /// Returns the coefficients for a step of `dt` seconds with
    /// [`Physics::Inertial`](crate::flow::Physics::Inertial).
    pub fn inertial_coefficients(&self, dt: f64) -> inertial::Coefficients {
        inertial::Coefficients::for_step(&self.flow.params, &self.flow.lattice, dt)
    }

    /// Returns the coefficients for a step of `dt` seconds with
    /// [`Physics::ShallowWater`](crate::flow::Physics::ShallowWater).
    pub fn shallow_coefficients(&self, dt: f64) -> shallow::Coefficients {
        shallow::Coefficients::for_step(&self.flow.params, &self.flow.lattice, dt)
    }

    /// Returns the largest rate (cells/s) at which a shallow-water wave crosses cells in the
    /// current state. [`shallow_stable_dt`](Self::shallow_stable_dt) converts it to a time step.
    pub fn shallow_wave_rate(&self) -> f32 {
        let Flow { state, lattice, params, boundaries, time, scratch, .. } = self.flow;
        let ahead = self.flow.next_step_sample_time(*time);
        let (edges, tiles) = (
            boundaries.edge_states(ahead, params.gravity, scratch),
            &self.flow.workspace.sweep.tiles,
        );
        shallow::limit::max_wave_rate(
            state,
            lattice,
            params.gravity,
            (&edges, &|_, _| true),
            tiles,
            scratch,
        )
        .0
    }

    /// Returns the longest stable step (s) of
    /// [`Physics::ShallowWater`](crate::flow::Physics::ShallowWater). `rate` is the largest rate at
    /// which waves cross cells (cells/s), and `time` the time (s) at which the boundary inflows are
    /// evaluated.
    pub fn shallow_stable_dt(&self, rate: f32, time: f64) -> f64 {
        let Flow { lattice, params, .. } = self.flow;
        let rise = self.flow.max_rise_rate(self.flow.next_step_sample_time(time));
        shallow::limit::stable_dt(rate, lattice, params.gravity, rise)
    }

    /// Returns the critical depth (m) for `unit_discharge` (m²/s). The critical depth is
    /// the smallest depth at which an inflow with this discharge enters the grid.
    pub fn critical_depth(&self, unit_discharge: f32) -> f32 {
        libm::cbrtf(unit_discharge * unit_discharge / self.flow.params.gravity as f32)
    }

    /// Returns whether the world has drains, evaporation or soil, which may remove water from
    /// cells.
    pub fn removes_water(&self) -> bool {
        self.flow.exchange.removes_water()
    }

    /// Returns the longest stable step (s) with [`Physics::Pipes`](crate::flow::Physics::Pipes).
    pub fn pipes_stable_dt(&self) -> f64 {
        pipes::stable_dt(&self.flow.params, &self.flow.lattice) * self.flow.boundary_dt_factor()
    }

    /// Returns the largest depth outside the grid, and the largest rate at which springs, rain and
    /// boundary inflows raise the water surface, both at `time` (s). These extremes limit a step of
    /// [`Physics::Inertial`](crate::flow::Physics::Inertial).
    pub fn exterior_extremes(&self, time: f64) -> ExteriorExtremes {
        let Flow { state, lattice, params, boundaries, scratch, .. } = self.flow;
        let ahead = self.flow.next_step_sample_time(time);
        let rise = self.flow.max_rise_rate(ahead);
        limit::exterior_extremes(
            state,
            lattice,
            params,
            &boundaries.edge_states(ahead, params.gravity, scratch),
            rise,
        )
    }

    /// Returns the largest depth of any cell and the largest ratio of outflow to depth of any cell.
    /// These extremes limit a step of [`Physics::Inertial`](crate::flow::Physics::Inertial).
    /// `exterior` is the result of [`exterior_extremes`](Self::exterior_extremes).
    pub fn interior_extremes(&self, exterior: ExteriorExtremes) -> InteriorExtremes {
        let Flow { state, workspace, scratch, .. } = self.flow;
        limit::interior_extremes(state, &workspace.sweep.tiles, exterior, scratch).0
    }

    /// Returns the longest stable step (s) of
    /// [`Physics::Inertial`](crate::flow::Physics::Inertial). The step has two limits: waves must
    /// remain bounded, and no cell may lose more than a given fraction of its water. The second
    /// limit shortens the step to no less than the fraction
    /// [`MIN_WAVE_FRACTION`](Self::MIN_WAVE_FRACTION) of the first limit.
    pub fn inertial_stable_dt(
        &self,
        interior: InteriorExtremes,
        exterior: ExteriorExtremes,
    ) -> f64 {
        let waves = self.inertial_wave_dt(interior.max_depth, exterior);
        waves
            .min(self.inertial_loss_dt(interior.max_loss_rate).max(Self::MIN_WAVE_FRACTION * waves))
    }

    /// Returns the longest step (s) at which waves are stable with
    /// [`Physics::Inertial`](crate::flow::Physics::Inertial). `max_depth` is the largest depth in
    /// the grid (m), and `exterior` describes the water outside the grid.
    pub fn inertial_wave_dt(&self, max_depth: f64, exterior: ExteriorExtremes) -> f64 {
        let Flow { lattice, params, .. } = self.flow;
        limit::wave_limited_dt(max_depth, exterior, lattice, params)
            * self.flow.boundary_dt_factor()
    }

    /// Returns the longest step (s) in which no cell loses more than the allowed fraction of its
    /// water, with [`Physics::Inertial`](crate::flow::Physics::Inertial). `max_loss_rate` is the
    /// largest ratio of outflow (m³/s) to depth (m) of any cell; see [`InteriorExtremes`].
    pub fn inertial_loss_dt(&self, max_loss_rate: f64) -> f64 {
        limit::MAX_LOSS_FRACTION * self.flow.lattice.cell_area() / max_loss_rate
            * self.flow.boundary_dt_factor()
    }

    /// Smallest ratio of the stable step of [`Physics::Inertial`](crate::flow::Physics::Inertial)
    /// to the longest step that waves allow. The limit on water loss shortens a step to no less
    /// than this fraction.
    pub const MIN_WAVE_FRACTION: f64 = limit::MIN_WAVE_FRACTION;

    /// Returns the length of the last step (s), or 0 before the first step.
    pub fn last_dt(&self) -> f32 {
        self.flow.last_dt
    }

    /// Returns the springs, with their cells and rounding remainders, in the order in which they
    /// were added.
    pub fn springs(&self) -> impl ExactSizeIterator<Item = OutletView<'a>> + use<'a> {
        self.flow.exchange.springs.iter().map(outlet_view)
    }

    /// Returns the drains, with their cells and rounding remainders, in the order in which they
    /// were added.
    pub fn drains(&self) -> impl ExactSizeIterator<Item = OutletView<'a>> + use<'a> {
        self.flow.exchange.drains.iter().map(outlet_view)
    }

    /// Returns the depth (m) that each source adds to or removes from each of its open cells, in a
    /// step of `dt` seconds from `time` (s). The list contains all springs, then all drains; an
    /// inactive source has the entry `None`.
    pub fn outlet_depths(&self, time: f64, dt: f64) -> Vec<Option<f32>> {
        let Flow { exchange, state, lattice, .. } = self.flow;
        let all = exchange.springs.iter().chain(&*exchange.drains);
        all.map(|outlet| outlet.depth_per_cell(state, lattice.cell_area(), time, dt)).collect()
    }

    /// Returns the rain and its rounding remainder in each cell (m), or `None` without rain.
    pub fn rain(&self) -> Option<(&'a Rain, &'a Field<f32>)> {
        self.flow.exchange.rain.as_ref().map(|(rain, remainder)| (rain, remainder))
    }

    /// Returns the evaporation rate (mm/h) and its rounding remainder in each cell (m), or `None`
    /// without evaporation.
    pub fn evaporation(&self) -> Option<(&'a Series, &'a Field<f32>)> {
        self.flow
            .exchange
            .evaporation
            .as_ref()
            .map(|(evaporation, remainder)| (&evaporation.rate, remainder))
    }

    /// Returns the depth of rain or evaporation (m) in a step of `dt` seconds. `rate` is a time
    /// series in mm/h, and `time` is the start of the step (s). A rain map is not applied.
    pub fn depth_from_rate(&self, rate: &Series, time: f64, dt: f64) -> f32 {
        rounding_carry::depth_from_rate(rate, time, dt)
    }

    /// Returns the soil state of each cell, or `None` if the world has no soil.
    pub fn soil(&self) -> Option<&'a Field<SoilCell>> {
        self.flow.exchange.soil.as_ref().map(|ground| &ground.cells)
    }

    /// Returns whether the soil differs between cells, or its infiltration depends on the stored
    /// water. [`soil_exchange`](Self::soil_exchange) supports neither case.
    pub fn has_nonuniform_soil(&self) -> bool {
        self.flow.exchange.soil.as_ref().is_some_and(|ground| !ground.is_uniform())
    }

    /// Returns the infiltration and the seepage per cell in a step of `dt` seconds, before they are
    /// limited by the available water, the storage capacity and the stored water. Returns `None`
    /// without soil.
    pub fn soil_exchange(&self, dt: f64) -> Option<SoilExchange> {
        self.flow.exchange.soil.as_ref().map(|ground| {
            let Soil { rate, seepage, .. } = ground.soil;
            let infiltration = (rate * MM_PER_HOUR * dt) as f32;
            SoilExchange {
                infiltration,
                seepage: seepage * MM_PER_HOUR * dt,
                capacity: ground.soil.max_stored_depth(),
            }
        })
    }

    /// Returns the faces whose discharges [`Flow::discharge_through`] sums for a line from `a` to
    /// `b` (m). Each item contains the orientation of the face (0 for x, 1 for y, 2 for z), its
    /// column and row, and the sign of its discharge in the sum.
    pub fn faces_crossing_line(&self, a: Point, b: Point) -> Vec<(usize, (usize, usize), f64)> {
        let mut faces = Vec::new();
        self.flow.for_each_face_crossing(a, b, |axis, face, sign| {
            faces.push((axis as usize, face, sign));
        });
        faces
    }

    /// Returns whether an edge has, or has ever had, a
    /// [`BoundaryKind::Stream`](crate::flow::BoundaryKind::Stream) condition.
    pub fn has_streams(&self) -> bool {
        self.flow.boundaries.has_streams()
    }

    /// Returns true if the world has culverts, gates or weirs.
    pub fn has_structures(&self) -> bool {
        !self.flow.structures.is_empty()
    }

    /// Returns true if the world has floating bodies.
    pub fn has_bodies(&self) -> bool {
        !self.flow.bodies.is_empty()
    }

    /// Returns the tracers, or `None` if there are none.
    pub fn tracers(&self) -> Option<TracersView<'a>> {
        self.flow.tracers.as_ref().map(TracerSet::view)
    }

    /// Returns true if the world records flood statistics.
    pub fn has_flood_statistics(&self) -> bool {
        self.flow.flood.is_some()
    }

    /// Returns true if the world is relaxing to a steady state.
    pub fn is_relaxing(&self) -> bool {
        self.flow.settling.is_some()
    }
}

fn outlet_view(outlet: &Outlet) -> OutletView<'_> {
    OutletView { source: &outlet.source, cells: &outlet.cells, remainders: &outlet.remainders }
}

impl Flow {
    /// Returns the inputs of a time step, for programs that step the world on a device such as a
    /// GPU.
    pub fn device_view(&self) -> DeviceView<'_> {
        DeviceView { flow: self }
    }

    /// Replaces the state of the water with the result of time steps on a device. The bed, the
    /// closed cells and the settings do not change. The ledger records the volume changes in
    /// [`DeviceState`].
    ///
    /// # Errors
    /// Returns [`InputError`] if the shape of a field differs from the grid, a number is not
    /// finite, a depth is negative, or the time is earlier than the current time. In these cases
    /// the world does not change.
    pub fn import_device_state(&mut self, device_state: DeviceState) -> Result<(), InputError> {
        self.check_device_state(&device_state)?;
        let DeviceState { depth, remainder, momentum, remainders, .. } = device_state;
        let DeviceState { discharge_x, discharge_y, discharge_z, .. } = device_state;
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
        if let (Some(tracers), Some(tracer_state)) = (&mut self.tracers, device_state.tracers) {
            tracers.import_device_state(tracer_state);
        }
        for (cause, volume) in device_state.volume_changes {
            self.ledger.total.record(cause, volume);
        }
        self.ledger.parts.set_incomplete();
        self.time = device_state.time;
        self.last_dt = device_state.last_dt;
        self.steps = device_state.steps;
        self.mark_all_changed();
        Ok(())
    }

    fn check_device_state(&self, device_state: &DeviceState) -> Result<(), InputError> {
        let lattice = &self.lattice;
        let damaged = |what| Err(InputError::invalid_snapshot(what));
        check_field("depth", &device_state.depth, lattice, "0 m or above", is_finite_non_negative)?;
        let state = &self.state;
        let finite = |field: &Field<f32>| field.as_slice().iter().all(|value| value.is_finite());
        let fits = |new: &Field<f32>, old: &Field<f32>| new.has_same_shape(old) && finite(new);
        let same = |new: &Option<Field<f32>>, old: Option<&Field<f32>>| match (new, old) {
            (Some(new), Some(old)) => fits(new, old),
            (None, None) => true,
            _ => false,
        };
        if !fits(&device_state.remainder, &state.remainder) {
            return damaged("a remainder that was read back is not finite, or has another shape");
        }
        let discharges = fits(&device_state.discharge_x, &state.discharge_x)
            && fits(&device_state.discharge_y, &state.discharge_y)
            && same(&device_state.discharge_z, state.discharge_z.as_ref());
        if !discharges {
            return damaged("a discharge that was read back is not finite, or has another shape");
        }
        let momentum = match (&device_state.momentum, &state.momentum) {
            (Some(new), Some(old)) => fits(&new.x, &old.x) && fits(&new.y, &old.y),
            (None, None) => true,
            _ => false,
        };
        if !momentum {
            return damaged("a momentum that was read back is not finite, or has another shape");
        }
        let RoundingRemainders { springs, drains, rain, evaporation, soil } =
            &device_state.remainders;
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
        if !TracerSet::is_valid_result(self.tracers.as_ref(), device_state.tracers.as_ref()) {
            return damaged("the tracers that were read back are not finite, or too many");
        }
        for &(_, volume) in &device_state.volume_changes {
            InputError::check("a volume change", volume, true, "a finite volume in m³")?;
        }
        let forward = device_state.time >= self.time && device_state.steps >= self.steps;
        InputError::check(
            "the time that was read back",
            device_state.time,
            forward,
            "no earlier than the world's",
        )?;
        let last = f64::from(device_state.last_dt);
        InputError::check("the last step", last, last >= 0.0, "0 s or above")
    }
}
