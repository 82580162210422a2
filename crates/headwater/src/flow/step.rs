//! Time: one step.

use super::books::Books;
use super::context::{Limit, Roughness, Step};
use super::params::Physics;
use super::state::State;
use super::velocity::Moving;
use super::when::When;
use super::workspace::Workspace;
use super::world::Flow;
use super::{bodies, inertial, pipes, plain, shallow, sweep};
use crate::error::InputError;
use crate::parallel;

/// Which loops do a step; the outcome is the same.
#[derive(Clone, Copy)]
pub(crate) enum Path {
    Rows,
    Plain,
}

/// Share of a step that wave makers allow on hexagons with pipes: rows are closer than columns.
const WAVES_ON_HEXAGONS: f64 = 0.74;

/// Shorter than this (s) no step is: its reciprocal is no number for what is counted in 32 bits.
pub(super) const SHORTEST: f64 = 1e-20;

impl Flow {
    /// The largest stable step now, and the cell that allows no longer one.
    pub fn limit(&self) -> Limit {
        let mut limit = self.limit_inside();
        limit.dt *= self.edge_share();
        limit
    }

    pub(crate) fn edge_share(&self) -> f64 {
        let pipes = self.lattice.is_hex() && !self.params.level.has_momentum();
        let waves = pipes && self.boundaries.has_waves();
        if waves { WAVES_ON_HEXAGONS } else { 1.0 }
    }

    fn limit_inside(&self) -> Limit {
        match self.params.level {
            Physics::Pipes => {
                Limit { dt: pipes::stable_dt(&self.params, &self.lattice), cell: None }
            }
            Physics::Inertial => {
                let Self { state, lattice, params, scratch, .. } = self;
                let (ahead, tiles) = (self.ahead(self.time), &self.workspace.sweep.tiles);
                let edges = self.boundaries.at(ahead, params.gravity, scratch);
                let rise = self.fastest_rise(ahead);
                inertial::limit(state, lattice, params, &edges, rise, tiles, scratch)
            }
            Physics::ShallowWater => {
                let Self { state, lattice, params, scratch, .. } = self;
                let (ahead, tiles) = (self.ahead(self.time), &self.workspace.sweep.tiles);
                let edges = self.boundaries.at(ahead, params.gravity, scratch);
                let rise = self.fastest_rise(ahead);
                shallow::limit::limit(state, lattice, params.gravity, &edges, rise, tiles, scratch)
            }
        }
    }

    /// All that may come in a step from `time` (s) on, which is no longer than one in a dry world.
    pub(crate) fn ahead(&self, time: f64) -> When {
        let Self { lattice, params, .. } = self;
        let longest = match params.level {
            Physics::Pipes => pipes::stable_dt(params, lattice),
            Physics::Inertial => inertial::limit::longest(lattice, params),
            Physics::ShallowWater => shallow::limit::longest_of_all(lattice, params.gravity),
        };
        When::Most { from: time, until: time + longest }
    }

    pub(super) fn fastest_rise(&self, ahead: When) -> f64 {
        let Self { state, lattice, params, scratch, .. } = self;
        let (through, most) = (&self.structures, self.exchange.greatest_rain());
        self.exchange.fastest_rise(state, lattice, ahead, most)
            + through.fastest_rise(state, lattice, params.gravity, ahead.moment(), scratch)
    }

    /// The largest stable step now (s).
    pub fn stable_dt(&self) -> f64 {
        self.limit().dt
    }

    /// Steps the world by `dt` seconds:
    ///
    /// 0. **Exchange.** Structures pass water from mouth to mouth; springs and rain give; soil, air and
    ///    drains take.
    /// 1. **Boundary.** Every outermost face is set afresh.
    /// 2. **Accelerate** every inner face: `Q ← Q·(1 − friction)^dt + g·dt·A/l·(η_before − η_after)`.
    /// 3. **Viscosity**: `Q ← Q·H²/(H² + 3·dt·ν)`, `H` the depth of the cell that `Q` leaves.
    ///    [`Physics::Inertial`] does 2 and 3 in one, with pipes as deep as the water and Manning's
    ///    friction.
    ///    [`Physics::ShallowWater`] does 1 to 3 by what meets at each face: depth and momentum of the
    ///    cells on both sides, half a step later.
    /// 4. **Outflow scaling**: what leaves a cell is cut down, all faces alike, to what it has.
    /// 5. **Depth**: `h ← h + dt/(dx·dy)·(ΣQ_in − ΣQ_out)`.
    ///
    /// Where momentum is part of the state, it follows: what crossed the faces, then friction.
    ///
    /// Floating bodies weigh on the water in 1 to 3; afterwards they move, and push the water in turn.
    ///
    /// Tracer particles then move with the new discharges; what is kept of a [`Flood`](super::Flood) sees the new state.
    ///
    /// # Errors
    /// [`InputError`] unless `dt` is above 0 and no longer than [`stable_dt`](Self::stable_dt).
    pub fn step(&mut self, dt: f64) -> Result<(), InputError> {
        parallel::run_in_pool(self.awake_cells(), || self.step_with(dt, Path::Rows))
    }

    /// The same step by plain loops on one thread: slower, and equal to [`step`](Self::step) in
    /// every bit.
    ///
    /// # Errors
    /// As [`step`](Self::step).
    pub fn step_plain(&mut self, dt: f64) -> Result<(), InputError> {
        self.step_with(dt, Path::Plain)
    }

    fn step_with(&mut self, dt: f64, path: Path) -> Result<(), InputError> {
        let limit = self.stable_dt();
        let allowed = format_args!("above 0 up to {limit} s, the stability limit");
        InputError::check("a step", dt, dt >= SHORTEST && dt <= limit, allowed)?;
        self.stable_step(dt, path);
        Ok(())
    }

    pub(super) fn stable_step(&mut self, dt: f64, path: Path) {
        let mut ledger = std::mem::take(&mut self.ledger);
        self.begin_step(path);
        self.give_and_take(dt, &mut ledger, None);
        self.move_water(dt, path, &mut ledger);
        self.ledger = ledger;
        self.end_step(dt);
    }

    pub(crate) fn begin_step(&mut self, path: Path) {
        let Self { lattice, params, state, boundaries, exchange, workspace, .. } = self;
        let (structures, changes, scratch) = (&self.structures, &mut self.changes, &self.scratch);
        let tiles = &mut workspace.sweep.tiles;
        if matches!(path, Path::Plain) || exchange.is_everywhere() || !self.bodies.is_empty() {
            tiles.wake_all();
        }
        tiles.wake(exchange.cells().chain(structures.cells()));
        // A tile's look whether it rests takes its ground to be alike in a cell.
        tiles.wake(state.subgrid.iter().flat_map(|subgrid| subgrid.cells()));
        tiles.mark_stepped(boundaries.joined(), changes);
        if let Some(record) = &mut self.flood {
            let dry = params.dry_depth as f32;
            record.begin(
                Moving { state, lattice, dry, dt: self.last_dt, first: 0 },
                changes,
                self.time,
                scratch,
            );
        }
    }

    /// Stage 0 of a step. Where structures pass their water elsewhere, `through` does it to the state.
    pub(crate) fn give_and_take(
        &mut self,
        dt: f64,
        books: &mut impl Books,
        through: Option<&mut dyn FnMut(&mut State)>,
    ) {
        let Self { lattice, params, state, exchange, structures, workspace, .. } = self;
        let (time, scratch) = (self.time, &self.scratch);
        let taken = exchange.takes() || !structures.is_empty() || through.is_some();
        let pass = |state: &mut State| match through {
            Some(through) => through(state),
            None => structures.apply(state, lattice, params.gravity, time, dt, scratch),
        };
        if params.level.has_momentum() && taken {
            let (_, before) = workspace.buffers(&state.depth);
            before.clone_from(&state.depth);
            pass(state);
            exchange.apply(state, books, lattice, time, dt, scratch);
            state.momentum.iter_mut().for_each(|q| q.follow(before, &state.depth));
        } else {
            pass(state);
            exchange.apply(state, books, lattice, time, dt, scratch);
        }
    }

    /// Stages 1 to 5 of a step, and what follows them: momentum and bodies.
    pub(crate) fn move_water(&mut self, dt: f64, path: Path, books: &mut impl Books) {
        let Self { lattice, params, state, boundaries, workspace, .. } = self;
        let scratch = &self.scratch;
        let roughness = match &self.roughness {
            None => Roughness::Uniform(params.manning as f32),
            Some(map) => Roughness::Map(map),
        };
        let when = When::step(params.level, self.time, dt);
        let edges = &boundaries.at(when, params.gravity, scratch);
        let step = Step { lattice, params, edges, roughness, dt };
        let load = (!self.bodies.is_empty()).then(|| {
            let mut load = scratch.take::<bodies::Load>();
            load.lay(&self.bodies, state, lattice, params);
            load
        });
        match path {
            Path::Rows => {
                let steps = std::slice::from_ref(&step);
                let passed = match params.level {
                    Physics::Pipes => {
                        let pipes = pipes::sweep::Pipes::new(&step);
                        sweep::pass(state, &mut workspace.sweep, steps, &[pipes], scratch)
                    }
                    Physics::Inertial => {
                        let inertial = inertial::sweep::Inertial::new(
                            state,
                            &mut workspace.parted,
                            &step,
                            scratch,
                        );
                        sweep::pass(state, &mut workspace.sweep, steps, &[inertial], scratch)
                    }
                    Physics::ShallowWater => {
                        if lattice.is_hex() {
                            shallow::hexagons::rows::drive(state, workspace, &step, scratch);
                        } else {
                            shallow::rows::drive(state, workspace, &step, scratch);
                        }
                        let Workspace { banks, pushes, .. } = workspace;
                        shallow::banks::drive(state, banks, pushes, &step);
                        let roughness = shallow::banks::roughness(state, banks, step.roughness);
                        let step = Step { roughness, ..step };
                        let shallow = shallow::sweep::Shallow::new(&step, pushes);
                        sweep::pass(
                            state,
                            &mut workspace.sweep,
                            std::slice::from_ref(&step),
                            &[shallow],
                            scratch,
                        )
                    }
                };
                boundaries.book_crossed(lattice, books, |edge, n| passed.over(0, edge, n, scratch));
            }
            Path::Plain => {
                match params.level {
                    Physics::Pipes => pipes::plain::drive(state, &step),
                    Physics::Inertial => inertial::plain::drive(state, workspace, &step),
                    Physics::ShallowWater if lattice.is_hex() => {
                        shallow::hexagons::plain::drive(state, workspace, &step);
                    }
                    Physics::ShallowWater => shallow::plain::drive(state, workspace, &step),
                }
                if params.level.has_momentum() {
                    let mut banks = std::mem::take(&mut workspace.banks);
                    let roughness = shallow::banks::roughness(state, &mut banks, step.roughness);
                    let step = Step { roughness, ..step };
                    plain::transport(state, workspace, &step);
                    shallow::plain::update_momentum(state, workspace, &step);
                    workspace.banks = banks;
                } else {
                    plain::transport(state, workspace, &step);
                }
                boundaries.book(state, &step, books, scratch);
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
            let moving = Moving { state, lattice, dry, dt: dt32, first: 0 };
            tracers.advect(moving, boundaries.joined(), dt);
        }
        self.time += dt;
        self.last_dt = dt as f32;
        self.steps += 1;
        if let Some(record) = &mut self.flood {
            let dry = params.dry_depth as f32;
            record.see(
                Moving { state, lattice, dry, dt: self.last_dt, first: 0 },
                changes,
                self.time,
                scratch,
            );
        }
    }
}
