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
    /// Number of threads.
    pub threads: usize,
    /// Kind of the grid's cells: `square` or `hex`.
    pub lattice: String,
    /// Number of columns of the grid.
    pub nx: usize,
    /// Number of rows of the grid.
    pub ny: usize,
    /// Number of steps.
    pub steps: u64,
    /// Simulated time, in `time_unit`.
    pub simulated_seconds: f64,
    /// Unit of time: `s`, or `drops per cell` for hydrology.
    pub time_unit: &'static str,
    /// Wall time, including drawing and writing (s).
    pub wall_seconds: f64,
    /// Cell updates per second of stepping time (1/s).
    pub cell_steps_per_second: f64,
    /// Wall time by activity.
    pub seconds: Seconds,
    /// Hash of the final state, the same on every machine.
    pub state_hash: String,
    /// Volume balance.
    pub ledger: LedgerSummary,
    /// Pictures written, relative to the summary.
    pub pictures: Vec<String>,
    /// Layers written, relative to the summary.
    pub layers: Vec<String>,
    /// Files of meshes written, relative to the summary.
    pub meshes: Vec<String>,
    /// Time series written, relative to the summary.
    pub gauges: Vec<String>,
    /// Result of the relaxation before the run; `null` if the scene has none.
    pub settled: Option<RelaxationStatus>,
    /// Input files.
    pub inputs: Vec<Input>,
    /// Notices: assumptions that were made, and what was left out.
    pub notices: Vec<String>,
}

/// Input file of a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Input {
    /// Scene key that names it.
    pub key: String,
    /// Path.
    pub file: String,
    /// Hash of its content.
    pub hash: String,
}

/// Wall time of a run by activity (s), including the time before it was resumed.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Seconds {
    /// Steps.
    pub stepping: f64,
    /// Drawing of pictures, without writing them.
    pub painting: f64,
    /// Writing of pictures, the animation, layers, meshes and time series.
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
    /// Residual of the balance: volume at the end minus the expected volume.
    pub residual: f64,
    /// Residual relative to `start` + `in`.
    pub residual_relative: f64,
    /// Sediment balance of worlds with erosion: ground above height 0 and sediment suspended in
    /// lakes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sediment: Option<Box<LedgerSummary>>,
}

impl LedgerSummary {
    /// Creates a balance in m³.
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

    /// Creates a balance from the first of a model's accounts, with the sediment account if there
    /// is one.
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

/// Returns the name of a lattice type in scenes.
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

/// Returns the file names of paths, for the summary in the same folder.
pub(crate) fn names(paths: &[PathBuf]) -> Vec<String> {
    let name = |path: &PathBuf| path.file_name().map(|name| name.to_string_lossy().into_owned());
    paths.iter().filter_map(name).collect()
}
