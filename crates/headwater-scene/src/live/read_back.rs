//! [`ReadBack`]: the progress of the schedule and the number of edits when a world was last copied
//! from the device to the host. If the device is lost, the CPU continues from there.

use crate::run::ScheduleProgress;

/// Progress of the schedule and number of edits when a world was last copied from the device to the
/// host.
#[derive(Debug)]
pub(super) struct ReadBack {
    /// Last stop before the copy. A stop is a scheduled time (s; in the model `hydrology`, drops
    /// per cell) at which a step ends exactly.
    pub(super) stop: f64,
    /// Progress of the schedule at the time of the copy.
    pub(super) schedule_progress: ScheduleProgress,
    /// Number of edits in the journal at the time of the copy.
    pub(super) edit_count: usize,
}
