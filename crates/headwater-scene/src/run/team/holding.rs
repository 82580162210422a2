//! [`Holding`]: what a process holds of a world that nobody has as a whole.

use super::errand::{Brought, Errand};
use headwater::distributed::Communicator;
use std::fmt;
use std::ops::Range;

/// Some rows of a world. A model's scene makes it.
pub trait Holding: fmt::Debug + Send {
    /// Does as told, together with its peers where all are told the same.
    fn obey(&mut self, errand: &Errand, peers: &mut dyn Communicator) -> Brought;

    /// Which rows it has now.
    fn held(&self) -> Held;
}

/// Which rows of a world a process has.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Held {
    /// Their numbers.
    pub rows: Range<usize>,
    /// How many rows have come to it from others so far.
    pub moved: usize,
}

impl Held {
    /// These rows, after so many have come.
    pub fn new(rows: Range<usize>, moved: usize) -> Self {
        Self { rows, moved }
    }
}
