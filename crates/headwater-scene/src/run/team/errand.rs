//! What is said of a world of which each process of a team holds some rows.

use crate::run::parts::PartFile;
use crate::run::summary::Input;
use crate::scene::SceneError;
use headwater::distributed::{Request, Response};
use serde::{Deserialize, Serialize};
use std::ops::Range;
use std::path::PathBuf;

/// Which rows a process is to hold, and of which scene, which each reads for itself.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Begin {
    /// Of the scene with all its overrides.
    pub fingerprint: u64,
    /// The files that the scene reads, as they are.
    pub inputs: Vec<Input>,
    /// The rows.
    pub rows: Range<usize>,
    /// The most rows of a band; some hundreds if it is not said.
    pub band_rows: Option<usize>,
}

/// What is to be done by who holds rows. All are told the same at once, but for what they can do by themselves.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[non_exhaustive]
pub enum Errand {
    /// To make the rows.
    Make,
    /// To answer what the world asks of its bands.
    Request(Request),
    /// To look at each so-manieth cell of each so-manieth row, where anything has changed since that was done last.
    Look {
        /// How far apart they are (cells).
        step: usize,
        /// Whether to look at the greatest depth that each had, and at nothing else, changed or not.
        deepest: bool,
    },
    /// Returns which cells of some rows have no data, as far as it owns them.
    NoData {
        /// The rows.
        rows: Range<usize>,
    },
    /// To let the rain fall by the raster whose time it is.
    Rain {
        /// How many of the rasters have had their time.
        passed: usize,
    },
    /// To tell a layer in some of its rows, as it is written; each by itself, after all were told to do something else with it.
    Rows {
        /// The layer's name.
        layer: String,
        /// The rows.
        rows: Range<usize>,
    },
    /// To write a layer into an NPY file or a GeoTIFF, where its rows are.
    Npy {
        /// The layer's name.
        layer: String,
        /// The file.
        file: PathBuf,
        /// The byte at which the values of all rows begin.
        start: u64,
        /// The value of a GeoTIFF that stands for no data.
        no_data: Option<f32>,
    },
    /// To write a layer into a Zarr store, as far as whole files of it lie in its rows.
    Zarr {
        /// The layer's name.
        layer: String,
        /// The store.
        store: PathBuf,
        /// The number of the time.
        time: usize,
    },
    /// To write all that is held into a file, to go on from.
    Keep {
        /// The folder of the files of all.
        folder: PathBuf,
        /// A word that is in the names of all that are written at once.
        generation: String,
    },
    /// To take what is to be held from such files, whoever has written them.
    GoOn {
        /// Their folder.
        folder: PathBuf,
        /// The files.
        parts: Vec<PartFile>,
    },
}

impl Errand {
    /// Whether steps are to be done.
    pub fn is_steps(&self) -> bool {
        matches!(self, Self::Request(ask) if ask.is_steps())
    }

    /// Whether rows are to go from one process to the next.
    pub fn is_move(&self) -> bool {
        matches!(self, Self::Request(ask) if ask.is_move())
    }
}

/// What who holds rows says.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[non_exhaustive]
pub enum Brought {
    /// They are made.
    Made(Made),
    /// What the bands say.
    Response(Response),
    /// What has changed.
    Seen(Vec<Strip>),
    /// The cells (column, row) without data.
    NoData(Vec<(usize, usize)>),
    /// Values of rows.
    Rows(Vec<f32>),
    /// What it has written.
    Kept(PartFile),
    /// It is done.
    Done,
    /// The scene cannot be used, for this reason, or for one that another has.
    Refused(Option<SceneError>),
    /// It could not be done.
    Failed(String),
}

/// What there is to say of rows that were made.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Made {
    /// The scene's height at which the bed is 0 (m), of all rows the same.
    pub datum: f64,
    /// What was decided for lack of better knowledge.
    pub notices: Vec<String>,
    /// How many of their cells have no data.
    pub missing: usize,
    /// How many bands they are in, and how many of these are in memory.
    pub bands: [usize; 2],
    /// Heights of the bed (m) beside the faces of edges, for boundaries that need them; the same from all.
    pub beds: Vec<Vec<f32>>,
}

impl Made {
    /// Rows with that datum (m), in so many bands, of which so many are in memory.
    pub fn new(datum: f64, notices: Vec<String>, bands: [usize; 2]) -> Self {
        Self { datum, notices, missing: 0, bands, beds: Vec::new() }
    }
}

/// The ground in some cells of a row.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct GroundStrip {
    /// Its height above the datum (m).
    pub bed: Vec<f32>,
    /// Where obstacles are.
    pub obstacles: Vec<bool>,
    /// Where there are no data.
    pub missing: Vec<bool>,
}

/// Some cells of a row.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Strip {
    /// The number of the row among those that are looked at.
    pub row: usize,
    /// The ground, when it is seen first.
    pub ground: Option<GroundStrip>,
    /// Depths (m).
    pub depth: Vec<f32>,
    /// Velocities to the east and south (m/s), if they were looked at.
    pub velocity: Option<[Vec<f32>; 2]>,
}

impl Strip {
    /// Depths (m) in a row.
    pub fn new(row: usize, depth: Vec<f32>) -> Self {
        Self { row, ground: None, depth, velocity: None }
    }
}
