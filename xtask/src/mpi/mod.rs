//! Build and tests of the program `headwater-mpi`. Its states, ledgers and files must equal those
//! of `headwater` for every number of ranks, after random edits, after a run has been resumed on
//! another number of ranks, and after a rank has been killed.

mod outputs;
mod scenes;
mod trial;

use crate::place;
use crate::process::{cargo_command, find_program, run_command};
use anyhow::{Result, ensure};
use scenes::{RIVER, SCENES, valley_scene};
use std::env;
use std::fs;
use std::time::Instant;
use trial::MpiTrial;

/// Builds the programs `headwater` and `headwater-mpi` with a Cargo profile.
///
/// # Errors
/// Returns an error if a program cannot be built. `headwater-mpi` requires an MPI library.
pub(crate) fn build(profile: &str) -> Result<()> {
    let mut build = cargo_command();
    build.current_dir(place::repository_root()).args(["build", "--profile", profile]);
    build.args(["-p", "headwater-cli", "-p", "headwater-mpi"]);
    if env::var_os("MPICC").is_none() && find_program(&["mpicc.openmpi"]).is_some() {
        build.env("MPICC", "mpicc.openmpi");
    }
    run_command(&mut build)
}

/// Tests the programs that were built with a Cargo profile. `seed` determines the random edits.
///
/// # Errors
/// Returns an error at the first difference or unexpected exit of a program.
pub(crate) fn test(profile: &str, seed: u64) -> Result<()> {
    let folder = tempfile::tempdir()?;
    let trial = MpiTrial::new(profile, folder.path())?;
    let begun = Instant::now();
    let mut moved = false;
    for (turn, (scene, set)) in SCENES.into_iter().enumerate() {
        moved |= trial.check_ranks(turn, scene, set)?;
    }
    for (turn, level) in ["pipes", "inertial", "shallow-water"].into_iter().enumerate() {
        trial.check_edits(level, seed + turn as u64)?;
        for (other, lattice) in ["square", "hex"].into_iter().enumerate() {
            let scene = trial.folder.join(format!("valley-{level}-{lattice}.toml"));
            fs::write(&scene, valley_scene(level, lattice))?;
            moved |= trial.check_ranks(turn + other, &scene.to_string_lossy(), "")?;
        }
    }
    let scene = trial.folder.join("river.toml");
    fs::write(&scene, RIVER)?;
    let of_river = trial.check_ranks(0, &scene.to_string_lossy(), "")?;
    ensure!(moved && of_river, "no rows have moved between ranks");
    trial.check_resume_on_other_ranks()?;
    trial.check_resume_after_killed_rank()?;
    trial.check_unsupported_scenes()?;
    trial.check_usage_errors()?;
    println!("all the same, in {} s", begun.elapsed().as_secs());
    Ok(())
}
