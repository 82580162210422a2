//! Command `headwater run`: runs a scene, reports its progress, and stops it on Ctrl-C.

use crate::memory::failed_allocation_bytes;
use crate::progress::{ProgressFormat, ProgressReporter};
use crate::scene;
use anyhow::{Context as _, Result};
use headwater::Cause;
use headwater::flow::RelaxationStatus;
use headwater_cli::backend::Backend;
use headwater_cli::screen::{print_error_line, print_line};
use headwater_cli::usage::{UserError, check_output_folder};
use headwater_scene::run::{Run, RunError, RunOutcome, Summary, find_checkpoint};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    scene: scene::Args,
    /// Output folder; out/SCENE by default.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// End of the run in simulated seconds (drops per cell for hydrology); short for --set
    /// time.until=TIME.
    #[arg(long, value_name = "TIME", allow_negative_numbers = true)]
    until: Option<String>,
    /// Backend that steps the world.
    #[arg(long, value_enum, default_value_t = Backend::Cpu)]
    backend: Backend,
    /// Memory limit for the world, as in `--memory 4GiB`; parts of the world that exceed it are
    /// stored in the output folder. The results do not change. Only for the model flow.
    #[arg(long, value_name = "SIZE", value_parser = scene::parse_size, conflicts_with = "backend")]
    memory: Option<usize>,
    /// Number of threads; one per core by default. The results do not change.
    #[arg(long, value_name = "N")]
    threads: Option<usize>,
    /// Layers to write as arrays, as in `--layers depth,surface`.
    #[arg(long, value_name = "LAYERS", value_delimiter = ',')]
    layers: Vec<String>,
    /// File format of the layers.
    #[arg(long, value_name = "FORMAT", value_parser = ["npy", "geotiff", "png", "zarr"])]
    layer_format: Option<String>,
    /// Resume a run from its checkpoint, including one of `headwater-mpi`.
    #[arg(long)]
    resume: bool,
    /// Discard an unfinished run in the output folder, and overwrite files that no earlier run has
    /// written.
    #[arg(long, conflicts_with = "resume")]
    force: bool,
    /// Print only the summary, as JSON.
    #[arg(long)]
    json: bool,
    /// Format of the progress on stderr: `bar` by default, `none` with --json; `json` prints one
    /// object per line, every second.
    #[arg(long, value_enum, value_name = "FORMAT")]
    progress: Option<ProgressFormat>,
}

/// Runs a scene and writes its output. Returns false if the run was stopped by Ctrl-C, or if its
/// water or sediment balance has a residual that rounding errors do not explain.
pub(crate) fn run(args: &Args) -> Result<bool> {
    let backend = match args.memory {
        Some(bytes) => headwater_scene::run::Backend::Memory(bytes),
        None => args.backend.open()?,
    };
    let scene = args.scene.load(&args.overrides())?;
    let name = args.scene.name();
    let folder = args.out.clone().unwrap_or_else(|| Path::new("out").join(name));
    let format =
        args.progress.unwrap_or(if args.json { ProgressFormat::None } else { ProgressFormat::Bar });
    check_output_folder(&folder)?;
    let mut reporter = ProgressReporter::new(&scene, format);
    let mut printed = Vec::new();
    let end = (|| {
        let start = match (args.resume, args.force) {
            (true, _) => Run::resume_on,
            (_, true) => Run::start_overwriting,
            _ => Run::start_on,
        };
        let mut run =
            start(&scene, &name.to_string_lossy(), &folder, backend).map_err(add_advice)?;
        printed = run.executor().notices();
        printed.extend(args.scene.file_access_notice(&scene));
        scene::Args::truncate_notices(printed.clone())
            .iter()
            .for_each(|notice| reporter.print_note(notice));
        // Catch Ctrl-C only now: before the run there is nothing to save, and Ctrl-C ends the
        // program as usual.
        let stop = stop_on_ctrl_c().unwrap_or_else(|error| {
            reporter
                .print_note(&format!("{error:#}; pressing it ends the run without a checkpoint"));
            Arc::default()
        });
        reporter.start(run.executor(), stop);
        Ok::<_, anyhow::Error>(run.execute(&mut reporter)?)
    })();
    reporter.clear();
    match end.inspect_err(|error| print_resume_hint(error, &folder))? {
        RunOutcome::Done(summary) => {
            let new = summary.notices.iter().filter(|notice| !printed.contains(notice));
            new.for_each(|notice| reporter.print_note(notice));
            reporter.finish(&summary);
            if args.json {
                print_line(&serde_json::to_string_pretty(&*summary)?);
            } else {
                print_summary(&summary, &folder);
            }
            Ok(summary.ledger.is_balanced())
        }
        RunOutcome::Stopped { time, checkpoint } => {
            let unit = scene.clock().unit;
            if let Some(bytes) = failed_allocation_bytes() {
                print_error_line(&format!(
                    "error: the system has no more memory: an allocation of {bytes} bytes failed"
                ));
            }
            print_error_line(&format!("stopped at {time:.3}{unit}: {}", checkpoint.display()));
            print_error_line("to continue, run the same command with --resume");
            Ok(false)
        }
    }
}

/// Converts an error from a run to an [`anyhow::Error`]. Appends advice to the message if a
/// command-line option can solve the problem.
fn add_advice(error: RunError) -> anyhow::Error {
    match error.advice() {
        Some(advice) => UserError(format!("{error}; {advice}")).into(),
        None => error.into(),
    }
}

/// Prints how to resume the run, if a failed run left a checkpoint.
fn print_resume_hint(error: &anyhow::Error, folder: &Path) {
    let run = error.downcast_ref::<RunError>();
    let has_started = !matches!(run, None | Some(RunError::Resume { .. } | RunError::Scene(_)));
    if let Some(checkpoint) = find_checkpoint(folder).filter(|_| has_started) {
        let checkpoint = checkpoint.display();
        print_error_line(&format!(
            "the run left {checkpoint}; to continue, run the same command with --resume"
        ));
    }
}

const MAX_THREADS: usize = 1024;

impl Args {
    /// Returns the number of threads; 0 means one per core.
    ///
    /// # Errors
    /// Returns [`UserError`] if the number is out of range.
    pub(crate) fn threads(&self) -> Result<usize> {
        match self.threads {
            Some(threads) if !(1..=MAX_THREADS).contains(&threads) => {
                let message = format!("--threads may be 1 to {MAX_THREADS}, found {threads}");
                Err(UserError(message).into())
            }
            threads => Ok(threads.unwrap_or(0)),
        }
    }

    /// Returns the scene overrides that correspond to command-line options such as `--until`.
    fn overrides(&self) -> Vec<(String, String)> {
        let mut set = Vec::new();
        if let Some(until) = &self.until {
            set.push(("time.until".into(), until.clone()));
        }
        if !self.layers.is_empty() {
            set.push(("output.layers".into(), format!("{:?}", self.layers)));
        }
        if let Some(format) = &self.layer_format {
            set.push(("output.layer_format".into(), format.clone()));
        }
        set
    }
}

/// Delay between Ctrl-C and the message that the run is being stopped. Most steps end sooner, so
/// the message is rarely printed.
const STOP_NOTICE_DELAY: Duration = Duration::from_secs(1);

/// Installs a handler for Ctrl-C and returns the flag that it sets. A second Ctrl-C ends the
/// program at once.
fn stop_on_ctrl_c() -> Result<Arc<AtomicBool>> {
    let stop = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&stop);
    ctrlc::set_handler(move || {
        if flag.swap(true, Ordering::Relaxed) {
            std::process::exit(1);
        }
        // Usually the program has ended before the thread prints.
        let notice = || {
            std::thread::sleep(STOP_NOTICE_DELAY);
            print_error_line(
                "stopping after this step; Ctrl-C again quits at once, and --resume then continues from \
                 the last checkpoint",
            );
        };
        _ = std::thread::Builder::new().spawn(notice);
    })
    .context("Ctrl-C cannot be caught")?;
    Ok(stop)
}

/// Prints a short summary of a run. `folder` is the run's output folder.
fn print_summary(summary: &Summary, folder: &Path) {
    let Summary { nx, ny, steps, simulated_seconds, wall_seconds, ledger, .. } = summary;
    let speed = summary.cell_steps_per_second / 1e6;
    // Remove the rounding errors of summed time steps.
    let simulated_seconds = (simulated_seconds * 1e6).round() / 1e6;
    let unit = summary.time_unit;
    print_line(&format!(
        "{}: {simulated_seconds} {unit} in {steps} steps on {nx} × {ny} cells, {wall_seconds:.1} s of work \
         ({speed:.0} million cell-steps/s while stepping)",
        summary.scene
    ));
    if let Some(RelaxationStatus { reached, residual, seconds, steps }) = summary.settled {
        let verdict = if reached { "settled" } else { "NOT settled" };
        print_line(&format!(
            "{verdict} in {steps} steps, {seconds:.0} s: the surface changes by {residual:.1e} m/s"
        ));
    }
    print_line(&ledger.to_string());
    if let Some(sediment) = &ledger.sediment {
        let washed_out = sediment.outflow.get(Cause::Boundary.name()).copied().unwrap_or(0.0);
        let part = 100.0 * washed_out / sediment.start.abs().max(1.0);
        print_line(&format!(
            "ground: {washed_out:.0} m³ washed out ({part:.1} %), residual {} m³",
            sediment.residual
        ));
    }
    let files = summary.pictures.len()
        + summary.layers.len()
        + summary.gauges.len()
        + summary.tables.len()
        + 1;
    let noun = if files == 1 { "file" } else { "files" };
    print_line(&format!("{files} {noun} in {}", folder.display()));
}
