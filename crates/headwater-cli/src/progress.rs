//! Progress of a run on stderr, as a bar in terminals or as lines of JSON for other programs.

use crate::memory::failed_allocation_bytes;
use headwater::flow::RelaxationStatus;
use headwater_cli::screen::print_error_line;
use headwater_scene::Scene;
use headwater_scene::run::{Executor, Observer, Summary, World};
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;
use serde_json::json;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Format of the progress report on stderr.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum ProgressFormat {
    /// A progress bar, if stderr is a terminal.
    Bar,
    /// Lines of JSON with one object each: at the start of the run, every second, and at its end.
    Json,
    /// No progress report.
    None,
}

/// Prints the progress of a run, and stops the run on Ctrl-C.
pub(crate) struct ProgressReporter {
    format: ProgressFormat,
    bar: ProgressBar,
    until: f64,
    /// Unit suffix of printed times.
    unit: &'static str,
    stop: Arc<AtomicBool>,
    /// Wall time and simulated time at which this process started or resumed the run.
    started: (Instant, f64),
    last_report: Instant,
    steps: u64,
}

/// Interval between updates of the progress bar.
const BAR_INTERVAL: Duration = Duration::from_millis(200);

/// Interval between two lines of JSON output.
const LINE_INTERVAL: Duration = Duration::from_secs(1);

/// Number of increments of the progress bar from the start to the end of a run.
const BAR_LENGTH: f64 = 1000.0;

/// A line of JSON that reports the progress.
#[derive(Serialize)]
struct ProgressLine<'a> {
    /// Simulated time so far.
    time: f64,
    /// Simulated time at the end of the run.
    until: f64,
    /// Unit of `time` and `until`.
    unit: &'a str,
    /// Number of steps done.
    steps: u64,
    /// Wall time (s) since this process started or resumed the run.
    wall_seconds: f64,
    /// Estimated remaining wall time (s); `None` before the first step.
    seconds_left: Option<f64>,
    /// Progress of the initial relaxation to a steady state; `None` after the relaxation has ended.
    #[serde(skip_serializing_if = "Option::is_none")]
    settling: Option<RelaxationStatus>,
}

impl ProgressReporter {
    pub(crate) fn new(scene: &Scene, format: ProgressFormat) -> Self {
        let bar = match format {
            ProgressFormat::Bar => ProgressBar::new(BAR_LENGTH as u64),
            ProgressFormat::Json | ProgressFormat::None => ProgressBar::hidden(),
        };
        // Ignore errors: an invalid template would be noticed in the first run of any scene.
        if let Ok(style) =
            ProgressStyle::with_template("{bar:30} {percent:>3} % {msg} {eta:>5} left")
        {
            bar.set_style(style);
        }
        let (until, unit) = (scene.until(), scene.clock().unit);
        let (now, stop) = (Instant::now(), Arc::default());
        Self { format, bar, until, unit, stop, started: (now, 0.0), last_report: now, steps: 0 }
    }

    /// Starts the progress report of a new or resumed run. The run stops when `stop` becomes true.
    pub(crate) fn start(&mut self, executor: &dyn Executor, stop: Arc<AtomicBool>) {
        self.stop = stop;
        self.started = (Instant::now(), executor.time());
        (self.last_report, self.steps) = (self.started.0, executor.steps());
        if self.format == ProgressFormat::Json {
            self.print_progress_line(executor.time(), executor.steps(), None);
        }
    }

    /// Prints the last line of JSON at the end of the run.
    pub(crate) fn finish(&self, summary: &Summary) {
        if self.format == ProgressFormat::Json {
            self.print_progress_line(summary.simulated_seconds, summary.steps, None);
        }
    }

    /// Removes the progress bar from the terminal.
    pub(crate) fn clear(&self) {
        self.bar.finish_and_clear();
    }

    /// Prints a message of the run without disturbing the progress bar.
    pub(crate) fn print_note(&self, text: &str) {
        if self.format == ProgressFormat::Json {
            print_json_line(&json!({ "note": text }));
        } else {
            self.bar.suspend(|| print_error_line(&format!("note: {text}")));
        }
    }

    fn print_progress_line(&self, time: f64, steps: u64, settling: Option<RelaxationStatus>) {
        let (started, first) = self.started;
        let wall_seconds = started.elapsed().as_secs_f64();
        let left = wall_seconds * (self.until - time).max(0.0) / (time - first);
        let seconds_left = Some(left).filter(|left| left.is_finite());
        let (until, unit) = (self.until, self.unit.trim());
        print_json_line(&ProgressLine {
            time,
            until,
            unit,
            steps,
            wall_seconds,
            seconds_left,
            settling,
        });
    }

    fn report_progress(&mut self, executor: &mut dyn Executor) {
        let settling = executor.relaxation().filter(|_| executor.time() == 0.0);
        if self.format == ProgressFormat::Json {
            self.print_progress_line(executor.time(), executor.steps(), settling);
        } else {
            self.update_progress_bar(executor, settling);
        }
        (self.last_report, self.steps) = (Instant::now(), executor.steps());
    }

    fn update_progress_bar(&self, executor: &mut dyn Executor, settling: Option<RelaxationStatus>) {
        let cell_steps =
            (executor.steps() - self.steps) as f64 * executor.grid().cell_count() as f64;
        let speed = cell_steps / self.last_report.elapsed().as_secs_f64() / 1e6;
        let (time, until) = (executor.time(), self.until);
        self.bar.set_position((time / until * BAR_LENGTH) as u64);
        self.bar.set_message(match settling {
            Some(RelaxationStatus { residual, seconds, .. }) if residual < f64::MAX => format!(
                "settling, {seconds:.0} s · {speed:.0} million cell-steps/s · the surface changes by \
                 {residual:.1e} m/s"
            ),
            Some(_) => "settling".into(),
            None => {
                let residual = match executor.volume_balance().map(|ledger| ledger.residual_relative) {
                    Ok(residual) if residual.is_finite() => format!(" · residual {residual:.1e}"),
                    _ => String::new(),
                };
                let unit = self.unit;
                let pace = match executor.local_world().and_then(World::hydrology) {
                    Some(land) => format!("{:.0} thousand drops", land.drops() as f64 / 1e3),
                    None => format!("{speed:.0} million cell-steps/s"),
                };
                format!("t = {time:.1} of {until}{unit} · {pace}{residual}")
            }
        });
    }
}

impl Observer for ProgressReporter {
    fn step(&mut self, executor: &mut dyn Executor) -> ControlFlow<()> {
        let often = if self.format == ProgressFormat::Json { LINE_INTERVAL } else { BAR_INTERVAL };
        if self.last_report.elapsed() >= often {
            self.report_progress(executor);
        }
        if self.stop.load(Ordering::Relaxed) || failed_allocation_bytes().is_some() {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    }

    fn task_started(&mut self, work: &str) {
        self.bar.set_position(BAR_LENGTH as u64);
        self.bar.set_message(work.to_owned());
        if self.format == ProgressFormat::Json {
            print_json_line(&json!({ "begins": work }));
        }
    }
}

/// Prints a value as one line of JSON. Serialization cannot fail, because all keys are strings.
fn print_json_line(line: &impl Serialize) {
    if let Ok(line) = serde_json::to_string(line) {
        print_error_line(&line);
    }
}
