//! The program `headwater`: runs, checks and measures water scenes.
//!
//! Exit codes: 0 for success; 1 if a check failed, a run failed or was stopped, or the water
//! balance of a run has an unexplained error; 2 for invalid usage or input.

mod check;
mod hash;
mod info;
mod library;
mod memory;
mod progress;
mod report;
mod run;
mod scene;
mod threads;

use anyhow::Result;
use clap::{Parser, Subcommand};
use headwater_cli::screen::{print_error_line, print_line};
use headwater_cli::usage::{exit_code, printable_argument, shorten_lines};
use std::path::PathBuf;
use std::process::ExitCode;
#[cfg(unix)]
use std::sync::Arc;

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
    Schema,
    /// List the built-in scenes.
    Scenes {
        /// Print a JSON array.
        #[arg(long)]
        json: bool,
    },
    /// Print state hashes of scenes after a number of steps. They are equal on every machine.
    Hash(hash::Args),
    /// Compare a landscape with real ones by metrics of fluvial geomorphology.
    HydrologyReport(report::Args),
}

fn main() -> ExitCode {
    // Without a handler, the program is killed when a file exceeds the size limit of the shell.
    // With a handler, the write fails as on a full disk.
    #[cfg(unix)]
    let _ = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, Arc::default());
    memory::allocate_reserve();
    exit_code(execute_in_pool(parse_arguments()))
}

/// Parses the arguments of the program. If they are invalid, prints an error and ends the program
/// with code 2.
fn parse_arguments() -> Command {
    let parsed = Cli::try_parse().map_err(|error| {
        if !error.use_stderr() {
            error.exit();
        }
        // Parses the arguments again in a form that can be printed, because the message contains
        // them, some more than once.
        let error = Cli::try_parse_from(std::env::args_os().map(printable_argument))
            .map_or_else(|error| error, |_| error);
        print_error_line(&shorten_lines(error.render().to_string().trim_end()));
        std::process::exit(2);
    });
    parsed.unwrap_or_else(|never| never).command
}

/// Executes a command on a thread pool with the number of threads that the command requests.
/// Returns false if the program must exit with code 1 although no error has occurred.
fn execute_in_pool(command: Command) -> Result<bool> {
    let threads = match &command {
        Command::Run(args) => args.threads()?,
        _ => 0,
    };
    threads::create_pool(threads)?.install(|| execute(command))
}

fn execute(command: Command) -> Result<bool> {
    match command {
        Command::Run(args) => run::run(&args),
        Command::Check { scene, json } => check::check(&scene, json),
        Command::New { name, like } => library::write_scene_copy(&name, &like),
        Command::Info { file, json } => info::info(&file, json),
        Command::Schema => {
            print_line(include_str!("../scene.schema.json").trim_end());
            Ok(true)
        }
        Command::Scenes { json } => library::print_scenes(json),
        Command::Hash(args) => hash::run(&args),
        Command::HydrologyReport(args) => report::run(&args),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        <Cli as clap::CommandFactory>::command().debug_assert();
    }
}
