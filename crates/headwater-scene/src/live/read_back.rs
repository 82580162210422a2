//! [`ReadBack`]: the progress of a world when its state was last copied from the device to the
//! host. If the device is lost, the CPU continues from this state.

use crate::run::ScheduleProgress;

/// Progress of a world when its state was last copied from the device to the host.
#[derive(Debug)]
pub(super) struct ReadBack {
    /// Last stop before the copy: a scheduled time (s; in the model `hydrology`, drops per cell) at
    /// which a step ended exactly.
    pub(super) stop: f64,
    /// Progress of the schedule at the time of the copy.
    pub(super) done: ScheduleProgress,
    /// Number of edits in the journal at the time of the copy.
    pub(super) changes: usize,
}
