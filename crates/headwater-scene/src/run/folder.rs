//! The folder of a run: which of its files are a run's, so that a new run clears away what an earlier
//! one left and nothing else, and never touches what it reads.

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

/// What an earlier run says that it wrote, besides what every run writes.
#[derive(Default, Deserialize)]
struct Earlier {
    // Nobody else's summary has it.
    #[serde(rename = "state_hash")]
    _state_hash: String,
    layers: Vec<String>,
    gauges: Vec<String>,
}

impl Earlier {
    /// From the summary in `folder`; nothing, if there is none that is ours.
    fn read(folder: &Path) -> Self {
        let text = std::fs::read(folder.join(SUMMARY)).unwrap_or_default();
        serde_json::from_slice(&text).unwrap_or_default()
    }

    /// True if it wrote the file of that name, and a run may well have done so.
    fn wrote(&self, name: &str) -> bool {
        let listed = |names: &[String]| names.iter().any(|listed| listed == name);
        match name.rsplit_once('.') {
            Some((layer, "npy" | "tif" | "png")) => is_layer(layer) && listed(&self.layers),
            Some((_, "csv")) => listed(&self.gauges),
            _ => false,
        }
    }
}

/// The files in `folder` that an earlier run has left.
pub(crate) fn leftovers(scene: &Scene, folder: &Path) -> io::Result<Vec<PathBuf>> {
    let earlier = Earlier::read(folder);
    let inputs: Vec<PathBuf> =
        scene.files().into_iter().filter_map(|(_, path)| path.canonicalize().ok()).collect();
    let mut paths = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name();
        let ours = name.to_str().is_some_and(|name| writes(scene, name) || earlier.wrote(name));
        let read = || entry.path().canonicalize().is_ok_and(|path| inputs.contains(&path));
        if ours && !read() {
            paths.push(entry.path());
        }
    }
    Ok(paths)
}

/// Checks that a run of `scene` in `folder` writes over nothing that it reads.
pub(crate) fn check_inputs(scene: &Scene, folder: &Path) -> Result<(), SceneError> {
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
    let always = [CARVED, frames::FINAL, frames::ANIMATION, FLOW_MAP, SUMMARY, CHECKPOINT];
    always.contains(&name)
        || [MeshFormat::Glb, MeshFormat::Obj].map(mesh_name).contains(&name)
        || frames::is_frame(name)
        || scene.all_gauge_names().iter().any(|gauge| gauges::file_name(gauge) == name)
        || setting.layer_files().iter().any(|file| file == name)
}
