//! `headwater run`: runs a scene, with a progress bar, and stops it cleanly on Ctrl-C.

use crate::backend::Backend;
use crate::scene;
use crate::screen::{complain, print_line};
use crate::usage::Usage;
use anyhow::{Context as _, Result};
use headwater::Cause;
use headwater::flow::Settled;
use headwater_scene::Scene;
use headwater_scene::run::{CHECKPOINT, End, Run, RunError, Simulation, Summary, Watch};
use indicatif::{ProgressBar, ProgressStyle};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

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
    /// Threads to run on; as many as there are cores by default. The outcome is the same.
    #[arg(long, value_name = "N")]
    threads: Option<usize>,
    /// Layers to write as numbers, as in `--layers depth,surface`.
    #[arg(long, value_name = "LAYERS", value_delimiter = ',')]
    layers: Vec<String>,
    /// How layers are written.
    #[arg(long, value_name = "FORMAT", value_parser = ["npy", "geotiff", "png"])]
    layer_format: Option<String>,
    /// Go on with a run that has not ended.
    #[arg(long)]
    resume: bool,
    /// Begin anew over a run that has not ended, and over files that no run's summary lists.
    #[arg(long, conflicts_with = "resume")]
    force: bool,
    /// Print the summary as JSON, and nothing else.
    #[arg(long)]
    json: bool,
}

/// Runs a scene; false if it was stopped.
pub(crate) fn run(args: &Args) -> Result<bool> {
    let backend = args.backend.open()?;
    let scene = args.scene.load(&args.overrides())?;
    let name = args.scene.name();
    let folder = args.out.clone().unwrap_or_else(|| PathBuf::from("out").join(&name));
    let threads = args.threads.unwrap_or(0);
    if args.threads == Some(0) || threads > MOST_THREADS {
        return Err(Usage(format!("--threads may be 1 to {MOST_THREADS}, found {threads}")).into());
    }
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build()?;
    let mut bar = Bar::new(&scene, args.json);
    let mut told = Vec::new();
    let end = pool.install(|| {
        let begin = match (args.resume, args.force) {
            (true, _) => Run::resume_on,
            (_, true) => Run::start_over,
            _ => Run::start_on,
        };
        let run = begin(&scene, &name, &folder, backend).map_err(advised)?;
        told = run.simulation().notices();
        told.iter().for_each(|notice| bar.note(notice));
        // Before there is a run, there is nothing to keep: Ctrl-C then ends the program as it ends others.
        bar.stop = stop_on_ctrl_c()?;
        Ok::<_, anyhow::Error>(run.go(&mut bar)?)
    });
    bar.bar.finish_and_clear();
    match end.inspect_err(|error| advise_to_resume(error, &folder))? {
        End::Done(summary) => {
            let new = summary.notices.iter().filter(|notice| !told.contains(notice));
            new.for_each(|notice| bar.note(notice));
            if args.json {
                print_line(&serde_json::to_string_pretty(&*summary)?);
            } else {
                tell(&summary, &folder);
            }
        }
        End::Stopped { time, checkpoint } => {
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
    let advice = match error {
        RunError::Unfinished { .. } => "--resume goes on with it, --force begins anew over it",
        RunError::Foreign { .. } => {
            "name another folder with --out, or write over them with --force"
        }
        RunError::InUse { .. } => "wait for its end, or name another folder with --out",
        _ => return error.into(),
    };
    Usage(format!("{error}; {advice}")).into()
}

/// Says that a run which failed has left a checkpoint, if so.
fn advise_to_resume(error: &anyhow::Error, folder: &Path) {
    let run = error.downcast_ref::<RunError>();
    let begun = !matches!(run, None | Some(RunError::Resume { .. } | RunError::Scene(_)));
    let checkpoint = folder.join(CHECKPOINT);
    if begun && checkpoint.is_file() {
        let checkpoint = checkpoint.display();
        complain(&format!("{checkpoint} was left: go on with the same command and --resume"));
    }
}

const MOST_THREADS: usize = 1024;

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

/// The progress bar, which also listens for Ctrl-C.
struct Bar {
    bar: ProgressBar,
    until: f64,
    /// What time is counted in, as it stands after a number.
    unit: &'static str,
    stop: Arc<AtomicBool>,
    looked: Instant,
    steps: u64,
}

/// How often the bar moves.
const TICK: Duration = Duration::from_millis(200);

/// Parts that the bar divides a run into.
const PARTS: f64 = 1000.0;

impl Bar {
    fn new(scene: &Scene, hidden: bool) -> Self {
        let bar = if hidden { ProgressBar::hidden() } else { ProgressBar::new(PARTS as u64) };
        // A template that cannot be parsed would show in the first run of any scene.
        if let Ok(style) =
            ProgressStyle::with_template("{bar:30} {percent:>3} % {msg} {eta:>5} left")
        {
            bar.set_style(style);
        }
        let (until, unit) = (scene.until(), scene.clock().unit);
        let stop = Arc::default();
        Self { bar, until, unit, stop, looked: Instant::now(), steps: 0 }
    }

    fn note(&self, text: &str) {
        if !self.bar.is_hidden() {
            self.bar.println(format!("note: {text}"));
        } else {
            complain(&format!("note: {text}"));
        }
    }
}

impl Watch for Bar {
    fn step(&mut self, simulation: &dyn Simulation) -> ControlFlow<()> {
        let elapsed = self.looked.elapsed();
        if elapsed >= TICK {
            let steps = simulation.steps() - std::mem::replace(&mut self.steps, simulation.steps());
            let cell_steps = steps as f64 * simulation.grid().cells() as f64;
            let speed = cell_steps / elapsed.as_secs_f64() / 1e6;
            let (time, until) = (simulation.time(), self.until);
            self.bar.set_position((time / until * PARTS) as u64);
            self.bar.set_message(match simulation.settling() {
                Some(Settled { residual, seconds, .. }) if time == 0.0 && residual < f64::MAX => format!(
                    "settling, {seconds:.0} s · {speed:.0} million cell-steps/s · the surface changes by \
                     {residual:.1e} m/s"
                ),
                Some(_) if time == 0.0 => "settling".into(),
                _ => {
                    let residual = simulation.ledger().residual_relative;
                    let unit = self.unit;
                    let pace = match simulation.world().hydrology() {
                        Some(land) => format!("{:.0} thousand drops", land.drops() as f64 / 1e3),
                        None => format!("{speed:.0} million cell-steps/s"),
                    };
                    format!("t = {time:.1} of {until}{unit} · {pace} · residual {residual:.1e}")
                }
            });
            self.looked = Instant::now();
        }
        if self.stop.load(Ordering::Relaxed) {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    }

    fn begins(&mut self, work: &str) {
        self.bar.set_position(PARTS as u64);
        self.bar.set_message(work.to_owned());
    }
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
