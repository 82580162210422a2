//! `headwater bench`: how fast the models are, each held against a reference in the same run. Machines
//! are shared and noisy; the ratio says more than the figure beside it.

mod blocks;
mod columns;
mod flow;
mod gpu;
mod hydrology;
mod waves;

use crate::rows;
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

/// A case: its name and how to measure it.
struct Case {
    name: &'static str,
    measure: fn(&'static str) -> Result<Row>,
}

/// Runs the cases that `wanted` names (all, if it names none).
pub(crate) fn run(wanted: &[String], json: bool) -> Result<()> {
    let cases = flow::CASES.iter().chain(&waves::CASES).chain(&blocks::CASES);
    let cases = cases.chain(&columns::CASES).chain(&hydrology::CASES);
    let cases = cases.chain(&gpu::CASES);
    let cases = cases.map(|&(name, measure)| Case { name, measure }).collect();
    let mut chosen = rows::choose(cases, wanted, |case| case.name)?;
    if wanted.is_empty() && !gpu::is_there() {
        eprintln!(
            "note: without a GPU its cases are left out; `headwater bench 'gpu/*'` runs them where it can"
        );
        chosen.retain(|case| !case.name.starts_with("gpu/"));
    }
    let mut all = Vec::new();
    let table = rows::Table::new(json, &["case", "speed", "against", "times as fast"]);
    for case in chosen {
        table.working_on(case.name);
        let row = (case.measure)(case.name)?;
        let speed = format!("{} {}", rows::figure(row.value), row.unit);
        table.row(&[row.name, &speed, row.reference, &rows::figure(row.ratio)]);
        all.push(row);
    }
    table.finish(&all)
}

/// Times `ours` and `reference` in turn, so that both see the same noise; gives the median seconds of
/// `ours` and the median ratio (the reference's time over ours) of the pairs. The first pair warms
/// up and does not count.
fn pairs(
    mut ours: impl FnMut() -> Result<()>,
    mut reference: impl FnMut() -> Result<()>,
) -> Result<(f64, f64)> {
    pairs_of_seconds(|| time(&mut ours), || time(&mut reference))
}

/// The same of what times itself.
fn pairs_of_seconds(
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

const ROUNDS: usize = 9;

fn time(work: &mut impl FnMut() -> Result<()>) -> Result<f64> {
    let start = Instant::now();
    work()?;
    Ok(start.elapsed().as_secs_f64())
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
