//! Worlds whose rows are distributed over processes: the ranks of an MPI job, or threads in tests.
//!
//! Each process makes the rows that it owns ([`Begin`]) and keeps them; the first process coordinates the run and sends
//! commands ([`Errand`]). The rows of one process are a [`Holding`]; a single process that owns all of them is a team too ([`One`]).

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

/// How a world that nobody has as a whole lies with a team. The outcome is the same.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Sharing {
    /// When bands of rows go from one process to the next; `None` for never.
    pub handover: Option<RebalancePolicy>,
    /// The most rows of a band; some hundreds if it is not said.
    pub band_rows: Option<usize>,
}

impl Default for Sharing {
    fn default() -> Self {
        Self { handover: Some(RebalancePolicy::default()), band_rows: None }
    }
}

impl Sharing {
    /// One with such a handover and such bands.
    pub fn new(handover: Option<RebalancePolicy>, band_rows: Option<usize>) -> Self {
        Self { handover, band_rows }
    }
}

/// A team of processes, as the first of them sees it.
pub trait Team: fmt::Debug + Send + Sync {
    /// What it is called in a summary, as `mpi: 4 ranks`.
    fn name(&self) -> String;

    /// How many parts it can step at once.
    fn parts(&self) -> usize;

    /// How a world that nobody has as a whole lies with it.
    fn sharing(&self) -> Sharing {
        Sharing::default()
    }

    /// Gives each process its rows, from north to south, to at most as many processes as there are.
    ///
    /// # Errors
    /// Why a process cannot own its rows.
    fn start(&self, parts: Vec<Begin>) -> Result<(), ModelError>;

    /// Sends a command to all processes that own rows and returns their replies, from north to south.
    ///
    /// # Errors
    /// Why a process does not reply.
    fn tell(&self, errand: &Errand) -> Result<Vec<Brought>, ModelError>;

    /// Sends a command to one process, by its number from north to south. It cannot communicate with others meanwhile.
    ///
    /// # Errors
    /// Why it does not reply.
    fn tell_one(&self, part: usize, errand: &Errand) -> Result<Brought, ModelError>;
}
