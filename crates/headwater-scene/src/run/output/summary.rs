//! `summary.json`: results and statistics of a finished run.

use crate::atomic::write_atomically;
use headwater::flow::RelaxationStatus;
use headwater::model::Account;
use headwater::{Balance, Cause, Lattice};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Results and statistics of a finished run.
#[derive(Clone, Debug, Serialize)]
pub struct Summary {
    /// Name of the scene.
    pub scene: String,
    /// Name of the model.
    pub model: &'static str,
    /// Name of the backend.
    pub backend: String,
    /// Number of CPU threads.
    pub threads: usize,
    /// Kind of the grid's cells: `square` or `hex`.
    pub lattice: String,
    /// Number of columns of the grid.
    pub nx: usize,
    /// Number of rows of the grid.
    pub ny: usize,
    /// Number of completed steps.
    pub steps: u64,
    /// Simulated time, in `time_unit`.
    pub simulated_seconds: f64,
    /// Unit of time: `s`, or `drops per cell` for hydrology.
    pub time_unit: &'static str,
    /// Wall time, including drawing and writing (s).
    pub wall_seconds: f64,
    /// Number of cell updates per second of stepping time (1/s).
    pub cell_steps_per_second: f64,
    /// Wall time by activity, in seconds.
    pub seconds: Seconds,
    /// Hash of the final state, which is the same on every machine.
    pub state_hash: String,
    /// Volume balance of the water.
    pub ledger: LedgerSummary,
    /// Paths of the pictures that were written, relative to the summary.
    pub pictures: Vec<String>,
    /// Paths of the layers that were written, relative to the summary.
    pub layers: Vec<String>,
    /// Paths of the mesh files that were written, relative to the summary.
    pub meshes: Vec<String>,
    /// Paths of the time series that were written, relative to the summary.
    pub gauges: Vec<String>,
    /// Result of the relaxation to a steady state before the run; `null` if the scene requests
    /// none.
    pub settled: Option<RelaxationStatus>,
    /// Input files of the scene, with their hashes.
    pub inputs: Vec<Input>,
    /// Messages for the user about assumptions that were made and parts that were omitted.
    pub notices: Vec<String>,
}

/// Input file of a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Input {
    /// Scene key whose value is the file's path.
    pub key: String,
    /// Path of the file.
    pub file: String,
    /// Hash of the file's contents.
    pub hash: String,
}

/// Wall time of a run by activity (s), including the time before it was resumed.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Seconds {
    /// Time for stepping the world.
    pub stepping: f64,
    /// Time for drawing pictures, without writing them.
    pub painting: f64,
    /// Time for writing pictures, the animation, layers, meshes and time series.
    pub writing: f64,
}

/// Volume balance by cause, in the model's unit of volume: m³, or cells in `blocks`.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct LedgerSummary {
    /// Unit of volume: `m³`, or `cells` in `blocks`.
    #[serde(skip)]
    pub unit: &'static str,
    /// Volume at the start.
    pub start: f64,
    /// Volume added, by cause.
    #[serde(rename = "in")]
    pub inflow: BTreeMap<&'static str, f64>,
    /// Volume removed, by cause.
    #[serde(rename = "out")]
    pub outflow: BTreeMap<&'static str, f64>,
    /// Volume at the end.
    pub now: f64,
    /// Residual of the balance: the volume at the end, minus the volume expected from the start
    /// volume, the inflow and the outflow.
    pub residual: f64,
    /// Ratio of `residual` to the sum of the start volume and all inflow (dimensionless).
    pub residual_relative: f64,
    /// Sediment balance of worlds with erosion: ground above height 0 and sediment suspended in
    /// lakes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sediment: Option<Box<LedgerSummary>>,
}

impl LedgerSummary {
    /// Creates a summary of a water balance in m³.
    pub fn of(balance: &Balance) -> Self {
        let by_cause = |volume: &dyn Fn(Cause) -> f64| {
            let nonzero = Cause::ALL.into_iter().filter(|&cause| volume(cause) != 0.0);
            nonzero.map(|cause| (cause.name(), volume(cause))).collect()
        };
        Self {
            unit: "m³",
            start: balance.ledger.start(),
            inflow: by_cause(&|cause| balance.ledger.inflow(cause)),
            outflow: by_cause(&|cause| balance.ledger.outflow(cause)),
            now: balance.now,
            residual: balance.residual,
            residual_relative: balance.residual_relative,
            sediment: None,
        }
    }

    /// Creates a summary from a model's accounts: the first account, and the sediment account if
    /// there is one.
    pub(crate) fn from_accounts(accounts: &[Account]) -> Self {
        let of = |account: &Account| Self { unit: account.unit, ..Self::of(&account.balance) };
        let sediment = accounts.iter().find(|account| account.substance == "sediment");
        Self { sediment: sediment.map(|account| Box::new(of(account))), ..of(&accounts[0]) }
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

/// Returns the name of a lattice's cell type in scenes: `square` or `hex`.
pub fn lattice_name(lattice: &Lattice) -> &'static str {
    match lattice {
        Lattice::Square(_) => "square",
        Lattice::Hex(_) => "hex",
    }
}

/// Formats a hash as 16 hexadecimal digits.
pub(crate) fn hash_text(hash: u64) -> String {
    format!("{hash:016x}")
}

/// Returns the file names of `paths`. They are relative paths for the summary, which is written in
/// the same folder.
pub(crate) fn names(paths: &[PathBuf]) -> Vec<String> {
    let name = |path: &PathBuf| path.file_name().map(|name| name.to_string_lossy().into_owned());
    paths.iter().filter_map(name).collect()
}
