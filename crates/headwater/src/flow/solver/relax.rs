//! Relaxation of a flow world to a steady state, without advancing the simulated time.
//!
//! Selective frequency damping (Åkervik et al. 2006) relaxes every discharge toward its running
//! mean, `dq/dt = … − χ·(q − q̄)`, `dq̄/dt = (q − q̄)/Δ`. Oscillations are damped, and the steady
//! states are those of the undamped equations. Volume is conserved as in any step.

use super::relaxation::{Relaxation, RelaxationParams, RelaxationStatus};
use crate::error::InputError;
use crate::flow::params::Physics;
use crate::flow::step::StepMethod;
use crate::flow::world::Flow;
use crate::parameter::Parameters;

/// Number of steps between two evaluations of the residual. Over fewer steps, the rounding errors
/// of the depths would dominate the residual.
const STEPS_PER_WINDOW: u64 = 50;

impl Flow {
    /// Relaxes the water to a steady state without advancing the simulated time. Springs, rain and
    /// boundaries keep their current rates and levels. Tracers, bodies and flood statistics do not
    /// change; the ledger records volumes as in any step. If the tolerance is not reached, the
    /// relaxation stops after [`RelaxationParams::longest`], and the returned status reports this.
    ///
    /// # Errors
    /// Returns [`InputError`] if a value of `params` is out of its range.
    pub fn relax_to_steady(
        &mut self,
        params: RelaxationParams,
    ) -> Result<RelaxationStatus, InputError> {
        self.start_relaxation(params)?;
        loop {
            if let Some(result) = self.step_relaxation() {
                return Ok(result);
            }
        }
    }

    /// Starts a relaxation to a steady state. The caller then calls
    /// [`step_relaxation`](Self::step_relaxation) until the relaxation ends, and can show its
    /// progress between the steps.
    ///
    /// # Errors
    /// Returns an error under the same conditions as [`relax_to_steady`](Self::relax_to_steady).
    pub fn start_relaxation(&mut self, params: RelaxationParams) -> Result<(), InputError> {
        params.check().map_err(|error| error.with_table_prefix("settle"))?;
        self.settling =
            Some(Box::new(Relaxation::new(params, &self.state, self.slowest_frequency())));
        Ok(())
    }

    /// Performs one step of the current relaxation. Returns `None` while the relaxation continues.
    /// Returns the final status if the relaxation has ended, or if no relaxation is in progress.
    pub fn step_relaxation(&mut self) -> Option<RelaxationStatus> {
        let Some(mut settling) = self.settling.take() else {
            return Some(RelaxationStatus { reached: true, residual: 0.0, seconds: 0.0, steps: 0 });
        };
        let dt = self.stable_dt().min(self.params.max_dt.unwrap_or(f64::INFINITY));
        // Tracers, bodies and flood statistics are frozen.
        let (time, tracers, flood) = (self.time, self.tracers.take(), self.flood.take());
        let bodies = std::mem::take(&mut self.bodies);
        self.take_stable_step(dt, StepMethod::Rows);
        (self.time, self.tracers, self.bodies, self.flood) = (time, tracers, bodies, flood);
        let dry = self.params.dry_depth as f32;
        settling.damp_discharges(&mut self.state, dry, dt);
        self.mark_all_changed();
        settling.progress.steps += 1;
        settling.progress.seconds += dt;
        if settling.progress.steps.is_multiple_of(STEPS_PER_WINDOW) {
            let mode = [self.longest_wave_celerity(), self.slowest_frequency()];
            settling.update_residual(&self.state, &self.lattice, dry, mode, &self.scratch);
            let RelaxationStatus { residual, seconds, .. } = settling.progress;
            settling.progress.reached = residual <= settling.settle.tolerance;
            if settling.progress.reached || seconds >= settling.settle.longest {
                return Some(settling.progress);
            }
        }
        self.settling = Some(settling);
        None
    }

    /// Returns the progress of the current relaxation, or `None` if there is none.
    pub fn relaxation_status(&self) -> Option<RelaxationStatus> {
        self.settling.as_ref().map(|settling| settling.progress)
    }

    fn slowest_frequency(&self) -> f64 {
        std::f64::consts::PI * self.longest_wave_celerity()
            / self.lattice.width().max(self.lattice.height())
    }

    fn longest_wave_celerity(&self) -> f64 {
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
                (gravity * depth.max(MIN_DEPTH)).sqrt()
            }
        }
    }
}

/// Smallest mean depth (m) from which the wave speed is computed, so that this speed is above 0
/// even in a dry world.
const MIN_DEPTH: f64 = 0.01;
