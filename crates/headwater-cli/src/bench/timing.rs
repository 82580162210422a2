//! A measured speed, and how it is measured: in turn with its reference.

use anyhow::Result;
use serde::Serialize;
use std::time::Instant;

/// One measured speed.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Row {
    /// `model/case`.
    pub(crate) name: &'static str,
    /// The figure.
    pub(crate) value: f64,
    /// Its unit.
    pub(crate) unit: &'static str,
    /// What it is held against.
    pub(crate) reference: &'static str,
    /// The reference's time over ours: 2 is twice as fast.
    pub(crate) ratio: f64,
}

/// Times `ours` and `reference` in turn, so that both see the same noise; gives the median seconds of
/// `ours` and the median ratio (the reference's time over ours) of the pairs. The first pair warms
/// up and does not count.
pub(super) fn pairs(
    mut ours: impl FnMut() -> Result<()>,
    mut reference: impl FnMut() -> Result<()>,
) -> Result<(f64, f64)> {
    pairs_of_seconds(|| time(&mut ours), || time(&mut reference))
}

/// The same of what times itself.
pub(super) fn pairs_of_seconds(
    mut ours: impl FnMut() -> Result<f64>,
    mut reference: impl FnMut() -> Result<f64>,
) -> Result<(f64, f64)> {
    let (mut seconds, mut ratios) = (Vec::new(), Vec::new());
    for round in 0..=ROUNDS {
        let a = ours()?;
        let b = reference()?;
        if round > 0 {
            seconds.push(a);
            ratios.push(b / a);
        }
    }
    Ok((median(seconds), median(ratios)))
}

pub(super) const ROUNDS: usize = 9;

pub(super) fn time(work: &mut impl FnMut() -> Result<()>) -> Result<f64> {
    let start = Instant::now();
    work()?;
    Ok(start.elapsed().as_secs_f64())
}

pub(super) fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
