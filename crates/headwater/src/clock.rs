//! [`FixedStep`]: the clock of models whose steps have one length.

use crate::error::InputError;
use serde::{Deserialize, Serialize};

/// The longest time that one advance may ask for (steps).
const MAX_ADVANCE_STEPS: f64 = 1e9;

/// A frame that ends this part of a step before a whole step counts as reaching it, because of
/// rounding.
const ROUNDING_TOLERANCE: f64 = 1e-6;

/// What came of an `advance`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AdvanceSummary {
    /// Steps done.
    pub steps: u64,
    /// The part of a step, 0 to 1, by which the time asked for exceeds the world's, to interpolate
    /// between its last two states; 0 for models that end exactly.
    pub alpha: f64,
    /// Time left out, in the world's unit, because of the most steps of one advance.
    pub dropped: f64,
}

/// Turns times of frames into whole steps and keeps the rest, for the same motion at any frame
/// rate.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct FixedStep {
    /// Time accumulator, in steps: below 1, and no lower than a rounding below 0.
    accumulator: f64,
}

impl FixedStep {
    /// How many steps of the length `step` (s) a frame of `seconds` makes, at most `most`.
    ///
    /// # Errors
    /// [`InputError`] if `seconds` is below 0, no number or as long as 10⁹ steps.
    pub fn advance(
        &mut self,
        seconds: f64,
        step: f64,
        most: u32,
    ) -> Result<AdvanceSummary, InputError> {
        let longest = MAX_ADVANCE_STEPS * step;
        let in_range = (0.0..=longest).contains(&seconds);
        InputError::check("an advance", seconds, in_range, format_args!("0 to {longest} s"))?;
        let accumulator = self.accumulator + seconds / step;
        let due = (accumulator + ROUNDING_TOLERANCE).floor();
        let dropped = (due - f64::from(most)).max(0.0);
        self.accumulator = accumulator - due;
        let steps = due.min(most.into()) as u64;
        Ok(AdvanceSummary { steps, alpha: self.accumulator.max(0.0), dropped: dropped * step })
    }

    /// Whether a frame of `seconds` makes a step of the length `step` (s).
    pub fn would_step(&self, seconds: f64, step: f64) -> bool {
        self.accumulator + seconds / step + ROUNDING_TOLERANCE >= 1.0
    }

    /// Whether it is one that advances can lead to.
    pub fn is_valid(&self) -> bool {
        self.accumulator.is_finite() && self.accumulator.abs() <= 1.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_of_any_length_make_the_same_steps() {
        for frames in [30, 60, 144] {
            let mut clock = FixedStep::default();
            let seconds = 1.0 / f64::from(frames);
            let steps = |_| clock.advance(seconds, 1.0 / 60.0, 16).map_or(0, |done| done.steps);
            assert_eq!((0..frames).map(steps).sum::<u64>(), 60, "{frames} frames per second");
        }
    }

    #[test]
    fn what_a_slow_machine_cannot_do_is_dropped() {
        let mut clock = FixedStep::default();
        let done = clock.advance(1.0, 0.1, 4);
        assert_eq!(done.map(|done| (done.steps, done.dropped)), Ok((4, 0.6000000000000001)));
        assert!(clock.advance(-1.0, 0.1, 4).is_err());
        assert!(clock.advance(f64::NAN, 0.1, 4).is_err());
    }
}
