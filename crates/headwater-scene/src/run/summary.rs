//! `summary.json`: what a run did, in figures.

use crate::atomic::write_atomically;
use headwater::flow::RelaxationStatus;
use headwater::model::Account;
use headwater::{Balance, Cause, Lattice};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// What a finished run did.
#[derive(Clone, Debug, Serialize)]
pub struct Summary {
    /// The scene's name.
    pub scene: String,
    /// The model that ran it.
    pub model: &'static str,
    /// What computed it.
    pub backend: String,
    /// Threads it ran on.
    pub threads: usize,
    /// Kind of the grid's cells: `square` or `hex`.
    pub lattice: String,
    /// Columns of the grid.
    pub nx: usize,
    /// Rows of the grid.
    pub ny: usize,
    /// Steps of the model.
    pub steps: u64,
    /// Simulated time, in `time_unit`.
    pub simulated_seconds: f64,
    /// What time is counted in: `s`, or of hydrology `drops per cell`.
    pub time_unit: &'static str,
    /// Time it took, drawing and writing included (s).
    pub wall_seconds: f64,
    /// Cells times steps over the time that stepping alone took (1/s).
    pub cell_steps_per_second: f64,
    /// Where the time went.
    pub seconds: Seconds,
    /// Hash of the last state: the same for the same scene on every machine.
    pub state_hash: String,
    /// The books.
    pub ledger: LedgerSummary,
    /// Pictures written, relative to the summary.
    pub pictures: Vec<String>,
    /// Layers written, relative to the summary.
    pub layers: Vec<String>,
    /// Files of meshes written, relative to the summary.
    pub meshes: Vec<String>,
    /// Time series written, relative to the summary.
    pub gauges: Vec<String>,
    /// What came of settling before the run; `null` if the scene does not ask for it.
    pub settled: Option<RelaxationStatus>,
    /// The files that were read.
    pub inputs: Vec<Input>,
    /// What was decided for lack of better knowledge, or fell short.
    pub notices: Vec<String>,
}

/// A file that a run reads.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Input {
    /// The key of the scene that names it.
    pub key: String,
    /// Its path.
    pub file: String,
    /// A hash of its content.
    pub hash: String,
}

/// Where the time of a run went (s); before it was resumed, too.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Seconds {
    /// The steps.
    pub stepping: f64,
    /// Pictures, until they are there as pixels.
    pub painting: f64,
    /// Files: pictures and the animation, layers, meshes, series.
    pub writing: f64,
}

/// The ledger, by cause, in the model's unit of volume: m³; of blocks, cells.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct LedgerSummary {
    /// The unit of its volumes: `m³`, or of blocks `cells`.
    #[serde(skip)]
    pub unit: &'static str,
    /// Volume at the start.
    pub start: f64,
    /// What came, by cause.
    #[serde(rename = "in")]
    pub inflow: BTreeMap<&'static str, f64>,
    /// What went, by cause.
    #[serde(rename = "out")]
    pub outflow: BTreeMap<&'static str, f64>,
    /// Volume at the end.
    pub now: f64,
    /// What is there and should not be; below 0, what is missing.
    pub residual: f64,
    /// The residual over the volume handled, start + in.
    pub residual_relative: f64,
    /// The ground's own books, of a land that water carves: from height 0 up, what is suspended in lakes included.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sediment: Option<Box<LedgerSummary>>,
}

impl LedgerSummary {
    /// Books in m³.
    pub fn of(balance: &Balance) -> Self {
        let by_cause = |volume: &dyn Fn(Cause) -> f64| {
            let booked = Cause::ALL.into_iter().filter(|&cause| volume(cause) != 0.0);
            booked.map(|cause| (cause.name(), volume(cause))).collect()
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

    /// The first of a model's books, and beside them those of its ground, if it has any.
    pub(crate) fn of_accounts(accounts: &[Account]) -> Self {
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

/// The kind of a lattice, as a scene names it.
pub fn lattice_name(lattice: &Lattice) -> &'static str {
    match lattice {
        Lattice::Square(_) => "square",
        Lattice::Hex(_) => "hex",
    }
}

/// A hash as it is written everywhere.
pub(crate) fn hash_text(hash: u64) -> String {
    format!("{hash:016x}")
}

/// The names of files, for a summary beside them.
pub(crate) fn names(paths: &[PathBuf]) -> Vec<String> {
    let name = |path: &PathBuf| path.file_name().map(|name| name.to_string_lossy().into_owned());
    paths.iter().filter_map(name).collect()
}
