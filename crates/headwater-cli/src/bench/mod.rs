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
use anyhow::{Result, ensure};
use serde::Serialize;
use timing::{Case, Speed};

/// A case's name and its speed.
#[derive(Serialize)]
struct Row {
    name: &'static str,
    #[serde(flatten)]
    speed: Speed,
}

/// Runs the cases that `wanted` names (all, if it names none).
pub(crate) fn run(wanted: &[String], json: bool) -> Result<()> {
    let cases: [&[Case]; 6] = [
        &flow::CASES,
        &waves::CASES,
        &blocks::CASES,
        &columns::CASES,
        &hydrology::CASES,
        &gpu::CASES,
    ];
    let mut chosen = rows::choose(cases.concat(), wanted, |case| case.0)?;
    if wanted.is_empty() && !gpu::is_there() {
        eprintln!(
            "note: without a GPU its cases are left out; `headwater bench 'gpu/*'` runs them where it can"
        );
        chosen.retain(|case| !case.0.starts_with("gpu/"));
    }
    let mut all = Vec::new();
    let table = rows::Table::new(json, &["case", "speed", "against", "times as fast"]);
    for (name, measure) in chosen {
        table.working_on(name);
        let speed = measure()?;
        if let Some([ours, theirs]) = speed.states {
            let states = format!("the state is {ours:016x}, that of the reference {theirs:016x}");
            ensure!(ours == theirs, "{name}: {states}");
        }
        let figure = format!("{} {}", rows::figure(speed.value), speed.unit);
        table.row(&[name, &figure, speed.reference, &rows::figure(speed.ratio)]);
        all.push(Row { name, speed });
    }
    table.finish(&all)
}
