//! [`ReadBack`]: progress of a world at its last read-back from a device.

use crate::run::Done;

/// Progress of a world at its last read-back from a device.
#[derive(Debug)]
pub(super) struct ReadBack {
    /// Time of the last stop.
    pub(super) stop: f64,
    /// Progress of the schedule.
    pub(super) done: Done,
    /// Number of edits.
    pub(super) changes: usize,
}
