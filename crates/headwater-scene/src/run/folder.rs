//! The folder of a run: which of its files are a run's, so that a new run clears away what an earlier
//! one left and nothing else, and never touches what it reads.

use super::error::RunError;
use super::names::{CARVED, CHECKPOINT, FLOW_MAP, SUMMARY, mesh_name};
use super::{frames, gauges};
use crate::registry::MODELS;
use crate::scene::Scene;
use crate::scene::{MeshFormat, SceneError};
use serde::Deserialize;
use std::io;
use std::path::{Path, PathBuf};

/// True if some model has a layer of that name.
fn is_layer(name: &str) -> bool {
    MODELS.iter().any(|model| model.layers.iter().any(|layer| layer.name == name))
}

/// What an earlier run says that it wrote.
#[derive(Deserialize)]
struct Earlier {
    // Nobody else's summary has it.
    #[serde(rename = "state_hash")]
    _state_hash: String,
    pictures: Vec<String>,
    layers: Vec<String>,
    meshes: Vec<String>,
    gauges: Vec<String>,
}

impl Earlier {
    /// From the summary in `folder`; nothing, if there is none that is ours.
    fn read(folder: &Path) -> Option<Self> {
        let text = std::fs::read(folder.join(SUMMARY)).ok()?;
        serde_json::from_slice(&text).ok()
    }

    /// True if it wrote the file of that name, and a run may well have done so.
    fn wrote(&self, name: &str) -> bool {
        let listed = |names: &[String]| names.iter().any(|listed| listed == name);
        if name == SUMMARY {
            return true;
        }
        if frames::is_picture(name) || name == CARVED {
            return listed(&self.pictures);
        }
        if is_mesh(name) {
            return listed(&self.meshes);
        }
        match name.rsplit_once('.') {
            Some((layer, "npy" | "tif" | "png")) => {
                (is_layer(layer) || name == FLOW_MAP) && listed(&self.layers)
            }
            Some((_, "csv")) => listed(&self.gauges),
            _ => false,
        }
    }
}

/// Checks that a run of `scene` in `folder` writes over nothing but what the summary there says a run wrote: not over a run that
/// has not ended, nor over files of somebody's own.
///
/// # Errors
/// [`RunError::Unfinished`] or [`RunError::Foreign`].
pub(super) fn check_free(scene: &Scene, folder: &Path) -> Result<(), RunError> {
    let (earlier, inputs) = (Earlier::read(folder), inputs(scene));
    let failed =
        |error: io::Error| RunError::Output { path: folder.into(), problem: error.to_string() };
    let mut names = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        let Ok(name) = entry.file_name().into_string() else { continue };
        if name == CHECKPOINT {
            return Err(RunError::Unfinished { folder: folder.into() });
        }
        let listed = earlier.as_ref().is_some_and(|earlier| earlier.wrote(&name));
        // What it reads is told of by itself.
        if writes(scene, &name) && !listed && !is_one_of(&inputs, &entry.path()) {
            names.push(name);
        }
    }
    if names.is_empty() {
        return Ok(());
    }
    names.sort_unstable();
    Err(RunError::Foreign { folder: folder.into(), names })
}

/// The files that a scene reads.
fn inputs(scene: &Scene) -> Vec<PathBuf> {
    scene.files().into_iter().filter_map(|(_, path)| path.canonicalize().ok()).collect()
}

fn is_one_of(inputs: &[PathBuf], path: &Path) -> bool {
    path.canonicalize().is_ok_and(|path| inputs.contains(&path))
}

/// The files in `folder` that an earlier run has left, in the order in which they are to go: what lists them is the last.
pub(super) fn leftovers(scene: &Scene, folder: &Path) -> io::Result<Vec<PathBuf>> {
    let (earlier, inputs) = (Earlier::read(folder), inputs(scene));
    let (mut paths, mut summary) = (Vec::new(), None);
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        let Ok(name) = entry.file_name().into_string() else { continue };
        let listed = earlier.as_ref().is_some_and(|earlier| earlier.wrote(&name));
        if !(writes(scene, &name) || listed) || is_one_of(&inputs, &entry.path()) {
            continue;
        }
        if name == SUMMARY {
            summary = Some(entry.path());
        } else {
            paths.push(entry.path());
        }
    }
    paths.extend(summary);
    Ok(paths)
}

/// Checks that a run of `scene` in `folder` writes over nothing that it reads.
pub(super) fn check_inputs(scene: &Scene, folder: &Path) -> Result<(), SceneError> {
    let Ok(folder) = folder.canonicalize() else { return Ok(()) };
    for (key, path) in scene.files() {
        let Ok(real) = path.canonicalize() else { continue };
        let name = real.file_name().and_then(|name| name.to_str());
        if real.parent() == Some(&folder) && name.is_some_and(|name| writes(scene, name)) {
            let path = path.display();
            let message = format!("{path} would be overwritten by this run; choose another folder");
            return Err(scene.error(key, message));
        }
    }
    Ok(())
}

/// True if a run of `scene` writes files of that name.
fn writes(scene: &Scene, name: &str) -> bool {
    let setting = scene.setting();
    [CARVED, FLOW_MAP, SUMMARY, CHECKPOINT].contains(&name)
        || frames::is_picture(name)
        || is_mesh(name)
        || scene.all_gauge_names().iter().any(|gauge| gauges::file_name(gauge) == name)
        || setting.layer_files().iter().any(|file| file == name)
}

/// True of the names of meshes.
fn is_mesh(name: &str) -> bool {
    [MeshFormat::Glb, MeshFormat::Obj].map(mesh_name).contains(&name)
}
