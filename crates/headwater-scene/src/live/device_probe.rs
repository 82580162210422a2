//! [`DeviceProbe`]: the most recently sampled values at a point of a world on a GPU.

use crate::run::ProbeValue;

/// Values most recently sampled at a point of a world on a GPU, and whether a new query is pending.
/// [`Live::probe_latest`](super::Live::probe_latest) returns these values.
#[derive(Debug, Default)]
pub(super) struct DeviceProbe {
    /// Last point whose values have arrived: its position (m from the top-left corner; in the model
    /// `blocks`, cells) and its values.
    pub(super) last_values: Option<([f64; 2], Vec<ProbeValue>)>,
    /// Whether a query of a point has been submitted and is still waiting for its result.
    pub(super) is_pending: bool,
}
