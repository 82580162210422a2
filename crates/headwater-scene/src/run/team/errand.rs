//! Commands and replies between the coordinator and the processes of a team.

use crate::run::parts::PartFile;
use crate::run::summary::Input;
use crate::scene::SceneError;
use headwater::distributed::{Request, Response};
use serde::{Deserialize, Serialize};
use std::ops::Range;
use std::path::PathBuf;

/// Assignment of rows of a scene to a process, which reads the scene itself.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Begin {
    /// Fingerprint of the scene with all its overrides.
    pub fingerprint: u64,
    /// Expected state of the files that the scene reads.
    pub inputs: Vec<Input>,
    /// Rows to own.
    pub rows: Range<usize>,
    /// Most rows of a block; `None` for the default.
    pub band_rows: Option<usize>,
}

/// Command to the processes that own rows. All processes receive the same command at once, unless
/// stated otherwise.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[non_exhaustive]
pub enum Errand {
    /// Builds the rows.
    Make,
    /// Handles a request of the world.
    Request(Request),
    /// Samples every `step`th cell of every `step`th row where anything has changed since the last
    /// sample.
    Look {
        /// Spacing of the samples (cells).
        step: usize,
        /// Whether to sample the greatest depths instead, changed or not.
        deepest: bool,
    },
    /// Returns which cells of some rows have no data, as far as it owns them.
    NoData {
        /// Rows of the world.
        rows: Range<usize>,
    },
    /// Selects a rain raster.
    Rain {
        /// Number of rasters that have ended.
        passed: usize,
    },
    /// Returns a layer in some rows, as it is written. Sent to one process at a time, after all
    /// processes have handled another command for this layer.
    Rows {
        /// Name of the layer.
        layer: String,
        /// Rows of the world.
        rows: Range<usize>,
    },
    /// Writes the owned rows of a layer into an NPY file or a GeoTIFF.
    Npy {
        /// Name of the layer.
        layer: String,
        /// File to write into.
        file: PathBuf,
        /// Offset of the values of the whole world (bytes).
        start: u64,
        /// No-data value of a GeoTIFF.
        no_data: Option<f32>,
    },
    /// Writes a layer into the files of a Zarr store that lie entirely in the owned rows.
    Zarr {
        /// Name of the layer.
        layer: String,
        /// Folder of the store.
        store: PathBuf,
        /// Number of the time.
        time: usize,
    },
    /// Stores the owned rows in a checkpoint file.
    Keep {
        /// Folder of the checkpoint.
        folder: PathBuf,
        /// Identifier of the checkpoint, which is part of its file names.
        generation: String,
    },
    /// Restores the owned rows from a checkpoint of any number of processes.
    GoOn {
        /// Folder of the checkpoint.
        folder: PathBuf,
        /// Files of the checkpoint.
        parts: Vec<PartFile>,
    },
}

impl Errand {
    /// Returns whether it requests steps.
    pub fn is_steps(&self) -> bool {
        matches!(self, Self::Request(ask) if ask.is_steps())
    }

    /// Returns whether it moves rows between processes.
    pub fn is_move(&self) -> bool {
        matches!(self, Self::Request(ask) if ask.is_move())
    }
}

/// Reply of a process to a command.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[non_exhaustive]
pub enum Brought {
    /// The rows are built.
    Made(Made),
    /// Response of the row blocks.
    Response(Response),
    /// Samples of what has changed.
    Seen(Vec<Strip>),
    /// Cells (column, row) without data.
    NoData(Vec<(usize, usize)>),
    /// Values of rows.
    Rows(Vec<f32>),
    /// Checkpoint file that was written.
    Kept(PartFile),
    /// Acknowledgement.
    Done,
    /// The scene is invalid, for this reason; `None` if another process has the reason.
    Refused(Option<SceneError>),
    /// The command failed, for this reason.
    Failed(String),
}

/// Facts about rows that were built.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Made {
    /// Height at which the bed is 0 (m), the same for all rows.
    pub datum: f64,
    /// Notices about assumptions that were made.
    pub notices: Vec<String>,
    /// Number of cells without data.
    pub missing: usize,
    /// Number of row blocks, and how many of them are in memory.
    pub bands: [usize; 2],
    /// Bed (m) beside the faces of edges, for boundaries that need it; the same from all processes.
    pub beds: Vec<Vec<f32>>,
}

impl Made {
    /// Creates it from the datum (m), notices, and the numbers of row blocks.
    pub fn new(datum: f64, notices: Vec<String>, bands: [usize; 2]) -> Self {
        Self { datum, notices, missing: 0, bands, beds: Vec::new() }
    }
}

/// Ground in some cells of a row.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct GroundStrip {
    /// Height above the datum (m).
    pub bed: Vec<f32>,
    /// Whether each cell is an obstacle.
    pub obstacles: Vec<bool>,
    /// Whether each cell has no data.
    pub missing: Vec<bool>,
}

/// Samples of some cells of a row.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Strip {
    /// Number of the row in the sample.
    pub row: usize,
    /// Ground, in the first sample of the row or after a change.
    pub ground: Option<GroundStrip>,
    /// Depths (m).
    pub depth: Vec<f32>,
    /// Velocities to the east and south (m/s), if they were sampled.
    pub velocity: Option<[Vec<f32>; 2]>,
}

impl Strip {
    /// Creates samples of the depths (m) in a row.
    pub fn new(row: usize, depth: Vec<f32>) -> Self {
        Self { row, ground: None, depth, velocity: None }
    }
}
