//! The folder of a run: which of its files are a run's, so that a new run clears away what an earlier
//! one left and nothing else, and never touches what it reads.

use super::{CHECKPOINT, SUMMARY, gallery, gauges};
use crate::schema::{MeshFormat, Scene, SceneError};
use headwater::flow::VIEWS;
use serde::Deserialize;
use std::io;
use std::path::{Path, PathBuf};

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
            Some((layer, "npy" | "tif")) => {
                VIEWS.iter().any(|view| view.name == layer) && listed(&self.layers)
            }
            Some((_, "csv")) => listed(&self.gauges),
            _ => false,
        }
    }
}

/// The files in `folder` that an earlier run has left.
pub(super) fn leftovers(scene: &Scene, folder: &Path) -> io::Result<Vec<PathBuf>> {
    let earlier = Earlier::read(folder);
    let inputs: Vec<PathBuf> =
        inputs(scene).filter_map(|(_, path)| path.canonicalize().ok()).collect();
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
pub(super) fn check_inputs(scene: &Scene, folder: &Path) -> Result<(), SceneError> {
    let Ok(folder) = folder.canonicalize() else { return Ok(()) };
    for (key, path) in inputs(scene) {
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

/// The files that a scene reads, and the keys that name them.
fn inputs(scene: &Scene) -> impl Iterator<Item = (&'static str, &Path)> {
    let terrain = scene.terrain.file.as_deref().map(|path| ("terrain.file", path));
    let rain = scene.rain.as_ref().and_then(|rain| rain.map.as_deref());
    terrain.into_iter().chain(rain.map(|path| ("rain.map", path)))
}

/// True if a run of `scene` writes files of that name.
fn writes(scene: &Scene, name: &str) -> bool {
    let output = &scene.output;
    let always = [gallery::FINAL, gallery::ANIMATION, gallery::FLOW_MAP, SUMMARY, CHECKPOINT];
    always.contains(&name)
        || [MeshFormat::Glb, MeshFormat::Obj].map(gallery::mesh_name).contains(&name)
        || gallery::is_frame(name)
        || scene.gauges.iter().any(|gauge| gauges::file_name(&gauge.name) == name)
        || output.layers.iter().any(|&l| gallery::layer_name(l, output.layer_format) == name)
}
