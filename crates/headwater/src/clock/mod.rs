//! [`FixedStep`]: time accumulator that converts frame durations to whole steps, for models with a
//! fixed time step.

pub(super) mod fixed_step;

use crate::error::InputError;
use serde::{Deserialize, Serialize};

/// Maximum duration of one `advance` call, as a multiple of the step length.
const MAX_ADVANCE_STEPS: f64 = 1e9;

/// Fraction of a step by which the accumulated time may fall short of a whole step and still count
/// as one. This tolerance compensates for rounding.
const ROUNDING_TOLERANCE: f64 = 1e-6;

/// Result of one `advance` call of a model.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AdvanceSummary {
    /// Number of time steps performed.
    pub steps: u64,
    /// Time left in the accumulator as a fraction of a step (0 to 1), for interpolation between the
    /// last two states. Always 0 for models with variable steps.
    pub alpha: f64,
    /// Time that was skipped because of the limit on the number of steps per call (s).
    pub dropped: f64,
}

/// Time accumulator that converts frame durations to whole steps and keeps the remainder for the
/// next frame. With it, the simulation speed does not depend on the frame rate.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct FixedStep {
    /// Accumulated time as a fraction of a step, from 0 to 1 except for rounding.
    accumulator: f64,
}

impl FixedStep {
    /// Adds a frame of `seconds` to the accumulator and removes all whole steps of length `step`
    /// (s) from it. The returned summary contains the number of steps to perform, at most
    /// `max_steps`. The time of any further steps is dropped.
    ///
    /// # Errors
    /// Returns [`InputError`] if `seconds` is negative, not finite or longer than 10⁹ steps.
    pub fn advance(
        &mut self,
        seconds: f64,
        step: f64,
        max_steps: u32,
    ) -> Result<AdvanceSummary, InputError> {
        let longest = MAX_ADVANCE_STEPS * step;
        let in_range = (0.0..=longest).contains(&seconds);
        InputError::check("an advance", seconds, in_range, format_args!("0 to {longest} s"))?;
        let accumulator = self.accumulator + seconds / step;
        let due = (accumulator + ROUNDING_TOLERANCE).floor();
        let dropped = (due - f64::from(max_steps)).max(0.0);
        self.accumulator = accumulator - due;
        let steps = due.min(max_steps.into()) as u64;
        Ok(AdvanceSummary { steps, alpha: self.accumulator.max(0.0), dropped: dropped * step })
    }

    /// Returns whether the accumulator would contain at least one whole step of length `step` (s)
    /// after adding a frame of `seconds`.
    pub fn would_step(&self, seconds: f64, step: f64) -> bool {
        self.accumulator + seconds / step + ROUNDING_TOLERANCE >= 1.0
    }

    /// Returns whether the accumulated time is finite and at most one step. Used to validate
    /// snapshots.
    pub fn is_valid(&self) -> bool {
        self.accumulator.is_finite() && self.accumulator.abs() <= 1.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_number_of_steps_does_not_depend_on_the_frame_rate() {
        for frames in [30, 60, 144] {
            let mut clock = FixedStep::default();
            let seconds = 1.0 / f64::from(frames);
            let steps = |_| clock.advance(seconds, 1.0 / 60.0, 16).map_or(0, |done| done.steps);
            assert_eq!((0..frames).map(steps).sum::<u64>(), 60, "{frames} frames per second");
        }
    }

    #[test]
    fn time_beyond_the_step_limit_is_dropped() {
        let mut clock = FixedStep::default();
        let done = clock.advance(1.0, 0.1, 4);
        assert_eq!(done.map(|done| (done.steps, done.dropped)), Ok((4, 0.6000000000000001)));
        assert!(clock.advance(-1.0, 0.1, 4).is_err());
        assert!(clock.advance(f64::NAN, 0.1, 4).is_err());
    }
}
