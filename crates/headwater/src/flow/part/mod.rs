//! A world of water over terrain in row blocks that are stepped separately: see [`crate::part`].
//!
//! A step needs few facts about the whole grid: the maxima of a few numbers (depth, wave speed), found by
//! [`allreduce_max`](crate::distributed::Communicator::allreduce_max), and the depths in the mouths of structures. Terms of the ledger's sums are kept
//! in a [`Log`](log::Log) and added in the order of the rows, because sums of `f64` depend on their order.

mod banded;
mod length;
mod log;
mod mouths;
mod rows;
mod stepping;

use stepping::Part;

pub use banded::{
    Archive, Ask, BandView, Banded, Bands, Handover, Keepers, Outline, Room, There, Told, Window,
};
