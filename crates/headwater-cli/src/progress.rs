//! How far a run is, on stderr: a bar for people, or lines of JSON for programs.

use crate::screen::complain;
use headwater::flow::Settled;
use headwater_scene::Scene;
use headwater_scene::run::{Executor, Observer, Summary, World};
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;
use serde_json::json;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// How stderr says how far a run is.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Manner {
    /// A bar, where stderr is a terminal.
    Bar,
    /// Lines of JSON, an object each: one as the run begins, one each second, one at its end.
    Json,
    /// Not at all.
    None,
}

/// Looks on while a scene runs, says how far it is, and listens for Ctrl-C.
pub(crate) struct Onlooker {
    manner: Manner,
    bar: ProgressBar,
    until: f64,
    /// What time is counted in, as it stands after a number.
    unit: &'static str,
    stop: Arc<AtomicBool>,
    /// When this run began or went on, and at what simulated time.
    begun: (Instant, f64),
    looked: Instant,
    steps: u64,
}

/// How often the bar moves.
const TICK: Duration = Duration::from_millis(200);

/// How often there is a line of JSON.
const LINE: Duration = Duration::from_secs(1);

/// Parts that the bar divides a run into.
const PARTS: f64 = 1000.0;

/// A line of JSON.
#[derive(Serialize)]
struct Line<'a> {
    /// Simulated time.
    time: f64,
    /// Simulated time at the end.
    until: f64,
    /// What both are counted in.
    unit: &'a str,
    /// Steps done.
    steps: u64,
    /// Time since the run began or went on (s).
    wall_seconds: f64,
    /// Time that the rest takes if it goes on as it has (s); none before there is anything to tell it from.
    seconds_left: Option<f64>,
    /// How far the world is on its way to a steady state, before simulated time begins.
    #[serde(skip_serializing_if = "Option::is_none")]
    settling: Option<Settled>,
}

impl Onlooker {
    pub(crate) fn new(scene: &Scene, manner: Manner) -> Self {
        let bar = match manner {
            Manner::Bar => ProgressBar::new(PARTS as u64),
            Manner::Json | Manner::None => ProgressBar::hidden(),
        };
        // A template that cannot be parsed would show in the first run of any scene.
        if let Ok(style) =
            ProgressStyle::with_template("{bar:30} {percent:>3} % {msg} {eta:>5} left")
        {
            bar.set_style(style);
        }
        let (until, unit) = (scene.until(), scene.clock().unit);
        let (now, stop) = (Instant::now(), Arc::default());
        Self { manner, bar, until, unit, stop, begun: (now, 0.0), looked: now, steps: 0 }
    }

    /// The run begins, or goes on; `stop` is raised when it is to end.
    pub(crate) fn begin(&mut self, executor: &dyn Executor, stop: Arc<AtomicBool>) {
        self.stop = stop;
        self.begun = (Instant::now(), executor.time());
        (self.looked, self.steps) = (self.begun.0, executor.steps());
        if self.manner == Manner::Json {
            self.line(executor.time(), executor.steps(), None);
        }
    }

    /// The run has come to its end.
    pub(crate) fn done(&self, summary: &Summary) {
        if self.manner == Manner::Json {
            self.line(summary.simulated_seconds, summary.steps, None);
        }
    }

    /// Takes the bar away.
    pub(crate) fn clear(&self) {
        self.bar.finish_and_clear();
    }

    /// Tells somebody something.
    pub(crate) fn note(&self, text: &str) {
        if self.manner == Manner::Json {
            print(&json!({ "note": text }));
        } else if !self.bar.is_hidden() {
            self.bar.println(format!("note: {text}"));
        } else {
            complain(&format!("note: {text}"));
        }
    }

    fn line(&self, time: f64, steps: u64, settling: Option<Settled>) {
        let (begun, first) = self.begun;
        let wall_seconds = begun.elapsed().as_secs_f64();
        let left = wall_seconds * (self.until - time).max(0.0) / (time - first);
        let seconds_left = Some(left).filter(|left| left.is_finite());
        let (until, unit) = (self.until, self.unit.trim());
        print(&Line { time, until, unit, steps, wall_seconds, seconds_left, settling });
    }

    fn look(&mut self, executor: &mut dyn Executor) {
        let settling = executor.relaxation().filter(|_| executor.time() == 0.0);
        if self.manner == Manner::Json {
            self.line(executor.time(), executor.steps(), settling);
        } else {
            self.move_bar(executor, settling);
        }
        (self.looked, self.steps) = (Instant::now(), executor.steps());
    }

    fn move_bar(&self, executor: &mut dyn Executor, settling: Option<Settled>) {
        let cell_steps = (executor.steps() - self.steps) as f64 * executor.grid().cells() as f64;
        let speed = cell_steps / self.looked.elapsed().as_secs_f64() / 1e6;
        let (time, until) = (executor.time(), self.until);
        self.bar.set_position((time / until * PARTS) as u64);
        self.bar.set_message(match settling {
            Some(Settled { residual, seconds, .. }) if residual < f64::MAX => format!(
                "settling, {seconds:.0} s · {speed:.0} million cell-steps/s · the surface changes by \
                 {residual:.1e} m/s"
            ),
            Some(_) => "settling".into(),
            None => {
                let residual = executor.balance().map_or(f64::NAN, |ledger| ledger.residual_relative);
                let unit = self.unit;
                let pace = match executor.local_world().and_then(World::hydrology) {
                    Some(land) => format!("{:.0} thousand drops", land.drops() as f64 / 1e3),
                    None => format!("{speed:.0} million cell-steps/s"),
                };
                format!("t = {time:.1} of {until}{unit} · {pace} · residual {residual:.1e}")
            }
        });
    }
}

impl Observer for Onlooker {
    fn step(&mut self, executor: &mut dyn Executor) -> ControlFlow<()> {
        let often = if self.manner == Manner::Json { LINE } else { TICK };
        if self.looked.elapsed() >= often {
            self.look(executor);
        }
        if self.stop.load(Ordering::Relaxed) {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    }

    fn task_started(&mut self, work: &str) {
        self.bar.set_position(PARTS as u64);
        self.bar.set_message(work.to_owned());
        if self.manner == Manner::Json {
            print(&json!({ "begins": work }));
        }
    }
}

/// Prints a line of JSON. What these lines are made of has no key that is no string, so none fails.
fn print(line: &impl Serialize) {
    if let Ok(line) = serde_json::to_string(line) {
        complain(&escaped(line));
    }
}

/// A line of JSON with the control characters escaped that JSON itself lets stand.
fn escaped(line: String) -> String {
    if !line.contains(char::is_control) {
        return line;
    }
    let mut text = String::with_capacity(line.len());
    for c in line.chars() {
        if c.is_control() { text += &format!("\\u{:04x}", u32::from(c)) } else { text.push(c) }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_make_a_terminal_do_nothing_and_stay_json() {
        let note = "a\x1b[2J\r\u{9b}ä";
        let line = escaped(json!({ "note": note }).to_string());
        assert!(!line.contains(char::is_control), "{line:?}");
        let read: serde_json::Value = serde_json::from_str(&line).unwrap();
        assert_eq!(read, json!({ "note": note }));
    }
}
