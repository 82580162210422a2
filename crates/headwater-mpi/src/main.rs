//! The program `headwater-mpi`: runs a scene of the model `flow` on many processes. Results are
//! bit-identical to a single process.
//!
//! Each rank builds and owns some rows. The first rank runs the scene as `headwater run` does; the
//! others execute its commands.
//!
//! Exit codes of the first rank: 0 for success, 1 if the run failed or was stopped, 2 for invalid
//! usage or input. A rank that panics ends the job.

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

/// Process exit code after an abort of the whole job by one rank.
const ABORTED: i32 = 70;

fn main() -> ExitCode {
    let parsed = Cli::try_parse();
    // Only one thread at a time calls MPI, but not always the same one.
    let Some((universe, threading)) = mpi::initialize_with_threading(Threading::Serialized) else {
        eprintln!("error: MPI is already initialized");
        return ExitCode::from(1);
    };
    if threading < Threading::Serialized {
        eprintln!("error: this MPI library does not support MPI_THREAD_SERIALIZED");
        return ExitCode::from(1);
    }
    let world = universe.world();
    let rank = world.rank();
    let args = match parsed {
        Ok(Cli { command: Command::Run(args) }) => args,
        Err(error) => {
            // All ranks have the same arguments, so one message is enough. The barrier lets rank 0
            // print it before another rank's exit code ends the job.
            if rank == 0 {
                let _ = error.print();
            }
            world.barrier();
            return ExitCode::from(if error.use_stderr() { 2 } else { 0 });
        }
    };
    // Abort on a panic, because other ranks would wait for this one forever.
    let default_hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        default_hook(info);
        eprintln!(
            "error: rank {rank} panicked and aborted the job; to continue from the last checkpoint, pass --resume"
        );
        abort_all();
    }));
    let pool = match rayon::ThreadPoolBuilder::new().num_threads(args.threads.into()).build() {
        Ok(pool) => pool,
        Err(error) => {
            eprintln!("error: {error}");
            abort_all();
        }
    };
    let ranks = args.ranks(Arc::new(MpiCommunicator::new(world)));
    if rank > 0 {
        let read = || args.load().map_err(|error| format!("{error:#}"));
        let served = run::with_stop_signal(|_| pool.install(|| serve(&ranks, read)));
        if let Err(error) = served {
            eprintln!("error: rank {rank}: {error}");
            abort_all();
        }
        return ExitCode::SUCCESS;
    }
    let code = run::with_stop_signal(|stop| pool.install(|| run::run(&args, &ranks, stop)));
    if let Err(error) = ranks.end() {
        eprintln!("error: {error}");
        abort_all();
    }
    ExitCode::from(code)
}

/// Aborts the MPI job on all ranks.
fn abort_all() -> ! {
    mpi::topology::SimpleCommunicator::world().abort(ABORTED)
}
