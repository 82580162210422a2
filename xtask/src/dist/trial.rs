//! Tests of a release archive. They follow the steps of a user: unpack the archive, and run the
//! program in an empty folder.

use super::{archive, target::Target};
use crate::process::{command_output, find_program};
use anyhow::{Context, Result, bail};
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Files that every archive contains in addition to the program.
pub(crate) const FILES: [&str; 4] = ["CHANGELOG.md", "LICENSE-APACHE", "LICENSE-MIT", "README.md"];

/// Built-in scene whose state hash must be the same on all targets.
const SCENE: &str = "dam-breach";

/// Tests the archive of a target: unpacks it and runs the program. Returns the state hash of the
/// test scene, which must be the same for all targets. Prints a notice and returns `None` if the
/// program cannot run on this machine.
pub(crate) fn run(target: &Target, archive: &Path, version: &str) -> Result<Option<String>> {
    let unpacked = tempfile::tempdir()?;
    archive::unpack(archive, unpacked.path())?;
    let folder = unpacked.path().join(target.folder(version));
    for name in FILES.into_iter().chain([super::licences::FILE, target.program()]) {
        let path = folder.join(name);
        let length = fs::metadata(&path).with_context(|| path.display().to_string())?.len();
        if length == 0 {
            bail!("{name} of {} is empty", archive.display());
        }
    }
    let Some(runner) = runner_command(target) else {
        let (names, package) = target.runners;
        println!(
            "{}: not run, for there is no {} here. On Debian: `apt-get install {package}`; or name a \
             program in {}",
            target.triple,
            names[0],
            target.cargo_variable("RUNNER")
        );
        return Ok(None);
    };
    let program = folder.join(target.program());
    let empty = tempfile::tempdir()?;
    let call = |words: &[&str]| {
        let mut words_before = runner.iter().map(PathBuf::as_path).chain([program.as_path()]);
        let mut command = Command::new(words_before.next().unwrap_or(&program));
        command.args(words_before).args(words).current_dir(empty.path());
        command_output(&mut command)
    };
    let said = call(&["--version"])?;
    if said.trim_end() != format!("headwater {version}") {
        bail!("found version {said:?}, expected {version}");
    }
    if !call(&["scenes"])?.lines().any(|line| line.starts_with(SCENE)) {
        bail!("{SCENE} is missing from the scenes of {}", target.triple);
    }
    call(&["run", "lake-at-rest", "--until", "1"])?;
    let picture = empty.path().join("out/lake-at-rest/final.png");
    fs::metadata(&picture).context("the run has written no picture")?;
    let hash = call(&["hash", SCENE, "--steps", "100"])?;
    let hash = hash.split_whitespace().next().context("no hash of a scene")?;
    println!("{}: unpacked and run; {SCENE} has state hash {hash} after 100 steps", target.triple);
    Ok(Some(hash.to_owned()))
}

/// Returns the first words of a command that runs programs of the target. They are taken from
/// Cargo's environment variable for the runner, if it is set. Otherwise they are empty if this
/// machine runs the programs natively, or an emulator in the search path of the system. Returns
/// `None` if there is no emulator.
fn runner_command(target: &Target) -> Option<Vec<PathBuf>> {
    if let Some(given) = env::var_os(target.cargo_variable("RUNNER")) {
        return Some(given.to_string_lossy().split_whitespace().map(PathBuf::from).collect());
    }
    if target.runs_natively() {
        return Some(Vec::new());
    }
    find_program(target.runners.0).map(|runner| vec![runner])
}
