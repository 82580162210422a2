//! Methods that advance the world by a time or a number of steps and report progress to a callback.

use super::error::FacadeError;
use super::facade::Facade;
use headwater::InputError;

/// Largest number of steps between two calls of the progress callback.
const STEPS_PER_CALLBACK: u64 = 8;

/// Maximum duration of one call of [`Facade::advance`], in multiples of the current step length.
const MAX_STEPS: f64 = 1e9;

/// Progress of a call of [`Facade::advance`]. It is passed to the callback of the call.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Progress {
    /// Simulated time (s; in the model `hydrology`, raindrops per cell).
    pub time: f64,
    /// Number of steps that the world has taken since its start.
    pub steps: u64,
    /// Completed fraction of the requested time, from 0 to 1. The fraction is 0 while the world is
    /// still being relaxed to its steady initial state.
    pub part: f64,
}

/// Result of [`Facade::advance`] or [`Facade::step`], which advance the world.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AdvanceOutcome {
    /// Number of steps that the call has taken.
    pub steps: u64,
    /// Simulated time after the call (s; in the model `hydrology`, raindrops per cell).
    pub time: f64,
    /// Whether the requested time or number of steps was reached. False if the callback has stopped
    /// the advance.
    pub done: bool,
}

impl Facade {
    /// Advances the world by `time` (s; in the model `hydrology`, raindrops per cell). The world
    /// takes whole steps, so it reaches the requested time or exceeds it by less than one step. The
    /// excess is subtracted from the next advance, so several short advances take the same steps as
    /// one long advance.
    ///
    /// `on_progress` is called every few steps. If it returns false, the advance ends early, and
    /// the next advance starts from the time reached.
    ///
    /// # Errors
    /// Returns [`FacadeError`] if `time` is negative, not finite, or longer than 10⁹ steps, or if
    /// the model fails.
    pub fn advance(
        &mut self,
        time: f64,
        on_progress: &mut dyn FnMut(Progress) -> bool,
    ) -> Result<AdvanceOutcome, FacadeError> {
        let longest = MAX_STEPS * self.step_length();
        let unit = self.time_unit();
        let allowed = format_args!("0 to {longest:e} {unit}, 10⁹ steps");
        InputError::check("time", time, (0.0..=longest).contains(&time), allowed)?;
        let (first, start) = (self.steps(), self.live.clock());
        let target = self.target + time;
        let mut stopped = false;
        while !stopped && (self.live.is_settling() || self.live.is_before(target)) {
            let part = (self.live.clock() - start) / (target - start);
            let part = if self.live.is_settling() { 0.0 } else { part.clamp(0.0, 1.0) };
            stopped = !on_progress(Progress { time: self.time(), steps: self.steps(), part });
            if !stopped {
                // The inner callback runs before each batch of steps and ends the call after one
                // batch.
                let mut rounds = 0;
                self.live.advance(target, &mut || {
                    rounds += 1;
                    rounds > 1
                })?;
            }
        }
        self.target = if stopped { self.live.clock() } else { target };
        Ok(self.advance_outcome(first, !stopped))
    }

    /// Takes `count` steps and applies all events that become due. If the initial relaxation to a
    /// steady state has not ended, completes it first. Calls `on_progress` every few steps, and
    /// ends early if the callback returns false.
    ///
    /// # Errors
    /// Returns [`FacadeError`] if the model fails.
    pub fn step(
        &mut self,
        count: u64,
        on_progress: &mut dyn FnMut(Progress) -> bool,
    ) -> Result<AdvanceOutcome, FacadeError> {
        let first = self.steps();
        let mut stopped = false;
        // Steps of the initial relaxation are not part of `count`.
        while !stopped && count > 0 && self.live.is_settling() {
            stopped = !on_progress(Progress { time: self.time(), steps: self.steps(), part: 0.0 });
            if !stopped {
                self.live.step()?;
            }
        }
        let start = self.steps();
        let end = start.saturating_add(count);
        while !stopped && self.steps() < end {
            let part = (self.steps() - start) as f64 / count as f64;
            stopped = !on_progress(Progress { time: self.time(), steps: self.steps(), part });
            if !stopped {
                self.live.take_steps((end - self.steps()).min(STEPS_PER_CALLBACK))?;
            }
        }
        self.target = self.live.clock();
        Ok(self.advance_outcome(first, !stopped))
    }

    fn advance_outcome(&self, first: u64, done: bool) -> AdvanceOutcome {
        AdvanceOutcome { steps: self.steps() - first, time: self.time(), done }
    }
}
