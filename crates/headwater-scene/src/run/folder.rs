//! The folder of a run: which of its files are a run's, so that a new run clears away what an earlier
//! one left and nothing else, and never touches what it reads.

use super::error::RunError;
use super::names::{CARVED, CHECKPOINT, FLOOD, MESH, PARTS, RUN_MARKER, SUMMARY, final_file_name};
use super::{frames, gauges, parts};
use crate::atomic::write_atomically;
use crate::registry::MODELS;
use crate::scene::Scene;
use crate::scene::SceneError;
use crate::scene::output::{LayerTimes, ZARR};
use serde::{Deserialize, Serialize};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

/// True if some model has a layer of that name.
fn is_layer(name: &str) -> bool {
    MODELS.iter().any(|model| model.layers.iter().any(|layer| layer.name == name))
}

/// True if some model has a layer whose file at the end has that name.
fn named_layer(file: &str) -> bool {
    file.rsplit_once('.')
        .is_some_and(|(layer, format)| ["npy", "tif", "png"].contains(&format) && is_layer(layer))
}

/// What earlier runs in a folder say of the files that are theirs.
struct EarlierOutput {
    ended: Option<EarlierSummary>,
    begun: Option<RunMarker>,
}

/// What a run that has ended says that it wrote.
#[derive(Deserialize)]
struct EarlierSummary {
    // Nobody else's summary has it.
    #[serde(rename = "state_hash")]
    _state_hash: String,
    pictures: Vec<String>,
    layers: Vec<String>,
    meshes: Vec<String>,
    gauges: Vec<String>,
}

/// What a run says when it begins: pictures and meshes, whose names are always the same, are its own, and so are these.
#[derive(Serialize, Deserialize)]
struct RunMarker {
    layers: Vec<String>,
    gauges: Vec<String>,
}

impl EarlierOutput {
    /// From what lies in `folder`.
    fn read(folder: &Path) -> Self {
        let text = |name: &str| std::fs::read(folder.join(name)).ok();
        Self {
            ended: text(SUMMARY).and_then(|text| serde_json::from_slice(&text).ok()),
            begun: text(RUN_MARKER).and_then(|text| serde_json::from_slice(&text).ok()),
        }
    }

    /// True if one of them wrote the file of that name, and a run may well have done so.
    fn wrote(&self, name: &str) -> bool {
        let (ended, begun) = (self.ended.as_ref(), self.begun.as_ref());
        if name == SUMMARY {
            return ended.is_some();
        }
        let listed = |names: fn(&EarlierSummary) -> &Vec<String>| {
            ended.is_some_and(|ended| names(ended).iter().any(|listed| listed == name))
        };
        let named = |names: fn(&RunMarker) -> &Vec<String>| {
            begun.is_some_and(|begun| names(begun).iter().any(|named| named == name))
        };
        if frames::is_picture(name) || [CARVED, FLOOD].contains(&name) {
            return begun.is_some() || listed(|ended| &ended.pictures);
        }
        if name == MESH {
            return begun.is_some() || listed(|ended| &ended.meshes);
        }
        if name == ZARR {
            return named(|begun| &begun.layers) || listed(|ended| &ended.layers);
        }
        // Of layers at times, a run says the names at the end.
        if let Some(at_end) = final_file_name(name)
            && named_layer(&at_end)
        {
            let begun = begun.is_some_and(|begun| begun.layers.contains(&at_end));
            return begun || listed(|ended| &ended.layers);
        }
        match name.rsplit_once('.') {
            Some((layer, "npy" | "tif" | "png")) if is_layer(layer) => {
                named(|begun| &begun.layers) || listed(|ended| &ended.layers)
            }
            Some((_, "csv")) => named(|begun| &begun.gauges) || listed(|ended| &ended.gauges),
            _ => false,
        }
    }
}

/// Says in `folder` which files a run of `scene` is going to write there, for if it is killed nothing else will.
pub(super) fn write_run_marker(scene: &Scene, folder: &Path) -> io::Result<()> {
    let layers = scene.setting().layer_files();
    let gauges = scene.all_gauge_names().iter().map(|gauge| gauges::file_name(gauge)).collect();
    write_atomically(&folder.join(RUN_MARKER), |sink| {
        serde_json::to_writer(&mut *sink, &RunMarker { layers, gauges })?;
        sink.write_all(b"\n")
    })
}

/// Checks that a run of `scene` in `folder` writes over nothing but what runs there say that they wrote: not over a run that can
/// be gone on with, nor over files of somebody's own.
pub(super) fn check_overwrites(scene: &Scene, folder: &Path) -> Result<(), RunError> {
    let (earlier, inputs) = (EarlierOutput::read(folder), inputs(scene));
    let failed =
        |error: io::Error| RunError::Output { path: folder.into(), problem: error.to_string() };
    let mut names = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        let Ok(name) = entry.file_name().into_string() else { continue };
        if name == CHECKPOINT {
            return Err(RunError::Unfinished { folder: folder.into(), name: CHECKPOINT });
        }
        if name == PARTS && parts::has_manifest(folder) {
            return Err(RunError::Unfinished { folder: folder.into(), name: PARTS });
        }
        if name == PARTS && parts::has_only_part_files(&entry.path()) {
            // Of a run that was killed before its first was whole.
            continue;
        }
        let listed = earlier.wrote(&name);
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
    // Of a store, one may be an array within.
    let holds = |path: PathBuf| inputs.iter().any(|input| input.starts_with(&path));
    path.canonicalize().is_ok_and(holds)
}

/// The files in `folder` that an earlier run has left, in the order in which they are to go: what lists them is the last.
pub(super) fn leftovers(scene: &Scene, folder: &Path) -> io::Result<Vec<PathBuf>> {
    let (earlier, inputs) = (EarlierOutput::read(folder), inputs(scene));
    let (mut paths, mut summary) = (Vec::new(), None);
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        let Ok(name) = entry.file_name().into_string() else { continue };
        let listed = earlier.wrote(&name);
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
        let mut within = real.ancestors();
        let there = within.find(|path| path.parent() == Some(&folder));
        let name = there.and_then(Path::file_name).and_then(|name| name.to_str());
        if name.is_some_and(|name| writes(scene, name)) {
            let path = path.display();
            let message = format!("{path} would be overwritten by this run; choose another folder");
            return Err(scene.error(&key, message));
        }
    }
    Ok(())
}

/// True if a run of `scene` writes files of that name.
fn writes(scene: &Scene, name: &str) -> bool {
    let setting = scene.setting();
    [CARVED, FLOOD, MESH, SUMMARY, CHECKPOINT, PARTS].contains(&name)
        || frames::is_picture(name)
        || scene.all_gauge_names().iter().any(|gauge| gauges::file_name(gauge) == name)
        || setting.layer_files().iter().any(|file| file == name)
        || final_file_name(name).is_some_and(|at_end| {
            setting.layer_times() != LayerTimes::default()
                && setting.layer_files().contains(&at_end)
        })
}
