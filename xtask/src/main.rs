//! What there is to do beside building and testing.
//!
//! The page of the playground: `cargo xtask web` builds it, `cargo xtask serve` serves it, `cargo xtask hashes`
//! compares what worlds come to in WebAssembly and here, `cargo xtask browser-test` opens the page in a browser and
//! plays with it. [docs/web.md](../../docs/web.md) says more.
//!
//! Many processes: `cargo xtask mpi` builds `headwater-mpi` and tries it. [docs/scale.md](../../docs/scale.md) says more.
//!
//! Releases: `cargo xtask dist` packs the program for machines without a compiler, `cargo xtask
//! packages` checks what would be published ([docs/releases.md](../../docs/releases.md)).

mod bindings;
mod browser;
mod dist;
mod fuzz;
mod hashes;
mod long;
mod module;
mod mpi;
mod node;
mod packages;
mod page;
mod place;
mod process;
mod serve;
mod toolchain;
mod weight;

use anyhow::Result;
use clap::{Parser, Subcommand};
use module::Make;
use std::path::PathBuf;

/// Builds, serves and tests the page of the playground; makes releases.
#[derive(Debug, Parser)]
#[command(name = "cargo xtask")]
struct Arguments {
    #[command(subcommand)]
    task: Task,
}

#[derive(Debug, Subcommand)]
enum Task {
    /// Builds the page, and fails if it is too heavy.
    Web {
        /// The folder to put it in [default: `page` in the target directory].
        #[arg(long)]
        out: Option<PathBuf>,
        /// Takes a third of the time, for a page that is heavier and slower, as tests do.
        #[arg(long)]
        draft: bool,
    },
    /// Serves the page to browsers on this machine.
    Serve {
        /// The port; 0 for any that is free.
        #[arg(long, default_value_t = 8080)]
        port: u16,
        /// The page's folder [default: `page` in the target directory].
        #[arg(long)]
        dir: Option<PathBuf>,
    },
    /// Builds the C library, shared and static, and puts it into a folder with its headers.
    C {
        /// The folder [default: `c` in the target directory].
        #[arg(long)]
        out: Option<PathBuf>,
        /// The profile that it is built with.
        #[arg(long, default_value = "dist")]
        profile: String,
        /// Also compiles programs in C, C++ and C#, and has them try it.
        #[arg(long)]
        test: bool,
        /// Takes what the profile has built already.
        #[arg(long)]
        no_build: bool,
    },
    /// Builds the package for JavaScript, and fails if it is too heavy.
    Js {
        /// The folder [default: `npm` in the target directory].
        #[arg(long)]
        out: Option<PathBuf>,
        /// Takes a third of the time, for one that is heavier and slower, as tests do.
        #[arg(long)]
        draft: bool,
        /// Also builds a module for each model, in a folder of its name: five times as long.
        #[arg(long)]
        models: bool,
        /// Also tries it in node and in a browser.
        #[arg(long)]
        test: bool,
        /// Takes what is built already.
        #[arg(long)]
        no_build: bool,
    },
    /// Tries the Python package with pytest.
    Python {
        /// The profile that it is built with.
        #[arg(long, default_value = "release")]
        profile: String,
        /// Takes what the profile has built already.
        #[arg(long)]
        no_build: bool,
    },
    /// Measures what a step costs through Python and JavaScript, each beside the same step without them.
    BindingSpeed {
        /// Rounds that both sides advance in, one after the other.
        #[arg(long, default_value_t = 41)]
        rounds: usize,
        /// Takes what is built already.
        #[arg(long)]
        no_build: bool,
    },
    /// Compares the states that scenes of the library come to here, on one thread, on eight, and in WebAssembly (in node).
    Hashes {
        /// Steps to do.
        #[arg(long, default_value_t = 1000)]
        steps: u32,
        /// Names of scenes, with commas between [default: all of the library].
        #[arg(long, value_delimiter = ',')]
        scenes: Vec<String>,
        /// Also with programs built for AVX2, and for no more than every x86-64 has, which takes a while.
        #[arg(long)]
        instructions: bool,
        /// Also in C, Python and JavaScript, by what this profile has built.
        #[arg(long)]
        bindings: Option<String>,
        /// Takes what is built already.
        #[arg(long)]
        no_build: bool,
    },
    /// Opens the page in a browser, plays with it, and looks at what happens.
    BrowserTest {
        /// The page's folder [default: `page` in the target directory, built if it is not there].
        #[arg(long)]
        dir: Option<PathBuf>,
        /// How long to play at random (s).
        #[arg(long, default_value_t = 120)]
        random: u32,
        /// Only tests whose names hold this.
        #[arg(long)]
        only: Option<String>,
    },
    /// Makes pictures of the page for the documents, in windows of several sizes.
    BrowserPictures {
        /// The page's folder [default: `page` in the target directory, built if it is not there].
        #[arg(long)]
        dir: Option<PathBuf>,
        /// Only those in windows of one width, such as `390`.
        #[arg(long)]
        only: Option<String>,
    },
    /// Builds `headwater-mpi`, which needs an MPI library.
    Mpi {
        /// The profile that it is built with.
        #[arg(long, default_value = "release")]
        profile: String,
        /// Also holds it against `headwater`, on 1 to 6 ranks.
        #[arg(long)]
        test: bool,
        /// Takes what the profile has built already.
        #[arg(long)]
        no_build: bool,
        /// Seed of the edits at random.
        #[arg(long, default_value_t = 1)]
        seed: u64,
    },
    /// Packs the program for those who have no compiler: an archive for each target, and their checksums.
    Dist {
        /// A target; may be given several times [default: that of Linux on x86_64].
        #[arg(long)]
        target: Vec<String>,
    },
    /// Feeds readers with damaged input, and keeps what they panic on.
    Fuzz {
        /// `scenes`, `rasters`, `boards`, `states` or `checkpoints` [default: all].
        reader: Option<String>,
        /// How long.
        #[arg(long, default_value_t = 5)]
        minutes: u64,
        /// Where the search begins [default: the second it is now].
        #[arg(long)]
        seed: Option<u64>,
    },
    /// Does at full length what the checks of every change do in a short form.
    Long {
        /// Where the search for what breaks a property begins [default: the number of the day].
        #[arg(long)]
        seed: Option<u64>,
    },
    /// Checks that each package is whole as it comes out of its archive, without the workspace.
    Packages {
        /// Takes what the profile `dev` has built already.
        #[arg(long)]
        no_build: bool,
    },
}

fn make(draft: bool) -> Make {
    if draft { Make::Draft } else { Make::Whole }
}

fn main() -> Result<()> {
    match Arguments::parse().task {
        Task::Web { out, draft } => page::build(&out.unwrap_or_else(place::page), make(draft)),
        Task::C { out, profile, test, no_build } => {
            let out = out.unwrap_or_else(bindings::c::folder);
            bindings::c::build(&out, &profile, !no_build)?;
            if test { bindings::c::test(&out) } else { Ok(()) }
        }
        Task::Js { out, draft, models, test, no_build } => {
            let out = out.unwrap_or_else(bindings::js::folder);
            if !no_build {
                bindings::js::build(&out, make(draft), models)?;
            }
            if test { bindings::js::test(&out) } else { Ok(()) }
        }
        Task::Python { profile, no_build } => {
            let package = bindings::python::package(&profile, !no_build)?;
            bindings::python::test(&package, no_build.then(|| place::program(&profile)).as_deref())
        }
        Task::BindingSpeed { rounds, no_build } => bindings::speed::measure(rounds, !no_build),
        Task::Serve { port, dir } => serve::serve(&dir.unwrap_or_else(place::page), port),
        Task::Hashes { steps, scenes, instructions, bindings, no_build } => {
            hashes::compare(steps, &scenes, instructions, bindings.as_deref(), no_build)
        }
        Task::Mpi { profile, test, no_build, seed } => {
            if !no_build {
                mpi::build(&profile)?;
            }
            if test { mpi::test(&profile, seed) } else { Ok(()) }
        }
        Task::Dist { target } => dist::build(&target),
        Task::Fuzz { reader, minutes, seed } => fuzz::search(reader.as_deref(), minutes, seed),
        Task::Long { seed } => long::run_all(seed),
        Task::Packages { no_build } => packages::check(no_build),
        Task::BrowserTest { dir, random, only } => browser::test(dir, random, only.as_deref()),
        Task::BrowserPictures { dir, only } => browser::pictures(dir, only.as_deref()),
    }
}
