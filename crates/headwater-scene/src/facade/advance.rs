//! Time goes on, and whoever waits is told and asked.

use super::error::FacadeError;
use super::facade::Facade;
use headwater::InputError;

/// Steps after which the caller is told and asked.
const TOGETHER: u64 = 8;

/// The longest that one advance may be, in steps.
const LONGEST: f64 = 1e9;

/// How far an advance is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Progress {
    /// Simulated time.
    pub time: f64,
    /// Steps since the world's start.
    pub steps: u64,
    /// The part that is done, 0 to 1; while the world settles, 0.
    pub part: f64,
}

/// What came of an advance.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AdvanceOutcome {
    /// Steps done.
    pub steps: u64,
    /// Simulated time now.
    pub time: f64,
    /// Whether it came to its end, and was not stopped.
    pub done: bool,
}

impl Facade {
    /// Advances by a time. A world rests after whole steps: at the time asked for so far, or less than a step from it, which the next
    /// advance takes into account. So many short advances do the same steps as a long one. Every few steps `goes_on` is told how far it is; if
    /// it says `false`, the advance ends there, and the next one counts from there.
    ///
    /// # Errors
    /// [`FacadeError`] if the time is no number from 0 to 10⁹ steps, or the world cannot go on.
    pub fn advance(
        &mut self,
        time: f64,
        goes_on: &mut dyn FnMut(Progress) -> bool,
    ) -> Result<AdvanceOutcome, FacadeError> {
        let longest = LONGEST * self.step_length();
        let unit = self.time_unit();
        let allowed = format_args!("0 to {longest:e} {unit}, 10⁹ steps");
        InputError::check("time", time, (0.0..=longest).contains(&time), allowed)?;
        let (first, begun) = (self.steps(), self.live.clock());
        let target = self.target + time;
        let mut stopped = false;
        while !stopped && (self.live.is_settling() || self.live.is_before(target)) {
            let part = (self.live.clock() - begun) / (target - begun);
            let part = if self.live.is_settling() { 0.0 } else { part.clamp(0.0, 1.0) };
            stopped = !goes_on(Progress { time: self.time(), steps: self.steps(), part });
            if !stopped {
                // Once it has been asked, it goes on for a few steps.
                let mut rounds = 0;
                self.live.advance(target, &mut || {
                    rounds += 1;
                    rounds > 1
                })?;
            }
        }
        self.target = if stopped { self.live.clock() } else { target };
        Ok(self.arrived(first, !stopped))
    }

    /// Does so many steps, with all events that are due, after those of settling, if any are left; asks `goes_on` as [`advance`](Self::advance) does.
    ///
    /// # Errors
    /// [`FacadeError`] if the world cannot go on.
    pub fn step(
        &mut self,
        count: u64,
        goes_on: &mut dyn FnMut(Progress) -> bool,
    ) -> Result<AdvanceOutcome, FacadeError> {
        let first = self.steps();
        let mut stopped = false;
        // What comes before the clock starts counts as none of them.
        while !stopped && count > 0 && self.live.is_settling() {
            stopped = !goes_on(Progress { time: self.time(), steps: self.steps(), part: 0.0 });
            if !stopped {
                self.live.step()?;
            }
        }
        let begun = self.steps();
        let end = begun.saturating_add(count);
        while !stopped && self.steps() < end {
            let part = (self.steps() - begun) as f64 / count as f64;
            stopped = !goes_on(Progress { time: self.time(), steps: self.steps(), part });
            if !stopped {
                self.live.steps((end - self.steps()).min(TOGETHER))?;
            }
        }
        self.target = self.live.clock();
        Ok(self.arrived(first, !stopped))
    }

    fn arrived(&self, first: u64, done: bool) -> AdvanceOutcome {
        AdvanceOutcome { steps: self.steps() - first, time: self.time(), done }
    }
}
