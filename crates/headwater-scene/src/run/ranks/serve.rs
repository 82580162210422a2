//! [`serve`]: the main loop of all processes of a distributed run except the first.

use super::{RankMessage, RankWorld, Ranks};
use crate::run::inputs;
use crate::run::output::summary::Input;
use crate::scene::Scene;
use std::io;

/// Executes the commands of the first process until that process calls [`Ranks::end_run`].
/// `read_scene` reads the scene, which must be the same as in the first process.
///
/// # Errors
/// Returns an error if this process cannot continue. The other processes then wait for it forever,
/// so the caller must terminate them.
pub fn serve(ranks: &Ranks, read_scene: impl Fn() -> Result<Scene, String>) -> io::Result<()> {
    let mut rank_world: Option<Box<dyn RankWorld>> = None;
    loop {
        match ranks.comm.broadcast_value(0, || Err(io::ErrorKind::InvalidInput.into()))? {
            RankMessage::Build { fingerprint, inputs, rebalance, block_rows } => {
                let ranks = Ranks { rebalance, block_rows, ..ranks.clone() };
                // Rows of an earlier world are dropped first.
                rank_world = None;
                let scene = read_same_scene(&read_scene, fingerprint, &inputs);
                let error = scene.as_ref().err().map_or(Ok(()), |error| Err(to_io_error(error)));
                if let (Ok(_), Ok(scene)) = (ranks.comm.allgather_values(error), scene) {
                    // Errors in the scene are ignored here, because the first process reports them.
                    rank_world = scene.build_rank_world(&ranks).unwrap_or_default();
                }
            }
            RankMessage::Command(command) => {
                rank_world.as_mut().map_or(Ok(()), |rank_world| rank_world.execute(&command))?;
            }
            RankMessage::EndRun => return Ok(()),
        }
    }
}

fn to_io_error(error: &str) -> io::Error {
    io::Error::other(error.to_owned())
}

/// Reads the scene and compares it and its files with those of the first process. `fingerprint` is
/// the hash of the first process's scene, and `expected` contains the hashes of its files.
///
/// # Errors
/// Returns a message if the scene or one of its files differs.
fn read_same_scene(
    read_scene: impl Fn() -> Result<Scene, String>,
    fingerprint: u64,
    expected: &[Input],
) -> Result<Scene, String> {
    let scene = read_scene()?;
    if scene.fingerprint() != fingerprint {
        return Err("the scene of this process differs from the first process's".into());
    }
    let inputs = inputs::hash_inputs(&scene).unwrap_or_default();
    match inputs::find_changed_input(&inputs, expected) {
        None => Ok(scene),
        Some(Input { key, file, .. }) => {
            Err(format!("{key}, {file}: differs from the file that the first process reads"))
        }
    }
}
