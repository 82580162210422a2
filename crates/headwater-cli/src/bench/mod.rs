//! `headwater bench`: how fast the models are, each held against a reference in the same run. Machines
//! are shared and noisy; the ratio says more than the figure beside it.

mod article;
mod blocks;
mod columns;
mod flow;
#[cfg(feature = "gpu")]
mod gpu;
mod hydrology;
mod timing;
mod waves;

#[cfg(not(feature = "gpu"))]
use crate::backend::NO_GPU;
use crate::rows;
#[cfg(not(feature = "gpu"))]
use crate::usage::Usage;
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

/// All cases; those of a GPU only where there is one, if nobody has asked for them.
fn cases(unasked: bool) -> Vec<Case> {
    let _ = unasked;
    [
        &flow::CASES[..],
        &waves::CASES,
        &blocks::CASES,
        &columns::CASES,
        &hydrology::CASES,
        #[cfg(feature = "gpu")]
        gpu::cases(unasked),
    ]
    .concat()
}

/// Runs the cases that `wanted` names (all, if it names none).
pub(crate) fn run(wanted: &[String], json: bool) -> Result<()> {
    #[cfg(not(feature = "gpu"))]
    if wanted.iter().any(|case| case.starts_with("gpu/")) {
        return Err(Usage(NO_GPU.into()).into());
    }
    let chosen = rows::choose(cases(wanted.is_empty()), wanted, |case| case.0)?;
    let mut table = rows::Table::new(
        json,
        &["case", "speed", "against", "times as fast", "middle half of rounds"],
    );
    for (name, measure) in chosen {
        table.working_on(name);
        let speed = measure()?;
        if let Some([ours, theirs]) = speed.states {
            let states = format!("the state is {ours:016x}, that of the reference {theirs:016x}");
            ensure!(ours == theirs, "{name}: {states}");
        }
        let figure = format!("{} {}", rows::figure(speed.value), speed.unit);
        let spread = speed.spread.map_or_else(String::new, |[low, high]| {
            format!("{} to {}", rows::figure(low), rows::figure(high))
        });
        let ratio = rows::figure(speed.ratio);
        table.row(&[name, &figure, speed.reference, &ratio, &spread], &Row { name, speed })?;
    }
    table.finish();
    Ok(())
}
