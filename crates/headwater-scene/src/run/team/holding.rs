//! [`Holding`]: the rows of a distributed world that a process owns.

use super::errand::{Brought, Errand};
use headwater::distributed::Communicator;
use std::fmt;
use std::ops::Range;

/// Rows of a world in one process. A model's scene creates it.
pub trait Holding: fmt::Debug + Send {
    /// Handles a command, and communicates with other processes if all of them received it.
    fn obey(&mut self, errand: &Errand, peers: &mut dyn Communicator) -> Brought;

    /// Returns the rows that it owns now.
    fn held(&self) -> Held;
}

/// Rows of a world that a process owns.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Held {
    /// Row numbers on the grid.
    pub rows: Range<usize>,
    /// Number of rows received from other processes so far.
    pub moved: usize,
}

impl Held {
    /// Creates it from its rows and the number of rows received.
    pub fn new(rows: Range<usize>, moved: usize) -> Self {
        Self { rows, moved }
    }
}
