//! The program `headwater-mpi`: runs one scene of the model `flow` on many processes, bit-identical
//! to one process.
//!
//! Each rank builds and owns some rows. The first rank runs the scene as `headwater run` does; the
//! others execute its commands.
//!
//! Exit codes of the first rank: 0 done, 1 the run failed or was stopped, 2 bad usage or bad input.
//! A rank that dies ends the job.

mod args;
mod communicator;
mod run;

use args::{Cli, Command};
use clap::Parser;
use communicator::MpiCommunicator;
use headwater_scene::run::serve;
use mpi::Threading;
use mpi::traits::*;
use std::process::ExitCode;
use std::sync::Arc;

/// Exit code of a job that a rank has aborted.
const DIED: i32 = 70;

fn main() -> ExitCode {
    let parsed = Cli::try_parse();
    // Calls of MPI come from one thread at a time, but not always the same one.
    let Some((universe, threading)) = mpi::initialize_with_threading(Threading::Serialized) else {
        eprintln!("error: MPI is at work already");
        return ExitCode::from(1);
    };
    if threading < Threading::Serialized {
        eprintln!("error: this MPI library lets no thread but the first speak");
        return ExitCode::from(1);
    }
    let world = universe.world();
    let number = world.rank();
    let args = match parsed {
        Ok(Cli { command: Command::Run(args) }) => args,
        Err(told) => {
            // All ranks have the same arguments, so one message is enough. The barrier lets rank 0
            // print it before another rank's exit code ends the job.
            if number == 0 {
                let _ = told.print();
            }
            world.barrier();
            return ExitCode::from(if told.use_stderr() { 2 } else { 0 });
        }
    };
    // Other ranks would wait forever for a rank that has panicked.
    let told = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |what| {
        told(what);
        eprintln!(
            "error: rank {number} has died, and ends the job; --resume goes on from the last checkpoint"
        );
        end_all();
    }));
    let pool = match rayon::ThreadPoolBuilder::new().num_threads(args.threads.into()).build() {
        Ok(pool) => pool,
        Err(error) => {
            eprintln!("error: {error}");
            end_all();
        }
    };
    let ranks = args.ranks(Arc::new(MpiCommunicator::new(world)));
    if number > 0 {
        let read = || args.load().map_err(|error| format!("{error:#}"));
        let served = run::hear_stop(|_| pool.install(|| serve(&ranks, read)));
        if let Err(error) = served {
            eprintln!("error: rank {number}: {error}");
            end_all();
        }
        return ExitCode::SUCCESS;
    }
    let code = run::hear_stop(|stop| pool.install(|| run::run(&args, &ranks, stop)));
    if let Err(error) = ranks.end() {
        eprintln!("error: {error}");
        end_all();
    }
    ExitCode::from(code)
}

/// Ends the job on all ranks at once.
fn end_all() -> ! {
    mpi::topology::SimpleCommunicator::world().abort(DIED)
}
