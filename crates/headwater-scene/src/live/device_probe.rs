//! [`DeviceProbe`]: the values that were last sampled at a point of a world on a GPU.

use crate::run::ProbeValue;

/// Values that were last sampled at a point of a world on a GPU. They are stored for
/// [`Live::probe_latest`](super::Live::probe_latest).
#[derive(Debug, Default)]
pub(super) struct DeviceProbe {
    /// Position (m; in the model `blocks`, cells) and values of the last point whose values have
    /// arrived.
    pub(super) last: Option<([f64; 2], Vec<ProbeValue>)>,
    /// Whether a query of a point has been submitted and its result has not arrived.
    pub(super) is_pending: bool,
}
