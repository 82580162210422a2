//! Run of a scene on the first rank: output, signal handling, summary and exit code.

use crate::args::Run as Args;
use anyhow::Result;
use headwater_scene::run::{
    Backend, Executor, Observer, Ranks, Run, RunError, RunOutcome, Summary,
};
use headwater_scene::scene::SceneError;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Calls `work` with a flag that is set when the process receives the signal SIGUSR1. `mpirun`
/// forwards the signal to all ranks; without the signal handler, SIGUSR1 would end their processes.
pub(crate) fn with_stop_signal<T>(work: impl FnOnce(Arc<AtomicBool>) -> T) -> T {
    let stop = Arc::new(AtomicBool::new(false));
    // If the handler cannot be installed, the run cannot be stopped cleanly but otherwise works.
    #[cfg(unix)]
    let _ = signal_hook::flag::register(signal_hook::consts::SIGUSR1, Arc::clone(&stop));
    work(stop)
}

/// Runs a scene on all ranks and returns the exit code of the process.
pub(crate) fn run(args: &Args, ranks: &Ranks, stop: Arc<AtomicBool>) -> u8 {
    match try_run(args, ranks, stop) {
        Ok(true) => 0,
        Ok(false) => 1,
        Err(error) => {
            let advice = error.downcast_ref::<RunError>().and_then(RunError::advice);
            let advice = advice.map(|advice| format!("; {advice}")).unwrap_or_default();
            eprintln!("error: {error:#}{advice}");
            u8::from(is_user_error(&error)) + 1
        }
    }
}

/// Returns whether an error is caused by invalid user input. Otherwise the run itself has failed.
fn is_user_error(error: &anyhow::Error) -> bool {
    match error.downcast_ref::<RunError>() {
        Some(RunError::Model { .. } | RunError::Output { .. } | RunError::Broken(_)) => false,
        Some(_) => true,
        None => error.downcast_ref::<SceneError>().is_some() || error.chain().len() == 1,
    }
}

fn try_run(args: &Args, ranks: &Ranks, stop: Arc<AtomicBool>) -> Result<bool> {
    let scene = args.load()?;
    let name = args.name();
    let folder = args.out.clone().unwrap_or_else(|| PathBuf::from("out").join(&name));
    let backend = Backend::Distributed(ranks.clone());
    let start = match (args.resume, args.force) {
        (true, _) => Run::resume_on,
        (_, true) => Run::start_overwriting,
        _ => Run::start_on,
    };
    let mut run = start(&scene, &name, &folder, backend)?;
    let notices = run.executor().notices();
    notices.iter().for_each(|notice| eprintln!("note: {notice}"));
    let end = run.execute(&mut StopOnSignal(stop))?;
    match end {
        RunOutcome::Done(summary) => {
            let new = summary.notices.iter().filter(|notice| !notices.contains(notice));
            new.for_each(|notice| eprintln!("note: {notice}"));
            if args.json {
                println!("{}", serde_json::to_string_pretty(&*summary)?);
            } else {
                print_summary(&summary, &folder);
            }
            Ok(summary.ledger.is_balanced())
        }
        RunOutcome::Stopped { time, checkpoint } => {
            let unit = scene.clock().unit;
            eprintln!("stopped at {time:.3}{unit}: {}", checkpoint.display());
            eprintln!("to continue, add --resume to the same command, on any number of ranks");
            Ok(false)
        }
    }
}

/// Run observer that stops the run when a signal handler has set the flag to true.
struct StopOnSignal(Arc<AtomicBool>);

impl Observer for StopOnSignal {
    fn step(&mut self, _: &mut dyn Executor) -> ControlFlow<()> {
        if self.0.load(Ordering::Relaxed) {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    }

    fn task_started(&mut self, _: &str) {}
}

/// Prints a short summary of a run and the path of its output folder.
fn print_summary(summary: &Summary, folder: &Path) {
    let Summary { nx, ny, steps, simulated_seconds, wall_seconds, ledger, backend, .. } = summary;
    let speed = summary.cell_steps_per_second / 1e6;
    println!(
        "{}: {simulated_seconds} {} in {steps} steps on {nx} × {ny} cells, {backend}, {wall_seconds:.1} s ({speed:.0} million cell-steps/s while stepping)",
        summary.scene, summary.time_unit
    );
    println!("{ledger}");
    println!("state hash {}, output in {}", summary.state_hash, folder.display());
}
