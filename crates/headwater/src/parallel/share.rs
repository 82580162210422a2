//! [`ParallelFraction`]: how much of some work threads can share, measured on one thread.

use std::cell::Cell;
use std::time::Instant;

/// How long some work took on one thread, and how much of that in loops that threads share among them.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ParallelFraction {
    /// Time of all of it (s).
    pub total_seconds: f64,
    /// Time in loops of two tasks or more (s).
    pub parallel_seconds: f64,
}

impl ParallelFraction {
    /// Measures some work, which is to run on a pool of one thread or without the feature
    /// `parallel`; it is cut into parts as for two.
    pub fn measure(work: impl FnOnce()) -> Self {
        let begun = Instant::now();
        SHARED.set(Some(0.0));
        work();
        let shared = SHARED.take().unwrap_or(0.0);
        Self { total_seconds: begun.elapsed().as_secs_f64(), parallel_seconds: shared }
    }

    /// Serial part of the time, 0 to 1; by Amdahl's law, one over it bounds the gain of threads.
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
    /// Time that the work on this thread has spent in shared loops (s), if that is asked for and none is going on.
    static SHARED: Cell<Option<f64>> = const { Cell::new(None) };
}

pub(super) fn is_measured() -> bool {
    SHARED.get().is_some()
}

/// Does the work of a loop of so many tasks, and counts its time if that is asked for. A loop within a loop is part of that.
pub(super) fn shared<T>(tasks: usize, work: impl FnOnce() -> T) -> T {
    let so_far = if tasks > 1 { SHARED.take() } else { None };
    let Some(so_far) = so_far else { return work() };
    let begun = Instant::now();
    let done = work();
    SHARED.set(Some(so_far + begun.elapsed().as_secs_f64()));
    done
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    fn wait(milliseconds: u64) {
        std::thread::sleep(Duration::from_millis(milliseconds));
    }

    #[test]
    fn loops_of_one_task_and_what_lies_between_loops_are_serial() {
        let share = ParallelFraction::measure(|| {
            wait(20);
            assert!(is_measured());
            shared(2, || {
                wait(15);
                shared(4, || wait(15));
            });
            shared(1, || wait(20));
        });
        assert!(
            share.parallel_seconds >= 0.03 && share.total_seconds >= share.parallel_seconds + 0.04,
            "{share:?}"
        );
        let of_it = share.parallel_seconds / share.total_seconds;
        assert!((share.serial_fraction() + of_it - 1.0).abs() < 1e-12, "{share:?}");
        shared(2, || wait(1));
        assert!(!is_measured());
        assert_eq!(SHARED.get(), None);
        assert_eq!(ParallelFraction::default().serial_fraction(), 0.0);
    }
}
