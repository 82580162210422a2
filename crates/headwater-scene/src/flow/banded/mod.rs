//! Worlds of flow that nobody has as a whole, to the same bits as any other: of which one process has only some rows in memory at a time
//! (`headwater run SCENE --memory 4GiB`), or of which each rank of an MPI job makes some rows and keeps them.
//!
//! What a process holds of such a world are its [`rows`](self::rows): the ground is made some rows at a time, what is not in memory lies in a folder
//! ([`shelf`](self::shelf)), each writes its rows of layers, and pictures show one of so many cells ([`overview`](self::overview)). The [`run`](self::run) asks for what it
//! needs. What is not supported is refused by [`capabilities`](super::capabilities).

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

/// The world of a scene with so many bytes of it in memory.
///
/// # Errors
/// [`SceneError`] if the scene asks for what is not done so, or the memory does not do.
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

/// The world of a scene with its rows on a team.
///
/// # Errors
/// [`SceneError`] if the scene asks for what is not done so.
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

/// What one of a team holds of it.
///
/// # Errors
/// As [`spread`].
pub(super) fn holding(scene: &FlowScene, begin: &Begin) -> Result<Box<dyn Holding>, SceneError> {
    Ok(Box::new(Rows::new(scene, begin.rows.clone(), None, begin.band_rows)?))
}

/// The state in bytes of a world on such a lattice that was kept in parts in a folder, as a world in one piece has it.
///
/// # Errors
/// What is wrong with it, and with which file.
pub(super) fn joined(lattice: &Lattice, folder: &Path, kept: &Kept) -> Result<Vec<u8>, ModelError> {
    Ok(run::joined(lattice, folder, kept)?)
}
