//! [`ReadBack`]: where a world was when it was last read back from a device.

use crate::run::ScheduleProgress;

/// Where a world was when it was last read back from a device.
#[derive(Debug)]
pub(super) struct ReadBack {
    /// The last stop.
    pub(super) stop: f64,
    /// What the schedule had done.
    pub(super) done: ScheduleProgress,
    /// How much had been done by hand.
    pub(super) changes: usize,
}
