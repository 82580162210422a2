//! Worlds whose rows are distributed over processes: the ranks of an MPI job, or threads in tests.
//!
//! Each process builds the rows that it owns ([`Begin`]) and keeps them. The first process
//! coordinates the run and sends commands ([`Errand`]). The rows of one process are a [`Holding`];
//! a single process that owns all of them is a team too ([`One`]).

mod errand;
mod holding;
#[cfg(not(target_family = "wasm"))]
mod one;
mod worker;

pub use errand::{Begin, Brought, Errand, GroundStrip, Made, Strip};
pub use holding::{Held, Holding};
#[cfg(not(target_family = "wasm"))]
pub(crate) use one::One;
pub use worker::Worker;

use super::outcome::ModelError;
use headwater::distributed::RebalancePolicy;
use std::fmt;

/// Distribution settings of a world. They do not change its results.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Sharing {
    /// When row blocks move between processes; `None` for never.
    pub handover: Option<RebalancePolicy>,
    /// Most rows of a block; `None` for the default.
    pub band_rows: Option<usize>,
}

impl Default for Sharing {
    fn default() -> Self {
        Self { handover: Some(RebalancePolicy::default()), band_rows: None }
    }
}

impl Sharing {
    /// Creates settings from a rebalance policy and the most rows of a block.
    pub fn new(handover: Option<RebalancePolicy>, band_rows: Option<usize>) -> Self {
        Self { handover, band_rows }
    }
}

/// Team of processes, as the coordinator sees it.
pub trait Team: fmt::Debug + Send + Sync {
    /// Returns its name for the summary, such as `mpi: 4 ranks`.
    fn name(&self) -> String;

    /// Returns the number of processes.
    fn parts(&self) -> usize;

    /// Returns its distribution settings.
    fn sharing(&self) -> Sharing {
        Sharing::default()
    }

    /// Assigns rows to the processes from north to south. There are at most as many assignments as
    /// processes.
    ///
    /// # Errors
    /// The reason why a process cannot own its rows.
    fn start(&self, parts: Vec<Begin>) -> Result<(), ModelError>;

    /// Sends a command to all processes that own rows and returns their replies, from north to
    /// south.
    ///
    /// # Errors
    /// The reason why a process does not reply.
    fn tell(&self, errand: &Errand) -> Result<Vec<Brought>, ModelError>;

    /// Sends a command to one process, by its number from north to south. The process must not
    /// communicate with others meanwhile.
    ///
    /// # Errors
    /// The reason why it does not reply.
    fn tell_one(&self, part: usize, errand: &Errand) -> Result<Brought, ModelError>;
}
