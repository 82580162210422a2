//! [`Summary`]: the contents of `summary.json`, which are the results and statistics of a finished
//! run.

use crate::atomic::write_atomically;
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
    /// Number of steps that the run has done.
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
    pub seconds: WallTimes,
    /// Hash of the final state. The hash of a state is the same on every machine.
    pub state_hash: String,
    /// Volume balance of the water in the world.
    pub ledger: LedgerSummary,
    /// Paths of the pictures that were written, relative to the folder of the summary.
    pub pictures: Vec<String>,
    /// Paths of the layers that were written, relative to the folder of the summary.
    pub layers: Vec<String>,
    /// Paths of the mesh files that were written, relative to the folder of the summary.
    pub meshes: Vec<String>,
    /// Paths of the gauges' time series that were written, relative to the folder of the summary.
    pub gauges: Vec<String>,
    /// Status of the relaxation to a steady state at its end, before simulated time starts. `null`
    /// if the scene requests no relaxation.
    pub settled: Option<RelaxationStatus>,
    /// Input files of the scene, with the hashes of their contents.
    pub inputs: Vec<Input>,
    /// Messages for the user about assumptions that the run made and scene content that it omitted.
    pub notices: Vec<String>,
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
    /// Residual of the balance, in `unit`: the current volume, minus the volume expected from the
    /// start volume, the inflow and the outflow.
    pub residual: f64,
    /// Ratio of `residual` to the sum of the start volume and all inflow (dimensionless). Not
    /// finite if that sum is 0, which is `null` in JSON.
    pub residual_relative: f64,
    /// Sediment balance of a world with erosion; `None` for other worlds. Its volumes consist of
    /// the ground above height 0 and the sediment suspended in lakes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sediment: Option<Box<LedgerSummary>>,
}

/// Largest residual of a balance, relative to the volume handled: what was there at the start, came
/// in or went out. Rounding stays far below it.
const MAX_RESIDUAL: f64 = 1e-9;

impl LedgerSummary {
    /// Creates a summary from a water balance in m³.
    pub fn from_balance(balance: &Balance) -> Self {
        let by_cause = |volume: &dyn Fn(Cause) -> f64| {
            let nonzero = Cause::ALL.into_iter().filter(|&cause| volume(cause) != 0.0);
            nonzero.map(|cause| (cause.name(), volume(cause))).collect()
        };
        let start = balance.ledger.initial_amount();
        Self {
            unit: "m³",
            start,
            inflow: by_cause(&|cause| balance.ledger.inflow(cause)),
            outflow: by_cause(&|cause| balance.ledger.outflow(cause)),
            now: balance.now,
            residual: balance.residual,
            residual_relative: balance.residual / (start.abs() + balance.ledger.total_inflow()),
            sediment: None,
        }
    }

    /// Creates a summary from the volume accounts of a model. The first account becomes the summary
    /// itself. If there is an account for sediment, it becomes the field `sediment`.
    pub(crate) fn from_accounts(accounts: &[SubstanceBalance]) -> Self {
        let of = |account: &SubstanceBalance| Self {
            unit: account.unit,
            ..Self::from_balance(&account.balance)
        };
        let sediment = accounts.iter().find(|account| account.substance == "sediment");
        Self { sediment: sediment.map(|account| Box::new(of(account))), ..of(&accounts[0]) }
    }

    /// Returns whether the residuals of water and sediment are at most 10⁻⁹ of the volume
    /// handled, which is the sum of the start volume, all inflow and all outflow.
    pub fn is_balanced(&self) -> bool {
        self.residual_notices().is_empty()
    }

    /// Returns a message for each residual that is larger than rounding explains.
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

/// Returns the file names in `paths`. They are relative paths for the summary, which is written to
/// the folder that contains the files.
pub(crate) fn file_names(paths: &[PathBuf]) -> Vec<String> {
    let name = |path: &PathBuf| path.file_name().map(|name| name.to_string_lossy().into_owned());
    paths.iter().filter_map(name).collect()
}
