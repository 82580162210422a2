//! Running to a steady state, with the clock held.
//!
//! Selective frequency damping (Åkervik et al. 2006) draws every discharge towards its running
//! mean, `dq/dt = … − χ·(q − q̄)`, `dq̄/dt = (q − q̄)/Δ`. Swings are damped, and the steady states
//! are those of the equations. Volume is kept as in any step.

use super::params::Physics;
use super::settling::{Settle, Settled, Settling};
use super::step::Path;
use super::world::Flow;
use crate::error::InputError;
use crate::parameter::Parameters;

/// Steps after which the residual is worked out. Over a single step the rounding of depths would show.
const WINDOW: u64 = 50;

impl Flow {
    /// Brings the water to a steady state with the clock held: springs, rain and edges stay as they
    /// are now, tracers, bodies and flood records stand still; the ledger goes on. It gives up
    /// after [`Settle::longest`], which the result says.
    ///
    /// # Errors
    /// [`InputError`] if a number of `settle` is out of its range.
    pub fn settle(&mut self, settle: Settle) -> Result<Settled, InputError> {
        self.begin_settling(settle)?;
        loop {
            if let Some(settled) = self.settle_step() {
                return Ok(settled);
            }
        }
    }

    /// Begins to settle, for whoever wants to see how it goes: [`settle_step`](Self::settle_step) does the steps.
    ///
    /// # Errors
    /// As [`settle`](Self::settle).
    pub fn begin_settling(&mut self, settle: Settle) -> Result<(), InputError> {
        settle.check().map_err(|error| error.under("settle"))?;
        self.settling = Some(Box::new(Settling::new(settle, &self.state, self.slowest_swing())));
        Ok(())
    }

    /// Does a step of settling; tells when it is over, and then whenever it is asked again.
    pub fn settle_step(&mut self) -> Option<Settled> {
        let Some(mut settling) = self.settling.take() else {
            return Some(Settled { reached: true, residual: 0.0, seconds: 0.0, steps: 0 });
        };
        let dt = self.stable_dt().min(self.params.max_dt.unwrap_or(f64::INFINITY));
        // Whatever drifts waits.
        let (time, tracers, flood) = (self.time, self.tracers.take(), self.flood.take());
        let bodies = std::mem::take(&mut self.bodies);
        self.stable_step(dt, Path::Rows);
        (self.time, self.tracers, self.bodies, self.flood) = (time, tracers, bodies, flood);
        let dry = self.params.dry_depth as f32;
        settling.damp(&mut self.state, dry, dt);
        self.touch_all();
        settling.progress.steps += 1;
        settling.progress.seconds += dt;
        if settling.progress.steps.is_multiple_of(WINDOW) {
            let swing = [self.celerity(), self.slowest_swing()];
            settling.measure(&self.state, &self.lattice, dry, swing, &self.scratch);
            let Settled { residual, seconds, .. } = settling.progress;
            settling.progress.reached = residual <= settling.settle.tolerance;
            if settling.progress.reached || seconds >= settling.settle.longest {
                return Some(settling.progress);
            }
        }
        self.settling = Some(settling);
        None
    }

    /// How far settling has come, while it goes on.
    pub fn settling(&self) -> Option<Settled> {
        self.settling.as_ref().map(|settling| settling.progress)
    }

    fn slowest_swing(&self) -> f64 {
        std::f64::consts::PI * self.celerity() / self.lattice.width().max(self.lattice.height())
    }

    fn celerity(&self) -> f64 {
        let gravity = self.params.gravity;
        match self.params.level {
            Physics::Pipes => {
                (gravity * self.params.pipe_area / self.lattice.face_width(true)).sqrt()
            }
            Physics::Inertial | Physics::ShallowWater => {
                let wet = self
                    .state
                    .depth
                    .as_slice()
                    .iter()
                    .filter(|&&h| f64::from(h) > self.params.dry_depth);
                let depth = self.state.depth.sum() / (wet.count().max(1)) as f64;
                (gravity * depth.max(THIN)).sqrt()
            }
        }
    }
}

/// A dry world is filtered as one with so much water (m).
const THIN: f64 = 0.01;
