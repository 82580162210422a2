//! `headwater run`: runs a scene, says how far it is, and stops it cleanly on Ctrl-C.

use crate::backend::Backend;
use crate::progress::{Manner, Onlooker};
use crate::scene;
use crate::screen::{complain, print_line};
use crate::usage::Usage;
use anyhow::{Context as _, Result};
use headwater::Cause;
use headwater::flow::Settled;
use headwater_scene::run::{Run, RunError, RunOutcome, Summary, checkpoint_in};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    scene: scene::Args,
    /// Folder to write into; out/SCENE by default.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// End of the run, in simulated seconds (of hydrology, drops per cell); short for --set time.until=TIME.
    #[arg(long, value_name = "TIME", allow_negative_numbers = true)]
    until: Option<String>,
    /// What computes.
    #[arg(long, value_enum, default_value_t = Backend::Cpu)]
    backend: Backend,
    /// How much of the world may be in memory at a time, as in `--memory 4GiB`; the rest lies in the folder written into. The outcome is the
    /// same. For the model flow.
    #[arg(long, value_name = "SIZE", value_parser = size, conflicts_with = "backend")]
    memory: Option<usize>,
    /// Threads to run on; as many as there are cores by default. The outcome is the same.
    #[arg(long, value_name = "N")]
    threads: Option<usize>,
    /// Layers to write as numbers, as in `--layers depth,surface`.
    #[arg(long, value_name = "LAYERS", value_delimiter = ',')]
    layers: Vec<String>,
    /// How layers are written.
    #[arg(long, value_name = "FORMAT", value_parser = ["npy", "geotiff", "png", "zarr"])]
    layer_format: Option<String>,
    /// Go on with a run that has not ended, from its checkpoint; also with one of `headwater-mpi`.
    #[arg(long)]
    resume: bool,
    /// Begin anew over a run that has not ended, and over files that no run's summary lists.
    #[arg(long, conflicts_with = "resume")]
    force: bool,
    /// Print the summary as JSON, and nothing else.
    #[arg(long)]
    json: bool,
    /// How stderr says how far the run is: `bar` is the default, with --json `none`; `json` is an object on a line, each second.
    #[arg(long, value_enum, value_name = "MANNER")]
    progress: Option<Manner>,
}

/// Runs a scene; false if it was stopped.
pub(crate) fn run(args: &Args) -> Result<bool> {
    let backend = match args.memory {
        Some(bytes) => headwater_scene::run::Backend::Memory(bytes),
        None => args.backend.open()?,
    };
    let scene = args.scene.load(&args.overrides())?;
    let name = args.scene.name();
    let folder = args.out.clone().unwrap_or_else(|| PathBuf::from("out").join(&name));
    let threads = args.threads.unwrap_or(0);
    if args.threads == Some(0) || threads > MOST_THREADS {
        return Err(Usage(format!("--threads may be 1 to {MOST_THREADS}, found {threads}")).into());
    }
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build()?;
    let manner = args.progress.unwrap_or(if args.json { Manner::None } else { Manner::Bar });
    let mut onlooker = Onlooker::new(&scene, manner);
    let mut told = Vec::new();
    let end = pool.install(|| {
        let begin = match (args.resume, args.force) {
            (true, _) => Run::resume_on,
            (_, true) => Run::start_overwriting,
            _ => Run::start_on,
        };
        let mut run = begin(&scene, &name, &folder, backend).map_err(advised)?;
        told = run.executor().notices();
        told.iter().for_each(|notice| onlooker.note(notice));
        // Before there is a run, there is nothing to keep: Ctrl-C then ends the program as it ends others.
        onlooker.begin(run.executor(), stop_on_ctrl_c()?);
        Ok::<_, anyhow::Error>(run.execute(&mut onlooker)?)
    });
    onlooker.clear();
    match end.inspect_err(|error| advise_to_resume(error, &folder))? {
        RunOutcome::Done(summary) => {
            let new = summary.notices.iter().filter(|notice| !told.contains(notice));
            new.for_each(|notice| onlooker.note(notice));
            onlooker.done(&summary);
            if args.json {
                print_line(&serde_json::to_string_pretty(&*summary)?);
            } else {
                tell(&summary, &folder);
            }
        }
        RunOutcome::Stopped { time, checkpoint } => {
            let unit = scene.clock().unit;
            complain(&format!("stopped at {time:.3}{unit}: {}", checkpoint.display()));
            complain("go on with the same command and --resume");
            return Ok(false);
        }
    }
    Ok(true)
}

/// An error, and what to do about it where an option helps.
fn advised(error: RunError) -> anyhow::Error {
    match error.advice() {
        Some(advice) => Usage(format!("{error}; {advice}")).into(),
        None => error.into(),
    }
}

/// Says that a run which failed has left a checkpoint, if so.
fn advise_to_resume(error: &anyhow::Error, folder: &Path) {
    let run = error.downcast_ref::<RunError>();
    let begun = !matches!(run, None | Some(RunError::Resume { .. } | RunError::Scene(_)));
    if let Some(checkpoint) = checkpoint_in(folder).filter(|_| begun) {
        let checkpoint = checkpoint.display();
        complain(&format!("{checkpoint} was left: go on with the same command and --resume"));
    }
}

const MOST_THREADS: usize = 1024;

/// Bytes, as in `4GiB` or `500 MB`.
fn size(text: &str) -> Result<usize, String> {
    let wrong = || format!("found `{text}`, needs a size such as 4GiB or 500MB");
    let text = text.trim();
    let end = text.find(|c: char| !(c.is_ascii_digit() || c == '.')).unwrap_or(text.len());
    let (number, unit) = text.split_at(end);
    let times: f64 = match unit.trim() {
        "MB" => 1e6,
        "GB" => 1e9,
        "MiB" => f64::from(1 << 20),
        "GiB" => f64::from(1 << 30),
        "TiB" => f64::from(1 << 30) * 1024.0,
        _ => return Err(wrong()),
    };
    let bytes = number.parse::<f64>().map_err(|_| wrong())? * times;
    Ok(bytes as usize)
}

impl Args {
    /// The overrides that options stand for.
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

/// How long a step takes at least for somebody who waits for its end to be told so.
const LONG: Duration = Duration::from_secs(1);

/// A flag that Ctrl-C raises; a second Ctrl-C ends the program at once.
fn stop_on_ctrl_c() -> Result<Arc<AtomicBool>> {
    let stop = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&stop);
    ctrlc::set_handler(move || {
        if flag.swap(true, Ordering::Relaxed) {
            std::process::exit(1);
        }
        // By then, most steps are done and the program has ended.
        std::thread::spawn(|| {
            std::thread::sleep(LONG);
            complain(
                "stopping after this step; Ctrl-C once more ends at once, and --resume goes on from the last \
                 checkpoint then",
            );
        });
    })
    .context("Ctrl-C cannot be caught")?;
    Ok(stop)
}

/// Says in a few lines what a run did.
fn tell(summary: &Summary, folder: &Path) {
    let Summary { nx, ny, steps, simulated_seconds, wall_seconds, ledger, .. } = summary;
    let speed = summary.cell_steps_per_second / 1e6;
    // Steps add up with rounding.
    let simulated_seconds = (simulated_seconds * 1e6).round() / 1e6;
    let unit = summary.time_unit;
    print_line(&format!(
        "{}: {simulated_seconds} {unit} in {steps} steps on {nx} × {ny} cells, {wall_seconds:.1} s of work \
         ({speed:.0} million cell-steps/s)",
        summary.scene
    ));
    if let Some(Settled { reached, residual, seconds, steps }) = summary.settled {
        let verdict = if reached { "settled" } else { "NOT settled" };
        print_line(&format!(
            "{verdict} in {steps} steps, {seconds:.0} s: the surface changes by {residual:.1e} m/s"
        ));
    }
    let unit = ledger.unit;
    print_line(&format!(
        "water: {:.0} {unit} at the start, {:.0} {unit} now, residual {:.1e} of all that was handled",
        ledger.start, ledger.now, ledger.residual_relative
    ));
    if let Some(sediment) = &ledger.sediment {
        let washed_out = sediment.outflow.get(Cause::Boundary.name()).copied().unwrap_or(0.0);
        let part = 100.0 * washed_out / sediment.start.abs().max(1.0);
        print_line(&format!(
            "ground: {washed_out:.0} m³ washed out ({part:.1} %), residual {} m³",
            sediment.residual
        ));
    }
    let files = summary.pictures.len() + summary.layers.len() + summary.gauges.len() + 1;
    print_line(&format!("{files} files in {}", folder.display()));
}
