//! [`ReadBack`]: which scheduled tasks were done, and how many edits had been made, when a world
//! was last copied from the device to the host. If the device is lost, the CPU continues from
//! there.

use crate::run::ScheduleProgress;

/// Record of the last copy of a world from the device to the host: the scheduled tasks that were
/// done, and the number of edits.
#[derive(Debug)]
pub(super) struct ReadBack {
    /// Last stop before the copy. A stop is a scheduled time (s; in the model `hydrology`, drops
    /// per cell) at which a step ends exactly.
    pub(super) stop: f64,
    /// Scheduled tasks that were done at the time of the copy.
    pub(super) schedule_progress: ScheduleProgress,
    /// Number of edits in the journal at the time of the copy.
    pub(super) edit_count: usize,
}
