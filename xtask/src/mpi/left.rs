//! What runs have left and said, and the processes that they are made of.

use crate::process::run;
use anyhow::{Context, Result, bail, ensure};
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};
use std::time::{Duration, Instant};

/// That a program has done what it should.
pub(super) fn done(output: Output) -> Result<()> {
    if output.status.success() {
        return Ok(());
    }
    bail!("{}", String::from_utf8_lossy(&output.stderr))
}

pub(super) fn summary(folder: &Path) -> Result<Value> {
    let path = folder.join("summary.json");
    let text = fs::read_to_string(&path).with_context(|| path.display().to_string())?;
    Ok(serde_json::from_str(&text)?)
}

/// The hash of the state that a run has come to.
pub(super) fn state(folder: &Path) -> Result<String> {
    Ok(summary(folder)?["state_hash"].as_str().unwrap_or_default().to_owned())
}

/// That two runs have come to the same: state, books, steps, and every file.
pub(super) fn same(one: &Path, other: &Path) -> Result<()> {
    let [mut a, mut b] = [summary(one)?, summary(other)?];
    for key in
        ["state_hash", "ledger", "steps", "simulated_seconds", "layers", "gauges", "pictures"]
    {
        let [a, b] = [a[key].take(), b[key].take()];
        ensure!(a == b, "{key} is {b}, and not {a}");
    }
    for file in fs::read_dir(one)? {
        let name = file?.file_name();
        if name != "summary.json" {
            let [a, b] = [one, other].map(|folder| fs::read(folder.join(&name)));
            ensure!(a? == b?, "{} differs", name.display());
        }
    }
    Ok(())
}

pub(super) fn copy(from: &Path, to: &Path) -> Result<()> {
    fs::create_dir_all(to)?;
    for file in fs::read_dir(from)? {
        let file = file?;
        let to = to.join(file.file_name());
        match file.file_type()?.is_dir() {
            true => copy(&file.path(), &to)?,
            false => drop(fs::copy(file.path(), to)?),
        }
    }
    Ok(())
}

/// Sends a signal to a process that this one has started.
pub(super) fn signal(process: u32, name: &str) -> Result<()> {
    run(Command::new("kill").arg(format!("-{name}")).arg(process.to_string()))
}

/// The processes that a process has started, by their numbers.
pub(super) fn children(process: u32) -> Result<Vec<u32>> {
    let path = format!("/proc/{process}/task/{process}/children");
    let numbers = fs::read_to_string(&path).context(path)?;
    let mut numbers: Vec<u32> =
        numbers.split_whitespace().map(str::parse).collect::<Result<_, _>>()?;
    numbers.sort_unstable();
    Ok(numbers)
}

/// The file of a checkpoint that is there once it is whole.
pub(super) const CHECKPOINT: &str = "checkpoint-parts.headwater/manifest";

/// Waits until a checkpoint in parts is being written, to be in the middle of that, but not for long.
pub(super) fn await_writing(folder: &Path) {
    let parts = folder.join("checkpoint-parts.headwater");
    let begun = Instant::now();
    let names = || -> BTreeSet<_> {
        fs::read_dir(&parts).into_iter().flatten().flatten().map(|file| file.file_name()).collect()
    };
    let before = names();
    while parts.is_dir() && before == names() && begun.elapsed() < Duration::from_secs(2) {}
}
