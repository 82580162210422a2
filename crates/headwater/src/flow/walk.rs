//! Walks of many steps, and what they do at once.

use super::books::Books;
use super::context::{Roughness, Step};
use super::params::Physics;
use super::step::{Path, SHORTEST};
use super::when::When;
use super::world::Flow;
use super::{pipes, sweep};
use crate::clock::AdvanceSummary;
use crate::error::InputError;
use crate::parallel;

/// The time after a step of an advance to `stop`. Time adds up with rounding; arriving means arriving.
pub(crate) fn arrive(time: f64, stop: f64, dt: f64) -> f64 {
    // A clock that is far on has no number for a short step more: it goes to the next that there is.
    if dt >= stop - time { stop } else { (time + dt).max(time.next_up()) }
}

impl Flow {
    /// Advances by `seconds`, in equal steps within the stability limit and
    /// [`max_dt`](super::Params::max_dt). To bound the steps of a frame, use
    /// [`steps_toward`](Self::steps_toward).
    ///
    /// # Errors
    /// [`InputError`] if `seconds` is below 0, no number, longer than 10⁹ s or than 10⁹ of the longest steps.
    pub fn advance(&mut self, seconds: f64) -> Result<AdvanceSummary, InputError> {
        let stop = self.stop_after(seconds)?;
        let before = self.steps;
        parallel::run_in_pool(self.awake_cells(), || -> Result<(), InputError> {
            while self.steps_toward(stop, usize::MAX)? > 0 {}
            Ok(())
        })?;
        Ok(AdvanceSummary { steps: self.steps - before, alpha: 0.0, dropped: 0.0 })
    }

    fn stop_after(&self, seconds: f64) -> Result<f64, InputError> {
        self.params.check_advance(seconds)?;
        Ok(self.time + seconds)
    }

    /// The same advance by plain loops on one thread: equal to [`advance`](Self::advance) in every
    /// bit.
    ///
    /// # Errors
    /// As [`advance`](Self::advance).
    pub fn advance_plain(&mut self, seconds: f64) -> Result<AdvanceSummary, InputError> {
        let stop = self.stop_after(seconds)?;
        let before = self.steps;
        while let ([dt, ..], 1) = self.lengths(stop, 1) {
            let time = arrive(self.time, stop, dt);
            self.stable_step(dt, Path::Plain);
            self.time = time;
        }
        Ok(AdvanceSummary { steps: self.steps - before, alpha: 0.0, dropped: 0.0 })
    }

    /// Does one step of an advance to the time `stop` (s); false if there was nothing left to do.
    /// The step depends on the state and `stop` alone, so a walk may be interrupted, saved and
    /// resumed.
    ///
    /// # Errors
    /// [`InputError`] if `stop` is no finite number.
    pub fn step_toward(&mut self, stop: f64) -> Result<bool, InputError> {
        Ok(self.steps_toward(stop, 1)? > 0)
    }

    /// Does up to `most` steps of an advance to the time `stop` (s); returns how many. Equal to
    /// [`step_toward`](Self::step_toward), but in one pass over the grid where nothing comes
    /// between.
    ///
    /// # Errors
    /// As [`step_toward`](Self::step_toward).
    pub fn steps_toward(&mut self, stop: f64, most: usize) -> Result<usize, InputError> {
        InputError::check("a time to advance to", stop, true, "a finite number of seconds")?;
        Ok(parallel::run_in_pool(self.awake_cells(), || self.step_batch_toward(stop, most)))
    }

    fn step_batch_toward(&mut self, stop: f64, most: usize) -> usize {
        let most = if self.steps_follow_on() { most.min(sweep::MOST) } else { most.min(1) };
        let (lengths, count) = self.lengths(stop, most);
        let time = lengths[..count].iter().fold(self.time, |time, dt| arrive(time, stop, *dt));
        match count {
            0 => return 0,
            1 => self.stable_step(lengths[0], Path::Rows),
            _ => {
                let mut ledger = std::mem::take(&mut self.ledger);
                self.pass(&lengths[..count], &mut ledger);
                self.ledger = ledger;
            }
        }
        self.time = time;
        count
    }

    /// Lengths of the next steps of an advance to `stop` (s) while the longest stays the same, and
    /// how many; at most `most`.
    fn lengths(&self, stop: f64, most: usize) -> ([f64; sweep::MOST], usize) {
        self.lengths_within(self.stable_dt(), stop, most)
    }

    pub(crate) fn lengths_within(
        &self,
        stable: f64,
        stop: f64,
        most: usize,
    ) -> ([f64; sweep::MOST], usize) {
        let longest = stable.min(self.params.max_dt.unwrap_or(f64::INFINITY));
        let mut time = self.time;
        let (mut lengths, mut count) = ([0.0; sweep::MOST], 0);
        while stop - time >= SHORTEST && count < most {
            let left = stop - time;
            // However far off: as many steps as there are numbers for.
            let steps = (left / longest).ceil().min(f64::MAX);
            let dt = (left / steps).min(longest);
            time = arrive(time, stop, dt);
            lengths[count] = dt;
            count += 1;
        }
        (lengths, count)
    }

    /// True if nothing happens between two steps, and the length of the next is known before the last is done.
    pub(crate) fn steps_follow_on(&self) -> bool {
        self.params.level == Physics::Pipes
            && self.exchange.is_empty()
            && self.structures.is_empty()
            && self.bodies.is_empty()
            && self.tracers.is_none()
            && self.flood.is_none()
    }

    /// Several steps that follow on one another, in one pass over the grid, of these lengths, up to [`sweep::MOST`].
    pub(crate) fn pass(&mut self, lengths: &[f64], books: &mut impl Books) {
        let Self { lattice, params, state, boundaries, workspace, scratch, .. } = self;
        let scratch = &*scratch;
        workspace.sweep.tiles.mark_stepped(boundaries.joined(), &mut self.changes);
        let mut time = self.time;
        let count = lengths.len();
        let length = |i: usize| lengths.get(i).copied().unwrap_or(0.0);
        let edges: [_; sweep::MOST] = std::array::from_fn(|i| {
            let dt = length(i);
            let edges = boundaries.at(When::step(params.level, time, dt), params.gravity, scratch);
            time += dt;
            edges
        });
        let roughness = Roughness::Uniform(params.manning as f32);
        let step = |i| Step { lattice, params, edges: &edges[i], roughness, dt: length(i) };
        let steps: [Step; sweep::MOST] = std::array::from_fn(step);
        let pipes = steps.each_ref().map(pipes::sweep::Pipes::new);
        let (sweep, steps, pipes) = (&mut workspace.sweep, &steps[..count], &pipes[..count]);
        let passed = sweep::pass(state, sweep, steps, pipes, scratch);
        for number in 0..count {
            books.next_step();
            boundaries
                .book_crossed(lattice, books, |edge, n| passed.over(number, edge, n, scratch));
        }
        self.last_dt = lengths.last().map_or(self.last_dt, |&dt| dt as f32);
        self.steps += count as u64;
    }
}
