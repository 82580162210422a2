//! Timing of a benchmark case in alternation with its reference.

use crate::pool::create_pool;
use anyhow::Result;
use headwater::parallel::ParallelFraction;
use serde::Serialize;
use std::time::Instant;

/// Measured speed of a case, compared with a reference.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Speed {
    /// Measured value, in the unit `unit`.
    pub(crate) value: f64,
    /// Unit of `value`, such as `ms`.
    pub(crate) unit: &'static str,
    /// Name of the reference implementation or setting.
    pub(crate) reference: &'static str,
    /// Time of the reference divided by the time of the case (dimensionless): 2 means twice as
    /// fast. This is the median of the rounds.
    pub(crate) ratio: f64,
    /// First and third quartile of the rounds' ratios (dimensionless); `None` if there was only one
    /// round.
    pub(crate) spread: Option<[f64; 2]>,
    /// Final state hashes of the case and the reference; `None` if the states need not be equal.
    #[serde(skip)]
    pub(crate) states: Option<[u64; 2]>,
}

impl Speed {
    /// Sets the final state hashes of the case and the reference. The two hashes must be equal.
    pub(super) fn with_state_hashes(self, states: [u64; 2]) -> Self {
        Self { states: Some(states), ..self }
    }
}

/// Benchmark case: its name in the form `model/case`, and the function that measures its speed.
pub(super) type Case = (&'static str, fn() -> Result<Speed>);

/// Function that is timed repeatedly.
pub(super) trait Work: FnMut() -> Result<()> {}

impl<W: FnMut() -> Result<()>> Work for W {}

/// Result of timing a case and its reference in alternation.
#[derive(Clone, Copy, Debug)]
pub(super) struct Comparison {
    pub(super) reference: &'static str,
    /// Time (s) of one run of the case. This is the median of the rounds.
    pub(super) seconds: f64,
    /// Time of the reference divided by the time of the case (dimensionless). This is the median of
    /// the rounds.
    pub(super) ratio: f64,
    /// First and third quartile of the rounds' ratios (dimensionless); `None` if there was only one
    /// round.
    pub(super) spread: Option<[f64; 2]>,
}

impl Comparison {
    pub(super) fn speed(self, value: f64, unit: &'static str) -> Speed {
        let Self { reference, ratio, spread, .. } = self;
        Speed { value, unit, reference, ratio, spread, states: None }
    }

    /// Multiplies the time of the reference by `times`. Used if a run of the reference does less
    /// work than a run of the case.
    pub(super) fn scale_reference(self, times: f64) -> Self {
        let spread = self.spread.map(|spread| spread.map(|ratio| ratio * times));
        Self { ratio: self.ratio * times, spread, ..self }
    }

    /// Returns the speed in cell-steps per second, for runs of `count` cell-steps.
    pub(super) fn to_cell_steps_per_second(self, count: usize) -> Speed {
        self.speed(count as f64 / self.seconds / 1e6, "million cell-steps/s")
    }

    /// Returns the time per unit of work (ms), for runs that consist of `count` units of work, such
    /// as steps. `unit` is the unit of time in the report, such as `ms a step`.
    pub(super) fn to_milliseconds(self, unit: &'static str, count: usize) -> Speed {
        self.speed(1e3 * self.seconds / count as f64, unit)
    }
}

/// Number of timed rounds, which follow one round for warm-up.
pub(super) const ROUNDS: usize = 9;

/// Times `case` and `reference_run` alternately, so that disturbances affect
/// both equally. Returns the median time of the case, and the median of the time ratios with its
/// interquartile range.
pub(super) fn compare(
    reference: &'static str,
    mut case: impl Work,
    mut reference_run: impl Work,
) -> Result<Comparison> {
    compare_seconds(reference, || time(&mut case), || time(&mut reference_run))
}

/// Compares two functions that measure their own time and return it in seconds, like [`compare`].
pub(super) fn compare_seconds(
    reference: &'static str,
    mut case: impl FnMut() -> Result<f64>,
    mut reference_run: impl FnMut() -> Result<f64>,
) -> Result<Comparison> {
    let (mut seconds, mut ratios) = (Vec::new(), Vec::new());
    for round in 0..=ROUNDS {
        let a = case()?;
        let b = reference_run()?;
        if round > 0 {
            seconds.push(a);
            ratios.push(b / a);
        }
    }
    ratios.sort_by(f64::total_cmp);
    let quarter = ratios.len() / 4;
    let spread = Some([ratios[quarter], ratios[ratios.len() - 1 - quarter]]);
    Ok(Comparison { reference, seconds: median(seconds), ratio: median(ratios), spread })
}

/// Measures, on one thread, the fraction of the time of `work` that is spent outside of parallel
/// loops (median of the rounds). [`Speed::ratio`] is the reciprocal of this fraction and thus the
/// upper bound of the speedup with many threads (Amdahl's law).
pub(super) fn serial_fraction(mut work: impl Work + Send) -> Result<Speed> {
    create_pool(1)?.install(|| {
        let mut parts = Vec::new();
        for round in 0..=ROUNDS {
            let mut done = Ok(());
            let share = ParallelFraction::measure(|| done = work());
            done?;
            if round > 0 {
                parts.push(share.serial_fraction());
            }
        }
        let part = median(parts);
        let (unit, reference) = ("% of a step is serial", "1 thread, at most");
        let ratio = 1.0 / part.max(1e-6);
        Ok(Speed { value: 1e2 * part, unit, reference, ratio, spread: None, states: None })
    })
}

/// Returns a function that runs `work` in a pool of `threads` threads.
pub(super) fn in_thread_pool(threads: usize, mut work: impl Work + Send) -> Result<impl Work> {
    let pool = create_pool(threads)?;
    Ok(move || pool.install(&mut work))
}

/// Calls `work`, which cannot fail, `count` times.
pub(super) fn repeat(count: usize, mut work: impl FnMut()) -> Result<()> {
    (0..count).for_each(|_| work());
    Ok(())
}

/// Calls `work` once and returns the elapsed time (s).
pub(super) fn time(mut work: impl Work) -> Result<f64> {
    let start = Instant::now();
    work()?;
    Ok(start.elapsed().as_secs_f64())
}

/// Calls `work` `rounds` times and returns the median of the elapsed times (s).
pub(super) fn median_time(rounds: usize, mut work: impl Work) -> Result<f64> {
    Ok(median((0..rounds).map(|_| time(&mut work)).collect::<Result<_>>()?))
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
