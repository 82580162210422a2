//! [`ReadBack`]: progress of a world at its last read-back from a device.

use crate::run::ScheduleProgress;

/// Progress of a world at its last read-back from a device.
#[derive(Debug)]
pub(super) struct ReadBack {
    /// Time of the last stop.
    pub(super) stop: f64,
    /// Progress of the schedule.
    pub(super) done: ScheduleProgress,
    /// Number of edits.
    pub(super) changes: usize,
}
