//! Methods that advance a flow world by many time steps. Several steps may share one pass over the
//! grid.

use super::context::{Roughness, StepContext};
use super::params::Physics;
use super::schemes::pipes;
use super::solver::sweep;
use super::sources::ledger_sink::LedgerSink;
use super::sources::sample_time::SampleTime;
use super::step::{MIN_DT, StepMethod};
use super::world::Flow;
use crate::clock::AdvanceSummary;
use crate::error::InputError;
use crate::parallel;

/// Returns the simulated time (s) after a step of `dt` seconds that starts at `time` (s). A step
/// that reaches the time `stop` (s) ends exactly at this time, despite rounding.
pub(crate) fn time_after_step(time: f64, stop: f64, dt: f64) -> f64 {
    // At a large time, a short step may be below the resolution of the time. The result is then the
    // next representable time.
    if dt >= stop - time { stop } else { (time + dt).max(time.next_up()) }
}

/// Relative tolerance in the computation of the number and length of steps. It is far below the
/// precision of the state (`f32`) and above that of the simulated time (`f64`).
const STEP_TOLERANCE: f64 = 1e-9;

/// Returns the number of equal steps that together take `duration` seconds, and the length of one
/// step (s). A step is at most `max_dt` seconds long, apart from rounding. A remainder that is due
/// to rounding does not cause an additional step, because the resulting change in step length would
/// add energy to waves near the stability limit.
#[must_use]
pub fn equal_steps(duration: f64, max_dt: f64) -> (f64, f64) {
    // The number is limited to the range of `f64`.
    let steps = (duration / max_dt * (1.0 - STEP_TOLERANCE)).ceil().clamp(1.0, f64::MAX);
    (steps, (duration / steps).min(max_dt * (1.0 + STEP_TOLERANCE)))
}

impl Flow {
    /// Advances the simulation by `seconds`, in time steps of equal length within the stability
    /// limit and [`max_dt`](super::Params::max_dt). To bound the number of steps per frame, use
    /// [`steps_toward`](Self::steps_toward) instead.
    ///
    /// # Errors
    /// Returns [`InputError`] if `seconds` is negative, NaN, longer than 10⁹ s or longer than 10⁹
    /// steps of `max_dt`.
    pub fn advance(&mut self, seconds: f64) -> Result<AdvanceSummary, InputError> {
        let stop = self.stop_time_after(seconds)?;
        let before = self.steps;
        parallel::run_in_pool(self.awake_cell_count(), || -> Result<(), InputError> {
            while self.steps_toward(stop, usize::MAX)? > 0 {}
            Ok(())
        })?;
        Ok(AdvanceSummary { steps: self.steps - before, alpha: 0.0, dropped: 0.0 })
    }

    fn stop_time_after(&self, seconds: f64) -> Result<f64, InputError> {
        self.params.check_duration(seconds)?;
        Ok(self.time + seconds)
    }

    /// Advances the simulation like [`advance`](Self::advance), but with the single-threaded
    /// reference loops. The result is identical, bit for bit.
    ///
    /// # Errors
    /// Returns an error under the same conditions as [`advance`](Self::advance).
    pub fn advance_plain(&mut self, seconds: f64) -> Result<AdvanceSummary, InputError> {
        let stop = self.stop_time_after(seconds)?;
        let before = self.steps;
        while let ([dt, ..], 1) = self.next_step_lengths(stop, 1) {
            let time = time_after_step(self.time, stop, dt);
            self.take_stable_step(dt, StepMethod::Plain);
            self.time = time;
        }
        Ok(AdvanceSummary { steps: self.steps - before, alpha: 0.0, dropped: 0.0 })
    }

    /// Takes one time step toward the simulated time `stop` (s). Returns false, without taking a
    /// step, if that time is reached already. The length of the step depends only on the state and
    /// `stop`, so a run may be interrupted, saved and resumed.
    ///
    /// # Errors
    /// Returns [`InputError`] if `stop` is not finite.
    pub fn step_toward(&mut self, stop: f64) -> Result<bool, InputError> {
        Ok(self.steps_toward(stop, 1)? > 0)
    }

    /// Takes up to `max_steps` time steps toward the simulated time `stop` (s), and returns the
    /// number of steps taken. The result equals that of repeated calls to
    /// [`step_toward`](Self::step_toward), but several steps share one pass over the grid if no
    /// event falls between them.
    ///
    /// # Errors
    /// Returns an error under the same conditions as [`step_toward`](Self::step_toward).
    pub fn steps_toward(&mut self, stop: f64, max_steps: usize) -> Result<usize, InputError> {
        InputError::check("a time to advance to", stop, true, "a finite number of seconds")?;
        Ok(parallel::run_in_pool(self.awake_cell_count(), || {
            self.step_batch_toward(stop, max_steps)
        }))
    }

    fn step_batch_toward(&mut self, stop: f64, max_steps: usize) -> usize {
        let max_steps = if self.can_combine_steps() {
            max_steps.min(sweep::STEPS_PER_PASS)
        } else {
            max_steps.min(1)
        };
        let (lengths, count) = self.next_step_lengths(stop, max_steps);
        let time =
            lengths[..count].iter().fold(self.time, |time, dt| time_after_step(time, stop, *dt));
        match count {
            0 => return 0,
            1 => self.take_stable_step(lengths[0], StepMethod::Rows),
            _ => {
                let mut ledger = std::mem::take(&mut self.ledger);
                self.run_pass(&lengths[..count], &mut ledger);
                self.ledger = ledger;
            }
        }
        self.time = time;
        count
    }

    /// Returns the lengths (s) of the next steps toward the simulated time `stop` (s), and the
    /// number of these steps. There are at most `max_steps` steps, and the remaining entries of the
    /// array are 0. The lengths assume that the stability limit stays constant.
    fn next_step_lengths(
        &self,
        stop: f64,
        max_steps: usize,
    ) -> ([f64; sweep::STEPS_PER_PASS], usize) {
        self.step_lengths(self.stable_dt(), stop, max_steps)
    }

    pub(crate) fn step_lengths(
        &self,
        stable: f64,
        stop: f64,
        max_steps: usize,
    ) -> ([f64; sweep::STEPS_PER_PASS], usize) {
        let longest = stable.min(self.params.max_dt.unwrap_or(f64::INFINITY));
        let mut time = self.time;
        let (mut lengths, mut count) = ([0.0; sweep::STEPS_PER_PASS], 0);
        while stop - time >= MIN_DT && count < max_steps {
            let left = stop - time;
            let (_, dt) = equal_steps(left, longest);
            time = time_after_step(time, stop, dt);
            lengths[count] = dt;
            count += 1;
        }
        (lengths, count)
    }

    /// Returns whether several steps can share one pass over the grid. This requires that the
    /// length of a step does not depend on the state, and that nothing acts on the water between
    /// two steps: no sources or losses, structures, bodies, tracers or flood statistics.
    pub(crate) fn can_combine_steps(&self) -> bool {
        self.params.level == Physics::Pipes
            && self.exchange.is_empty()
            && self.structures.is_empty()
            && self.bodies.is_empty()
            && self.tracers.is_none()
            && self.flood.is_none()
    }

    /// Performs several consecutive steps in one pass over the grid. `lengths` contains the length
    /// (s) of each step, for at most [`sweep::STEPS_PER_PASS`] steps. Records the water that
    /// crosses the edges of the grid in `sink`.
    pub(crate) fn run_pass(&mut self, lengths: &[f64], sink: &mut impl LedgerSink) {
        let Self { lattice, params, state, boundaries, workspace, scratch, .. } = self;
        let scratch = &*scratch;
        workspace.sweep.tiles.mark_stepped_tiles(boundaries.periodicity(), &mut self.changes);
        let mut time = self.time;
        let count = lengths.len();
        let length = |i: usize| lengths.get(i).copied().unwrap_or(0.0);
        let edges: [_; sweep::STEPS_PER_PASS] = std::array::from_fn(|i| {
            let dt = length(i);
            let edges = boundaries.edge_states(
                SampleTime::for_step(params.level, time, dt),
                params.gravity,
                scratch,
            );
            time += dt;
            edges
        });
        let roughness = Roughness::Uniform(params.manning as f32);
        let step = |i| StepContext { lattice, params, edges: &edges[i], roughness, dt: length(i) };
        let steps: [StepContext; sweep::STEPS_PER_PASS] = std::array::from_fn(step);
        let pipes = steps.each_ref().map(pipes::sweep::PipesScheme::new);
        let (sweep, steps, pipes) = (&mut workspace.sweep, &steps[..count], &pipes[..count]);
        let result = sweep::run_pass(state, sweep, steps, pipes, scratch);
        for number in 0..count {
            sink.next_step();
            boundaries.record_crossings(lattice, sink, |edge, n| {
                result.edge_crossings(number, edge, n, scratch)
            });
        }
        self.last_dt = lengths.last().map_or(self.last_dt, |&dt| dt as f32);
        self.steps += count as u64;
    }
}
