//! Command-line program for tasks that Cargo does not cover: builds, packages and tests.
//!
//! - Web page ([docs/web.md](../../docs/web.md)): `web`, `serve`, `hashes`, `browser-test`.
//! - MPI ([docs/scale.md](../../docs/scale.md)): `mpi`.
//! - Releases ([docs/releases.md](../../docs/releases.md)): `dist`, `packages`, `long`.
//! - Checks of the code's language: `words`.

mod attack;
mod bindings;
mod browser;
mod dist;
mod hashes;
mod long;
mod module;
mod mpi;
mod node;
mod packages;
mod page;
mod page_size;
mod place;
mod process;
mod serve;
mod toolchain;
mod words;

use anyhow::Result;
use clap::{Parser, Subcommand};
use module::BuildQuality;
use std::path::PathBuf;

/// Command line of the program, which builds and tests the web page, bindings and packages.
#[derive(Debug, Parser)]
#[command(name = "cargo xtask")]
struct Arguments {
    #[command(subcommand)]
    task: Task,
}

#[derive(Debug, Subcommand)]
enum Task {
    /// Builds the web page; fails if it exceeds its size limit.
    Web {
        /// Output folder [default: `page` in the target directory].
        #[arg(long)]
        out: Option<PathBuf>,
        /// Builds a larger and slower page for tests in a third of the build time.
        #[arg(long)]
        draft: bool,
    },
    /// Serves the web page on this machine.
    Serve {
        /// Port; 0 selects any free port.
        #[arg(long, default_value_t = 8080)]
        port: u16,
        /// Folder of the page [default: `page` in the target directory].
        #[arg(long)]
        dir: Option<PathBuf>,
    },
    /// Builds the C library (shared and static) into a folder, together with its headers.
    C {
        /// Output folder [default: `c` in the target directory].
        #[arg(long)]
        out: Option<PathBuf>,
        /// Name of the Cargo profile.
        #[arg(long, default_value = "dist")]
        profile: String,
        /// Also compiles and runs the test programs in C, C++ and C#.
        #[arg(long)]
        test: bool,
        /// Uses existing build outputs of the profile instead of building.
        #[arg(long)]
        no_build: bool,
    },
    /// Builds the JavaScript package; fails if it exceeds its size limit.
    Js {
        /// Output folder [default: `npm` in the target directory].
        #[arg(long)]
        out: Option<PathBuf>,
        /// Builds a larger and slower package for tests in a third of the build time.
        #[arg(long)]
        draft: bool,
        /// Also builds a separate module for each model, which takes five times as long.
        #[arg(long)]
        models: bool,
        /// Also tests the package in node and in a browser.
        #[arg(long)]
        test: bool,
        /// Uses existing build outputs instead of building.
        #[arg(long)]
        no_build: bool,
    },
    /// Builds the Python package and runs pytest.
    Python {
        /// Name of the Cargo profile.
        #[arg(long, default_value = "release")]
        profile: String,
        /// Uses existing build outputs of the profile instead of building.
        #[arg(long)]
        no_build: bool,
    },
    /// Measures the overhead of the Python and JavaScript bindings per step.
    BindingSpeed {
        /// Number of rounds. In each round, runs with and without the binding alternate.
        #[arg(long, default_value_t = 41)]
        rounds: usize,
        /// Uses existing build outputs instead of building.
        #[arg(long)]
        no_build: bool,
    },
    /// Compares the state hashes of built-in scenes between native runs (on all, one and eight
    /// threads) and WebAssembly (in node).
    Hashes {
        /// Number of steps for each scene.
        #[arg(long, default_value_t = 1000)]
        steps: u32,
        /// Names of scenes, separated by commas [default: all built-in scenes].
        #[arg(long, value_delimiter = ',')]
        scenes: Vec<String>,
        /// Also compares programs built for AVX2, for baseline x86-64, and for the ARM architecture
        /// (in the emulator `qemu-aarch64`).
        #[arg(long)]
        instructions: bool,
        /// Also compares the C, Python and JavaScript bindings, built with this profile.
        #[arg(long)]
        bindings: Option<String>,
        /// Uses existing build outputs instead of building.
        #[arg(long)]
        no_build: bool,
        /// Writes the hashes to `xtask/hashes.txt` instead of comparing them. Needs `--steps 40`.
        #[arg(long)]
        write_table: bool,
    },
    /// Tests the web page in a browser.
    BrowserTest {
        /// Folder of the page [default: `page` in the target directory, built if missing].
        #[arg(long)]
        dir: Option<PathBuf>,
        /// Duration of random user input (s).
        #[arg(long, default_value_t = 120)]
        random: u32,
        /// Runs only the tests whose names contain this string.
        #[arg(long)]
        only: Option<String>,
    },
    /// Takes the screenshots of the page for the documentation, at several window sizes.
    BrowserPictures {
        /// Folder of the page [default: `page` in the target directory, built if missing].
        #[arg(long)]
        dir: Option<PathBuf>,
        /// Takes only the screenshots of one window width, such as `390`.
        #[arg(long)]
        only: Option<String>,
    },
    /// Builds the program `headwater-mpi`, which requires an MPI library.
    Mpi {
        /// Name of the Cargo profile.
        #[arg(long, default_value = "release")]
        profile: String,
        /// Also compares the results of `headwater-mpi` on 1 to 6 ranks with those of `headwater`.
        #[arg(long)]
        test: bool,
        /// Uses existing build outputs of the profile instead of building.
        #[arg(long)]
        no_build: bool,
        /// Seed of the random edits in the tests.
        #[arg(long, default_value_t = 1)]
        seed: u64,
    },
    /// Builds binary archives of the program, one for each target, with checksums.
    Dist {
        /// Target triple; may be given several times [default: Linux on x86_64].
        #[arg(long)]
        target: Vec<String>,
    },
    /// Attacks the program and the library: damaged files (input that causes panics is kept), runs
    /// that are killed and resumed, failing file accesses, random calls with saved and restored
    /// worlds.
    Attack {
        /// Kind of attack: damaged `scenes`, `rasters`, `boards`, `states` or `checkpoints`,
        /// `kills`, `faults` or `calls` [default: all].
        kind: Option<String>,
        /// Total duration of the attacks with damaged files, and duration of each other attack
        /// (minutes).
        #[arg(long, default_value_t = 5)]
        minutes: u64,
        /// Seed of the random numbers [default: the current time in seconds].
        #[arg(long)]
        seed: Option<u64>,
    },
    /// Runs all checks of `.ci/run` at full length.
    Long {
        /// First seed of property tests [default: the number of the day].
        #[arg(long)]
        seed: Option<u64>,
    },
    /// Checks the language of comments and messages: line lengths, banned phrases, and the first
    /// words of doc comments.
    Words {
        /// Also lists the names of functions that several files define with different signatures.
        #[arg(long)]
        names: bool,
    },
    /// Checks that the published packages are complete when unpacked outside of the workspace.
    Packages {
        /// Uses existing build outputs of the profile `dev` instead of building.
        #[arg(long)]
        no_build: bool,
    },
}

fn build_quality(draft: bool) -> BuildQuality {
    if draft { BuildQuality::Draft } else { BuildQuality::Release }
}

fn main() -> Result<()> {
    match Arguments::parse().task {
        Task::Web { out, draft } => {
            page::build(&out.unwrap_or_else(place::page_folder), build_quality(draft))
        }
        Task::C { out, profile, test, no_build } => {
            let out = out.unwrap_or_else(bindings::c::default_folder);
            bindings::c::build(&out, &profile, !no_build)?;
            if test { bindings::c::test(&out) } else { Ok(()) }
        }
        Task::Js { out, draft, models, test, no_build } => {
            let out = out.unwrap_or_else(bindings::js::default_folder);
            if !no_build {
                bindings::js::build(&out, build_quality(draft), models)?;
            }
            if test { bindings::js::test(&out) } else { Ok(()) }
        }
        Task::Python { profile, no_build } => {
            let package = bindings::python::assemble_package(&profile, !no_build)?;
            bindings::python::test(
                &package,
                no_build.then(|| place::program_path(&profile)).as_deref(),
            )
        }
        Task::BindingSpeed { rounds, no_build } => bindings::speed::measure(rounds, !no_build),
        Task::Serve { port, dir } => serve::serve(&dir.unwrap_or_else(place::page_folder), port),
        Task::Hashes { steps, scenes, instructions, bindings, no_build, write_table } => {
            let bindings = bindings.as_deref();
            hashes::compare(steps, &scenes, instructions, bindings, no_build, write_table)
        }
        Task::Mpi { profile, test, no_build, seed } => {
            if !no_build {
                mpi::build(&profile)?;
            }
            if test { mpi::test(&profile, seed) } else { Ok(()) }
        }
        Task::Dist { target } => dist::build(&target),
        Task::Attack { kind, minutes, seed } => attack::run_attacks(kind.as_deref(), minutes, seed),
        Task::Long { seed } => long::run_all(seed),
        Task::Words { names } => words::check(names),
        Task::Packages { no_build } => packages::check(no_build),
        Task::BrowserTest { dir, random, only } => browser::test_page(dir, random, only.as_deref()),
        Task::BrowserPictures { dir, only } => browser::take_pictures(dir, only.as_deref()),
    }
}
