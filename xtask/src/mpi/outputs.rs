//! Checks of the output folders of runs, and control of running processes.

use crate::process::run_command;
use anyhow::{Context, Result, bail, ensure};
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};
use std::time::{Duration, Instant};

/// Checks the exit status in the output of a finished program.
///
/// # Errors
/// Returns an error with the program's messages unless the program succeeded.
pub(super) fn check_exit_status(output: Output) -> Result<()> {
    if output.status.success() {
        return Ok(());
    }
    bail!("{}", String::from_utf8_lossy(&output.stderr))
}

pub(super) fn read_summary(folder: &Path) -> Result<Value> {
    let path = folder.join("summary.json");
    let text = fs::read_to_string(&path).with_context(|| path.display().to_string())?;
    Ok(serde_json::from_str(&text)?)
}

/// Returns the state hash at the end of a run. `folder` is the output folder of the run.
pub(super) fn read_state_hash(folder: &Path) -> Result<String> {
    Ok(read_summary(folder)?["state_hash"].as_str().unwrap_or_default().to_owned())
}

/// Compares the output folders of two runs.
///
/// # Errors
/// Returns an error unless the runs have the same final state, ledger, number of steps and files.
pub(super) fn check_runs_are_equal(first: &Path, second: &Path) -> Result<()> {
    let [mut a, mut b] = [read_summary(first)?, read_summary(second)?];
    for key in
        ["state_hash", "ledger", "steps", "simulated_seconds", "layers", "gauges", "pictures"]
    {
        let [a, b] = [a[key].take(), b[key].take()];
        ensure!(a == b, "{key} is {b}, expected {a}");
    }
    for file in fs::read_dir(first)? {
        let name = file?.file_name();
        if name != "summary.json" {
            let [a, b] = [first, second].map(|folder| fs::read(folder.join(&name)));
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

/// Sends the signal with the given name to a process. `process` is the process id.
pub(super) fn send_signal(process: u32, name: &str) -> Result<()> {
    run_command(Command::new("kill").arg(format!("-{name}")).arg(process.to_string()))
}

/// Returns the process ids of the children of a process, which is given by its id.
pub(super) fn child_processes(process: u32) -> Result<Vec<u32>> {
    let path = format!("/proc/{process}/task/{process}/children");
    let numbers = fs::read_to_string(&path).context(path)?;
    let mut numbers: Vec<u32> =
        numbers.split_whitespace().map(str::parse).collect::<Result<_, _>>()?;
    numbers.sort_unstable();
    Ok(numbers)
}

/// File in the output folder of a run that exists once a checkpoint is complete.
pub(super) const CHECKPOINT: &str = "checkpoint-parts.headwater/manifest";

/// Waits until a run is writing a checkpoint to its output folder, but for at most two seconds.
pub(super) fn wait_until_checkpoint_is_written(folder: &Path) {
    let parts = folder.join("checkpoint-parts.headwater");
    let begun = Instant::now();
    let names = || -> BTreeSet<_> {
        fs::read_dir(&parts).into_iter().flatten().flatten().map(|file| file.file_name()).collect()
    };
    let before = names();
    while parts.is_dir() && before == names() && begun.elapsed() < Duration::from_secs(2) {}
}
