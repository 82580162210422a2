//! Validation of the output folder of a run. The checks find the files of earlier runs and ensure
//! that no other files are overwritten. A new run removes only the output of an earlier run, and
//! never overwrites its own input files.

use super::names::{
    CARVED_PICTURE_FILE, CHECKPOINT_FILE, CHECKPOINT_PARTS_FOLDER, FLOOD_PICTURE_FILE, LEDGER_FILE,
    MESH_FILE, RUN_MARKER, SUMMARY_FILE, final_file_name,
};
use super::{frames, gauges};
use crate::atomic::write_atomically;
use crate::registry::MODELS;
use crate::run::error::RunError;
use crate::run::parts;
use crate::scene::Scene;
use crate::scene::SceneError;
use crate::scene::open_file;
use crate::scene::output::{LayerTimes, ZARR_FOLDER};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::io::{self, BufReader, Write as _};
use std::path::{Path, PathBuf};

/// Returns whether any model has a layer with the given name.
fn is_layer_name(name: &str) -> bool {
    MODELS.iter().any(|model| model.layers.iter().any(|layer| layer.name == name))
}

/// Returns whether `file` can be the name of a file with a final layer of any model.
fn is_final_layer_file(file: &str) -> bool {
    file.rsplit_once('.').is_some_and(|(layer, format)| {
        ["npy", "tif", "png"].contains(&format) && is_layer_name(layer)
    })
}

/// Lists of output files that earlier runs have left in a folder, from a finished run and from an
/// unfinished run.
struct EarlierOutput {
    earlier_summary: Option<EarlierSummary>,
    marker: Option<RunMarker>,
}

/// Lists of output files in the `summary.json` of a finished run.
#[derive(Deserialize)]
struct EarlierSummary {
    // Required, so that a `summary.json` of another program is not accepted.
    #[serde(rename = "state_hash")]
    _state_hash: String,
    pictures: Vec<String>,
    layers: Vec<String>,
    meshes: Vec<String>,
    gauges: Vec<String>,
    #[serde(default)]
    tables: Vec<String>,
}

/// Contents of the marker file that exists while a run is unfinished. The file lists the layer and
/// gauge files of the run, because their names depend on the scene. Pictures and meshes have fixed
/// names and are not listed.
#[derive(Serialize, Deserialize)]
struct RunMarker {
    layers: Vec<String>,
    gauges: Vec<String>,
}

/// Reads a JSON file. Returns `None` if it is missing, is not valid, or is not a regular file.
fn read_json<T: DeserializeOwned>(path: &Path) -> Option<T> {
    serde_json::from_reader(BufReader::new(open_file(path).ok()?)).ok()
}

impl EarlierOutput {
    /// Reads the summary and the marker file of earlier runs in `folder`, if they exist.
    fn read(folder: &Path) -> Self {
        Self {
            earlier_summary: read_json(&folder.join(SUMMARY_FILE)),
            marker: read_json(&folder.join(RUN_MARKER)),
        }
    }

    /// Returns whether an earlier run has written the file `name`.
    fn contains(&self, name: &str) -> bool {
        let (earlier_summary, marker) = (self.earlier_summary.as_ref(), self.marker.as_ref());
        match name {
            SUMMARY_FILE => return earlier_summary.is_some(),
            RUN_MARKER => return marker.is_some(),
            _ => (),
        }
        let listed = |names: fn(&EarlierSummary) -> &Vec<String>| {
            earlier_summary.is_some_and(|earlier_summary| {
                names(earlier_summary).iter().any(|listed| listed == name)
            })
        };
        let named = |names: fn(&RunMarker) -> &Vec<String>| {
            marker.is_some_and(|marker| names(marker).iter().any(|named| named == name))
        };
        if frames::is_picture_name(name)
            || [CARVED_PICTURE_FILE, FLOOD_PICTURE_FILE].contains(&name)
        {
            return marker.is_some() || listed(|earlier_summary| &earlier_summary.pictures);
        }
        if name == MESH_FILE {
            return marker.is_some() || listed(|earlier_summary| &earlier_summary.meshes);
        }
        if name == LEDGER_FILE {
            let is_gauge = listed(|earlier_summary| &earlier_summary.gauges);
            return is_gauge
                || marker.is_some()
                || listed(|earlier_summary| &earlier_summary.tables);
        }
        if name == ZARR_FOLDER {
            return named(|marker| &marker.layers)
                || listed(|earlier_summary| &earlier_summary.layers);
        }
        // The lists contain intermediate layers by the names of their final files.
        if let Some(at_end) = final_file_name(name)
            && is_final_layer_file(&at_end)
        {
            let marker = marker.is_some_and(|marker| marker.layers.contains(&at_end));
            return marker || listed(|earlier_summary| &earlier_summary.layers);
        }
        match name.rsplit_once('.') {
            Some((layer, "npy" | "tif" | "png")) if is_layer_name(layer) => {
                named(|marker| &marker.layers) || listed(|earlier_summary| &earlier_summary.layers)
            }
            Some((_, "csv")) => {
                named(|marker| &marker.gauges) || listed(|earlier_summary| &earlier_summary.gauges)
            }
            _ => false,
        }
    }
}

/// Writes the marker file of a run of `scene` into `folder`. If the run is killed, the marker file
/// shows which files the run has written.
pub(in crate::run) fn write_run_marker(scene: &Scene, folder: &Path) -> io::Result<()> {
    let layers = scene.recording_settings().layer_files;
    let gauges = scene.all_gauge_names().iter().map(|gauge| gauges::file_name(gauge)).collect();
    write_atomically(&folder.join(RUN_MARKER), |sink| {
        serde_json::to_writer(&mut *sink, &RunMarker { layers, gauges })?;
        sink.write_all(b"\n")
    })
}

/// Checks that no folder in `folder` has the name of an output file of a run of `scene`.
///
/// # Errors
/// Returns [`RunError::Folder`] if there are such folders.
pub(in crate::run) fn check_file_names(scene: &Scene, folder: &Path) -> Result<(), RunError> {
    let failed = |error: io::Error| RunError::unusable_folder(folder, "cannot be read", &error);
    for entry in std::fs::read_dir(folder).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        let Ok(name) = entry.file_name().into_string() else { continue };
        let can_be_folder = [CHECKPOINT_PARTS_FOLDER, ZARR_FOLDER].contains(&name.as_str());
        if is_output_file(scene, &name) && !can_be_folder && entry.path().is_dir() {
            let problem = format!("contains a folder with the name of an output file: {name}");
            return Err(RunError::Folder { folder: folder.into(), problem });
        }
    }
    Ok(())
}

/// Checks that a run of `scene` in `folder` overwrites only the output of earlier runs.
///
/// # Errors
/// Returns an error if the folder contains an unfinished run that can be resumed, or other files
/// that have the names of output files.
pub(in crate::run) fn check_overwrites(scene: &Scene, folder: &Path) -> Result<(), RunError> {
    let (earlier, inputs) = (EarlierOutput::read(folder), input_paths(scene));
    let failed =
        |error: io::Error| RunError::Output { path: folder.into(), problem: error.to_string() };
    let mut names = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        let Ok(name) = entry.file_name().into_string() else { continue };
        if name == CHECKPOINT_FILE {
            return Err(RunError::Unfinished { folder: folder.into(), name: CHECKPOINT_FILE });
        }
        if name == CHECKPOINT_PARTS_FOLDER && parts::has_manifest(folder) {
            return Err(RunError::Unfinished {
                folder: folder.into(),
                name: CHECKPOINT_PARTS_FOLDER,
            });
        }
        if name == CHECKPOINT_PARTS_FOLDER && parts::has_only_part_files(&entry.path()) {
            // This file is left by a run that was killed before its first checkpoint was complete.
            continue;
        }
        let listed = earlier.contains(&name);
        // Input files are reported by `check_inputs_not_overwritten`.
        if is_output_file(scene, &name) && !listed && !contains_path(&inputs, &entry.path()) {
            names.push(name);
        }
    }
    if names.is_empty() {
        return Ok(());
    }
    names.sort_unstable();
    Err(RunError::Foreign { folder: folder.into(), names })
}

/// Returns the paths of the input files of a scene.
fn input_paths(scene: &Scene) -> Vec<PathBuf> {
    scene.files().into_iter().filter_map(|(_, path)| path.canonicalize().ok()).collect()
}

fn contains_path(inputs: &[PathBuf], path: &Path) -> bool {
    // An input may be an array inside a Zarr store.
    let holds = |path: PathBuf| inputs.iter().any(|input| input.starts_with(&path));
    path.canonicalize().is_ok_and(holds)
}

/// Returns the files in `folder` that earlier runs have written, in the order in which a new run
/// removes them. The summary comes last, because it lists the other files.
pub(in crate::run) fn earlier_output_files(
    scene: &Scene,
    folder: &Path,
) -> io::Result<Vec<PathBuf>> {
    let (earlier, inputs) = (EarlierOutput::read(folder), input_paths(scene));
    let (mut paths, mut summary) = (Vec::new(), None);
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        let Ok(name) = entry.file_name().into_string() else { continue };
        let listed = earlier.contains(&name);
        // The marker file is replaced after the other files have been removed.
        let is_removed = name != RUN_MARKER && (is_output_file(scene, &name) || listed);
        if !is_removed || contains_path(&inputs, &entry.path()) {
            continue;
        }
        if name == SUMMARY_FILE {
            summary = Some(entry.path());
        } else {
            paths.push(entry.path());
        }
    }
    paths.extend(summary);
    Ok(paths)
}

/// Checks that no output file of a run of `scene` in `folder` is an input file of the scene.
///
/// # Errors
/// Returns [`SceneError`] at the key of an input file that the run would overwrite.
pub(in crate::run) fn check_inputs_not_overwritten(
    scene: &Scene,
    folder: &Path,
) -> Result<(), SceneError> {
    let Ok(folder) = folder.canonicalize() else { return Ok(()) };
    for (key, path) in scene.files() {
        let Ok(real) = path.canonicalize() else { continue };
        let mut within = real.ancestors();
        let there = within.find(|path| path.parent() == Some(&folder));
        let name = there.and_then(Path::file_name).and_then(|name| name.to_str());
        if name.is_some_and(|name| is_output_file(scene, name)) {
            let path = path.display();
            let message = format!("{path} would be overwritten by this run; choose another folder");
            return Err(scene.error(&key, message));
        }
    }
    Ok(())
}

/// Returns whether `name` is the file name of an output file of a run of `scene`.
fn is_output_file(scene: &Scene, name: &str) -> bool {
    let recording = scene.recording_settings();
    [
        CARVED_PICTURE_FILE,
        FLOOD_PICTURE_FILE,
        MESH_FILE,
        SUMMARY_FILE,
        RUN_MARKER,
        CHECKPOINT_FILE,
        CHECKPOINT_PARTS_FOLDER,
    ]
    .contains(&name)
        || name == LEDGER_FILE && recording.ledger_every.is_some()
        || frames::is_picture_name(name)
        || scene.all_gauge_names().iter().any(|gauge| gauges::file_name(gauge) == name)
        || recording.layer_files.iter().any(|file| file == name)
        || final_file_name(name).is_some_and(|at_end| {
            recording.layer_times != LayerTimes::default()
                && recording.layer_files.contains(&at_end)
        })
}
