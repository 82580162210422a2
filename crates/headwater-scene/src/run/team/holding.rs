//! [`Holding`]: what a process holds of a world that nobody has as a whole.

use super::errand::{Brought, Errand};
use headwater::part::Peers;
use std::fmt;

/// Some rows of a world. A model's scene makes it.
pub trait Holding: fmt::Debug + Send {
    /// Does as told, together with its peers where all are told the same.
    fn obey(&mut self, errand: &Errand, peers: &mut dyn Peers) -> Brought;
}
