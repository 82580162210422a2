//! The program `headwater`: runs, checks and measures water scenes.
//!
//! Exit codes: 0 done, 1 a check failed or a run ended in error or was stopped, 2 bad usage or bad
//! input.

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

use crate::screen::complain;
use clap::{Parser, Subcommand};
use std::path::PathBuf;
use std::process::ExitCode;

/// The water engine for grid worlds.
#[derive(Parser)]
#[command(name = "headwater", version, about, max_term_width = 100)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Run a scene: pictures, an animation, gauges, layers and a summary.
    Run(run::Args),
    /// Check a scene file, and say all that is wrong with it.
    Check {
        #[command(flatten)]
        scene: scene::Args,
        /// Print the problems as a JSON array.
        #[arg(long)]
        json: bool,
    },
    /// Write a commented scene file, to be changed.
    New {
        /// Its name; `NAME.toml` is written into the current directory.
        name: String,
        /// The scene of the library to begin from.
        #[arg(long, value_name = "SCENE", default_value = "your-terrain")]
        like: String,
    },
    /// Say what a raster, a checkpoint or a scene is.
    Info {
        /// The file, or of a store or a checkpoint in parts the folder.
        file: PathBuf,
        /// Print JSON.
        #[arg(long)]
        json: bool,
    },
    /// Print the JSON Schema of scene files, by which editors complete and check them.
    Schema {
        /// Print a reference of all keys as Markdown.
        #[arg(long)]
        markdown: bool,
    },
    /// List the scenes of the library.
    Scenes {
        /// Print a JSON array.
        #[arg(long)]
        json: bool,
    },
    /// Say what scenes come to after so many steps: a hash that is the same on every machine.
    Hash(hash::Args),
    /// Say how much a land is like real ones, in the figures of fluvial geomorphology.
    HydrologyReport(report::Args),
    /// Measure how exact the models are; exit code 1 if a figure misses its limit.
    Verify(verify::Args),
    /// Measure how fast the models are, each against a reference in the same run.
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
        Ok(_) if let Some(error) = screen::unprinted() => {
            complain(&format!("error: stdout: {error}"));
            ExitCode::from(1)
        }
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(error) => {
            complain(&format!("error: {}", told(&error)));
            ExitCode::from(if usage::is_the_users(&error) { 2 } else { 1 })
        }
    }
}

/// An error and its causes, but for those whose words it holds already.
fn told(error: &anyhow::Error) -> String {
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
    fn a_cause_is_told_once() {
        let error = anyhow::anyhow!("no water").context("at 3 s: no water").context("pond.toml");
        assert_eq!(told(&error), "pond.toml: at 3 s: no water");
    }

    #[test]
    fn the_command_line_is_consistent() {
        <Cli as clap::CommandFactory>::command().debug_assert();
    }
}
