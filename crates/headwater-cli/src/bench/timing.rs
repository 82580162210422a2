//! A measured speed, and how it is measured: in turn with its reference.

use crate::pool::pool;
use anyhow::Result;
use headwater::parallel::ParallelFraction;
use serde::Serialize;
use std::time::Instant;

/// One measured speed.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Speed {
    /// The figure.
    pub(crate) value: f64,
    /// Its unit.
    pub(crate) unit: &'static str,
    /// What it is held against.
    pub(crate) reference: &'static str,
    /// The reference's time over ours: 2 is twice as fast. Of several rounds, the one in the middle.
    pub(crate) ratio: f64,
    /// Between what the ratios of the middle half of the rounds lie, where there were several.
    pub(crate) spread: Option<[f64; 2]>,
    /// Hashes of the two states at the end, where they must be the same.
    #[serde(skip)]
    pub(crate) states: Option<[u64; 2]>,
}

impl Speed {
    /// With the hashes of the two states at the end, which must be the same.
    pub(super) fn of_states(self, states: [u64; 2]) -> Self {
        Self { states: Some(states), ..self }
    }
}

/// A case: `model/case`, and how it is measured.
pub(super) type Case = (&'static str, fn() -> Result<Speed>);

/// What is timed: work that is done again and again.
pub(super) trait Work: FnMut() -> Result<()> {}

impl<W: FnMut() -> Result<()>> Work for W {}

/// How long a stretch of our work takes, and how long one of the reference's.
#[derive(Clone, Copy, Debug)]
pub(super) struct Race {
    pub(super) reference: &'static str,
    /// Of ours.
    pub(super) seconds: f64,
    /// The reference's time over ours.
    pub(super) ratio: f64,
    /// Between what the middle half of its rounds lie.
    pub(super) spread: Option<[f64; 2]>,
}

impl Race {
    pub(super) fn speed(self, value: f64, unit: &'static str) -> Speed {
        let Self { reference, ratio, spread, .. } = self;
        Speed { value, unit, reference, ratio, spread, states: None }
    }

    /// The same where the reference's stretch is so many times as long as was timed.
    pub(super) fn against_more(self, times: f64) -> Self {
        let spread = self.spread.map(|spread| spread.map(|ratio| ratio * times));
        Self { ratio: self.ratio * times, spread, ..self }
    }

    /// The speed of a stretch of so many cell-steps.
    pub(super) fn cell_steps(self, count: usize) -> Speed {
        self.speed(count as f64 / self.seconds / 1e6, "million cell-steps/s")
    }

    /// The milliseconds that each of so many in a stretch takes.
    pub(super) fn ms(self, unit: &'static str, count: usize) -> Speed {
        self.speed(1e3 * self.seconds / count as f64, unit)
    }
}

/// Rounds of a race, after one that warms up.
pub(super) const ROUNDS: usize = 9;

/// Times `ours` and `theirs` in turn, so that both see the same noise; gives the median seconds of `ours`, and the
/// median ratio of the pairs with its spread.
pub(super) fn race(
    reference: &'static str,
    mut ours: impl Work,
    mut theirs: impl Work,
) -> Result<Race> {
    race_of_seconds(reference, || time(&mut ours), || time(&mut theirs))
}

/// The same of what times itself.
pub(super) fn race_of_seconds(
    reference: &'static str,
    mut ours: impl FnMut() -> Result<f64>,
    mut theirs: impl FnMut() -> Result<f64>,
) -> Result<Race> {
    let (mut seconds, mut ratios) = (Vec::new(), Vec::new());
    for round in 0..=ROUNDS {
        let a = ours()?;
        let b = theirs()?;
        if round > 0 {
            seconds.push(a);
            ratios.push(b / a);
        }
    }
    ratios.sort_by(f64::total_cmp);
    let quarter = ratios.len() / 4;
    let spread = Some([ratios[quarter], ratios[ratios.len() - 1 - quarter]]);
    Ok(Race { reference, seconds: median(seconds), ratio: median(ratios), spread })
}

/// Which part of some work's time on one thread no other thread could help, in the round in the middle; and by how much more threads
/// could make it faster at most.
pub(super) fn serial(mut work: impl Work + Send) -> Result<Speed> {
    pool(1)?.install(|| {
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

/// Work that is done on so many threads.
pub(super) fn on(threads: usize, mut work: impl Work + Send) -> Result<impl Work> {
    let pool = pool(threads)?;
    Ok(move || pool.install(&mut work))
}

/// Does so many times what cannot fail.
pub(super) fn times(count: usize, mut work: impl FnMut()) -> Result<()> {
    (0..count).for_each(|_| work());
    Ok(())
}

/// The seconds that work takes.
pub(super) fn time(mut work: impl Work) -> Result<f64> {
    let start = Instant::now();
    work()?;
    Ok(start.elapsed().as_secs_f64())
}

/// The median of the seconds that work takes, over so many rounds.
pub(super) fn median_time(rounds: usize, mut work: impl Work) -> Result<f64> {
    Ok(median((0..rounds).map(|_| time(&mut work)).collect::<Result<_>>()?))
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
