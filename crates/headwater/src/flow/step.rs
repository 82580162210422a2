//! Time: one step, and walks of many.

use super::context::{Limit, Step};
use super::error::{FlowError, number};
use super::params::Physics;
use super::state::Roughness;
use super::velocity::Moving;
use super::{Flow, bodies, inertial, pipes, plain, rows, shallow};

/// Which loops do a step; the outcome is the same.
#[derive(Clone, Copy)]
pub(super) enum Path {
    Rows,
    Plain,
}

/// The part of a step on hexagons that wave makers allow. Their rows are closer than their columns: in a
/// whole step a wave would leave from more than the last row.
const WAVES_ON_HEXAGONS: f64 = 0.74;

impl Flow {
    /// The largest stable step now, and the cell that allows no longer one.
    pub fn limit(&self) -> Limit {
        let mut limit = self.limit_inside();
        limit.dt *= self.edge_share();
        limit
    }

    /// The part of a step that the edges leave.
    pub(super) fn edge_share(&self) -> f64 {
        let waves = self.lattice.is_hex() && self.boundaries.has_waves();
        if waves { WAVES_ON_HEXAGONS } else { 1.0 }
    }

    /// What all but the edges allows.
    fn limit_inside(&self) -> Limit {
        match self.params.physics {
            Physics::Pipes => {
                Limit { dt: pipes::stable_dt(&self.params, &self.lattice), cell: None }
            }
            Physics::Inertial => {
                let Self { state, lattice, params, time, .. } = self;
                let rise = self.fastest_rise();
                inertial::limit(state, lattice, params, &self.boundaries.at(*time), rise)
            }
            Physics::ShallowWater => {
                let Self { state, lattice, params, time, .. } = self;
                let rise = self.fastest_rise();
                let edges = self.boundaries.at(*time);
                shallow::limit::limit(state, lattice, params.gravity, &edges, rise)
            }
        }
    }

    /// The fastest that what comes from above, below or through structures can lift a surface (m/s).
    fn fastest_rise(&self) -> f64 {
        self.fastest_rise_at(self.time)
    }

    /// The same at another time (s).
    pub(super) fn fastest_rise_at(&self, time: f64) -> f64 {
        let Self { state, lattice, .. } = self;
        self.exchange.fastest_rise(state, lattice, time)
            + self.structures.fastest_rise(state, lattice, self.params.gravity, time)
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
    /// Tracer particles then move with the new discharges.
    ///
    /// # Errors
    /// [`FlowError::StepTooLong`] above [`stable_dt`](Self::stable_dt), [`FlowError::Number`] unless
    /// `dt` is above 0.
    pub fn step(&mut self, dt: f64) -> Result<(), FlowError> {
        self.step_with(dt, Path::Rows)
    }

    /// The same step by plain loops on one thread: slower, and equal to [`step`](Self::step) in
    /// every bit. It is there to check against and to measure against.
    ///
    /// # Errors
    /// As [`step`](Self::step).
    pub fn step_plain(&mut self, dt: f64) -> Result<(), FlowError> {
        self.step_with(dt, Path::Plain)
    }

    fn step_with(&mut self, dt: f64, path: Path) -> Result<(), FlowError> {
        number("a step", dt, dt > 0.0, "a number of seconds above 0")?;
        let limit = self.stable_dt();
        if dt > limit {
            return Err(FlowError::StepTooLong { dt, limit });
        }
        self.stable_step(dt, path);
        Ok(())
    }

    /// A step that is known to be stable.
    pub(super) fn stable_step(&mut self, dt: f64, path: Path) {
        let Self { lattice, params, state, boundaries, exchange, ledger, scratch, .. } = self;
        let structures = &mut self.structures;
        let roughness = match &self.roughness {
            None => Roughness::Uniform(params.manning as f32),
            Some(map) => Roughness::Map(map),
        };
        let taken = exchange.takes() || !structures.is_empty();
        if params.physics.has_momentum() && taken {
            let (_, before) = scratch.room(&state.depth);
            before.clone_from(&state.depth);
            structures.apply(state, lattice, params.gravity, self.time, dt);
            exchange.apply(state, ledger, lattice, self.time, dt);
            state.momentum.iter_mut().for_each(|q| q.follow(before, &state.depth));
        } else {
            structures.apply(state, lattice, params.gravity, self.time, dt);
            exchange.apply(state, ledger, lattice, self.time, dt);
        }
        let step = Step { lattice, params, edges: &boundaries.at(self.time), roughness, dt };
        let load = (!self.bodies.is_empty())
            .then(|| bodies::Load::lay(&self.bodies, state, lattice, params));
        match (params.physics, path) {
            (Physics::Pipes, Path::Rows) => pipes::rows::drive(state, &step),
            (Physics::Pipes, Path::Plain) => pipes::plain::drive(state, &step),
            (Physics::Inertial, Path::Rows) => inertial::rows::drive(state, scratch, &step),
            (Physics::Inertial, Path::Plain) => inertial::plain::drive(state, scratch, &step),
            (Physics::ShallowWater, Path::Rows) => shallow::rows::drive(state, scratch, &step),
            (Physics::ShallowWater, Path::Plain) => shallow::plain::drive(state, scratch, &step),
        }
        match path {
            Path::Rows => rows::transport(state, scratch, &step),
            Path::Plain => plain::transport(state, scratch, &step),
        }
        match (params.physics, path) {
            (Physics::ShallowWater, Path::Rows) => shallow::rows::settle(state, scratch, &step),
            (Physics::ShallowWater, Path::Plain) => shallow::plain::settle(state, scratch, &step),
            (Physics::Pipes | Physics::Inertial, _) => {}
        }
        let (_, before) = scratch.room(&state.depth);
        boundaries.book(state, before, &step, ledger);
        if let Some(load) = load {
            bodies::advance(&mut self.bodies, &load, state, &step);
        }
        if let Some(swarm) = &mut self.swarm {
            let (dry, dt32) = (params.dry_depth as f32, dt as f32);
            let moving = Moving { state, lattice, dry, dt: dt32 };
            swarm.advect(moving, boundaries.joined(), dt);
        }
        self.time += dt;
        self.last_dt = dt as f32;
        self.steps += 1;
    }

    /// Advances by `seconds`, in equal steps within the stability limit and
    /// [`max_dt`](super::Params::max_dt).
    ///
    /// # Errors
    /// [`FlowError::Number`] if `seconds` is below 0 or no number.
    pub fn advance(&mut self, seconds: f64) -> Result<(), FlowError> {
        number("an advance", seconds, seconds >= 0.0, "0 s or above")?;
        let stop = self.time + seconds;
        while self.step_toward(stop)? {}
        Ok(())
    }

    /// Does one step of an advance to the time `stop` (s); false if there was nothing left to do.
    ///
    /// The step depends on the state and on `stop` alone, so a walk to `stop` is the same whether it
    /// is done in one go or broken off, saved and resumed.
    ///
    /// # Errors
    /// [`FlowError::Number`] if `stop` is no finite number.
    pub fn step_toward(&mut self, stop: f64) -> Result<bool, FlowError> {
        number("a time to advance to", stop, true, "a finite number of seconds")?;
        let left = stop - self.time;
        if left <= 0.0 {
            return Ok(false);
        }
        let longest = self.stable_dt().min(self.params.max_dt.unwrap_or(f64::INFINITY));
        let steps = (left / longest).ceil();
        self.stable_step((left / steps).min(longest), Path::Rows);
        if steps <= 1.0 {
            // Time adds up with rounding; arriving means arriving.
            self.time = stop;
        }
        Ok(true)
    }
}
