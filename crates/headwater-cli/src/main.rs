//! The program `headwater`: runs, checks and measures water scenes.
//!
//! Exit codes: 0 for success; 1 if a check failed, or a run failed or was stopped; 2 for invalid
//! usage or input.

mod backend;
mod bench;
mod carve;
mod check;
mod flooded;
mod hash;
mod info;
mod library;
mod noise;
mod plot;
mod pool;
mod progress;
mod report;
mod rows;
mod run;
mod scene;
mod schema;
mod screen;
mod span;
mod usage;
mod verify;

use crate::screen::print_error_line;
use clap::{Parser, Subcommand};
use std::path::PathBuf;
use std::process::ExitCode;

/// Water simulation for grid worlds.
#[derive(Parser)]
#[command(name = "headwater", version, about, max_term_width = 100)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Run a scene: write pictures, an animation, gauges, layers and a summary.
    Run(run::Args),
    /// Check a scene file and print all problems.
    Check {
        #[command(flatten)]
        scene: scene::Args,
        /// Print the problems as a JSON array.
        #[arg(long)]
        json: bool,
    },
    /// Write a commented scene file as a starting point.
    New {
        /// Name; `NAME.toml` is written to the current directory.
        name: String,
        /// Built-in scene to copy.
        #[arg(long, value_name = "SCENE", default_value = "your-terrain")]
        like: String,
    },
    /// Describe a raster, a checkpoint or a scene.
    Info {
        /// File, or folder of a Zarr store or a checkpoint in parts.
        file: PathBuf,
        /// Print JSON.
        #[arg(long)]
        json: bool,
    },
    /// Print the JSON Schema of scene files, for completion and validation in editors.
    Schema {
        /// Print a reference of all keys as Markdown.
        #[arg(long)]
        markdown: bool,
    },
    /// List the built-in scenes.
    Scenes {
        /// Print a JSON array.
        #[arg(long)]
        json: bool,
    },
    /// Print state hashes of scenes after a number of steps. They are equal on every machine.
    Hash(hash::Args),
    /// Compare a land with real ones by metrics of fluvial geomorphology.
    HydrologyReport(report::Args),
    /// Measure the accuracy of the models; exit code 1 if a value exceeds its limit.
    Verify(verify::Args),
    /// Measure the speed of the models, each against a reference in the same run.
    Bench(rows::Cases),
}

fn main() -> ExitCode {
    let outcome = match Cli::parse().command {
        Command::Run(args) => run::run(&args),
        Command::Check { scene, json } => check::check(&scene, json),
        Command::New { name, like } => library::new(&name, &like),
        Command::Info { file, json } => info::info(&file, json),
        Command::Schema { markdown } => schema::print(markdown),
        Command::Scenes { json } => library::list(json),
        Command::Hash(args) => hash::run(&args),
        Command::HydrologyReport(args) => report::run(&args),
        Command::Verify(args) => verify::run(&args),
        Command::Bench(rows::Cases { cases, json }) => bench::run(&cases, json).map(|()| true),
    };
    match outcome {
        Ok(_) if let Some(error) = screen::stdout_error() => {
            print_error_line(&format!("error: stdout: {error}"));
            ExitCode::from(1)
        }
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(error) => {
            print_error_line(&format!("error: {}", error_message(&error)));
            ExitCode::from(if usage::is_user_error(&error) { 2 } else { 1 })
        }
    }
}

/// Formats an error and its causes on one line. Omits a cause if the line already contains its
/// message.
fn error_message(error: &anyhow::Error) -> String {
    let mut text = String::new();
    for cause in error.chain().map(ToString::to_string) {
        if text.is_empty() {
            text = cause;
        } else if !text.ends_with(&cause) {
            text = format!("{text}: {cause}");
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cause_appears_once_in_the_message() {
        let error = anyhow::anyhow!("no water").context("at 3 s: no water").context("pond.toml");
        assert_eq!(error_message(&error), "pond.toml: at 3 s: no water");
    }

    #[test]
    fn the_command_line_is_consistent() {
        <Cli as clap::CommandFactory>::command().debug_assert();
    }
}
