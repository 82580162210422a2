//! A single time step of a flow world, and the longest stable step.

use super::bodies;
use super::context::{Roughness, StepContext, StepLimit};
use super::observe::velocity::VelocityInput;
use super::params::Physics;
use super::schemes::{inertial, pipes, shallow};
use super::solver::{reference, sweep};
use super::sources::ledger_sink::LedgerSink;
use super::sources::sample_time::SampleTime;
use super::state::State;
use super::state::workspace::Workspace;
use super::world::Flow;
use crate::error::InputError;
use crate::parallel;

/// Implementation of a time step. All implementations give the same result, bit for bit.
#[derive(Clone, Copy)]
pub(crate) enum StepMethod {
    Rows,
    Plain,
}

/// Factor that reduces the longest stable step of [`Physics::Pipes`] on hexagons with wave makers.
/// The reduction is necessary because the rows of hexagons are closer together than their columns.
const HEX_WAVE_DT_FACTOR: f64 = 0.74;

/// Smallest time step (s) that is ever taken. Its reciprocal is finite in `f32`.
pub(super) const MIN_DT: f64 = 1e-20;

impl Flow {
    /// Returns the longest stable time step in the current state, and the cell that limits it.
    pub fn step_limit(&self) -> StepLimit {
        let mut limit = self.interior_limit();
        limit.dt *= self.boundary_dt_factor();
        limit
    }

    pub(crate) fn boundary_dt_factor(&self) -> f64 {
        let pipes = self.lattice.is_hex() && !self.params.level.has_momentum();
        let waves = pipes && self.boundaries.has_waves();
        if waves { HEX_WAVE_DT_FACTOR } else { 1.0 }
    }

    fn interior_limit(&self) -> StepLimit {
        match self.params.level {
            Physics::Pipes => {
                StepLimit { dt: pipes::stable_dt(&self.params, &self.lattice), cell: None }
            }
            Physics::Inertial => {
                let Self { state, lattice, params, scratch, .. } = self;
                let (ahead, tiles) =
                    (self.next_step_sample_time(self.time), &self.workspace.sweep.tiles);
                let edges = self.boundaries.edge_states(ahead, params.gravity, scratch);
                let rise = self.max_rise_rate(ahead);
                inertial::step_limit(state, lattice, params, &edges, rise, tiles, scratch)
            }
            Physics::ShallowWater => {
                let Self { state, lattice, params, scratch, .. } = self;
                let (ahead, tiles) =
                    (self.next_step_sample_time(self.time), &self.workspace.sweep.tiles);
                let edges = self.boundaries.edge_states(ahead, params.gravity, scratch);
                let rise = self.max_rise_rate(ahead);
                shallow::limit::step_limit(
                    state,
                    lattice,
                    params.gravity,
                    &edges,
                    rise,
                    tiles,
                    scratch,
                )
            }
        }
    }

    /// Returns the [`SampleTime`] for the stability limit of the next step. Boundary and source
    /// values are maxima over a time span that starts at `time` (s) and is as long as the longest
    /// possible step.
    pub(crate) fn next_step_sample_time(&self, time: f64) -> SampleTime {
        let Self { lattice, params, .. } = self;
        let longest = match params.level {
            Physics::Pipes => pipes::stable_dt(params, lattice),
            Physics::Inertial => inertial::limit::dry_stable_dt(lattice, params),
            Physics::ShallowWater => shallow::limit::dry_stable_dt(lattice, params.gravity),
        };
        SampleTime::Maximum { from: time, until: time + longest }
    }

    pub(super) fn max_rise_rate(&self, ahead: SampleTime) -> f64 {
        let Self { state, lattice, params, scratch, .. } = self;
        let (through, max_factor) = (&self.structures, self.exchange.max_rain_factor());
        self.exchange.max_rise_rate(state, lattice, ahead, max_factor)
            + through.max_rise_rate(state, lattice, params.gravity, ahead.level_time(), scratch)
    }

    /// Returns the longest stable time step (s) in the current state.
    pub fn stable_dt(&self) -> f64 {
        self.step_limit().dt
    }

    /// Advances the world by a step of `dt` seconds:
    ///
    /// 0. **Exchange**: structures transfer water between their mouths; springs, rain and seepage
    ///    add water; infiltration, evaporation and drains remove water.
    /// 1. **Boundary**: computes the discharge through every boundary face.
    /// 2. **Acceleration**: computes the discharge through every inner face, `Q ← Q·(1 −
    ///    friction)^dt + g·dt·A/l·(η_before − η_after)`, with the cross-section `A` and the length
    ///    `l` of a pipe and the water surfaces `η` of the two cells.
    /// 3. **Viscosity**: `Q ← Q·H²/(H² + 3·dt·ν)`, with the depth `H` of the upstream cell.
    /// 4. **Outflow limiter**: where a cell would lose more than its volume, reduces the discharges
    ///    out of the cell by a common factor.
    /// 5. **Depth**: `h ← h + dt/(dx·dy)·(ΣQ_in − ΣQ_out)`.
    ///
    /// [`Physics::Inertial`] combines stages 2 and 3, with pipes as deep as the water and Manning's
    /// friction. [`Physics::ShallowWater`] replaces stages 1 to 3 by fluxes between reconstructed
    /// states at the middle of the step.
    ///
    /// Physics models that store momentum then update it with the fluxes and friction. Floating
    /// bodies press on the water in stages 1 to 3; after stage 5 they move and push the water.
    /// Finally, tracer particles move with the new discharges, and the statistics of a
    /// [`Flood`](super::Flood) are updated.
    ///
    /// # Errors
    /// Returns [`InputError`] unless `dt` is above 0 and at most [`stable_dt`](Self::stable_dt).
    pub fn step(&mut self, dt: f64) -> Result<(), InputError> {
        parallel::run_in_pool(self.awake_cell_count(), || {
            self.take_checked_step(dt, StepMethod::Rows)
        })
    }

    /// Performs the same step as [`step`](Self::step), but with the slower single-threaded
    /// reference loops. The result is identical, bit for bit.
    ///
    /// # Errors
    /// Returns an error under the same conditions as [`step`](Self::step).
    pub fn step_plain(&mut self, dt: f64) -> Result<(), InputError> {
        self.take_checked_step(dt, StepMethod::Plain)
    }

    fn take_checked_step(&mut self, dt: f64, method: StepMethod) -> Result<(), InputError> {
        let limit = self.stable_dt();
        let allowed = format_args!("above 0 up to {limit} s, the stability limit");
        InputError::check("a step", dt, dt >= MIN_DT && dt <= limit, allowed)?;
        self.take_stable_step(dt, method);
        Ok(())
    }

    pub(super) fn take_stable_step(&mut self, dt: f64, method: StepMethod) {
        let mut ledger = std::mem::take(&mut self.ledger);
        self.begin_step(method);
        self.exchange_water(dt, &mut ledger, None);
        self.move_water(dt, method, &mut ledger);
        self.ledger = ledger;
        self.end_step(dt);
    }

    pub(crate) fn begin_step(&mut self, method: StepMethod) {
        let Self { lattice, params, state, boundaries, exchange, workspace, .. } = self;
        let (structures, changes, scratch) = (&self.structures, &mut self.changes, &self.scratch);
        let tiles = &mut workspace.sweep.tiles;
        if matches!(method, StepMethod::Plain)
            || exchange.acts_on_all_cells()
            || !self.bodies.is_empty()
        {
            tiles.wake_all();
        }
        tiles.wake(exchange.cells().chain(structures.cells()));
        // The check for tiles at rest treats all cells as uniform.
        tiles.wake(state.subgrid.iter().flat_map(|subgrid| subgrid.cells()));
        tiles.mark_stepped_tiles(boundaries.periodicity(), changes);
        if let Some(record) = &mut self.flood {
            let dry = params.dry_depth as f32;
            record.start(
                VelocityInput { state, lattice, dry, dt: self.last_dt, first: 0 },
                changes,
                self.time,
                scratch,
            );
        }
    }

    /// Performs stage 0 of a time step: the transfer of water through structures, and the vertical
    /// exchange with springs, drains, rain, evaporation and soil. If `transfer_remote` is given, it
    /// is called in place of the transfer through structures. Distributed simulations pass it,
    /// because the two ends of a structure may lie in rows of different processes.
    pub(crate) fn exchange_water(
        &mut self,
        dt: f64,
        sink: &mut impl LedgerSink,
        transfer_remote: Option<&mut dyn FnMut(&mut State)>,
    ) {
        let Self { lattice, params, state, exchange, structures, workspace, .. } = self;
        let (time, scratch) = (self.time, &self.scratch);
        let taken = exchange.removes_water() || !structures.is_empty() || transfer_remote.is_some();
        let pass = |state: &mut State, sink: &mut _| match transfer_remote {
            Some(transfer_remote) => transfer_remote(state),
            None => {
                structures.apply(state, lattice, params.gravity, time, dt, scratch);
                structures.record_volumes(dt, sink);
            }
        };
        if params.level.has_momentum() && taken {
            let (_, before) = workspace.scale_and_depth_buffers(&state.depth);
            before.clone_from(&state.depth);
            pass(state, sink);
            exchange.apply(state, sink, lattice, time, dt, scratch);
            state.momentum.iter_mut().for_each(|q| q.remove_lost_momentum(before, &state.depth));
        } else {
            pass(state, sink);
            exchange.apply(state, sink, lattice, time, dt, scratch);
        }
    }

    /// Performs stages 1 to 5 of a time step, then updates the momentum and moves the floating
    /// bodies.
    pub(crate) fn move_water(&mut self, dt: f64, method: StepMethod, sink: &mut impl LedgerSink) {
        let Self { lattice, params, state, boundaries, workspace, .. } = self;
        let scratch = &self.scratch;
        let roughness = match &self.roughness {
            None => Roughness::Uniform(params.manning as f32),
            Some(map) => Roughness::Map(map),
        };
        let when = SampleTime::for_step(params.level, self.time, dt);
        let edges = &boundaries.edge_states(when, params.gravity, scratch);
        let step = StepContext { lattice, params, edges, roughness, dt };
        let load = (!self.bodies.is_empty()).then(|| {
            let mut load = scratch.take::<bodies::BodyLoads>();
            load.apply(&self.bodies, state, lattice, params);
            load
        });
        match method {
            StepMethod::Rows => {
                let steps = std::slice::from_ref(&step);
                let result = match params.level {
                    Physics::Pipes => {
                        let pipes = pipes::sweep::PipesScheme::new(&step);
                        sweep::run_pass(state, &mut workspace.sweep, steps, &[pipes], scratch)
                    }
                    Physics::Inertial => {
                        let inertial = inertial::sweep::InertialScheme::new(
                            state,
                            &mut workspace.subgrid_faces,
                            &step,
                            scratch,
                        );
                        sweep::run_pass(state, &mut workspace.sweep, steps, &[inertial], scratch)
                    }
                    Physics::ShallowWater => {
                        if lattice.is_hex() {
                            shallow::hexagons::rows::compute_fluxes(
                                state, workspace, &step, scratch,
                            );
                        } else {
                            shallow::rows::compute_fluxes(state, workspace, &step, scratch);
                        }
                        let Workspace { subgrid_cells, momentum_changes, .. } = workspace;
                        shallow::subgrid_cells::compute_fluxes(
                            state,
                            subgrid_cells,
                            momentum_changes,
                            &step,
                        );
                        let roughness = shallow::subgrid_cells::effective_roughness(
                            state,
                            subgrid_cells,
                            step.roughness,
                        );
                        let step = StepContext { roughness, ..step };
                        let shallow = shallow::sweep::ShallowScheme::new(&step, momentum_changes);
                        sweep::run_pass(
                            state,
                            &mut workspace.sweep,
                            std::slice::from_ref(&step),
                            &[shallow],
                            scratch,
                        )
                    }
                };
                boundaries.record_crossings(lattice, sink, |edge, n| {
                    result.edge_crossings(0, edge, n, scratch)
                });
            }
            StepMethod::Plain => {
                match params.level {
                    Physics::Pipes => pipes::plain::accelerate_faces(state, &step),
                    Physics::Inertial => inertial::plain::accelerate_faces(state, workspace, &step),
                    Physics::ShallowWater if lattice.is_hex() => {
                        shallow::hexagons::plain::compute_fluxes(state, workspace, &step);
                    }
                    Physics::ShallowWater => {
                        shallow::plain::compute_fluxes(state, workspace, &step);
                    }
                }
                if params.level.has_momentum() {
                    let mut subgrid_cells = std::mem::take(&mut workspace.subgrid_cells);
                    let roughness = shallow::subgrid_cells::effective_roughness(
                        state,
                        &mut subgrid_cells,
                        step.roughness,
                    );
                    let step = StepContext { roughness, ..step };
                    reference::limit_and_update_depths(state, workspace, &step);
                    shallow::plain::update_momentum(state, workspace, &step);
                    workspace.subgrid_cells = subgrid_cells;
                } else {
                    reference::limit_and_update_depths(state, workspace, &step);
                }
                boundaries.record_step(state, &step, sink, scratch);
            }
        }
        if let Some(load) = load {
            bodies::advance(&mut self.bodies, &load, state, &step, scratch);
        }
    }

    pub(crate) fn end_step(&mut self, dt: f64) {
        let Self { lattice, params, state, boundaries, scratch, changes, .. } = self;
        if let Some(tracers) = &mut self.tracers {
            let (dry, dt32) = (params.dry_depth as f32, dt as f32);
            let moving = VelocityInput { state, lattice, dry, dt: dt32, first: 0 };
            tracers.advect(moving, boundaries.periodicity(), dt);
        }
        self.time += dt;
        self.last_dt = dt as f32;
        self.steps += 1;
        if let Some(record) = &mut self.flood {
            let dry = params.dry_depth as f32;
            record.update(
                VelocityInput { state, lattice, dry, dt: self.last_dt, first: 0 },
                changes,
                self.time,
                scratch,
            );
        }
    }
}
