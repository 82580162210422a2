//! The program `headwater-mpi`, built, and held against `headwater`: the same state, books and files for every number of ranks,
//! also after edits at random, after a run that was stopped goes on with other ranks, and after one of the ranks was killed.

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

/// Builds both programs with a profile.
///
/// # Errors
/// If they cannot be built: without an MPI library, `headwater-mpi` cannot.
pub(crate) fn build(profile: &str) -> Result<()> {
    let mut build = cargo();
    build.current_dir(place::root()).args(["build", "--profile", profile]);
    build.args(["-p", "headwater-cli", "-p", "headwater-mpi"]);
    if env::var_os("MPICC").is_none() && find(&["mpicc.openmpi"]).is_some() {
        build.env("MPICC", "mpicc.openmpi");
    }
    run(&mut build)
}

/// Tries what a profile has built.
///
/// # Errors
/// What differs, or does not end as it should.
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
    ensure!(moved && of_river, "no rows have gone from rank to rank");
    trial.goes_on_with_other_ranks()?;
    trial.outlives_a_rank()?;
    trial.refuses()?;
    trial.tells_usage_once()?;
    println!("all the same, in {} s", begun.elapsed().as_secs());
    Ok(())
}
