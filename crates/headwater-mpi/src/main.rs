//! The program `headwater-mpi`, which runs a scene of the model `flow` on several processes. The
//! results are bit-identical to those of a single process.
//!
//! Each rank builds and owns a range of rows of the grid. The first rank runs the scene in the same
//! way as `headwater run`; the other ranks execute its commands.
//!
//! The exit code of the first rank is 0 after success, 1 if the run failed or was stopped, and 2 if
//! the usage or the input was invalid. A panic of any rank ends the whole job.

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

/// Exit code of the processes after one rank has aborted the whole job.
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
    if let Err(error) = ranks.end_run() {
        eprintln!("error: {error}");
        abort_all();
    }
    ExitCode::from(code)
}

/// Aborts the MPI job: ends the processes of all ranks.
fn abort_all() -> ! {
    mpi::topology::SimpleCommunicator::world().abort(ABORTED)
}
