//! [`DeviceProbe`]: latest probe of a world on a GPU.

use crate::run::ProbeValue;

/// Latest probe of a world on a GPU, for [`Live::probe_latest`](super::Live::probe_latest).
#[derive(Debug, Default)]
pub(super) struct DeviceProbe {
    /// Position (m; cells for `blocks`) and values of the last finished probe.
    pub(super) last: Option<([f64; 2], Vec<ProbeValue>)>,
    /// Whether a probe has been submitted and its result has not arrived.
    pub(super) is_pending: bool,
}
