//! `headwater bench`: how fast the models are, each held against a reference in the same run. Machines
//! are shared and noisy; the ratio says more than the figure beside it.

mod blocks;
mod columns;
mod flow;
mod gpu;
mod hydrology;
mod timing;
mod waves;

use crate::rows;
use anyhow::Result;
use timing::{ROUNDS, Row, median, pairs, pairs_of_seconds, time};

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
