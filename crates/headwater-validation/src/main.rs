//! The program `headwater-validation`: measures the accuracy and the speed of the models.
//!
//! Exit codes: 0 for success; 1 if a value exceeds its limit or a measurement failed; 2 for invalid
//! usage.

mod bench;
mod carve;
mod flooded;
mod noise;
mod pool;
mod rows;
mod verify;

use clap::{Parser, Subcommand};
use headwater_cli::usage::exit_code;
use std::process::ExitCode;

/// Accuracy cases and benchmarks of the water engine Headwater.
#[derive(Parser)]
#[command(name = "headwater-validation", version, about, max_term_width = 100)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Measure the accuracy of the models; exit code 1 if a value exceeds its limit.
    Verify(verify::Args),
    /// Measure the speed of the models, each against a reference in the same run.
    Bench(rows::CaseSelection),
}

fn main() -> ExitCode {
    exit_code(match Cli::parse().command {
        Command::Verify(args) => verify::run(&args),
        Command::Bench(rows::CaseSelection { cases, json }) => {
            bench::run(&cases, json).map(|()| true)
        }
    })
}
