//! [`ParallelFraction`], which measures the fraction of run time that is spent in parallel loops.
//! The measurement runs on one thread.

use std::cell::Cell;
use std::time::Instant;

/// Run time of a piece of work on one thread: in total, and in parallel loops only.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ParallelFraction {
    /// Total time of the work (s).
    pub total_seconds: f64,
    /// Time in parallel loops with at least two tasks (s).
    pub parallel_seconds: f64,
}

impl ParallelFraction {
    /// Measures the time that `work` takes, in total and in parallel loops. Call this function on a
    /// pool of one thread or without the feature `parallel`. During the measurement, loops are
    /// split into tasks as if there were two threads.
    pub fn measure(work: impl FnOnce()) -> Self {
        let start = Instant::now();
        PARALLEL_TIME.set(Some(0.0));
        work();
        let parallel_seconds = PARALLEL_TIME.take().unwrap_or(0.0);
        Self { total_seconds: start.elapsed().as_secs_f64(), parallel_seconds }
    }

    /// Returns the fraction of the time that was spent outside parallel loops (0 to 1). By Amdahl's
    /// law, its reciprocal is an upper bound on the speed-up by multithreading.
    #[must_use]
    pub fn serial_fraction(self) -> f64 {
        if self.total_seconds > 0.0 {
            (1.0 - self.parallel_seconds / self.total_seconds).max(0.0)
        } else {
            0.0
        }
    }
}

thread_local! {
    /// Accumulated time in parallel loops (s). `None` if no measurement is active on this thread,
    /// or while a measured loop is running.
    static PARALLEL_TIME: Cell<Option<f64>> = const { Cell::new(None) };
}

/// Returns whether a measurement is active on this thread and no parallel loop is running.
pub(super) fn is_measuring() -> bool {
    PARALLEL_TIME.get().is_some()
}

/// Timer of a parallel loop. When it is dropped, it adds the duration of the loop to the active
/// measurement, if any. The time of nested loops is counted only once.
pub(super) struct LoopTimer {
    /// Start time of the loop, and the accumulated time of earlier loops (s). `None` if the loop is
    /// not measured.
    measured: Option<(Instant, f64)>,
}

impl LoopTimer {
    /// Starts the timer of a loop with `tasks` tasks. A loop with a single task does not count as
    /// parallel and is not measured.
    pub(super) fn start(tasks: usize) -> Self {
        let so_far = if tasks > 1 { PARALLEL_TIME.take() } else { None };
        Self { measured: so_far.map(|so_far| (Instant::now(), so_far)) }
    }
}

impl Drop for LoopTimer {
    fn drop(&mut self) {
        if let Some((start, so_far)) = self.measured {
            PARALLEL_TIME.set(Some(so_far + start.elapsed().as_secs_f64()));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    fn wait(milliseconds: u64) {
        std::thread::sleep(Duration::from_millis(milliseconds));
    }

    #[test]
    fn single_task_loops_and_code_between_loops_are_serial() {
        let share = ParallelFraction::measure(|| {
            wait(20);
            assert!(is_measuring());
            {
                let _outer = LoopTimer::start(2);
                wait(15);
                let _nested = LoopTimer::start(4);
                wait(15);
            }
            let _single = LoopTimer::start(1);
            wait(20);
        });
        assert!(
            share.parallel_seconds >= 0.03 && share.total_seconds >= share.parallel_seconds + 0.04,
            "{share:?}"
        );
        let parallel = share.parallel_seconds / share.total_seconds;
        assert!((share.serial_fraction() + parallel - 1.0).abs() < 1e-12, "{share:?}");
        drop(LoopTimer::start(2));
        assert!(!is_measuring());
        assert_eq!(PARALLEL_TIME.get(), None);
        assert_eq!(ParallelFraction::default().serial_fraction(), 0.0);
    }
}
