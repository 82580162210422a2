//! Benchmark of the overhead per step of the Python and JavaScript bindings. Runs with a binding
//! and runs without it alternate, so that other load on the machine affects both equally.

use super::{js, python};
use crate::{node, place, process};
use anyhow::{Context, Result, bail};
use serde_json::Value;
use std::fs;
use std::io::{BufRead as _, BufReader, Lines, Write as _};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// Scene of the benchmark: runoff from hills on 1024² cells. The scene has no events, because runs
/// without the binding do not support them. Times are compared per step, because only runs without
/// the binding shorten their last step.
const SCENE: &str = "model = \"flow\"
[grid]
nx = 1024
ny = 1024
cell = 2
[terrain]
noise = { height = 4, scale = 300 }
[water]
depth = 1
[time]
until = 1000000
";

/// Simulated time per round (s). It is long enough for several steps.
const ADVANCE: &str = "3";

/// Maximum ratio of the time per step through the Python binding to the time in Rust
/// (dimensionless).
const MAX_PYTHON_RATIO: f64 = 1.02;

/// Maximum ratio of the time per step through the JavaScript binding to the time in the same module
/// without the binding (dimensionless).
const MAX_JAVASCRIPT_RATIO: f64 = 1.1;

/// Maximum time for reading a layer from Python (ms).
const MAX_LAYER_TIME_MS: f64 = 1.0;

/// Program under test. It advances its world once for each line that it reads from standard input.
struct BenchmarkProgram {
    child: Child,
    to: ChildStdin,
    from: Lines<BufReader<ChildStdout>>,
    /// Time per step, for each round (ms).
    step_times: Vec<f64>,
    /// Time for reading a layer, for each round (ms).
    layer_times: Vec<f64>,
}

impl BenchmarkProgram {
    fn start(mut command: Command) -> Result<Self> {
        // Use one thread for each program, because both cores of a small machine are rarely free.
        command.env("RAYON_NUM_THREADS", "1").stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().with_context(|| format!("{command:?}"))?;
        let to = child.stdin.take().context("no way to it")?;
        let from = BufReader::new(child.stdout.take().context("no way back")?).lines();
        let (step_times, layer_times) = (Vec::new(), Vec::new());
        Ok(Self { child, to, from, step_times, layer_times })
    }

    fn run_round(&mut self) -> Result<()> {
        writeln!(self.to, "go")?;
        let line = self.from.next().context("it ended")??;
        let said: Value = serde_json::from_str(&line).with_context(|| line.clone())?;
        let number = |key: &str| said[key].as_f64().with_context(|| format!("{key} in {line}"));
        self.step_times.push(number("took")? / number("steps")?);
        self.layer_times.push(number("layer")?);
        Ok(())
    }
}

impl Drop for BenchmarkProgram {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Measures the overhead of both bindings and prints medians over `rounds` rounds. The programs are
/// built first if `build_first` is true.
pub(crate) fn measure(rounds: usize, build_first: bool) -> Result<()> {
    let scene = place::target_folder().join("binding-speed.toml");
    fs::write(&scene, SCENE)?;
    let bare = place::target_folder().join("release/examples/bare_speed");
    let package = python::assemble_package("release", build_first)?;
    if build_first {
        let mut command = process::cargo_command();
        command.args(["build", "--release", "--package"]);
        process::run_command(command.args(["headwater-scene", "--example", "bare_speed"]))?;
    }
    let mut rust = Command::new(&bare);
    rust.arg(&scene).arg(ADVANCE);
    let mut bound = package.command();
    bound.arg(python::crate_folder().join("tests/speed.py")).arg(&scene).arg(ADVANCE);
    let [slower, layer] = measure_overhead("Python", "Rust", rounds, bound, rust)?;
    let both = js::baseline_folder();
    if build_first {
        js::build_baseline(&both)?;
    }
    let side = |which: &str| -> Result<Command> {
        let mut command = Command::new(node::find_node()?);
        command.arg(js::crate_folder().join("tests/speed.mjs")).arg(&scene).args([which, ADVANCE]);
        command.env("HEADWATER_PACKAGE", &both);
        Ok(command)
    };
    let [in_node, _] =
        measure_overhead("JavaScript", "the same module", rounds, side("package")?, side("bare")?)?;
    if slower > MAX_PYTHON_RATIO || layer > MAX_LAYER_TIME_MS || in_node > MAX_JAVASCRIPT_RATIO {
        bail!(
            "limits: {MAX_PYTHON_RATIO} and {MAX_LAYER_TIME_MS} ms per layer in Python, {MAX_JAVASCRIPT_RATIO} in JavaScript"
        );
    }
    Ok(())
}

/// Runs the programs `bound` (with the binding) and `bare` (without it) in alternating rounds.
/// Returns the ratio of their median times per step, and the median time in which `bound` reads a
/// layer (ms).
fn measure_overhead(
    bound_name: &str,
    bare_name: &str,
    rounds: usize,
    bound: Command,
    bare: Command,
) -> Result<[f64; 2]> {
    let (mut bound, mut bare) = (BenchmarkProgram::start(bound)?, BenchmarkProgram::start(bare)?);
    let mut ratios = Vec::new();
    for round in 0..=rounds {
        // Alternate the order of the programs.
        let mut order = [&mut bound, &mut bare];
        if round % 2 == 1 {
            order.reverse();
        }
        for side in order {
            side.run_round()?;
        }
        if round == 0 {
            // The first round is not counted, because it touches memory for the first time.
            for side in [&mut bound, &mut bare] {
                side.step_times.clear();
                side.layer_times.clear();
            }
        } else {
            ratios.extend(bound.step_times.last().zip(bare.step_times.last()).map(|(a, b)| a / b));
        }
    }
    let (slower, layer) = (median(&mut ratios), median(&mut bound.layer_times));
    println!(
        "{bound_name:11} {:8.3} ms per step, {bare_name} {:8.3} ms, ratio {slower:.3} (median of {rounds} rounds, quartiles {:.3} to {:.3}); layer {layer:.3} ms",
        median(&mut bound.step_times),
        median(&mut bare.step_times),
        ratios[ratios.len() / 4],
        ratios[ratios.len() * 3 / 4],
    );
    Ok([slower, layer])
}

fn median(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}
