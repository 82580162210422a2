//! [`Summary`]: the results and statistics of a finished run, stored in `summary.json`.

use crate::atomic::write_atomically;
use crate::raster::Georeference;
use headwater::flow::RelaxationStatus;
use headwater::model::SubstanceBalance;
use headwater::{Balance, Cause, Lattice};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Results and statistics of a finished run.
#[derive(Clone, Debug, Serialize)]
pub struct Summary {
    /// Name of the scene.
    pub scene: String,
    /// Name of the model.
    pub model: &'static str,
    /// Name of the backend, such as `cpu`.
    pub backend: String,
    /// Number of CPU threads that the run used.
    pub threads: usize,
    /// Cell shape of the grid: `square` or `hex`.
    pub lattice: String,
    /// Number of columns of the grid.
    pub nx: usize,
    /// Number of rows of the grid.
    pub ny: usize,
    /// Size and map position of the grid.
    #[serde(flatten)]
    pub extent: GridExtent,
    /// Number of steps that the run has taken.
    pub steps: u64,
    /// Simulated time, in the unit `time_unit`.
    pub simulated_seconds: f64,
    /// Unit of time: `s`, or `drops per cell` for the model `hydrology`.
    pub time_unit: &'static str,
    /// Wall time of the run, including drawing and writing (s).
    pub wall_seconds: f64,
    /// Number of cell updates (cells times steps) per second of wall time spent on stepping (1/s).
    pub cell_steps_per_second: f64,
    /// Wall time by activity (s).
    #[serde(rename = "seconds")]
    pub wall_times: WallTimes,
    /// Hash of the final state. Equal states have equal hashes on every machine.
    pub state_hash: String,
    /// Water balance of the world.
    pub ledger: LedgerSummary,
    /// Paths of the pictures that were written, relative to the folder of the summary.
    pub pictures: Vec<String>,
    /// Paths of the layers that were written, relative to the folder of the summary.
    pub layers: Vec<String>,
    /// Paths of the mesh files that were written, relative to the folder of the summary.
    pub meshes: Vec<String>,
    /// Paths of the gauges' time series that were written, relative to the folder of the summary.
    pub gauges: Vec<String>,
    /// Paths of the other tables that were written, relative to the folder of the summary. Contains
    /// `ledger.csv` if it was written.
    pub tables: Vec<String>,
    /// Final status of the initial relaxation to a steady state. `null` if the scene requests no
    /// relaxation.
    pub settled: Option<RelaxationStatus>,
    /// Input files of the scene, with the hashes of their contents.
    pub inputs: Vec<Input>,
    /// Messages for the user about assumptions of the run and about scene content that the run
    /// omitted.
    pub notices: Vec<String>,
}

/// Size of a grid and its position on the map.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[non_exhaustive]
pub struct GridExtent {
    /// Width and height of a cell (m); `None` in the model `blocks`.
    pub cell_metres: Option<[f64; 2]>,
    /// Width and height of the grid (m); `None` in the model `blocks`.
    pub extent_metres: Option<[f64; 2]>,
    /// West, south, east and north edge of the grid in the coordinates of the terrain file, in
    /// `bounds_unit`; `None` if the terrain has no map position.
    pub bounds: Option<[f64; 4]>,
    /// Unit of `bounds`; `None` if it is unknown.
    pub bounds_unit: Option<&'static str>,
    /// EPSG code of the coordinate system of `bounds`; `None` if the file does not name it.
    pub epsg: Option<u16>,
}

impl GridExtent {
    /// Creates the extent of a grid from a lattice whose lengths are in metres. `map` is the map
    /// position of the grid; `None` if it is unknown.
    pub(crate) fn new(lattice: &Lattice, map: Option<&Georeference>) -> Self {
        Self {
            cell_metres: Some([lattice.dx(), lattice.dy()]),
            extent_metres: Some([lattice.width(), lattice.height()]),
            bounds: map.map(|map| map.bounds),
            bounds_unit: map.and_then(|map| map.unit),
            epsg: map.and_then(|map| map.epsg),
        }
    }
}

/// Input file of a run, such as a terrain raster.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Input {
    /// Key in the scene whose value is the path of the file.
    pub key: String,
    /// Path of the file that was read.
    pub file: String,
    /// Hash of the file's contents, as hexadecimal digits.
    pub hash: String,
}

/// Wall time of a run by activity (s). Includes the time before the run was resumed.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
#[non_exhaustive]
pub struct WallTimes {
    /// Wall time for stepping the world (s).
    pub stepping: f64,
    /// Wall time for drawing pictures, excluding the writing of their files (s).
    pub painting: f64,
    /// Wall time for writing pictures, the animation, layers, meshes and time series (s).
    pub writing: f64,
}

/// Volume balance, with the inflows and outflows by cause. Volumes are in m³, or in cells for the
/// model `blocks`.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct LedgerSummary {
    /// Unit of volume: `m³`, or `cells` for the model `blocks`.
    #[serde(skip)]
    pub unit: &'static str,
    /// Volume at the start of the run, in `unit`.
    pub start: f64,
    /// Volume added by each cause, in `unit`.
    #[serde(rename = "in")]
    pub inflow: BTreeMap<&'static str, f64>,
    /// Volume removed by each cause, in `unit`.
    #[serde(rename = "out")]
    pub outflow: BTreeMap<&'static str, f64>,
    /// Current volume, in `unit`. In the summary of a run, this is the volume at the end of the
    /// run.
    pub now: f64,
    /// Net volume (inflow minus outflow, in `unit`) that is already counted in `inflow` and
    /// `outflow` but not yet in `now`. Each cell accumulates changes of its depth that are too
    /// small for the resolution of the depth, and applies them in later steps.
    pub rounding: f64,
    /// Volume that each cause contributes to `rounding` (in `unit`): its inflow, then its outflow.
    #[serde(skip)]
    pub(crate) rounding_by_cause: BTreeMap<&'static str, [f64; 2]>,
    /// Residual of the balance, in `unit`: `now` + `rounding`, minus the volume expected from the
    /// start volume, the inflow and the outflow.
    pub residual: f64,
    /// Ratio of `residual` to the sum of the start volume and all inflow (dimensionless). If this
    /// sum is 0, the ratio is not finite, and is `null` in JSON.
    pub residual_relative: f64,
    /// Volumes moved by each boundary, source, drain and structure. Empty for models that record
    /// volumes only by cause.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<LedgerPart>,
    /// Sediment balance of a world with erosion; `None` for other worlds. Its volumes consist of
    /// the ground above height 0 and the sediment suspended in lakes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sediment: Option<Box<LedgerSummary>>,
}

/// Volumes (m³) that one boundary, source, drain or structure of a scene has moved since the start
/// of the run. They are NaN (`null` in JSON) if a GPU has stepped the world.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct LedgerPart {
    /// Kind and name of the boundary, source, drain or structure, such as `boundary harbour`. If it
    /// has no name, its key, such as `boundary[0] (west)`.
    pub name: String,
    /// Columns of this boundary, source, drain or structure in `ledger.csv`: one for inflow and one
    /// for outflow. A source or a drain has a single column.
    #[serde(skip)]
    pub(crate) columns: PartColumns,
    /// Volume that has entered the grid. For a structure, the volume that has passed from its first
    /// end (mouth) to its second.
    #[serde(rename = "in")]
    pub inflow: f64,
    /// Volume that has left the grid. For a structure, the volume that has passed from its second
    /// end (mouth) to its first.
    #[serde(rename = "out")]
    pub outflow: f64,
}

impl LedgerPart {
    /// Creates the record of a boundary, source, drain or structure. The array contains its inflow
    /// and outflow.
    pub(crate) fn new(name: String, columns: PartColumns, [inflow, outflow]: [f64; 2]) -> Self {
        Self { name, columns, inflow, outflow }
    }
}

/// Columns of a boundary, source, drain or structure in `ledger.csv`: one for each possible
/// direction of flow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PartColumns {
    In,
    Out,
    InAndOut,
    /// Two columns for a structure: the flow from its first end to its second, and the flow back.
    Through,
}

/// Limit on the rounding of a cause, as a fraction of its inflow or outflow. Above the limit, the
/// user gets a message. Rounding is volume that is below the resolution of the depths; cells carry
/// it over to later steps.
const MAX_ROUNDING: f64 = 0.01;

/// Largest allowed residual of a balance, relative to the sum of the start volume, all inflow and
/// all outflow. Rounding errors stay far below this limit.
const MAX_RESIDUAL: f64 = 1e-9;

impl LedgerSummary {
    /// Creates a summary from a water balance in m³.
    pub fn from_balance(balance: &Balance) -> Self {
        let by_cause = |volume: &dyn Fn(Cause) -> f64| {
            let nonzero = Cause::ALL.into_iter().filter(|&cause| volume(cause) != 0.0);
            nonzero.map(|cause| (cause.name(), volume(cause))).collect()
        };
        let start = balance.ledger.initial_amount();
        let rounding = &balance.rounding;
        let rounding_of = |cause| [rounding.inflow(cause), rounding.outflow(cause)];
        let rounded = Cause::ALL.into_iter().filter(|&cause| rounding_of(cause) != [0.0; 2]);
        Self {
            unit: "m³",
            start,
            rounding: rounding.total_inflow() - rounding.total_outflow(),
            rounding_by_cause: rounded.map(|cause| (cause.name(), rounding_of(cause))).collect(),
            parts: Vec::new(),
            inflow: by_cause(&|cause| balance.ledger.inflow(cause)),
            outflow: by_cause(&|cause| balance.ledger.outflow(cause)),
            now: balance.now,
            residual: balance.residual,
            residual_relative: balance.residual / (start.abs() + balance.ledger.total_inflow()),
            sediment: None,
        }
    }

    /// Creates a summary from the volume balances of a model's substances. The first balance
    /// becomes the summary itself. The balance of sediment, if there is one, becomes the field
    /// `sediment`.
    pub(crate) fn from_substance_balances(accounts: &[SubstanceBalance]) -> Self {
        let of = |account: &SubstanceBalance| Self {
            unit: account.unit,
            ..Self::from_balance(&account.balance)
        };
        let sediment = accounts.iter().find(|account| account.substance == "sediment");
        Self { sediment: sediment.map(|account| Box::new(of(account))), ..of(&accounts[0]) }
    }

    /// Returns whether the residuals of water and sediment are at most 10⁻⁹ of the volume handled:
    /// the sum of the start volume, all inflow and all outflow.
    pub fn is_balanced(&self) -> bool {
        self.residual_notices().is_empty()
    }

    /// Returns a message for water and for sediment if the residual of the balance is too large to
    /// result from rounding errors.
    pub(crate) fn residual_notices(&self) -> Vec<String> {
        let sediment = self.sediment.as_deref().map(|sediment| ("sediment", sediment));
        let is_wrong = |(_, ledger): &(&str, &Self)| {
            let moved = ledger.inflow.values().chain(ledger.outflow.values());
            let handled = ledger.start.abs() + moved.map(|volume| volume.abs()).sum::<f64>();
            ledger.residual.abs() > MAX_RESIDUAL * handled
        };
        let wrong = [("water", self)].into_iter().chain(sediment).filter(is_wrong);
        let message = |(substance, ledger): (&str, &Self)| {
            format!(
                "{substance}: the balance has a residual of {:.1e} {}, allowed is {MAX_RESIDUAL:e} of the \
                 volume handled; the results may be wrong",
                ledger.residual, ledger.unit
            )
        };
        wrong.map(message).collect()
    }

    /// Returns a message for each cause whose rounding exceeds 1 % of its inflow or outflow.
    /// Rounding is volume that is below the resolution of the depths; cells carry it over to later
    /// steps.
    pub(crate) fn rounding_notices(&self) -> Vec<String> {
        let of = |ledger: &BTreeMap<&'static str, f64>, cause| ledger.get(cause).copied();
        let parts = self.rounding_by_cause.iter().flat_map(|(&cause, &[came, went])| {
            [(&self.inflow, "in", came), (&self.outflow, "out", went)]
                .map(|(ledger, side, carried)| (cause, side, carried, of(ledger, cause)))
        });
        let message = |(cause, side, carried, all): (&str, &str, f64, Option<f64>)| {
            let (all, unit) = (all.unwrap_or(0.0), self.unit);
            (carried.abs() > MAX_ROUNDING * all.abs()).then(|| {
                format!(
                    "{carried:.3} {unit} of the {all:.3} {unit} of {side}.{cause} are below the resolution of \
                     the depths; they are in ledger.rounding, and the cells carry them to later steps"
                )
            })
        };
        parts.filter_map(message).collect()
    }
}

impl fmt::Display for LedgerSummary {
    /// Formats the balance of the water in one line.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { unit, start, now, residual, residual_relative, .. } = self;
        write!(f, "water: {start:.0} {unit} at the start, {now:.0} {unit} now, residual ")?;
        match residual {
            0.0 => f.write_str("0"),
            _ if residual_relative.is_finite() => write!(f, "{residual_relative:.1e} of the total"),
            _ => write!(f, "{residual:.1e} {unit}"),
        }
    }
}

impl Summary {
    pub(crate) fn write(&self, path: &Path) -> io::Result<()> {
        write_atomically(path, |sink| {
            serde_json::to_writer_pretty(&mut *sink, self)?;
            sink.write_all(b"\n")
        })
    }
}

/// Returns the cell shape of a lattice, as scenes name it: `square` or `hex`.
pub fn lattice_name(lattice: &Lattice) -> &'static str {
    match lattice {
        Lattice::Square(_) => "square",
        Lattice::Hex(_) => "hex",
    }
}

/// Formats a hash as a string of 16 hexadecimal digits.
pub(crate) fn format_hash(hash: u64) -> String {
    format!("{hash:016x}")
}

/// Returns the file names in `paths`. The summary uses these names as relative paths, because it is
/// in the same folder as the files.
pub(crate) fn file_names(paths: &[PathBuf]) -> Vec<String> {
    let name = |path: &PathBuf| path.file_name().map(|name| name.to_string_lossy().into_owned());
    paths.iter().filter_map(name).collect()
}
