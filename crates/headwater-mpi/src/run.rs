//! The first rank, which runs the scene.

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

/// Runs `work` with a flag that SIGUSR1 sets, which `mpirun` forwards to all ranks. Otherwise the
/// signal would end the process.
pub(crate) fn hear_stop<T>(work: impl FnOnce(Arc<AtomicBool>) -> T) -> T {
    let stop = Arc::new(AtomicBool::new(false));
    // Without the handler, a run cannot be stopped cleanly, but works.
    #[cfg(unix)]
    let _ = signal_hook::flag::register(signal_hook::consts::SIGUSR1, Arc::clone(&stop));
    work(stop)
}

/// Runs a scene on all ranks and returns the exit code.
pub(crate) fn run(args: &Args, ranks: &Ranks, stop: Arc<AtomicBool>) -> u8 {
    match try_to(args, ranks, stop) {
        Ok(true) => 0,
        Ok(false) => 1,
        Err(error) => {
            let advice = error.downcast_ref::<RunError>().and_then(RunError::advice);
            let advice = advice.map(|advice| format!("; {advice}")).unwrap_or_default();
            eprintln!("error: {error:#}{advice}");
            u8::from(is_the_users(&error)) + 1
        }
    }
}

/// Returns whether an error is due to the user's input.
fn is_the_users(error: &anyhow::Error) -> bool {
    match error.downcast_ref::<RunError>() {
        Some(RunError::Model { .. } | RunError::Output { .. } | RunError::Broken(_)) => false,
        Some(_) => true,
        None => error.downcast_ref::<SceneError>().is_some() || error.chain().len() == 1,
    }
}

fn try_to(args: &Args, ranks: &Ranks, stop: Arc<AtomicBool>) -> Result<bool> {
    let scene = args.load()?;
    let name = args.name();
    let folder = args.out.clone().unwrap_or_else(|| PathBuf::from("out").join(&name));
    let backend = Backend::Distributed(ranks.clone());
    let begin = match (args.resume, args.force) {
        (true, _) => Run::resume_on,
        (_, true) => Run::start_overwriting,
        _ => Run::start_on,
    };
    let mut run = begin(&scene, &name, &folder, backend)?;
    let told = run.executor().notices();
    told.iter().for_each(|notice| eprintln!("note: {notice}"));
    let end = run.execute(&mut Listening(stop))?;
    match end {
        RunOutcome::Done(summary) => {
            let new = summary.notices.iter().filter(|notice| !told.contains(notice));
            new.for_each(|notice| eprintln!("note: {notice}"));
            if args.json {
                println!("{}", serde_json::to_string_pretty(&*summary)?);
            } else {
                tell(&summary, &folder);
            }
            Ok(true)
        }
        RunOutcome::Stopped { time, checkpoint } => {
            let unit = scene.clock().unit;
            eprintln!("stopped at {time:.3}{unit}: {}", checkpoint.display());
            eprintln!("go on with the same command and --resume, on any number of ranks");
            Ok(false)
        }
    }
}

/// Observer that stops a run on a signal.
struct Listening(Arc<AtomicBool>);

impl Observer for Listening {
    fn step(&mut self, _: &mut dyn Executor) -> ControlFlow<()> {
        if self.0.load(Ordering::Relaxed) {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    }

    fn task_started(&mut self, _: &str) {}
}

/// Prints a short summary of a run.
fn tell(summary: &Summary, folder: &Path) {
    let Summary { nx, ny, steps, simulated_seconds, wall_seconds, ledger, backend, .. } = summary;
    let speed = summary.cell_steps_per_second / 1e6;
    println!(
        "{}: {simulated_seconds} {} in {steps} steps on {nx} × {ny} cells, {backend}, {wall_seconds:.1} s of work ({speed:.0} million cell-steps/s)",
        summary.scene, summary.time_unit
    );
    println!(
        "water: {:.0} {unit} at the start, {:.0} {unit} now, residual {:.1e} of all that was handled",
        ledger.start,
        ledger.now,
        ledger.residual_relative,
        unit = ledger.unit
    );
    println!("state {} in {}", summary.state_hash, folder.display());
}
