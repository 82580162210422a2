//! Distributed worlds of the model `flow`, bit-identical to undivided ones: one process with only
//! some rows in memory (`headwater run SCENE --memory 4GiB`), or the ranks of an MPI job.
//!
//! Each process owns [`rows`](self::rows) of the world, which it builds piece by piece. Row blocks
//! that do not fit in memory are in a folder ([`shelf`](self::shelf)). Each process writes its rows
//! of layers, and pictures show a sample of the cells ([`overview`](self::overview)). The
//! coordinator is the [`run`](self::run). Scenes with unsupported features are rejected by
//! [`capabilities`](super::capabilities).

mod asking;
mod bits;
mod files;
mod lakes;
mod overview;
mod rows;
mod run;
mod shelf;
mod world;
mod write;

use super::FlowScene;
use super::capabilities::{Executor, check};
use crate::run::{Begin, Holding, Input, Kept, ModelError, One, Simulation, Team};
use crate::scene::{SceneError, Tables};
use crate::terrain;
use asking::Asking;
use headwater::Lattice;
use rows::{Budget, Rows};
use run::BandedRun;
use std::path::Path;
use std::sync::Arc;

/// Creates the world of a scene in one process with a memory limit (bytes).
///
/// # Errors
/// [`SceneError`] if the scene uses an unsupported feature, or the memory does not suffice.
pub(super) fn in_bands(
    scene: &FlowScene,
    memory: usize,
    scratch: &Path,
) -> Result<Box<dyn Simulation>, SceneError> {
    check(scene, Executor::Distributed)?;
    let ny = terrain::Rows::extent(scene)?.0.ny();
    let budget = Budget { memory, scratch: scratch.into() };
    let rows = Rows::new(scene, 0..ny, Some(budget), None)?;
    Ok(Box::new(BandedRun::new(scene, Asking::new(Arc::new(One::new(Box::new(rows)))))?))
}

/// Creates the world of a scene on the processes of a team.
///
/// # Errors
/// [`SceneError`] if the scene uses an unsupported feature.
pub(super) fn spread(
    scene: &FlowScene,
    team: &Arc<dyn Team>,
    inputs: &[Input],
) -> Result<Box<dyn Simulation>, SceneError> {
    check(scene, Executor::Distributed)?;
    let spans = world::spans(scene, &terrain::Rows::extent(scene)?.0, team.parts())?;
    let asking = Asking::begin(team, scene.common().origin.fingerprint(), inputs, spans);
    Ok(Box::new(BandedRun::new(scene, asking.map_err(scene.refused(""))?)?))
}

/// Creates the rows of one process of a team.
///
/// # Errors
/// Those of [`spread`].
pub(super) fn holding(scene: &FlowScene, begin: &Begin) -> Result<Box<dyn Holding>, SceneError> {
    Ok(Box::new(Rows::new(scene, begin.rows.clone(), None, begin.band_rows)?))
}

/// Joins the state of a world that was stored in parts in a folder, in the format of an undivided
/// world.
///
/// # Errors
/// The file at fault and its problem.
pub(super) fn joined(lattice: &Lattice, folder: &Path, kept: &Kept) -> Result<Vec<u8>, ModelError> {
    Ok(run::joined(lattice, folder, kept)?)
}
