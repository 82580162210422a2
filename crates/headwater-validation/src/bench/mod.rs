//! Command `bench`: measures the speed of the models. Each case is compared with a
//! reference in the same run, because the ratio is more reliable on shared machines than the
//! absolute speed.

mod article;
mod blocks;
mod columns;
mod flow;
#[cfg(feature = "gpu")]
mod gpu;
mod hydrology;
mod layers;
mod timing;
mod waves;

use crate::rows;
use anyhow::{Result, ensure};
#[cfg(not(feature = "gpu"))]
use headwater_cli::backend::NO_GPU;
#[cfg(not(feature = "gpu"))]
use headwater_cli::usage::UserError;
use serde::Serialize;
use timing::{Case, Speed};

/// Name and measured speed of a case, as printed in JSON.
#[derive(Serialize)]
struct Row {
    name: &'static str,
    #[serde(flatten)]
    speed: Speed,
}

/// Returns all benchmark cases. If `by_default` is true, the user has not selected cases by name;
/// GPU cases are then included only if there is a hardware GPU.
fn cases(by_default: bool) -> Vec<Case> {
    let _ = by_default;
    [
        &flow::CASES[..],
        &waves::CASES,
        &blocks::CASES,
        &columns::CASES,
        &hydrology::CASES,
        &layers::cases(),
        #[cfg(feature = "gpu")]
        gpu::cases(by_default),
    ]
    .concat()
}

/// Runs the cases that match a pattern in `patterns`, or all cases if there are no patterns, and
/// prints their speeds.
pub(crate) fn run(patterns: &[String], json: bool) -> Result<()> {
    #[cfg(not(feature = "gpu"))]
    if patterns.iter().any(|case| case.starts_with("gpu/")) {
        return Err(UserError(NO_GPU.into()).into());
    }
    let chosen = rows::select_cases(cases(patterns.is_empty()), patterns, |case| case.0)?;
    let mut table =
        rows::Table::new(json, &["case", "speed", "reference", "ratio", "interquartile range"]);
    for (name, measure) in chosen {
        table.print_running_case(name);
        let speed = measure()?;
        if let Some([ours, theirs]) = speed.states {
            let states = format!("the state is {ours:016x}, that of the reference {theirs:016x}");
            ensure!(ours == theirs, "{name}: {states}");
        }
        let figure =
            format!("{} {}", headwater_cli::screen::format_number(speed.value), speed.unit);
        let spread = speed.spread.map_or_else(String::new, |[low, high]| {
            format!(
                "{} to {}",
                headwater_cli::screen::format_number(low),
                headwater_cli::screen::format_number(high)
            )
        });
        let ratio = headwater_cli::screen::format_number(speed.ratio);
        table
            .print_row(&[name, &figure, speed.reference, &ratio, &spread], &Row { name, speed })?;
    }
    table.finish();
    Ok(())
}
