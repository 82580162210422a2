//! What a step costs through the bindings: each beside the same step without them, in rounds that alternate, so that a machine which is busy with
//! other things now and then slows both alike.

use super::{js, python};
use crate::{node, place, process};
use anyhow::{Context, Result, bail};
use serde_json::Value;
use std::fs;
use std::io::{BufRead as _, BufReader, Lines, Write as _};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// Water that runs off hills everywhere on 1024² cells. No event, for the model alone does none. The package does whole steps and the model alone
/// cuts its last one, so what counts is the time of a step.
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

/// Time to advance in a round (s): some steps.
const ADVANCE: &str = "3";

/// The most that a step through Python may cost, in steps in Rust.
const PYTHON: f64 = 1.02;

/// The most that a step through JavaScript may cost, in steps of the same module without the binding.
const JAVASCRIPT: f64 = 1.1;

/// The longest that Python may take to read a layer (ms).
const LAYER: f64 = 1.0;

/// A program that advances a world for each line that it is sent.
struct Side {
    child: Child,
    to: ChildStdin,
    from: Lines<BufReader<ChildStdout>>,
    /// Milliseconds of each round, by step.
    took: Vec<f64>,
    /// Milliseconds of reading a layer.
    layers: Vec<f64>,
}

impl Side {
    fn start(mut command: Command) -> Result<Self> {
        // One thread each: the two cores of a small machine are seldom both free.
        command.env("RAYON_NUM_THREADS", "1").stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().with_context(|| format!("{command:?}"))?;
        let to = child.stdin.take().context("no way to it")?;
        let from = BufReader::new(child.stdout.take().context("no way back")?).lines();
        let (took, layers) = (Vec::new(), Vec::new());
        Ok(Self { child, to, from, took, layers })
    }

    fn go(&mut self) -> Result<()> {
        writeln!(self.to, "go")?;
        let line = self.from.next().context("it ended")??;
        let said: Value = serde_json::from_str(&line).with_context(|| line.clone())?;
        let number = |key: &str| said[key].as_f64().with_context(|| format!("{key} in {line}"));
        self.took.push(number("took")? / number("steps")?);
        self.layers.push(number("layer")?);
        Ok(())
    }
}

impl Drop for Side {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Measures them and prints the medians of so many rounds.
pub(crate) fn measure(rounds: usize, build: bool) -> Result<()> {
    let scene = place::target().join("binding-speed.toml");
    fs::write(&scene, SCENE)?;
    let bare = place::target().join("release/examples/bare_speed");
    let package = python::package("release", build)?;
    if build {
        let mut command = process::cargo();
        command.args(["build", "--release", "--package"]);
        process::run(command.args(["headwater-scene", "--example", "bare_speed"]))?;
    }
    let mut rust = Command::new(&bare);
    rust.arg(&scene).arg(ADVANCE);
    let mut bound = package.command();
    bound.arg(python::sources().join("tests/speed.py")).arg(&scene).arg(ADVANCE);
    let [slower, layer] = pair("Python", "Rust", rounds, bound, rust)?;
    let both = js::bare_folder();
    if build {
        js::build_bare(&both)?;
    }
    let side = |which: &str| -> Result<Command> {
        let mut command = Command::new(node::node()?);
        command.arg(js::sources().join("tests/speed.mjs")).arg(&scene).args([which, ADVANCE]);
        command.env("HEADWATER_PACKAGE", &both);
        Ok(command)
    };
    let [in_node, _] =
        pair("JavaScript", "the same module", rounds, side("package")?, side("bare")?)?;
    if slower > PYTHON || layer > LAYER || in_node > JAVASCRIPT {
        bail!("allowed are {PYTHON} and {LAYER} ms a layer in Python, {JAVASCRIPT} in JavaScript");
    }
    Ok(())
}

/// Runs two sides in turn; gives the ratio of their medians, and the median of reading a layer through the first (ms).
fn pair(name: &str, other: &str, rounds: usize, bound: Command, bare: Command) -> Result<[f64; 2]> {
    let (mut bound, mut bare) = (Side::start(bound)?, Side::start(bare)?);
    let mut ratios = Vec::new();
    for round in 0..=rounds {
        // Who goes first goes second the next time.
        let mut order = [&mut bound, &mut bare];
        if round % 2 == 1 {
            order.reverse();
        }
        for side in order {
            side.go()?;
        }
        if round == 0 {
            // Memory is touched for the first time in it.
            for side in [&mut bound, &mut bare] {
                side.took.clear();
                side.layers.clear();
            }
        } else {
            ratios.extend(bound.took.last().zip(bare.took.last()).map(|(a, b)| a / b));
        }
    }
    let (slower, layer) = (median(&mut ratios), median(&mut bound.layers));
    println!(
        "{name:11} {:8.3} ms a step, {other} {:8.3} ms, {slower:.3} of it (median of {rounds} rounds, quartiles {:.3} to {:.3}); a layer {layer:.3} ms",
        median(&mut bound.took),
        median(&mut bare.took),
        ratios[ratios.len() / 4],
        ratios[ratios.len() * 3 / 4],
    );
    Ok([slower, layer])
}

fn median(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}
