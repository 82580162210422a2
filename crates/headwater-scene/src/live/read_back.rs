//! [`ReadBack`]: progress of a world when its state was last copied from the device to the host.
//! The world continues from it on the CPU if the device is lost.

use crate::run::ScheduleProgress;

/// Progress of a world at its last read-back, the copy of its state from the device to the host.
#[derive(Debug)]
pub(super) struct ReadBack {
    /// Time of the last scheduled stop before the read-back.
    pub(super) stop: f64,
    /// Progress of the schedule at the read-back.
    pub(super) done: ScheduleProgress,
    /// Number of edits in the journal at the read-back.
    pub(super) changes: usize,
}
