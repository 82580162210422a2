//! Build and tests of the program `headwater-mpi`. Its states, ledgers and files must equal those
//! of `headwater` for every number of ranks, after random edits, after a run has been resumed on
//! another number of ranks, and after a rank has been killed.

mod left;
mod scenes;
mod trial;

use crate::place;
use crate::process::{cargo, find, run};
use anyhow::{Result, ensure};
use scenes::{RIVER, SCENES, valley};
use std::env;
use std::fs;
use std::time::Instant;
use trial::Trial;

/// Builds the programs `headwater` and `headwater-mpi` with a Cargo profile.
///
/// # Errors
/// Returns an error if a program cannot be built. `headwater-mpi` requires an MPI library.
pub(crate) fn build(profile: &str) -> Result<()> {
    let mut build = cargo();
    build.current_dir(place::root()).args(["build", "--profile", profile]);
    build.args(["-p", "headwater-cli", "-p", "headwater-mpi"]);
    if env::var_os("MPICC").is_none() && find(&["mpicc.openmpi"]).is_some() {
        build.env("MPICC", "mpicc.openmpi");
    }
    run(&mut build)
}

/// Tests the programs that were built with a Cargo profile. `seed` determines the random edits.
///
/// # Errors
/// Returns an error at the first difference or unexpected exit of a program.
pub(crate) fn test(profile: &str, seed: u64) -> Result<()> {
    let folder = tempfile::tempdir()?;
    let trial = Trial::new(profile, folder.path())?;
    let begun = Instant::now();
    let mut moved = false;
    for (turn, (scene, set)) in SCENES.into_iter().enumerate() {
        moved |= trial.same_on_ranks(turn, scene, set)?;
    }
    for (turn, level) in ["pipes", "inertial", "shallow-water"].into_iter().enumerate() {
        trial.same_after_edits(level, seed + turn as u64)?;
        for (other, lattice) in ["square", "hex"].into_iter().enumerate() {
            let scene = trial.folder.join(format!("valley-{level}-{lattice}.toml"));
            fs::write(&scene, valley(level, lattice))?;
            moved |= trial.same_on_ranks(turn + other, &scene.to_string_lossy(), "")?;
        }
    }
    let scene = trial.folder.join("river.toml");
    fs::write(&scene, RIVER)?;
    let of_river = trial.same_on_ranks(0, &scene.to_string_lossy(), "")?;
    ensure!(moved && of_river, "no rows have moved between ranks");
    trial.resumes_on_other_ranks()?;
    trial.resumes_after_a_killed_rank()?;
    trial.refuses_unsupported_scenes()?;
    trial.reports_usage_errors_once()?;
    println!("all the same, in {} s", begun.elapsed().as_secs());
    Ok(())
}
