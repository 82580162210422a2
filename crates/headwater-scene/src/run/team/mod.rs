//! Worlds that a team of processes steps, each of them a part: the processes of an MPI job, or threads that stand for them.
//!
//! Either the first process has the whole world at home and runs it as any other is run: events, gauges, pictures, checkpoints. From one
//! stop to the next it hands parts out ([`Start`]), tells all what to do ([`Order`]), and hears what came of it ([`Answer`]). What the others
//! do is a [`Worker`]'s business; how words get from process to process is the [`Team`]'s.
//!
//! Or nobody has the whole world: each makes its rows of it ([`Begin`]) and keeps them, and the first asks for what it needs, by [`Errand`]s. What
//! a process has of such a world is a [`Holding`]; one process that has all of it is a team too ([`One`]).

mod copy;
mod errand;
mod holding;
#[cfg(not(target_family = "wasm"))]
mod one;
mod order;
mod worker;

pub(super) use copy::TeamCopy;
pub use errand::{Begin, Brought, Errand, GroundStrip, Made, Strip};
pub use holding::{Held, Holding};
#[cfg(not(target_family = "wasm"))]
pub(crate) use one::One;
pub use order::{Answer, Order, Start};
pub use worker::Worker;

use super::outcome::ModelError;
use headwater::flow::Handover;
use std::fmt;

/// How a world that nobody has as a whole lies with a team. The outcome is the same.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Sharing {
    /// When bands of rows go from one process to the next; `None` for never.
    pub handover: Option<Handover>,
    /// The most rows of a band; some hundreds if it is not said.
    pub band_rows: Option<usize>,
}

impl Default for Sharing {
    fn default() -> Self {
        Self { handover: Some(Handover::default()), band_rows: None }
    }
}

impl Sharing {
    /// One with such a handover and such bands.
    pub fn new(handover: Option<Handover>, band_rows: Option<usize>) -> Self {
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

    /// Hands parts out, from north to south, at most as many as it can step; what was handed out before is gone.
    ///
    /// # Errors
    /// Why they cannot be handed out.
    fn start(&self, parts: Vec<Start>) -> Result<(), ModelError>;

    /// Has every part do as told, and hears what each says, from north to south.
    ///
    /// # Errors
    /// Why one of them does not.
    fn tell(&self, order: &Order) -> Result<Vec<Answer>, ModelError>;

    /// Has one part alone do as told, by its number from north to south. It cannot ask others for anything meanwhile.
    ///
    /// # Errors
    /// Why it does not.
    fn tell_one(&self, part: usize, order: &Order) -> Result<Answer, ModelError>;
}
