//! [`DeviceProbe`]: latest probe of a world on a GPU.

use crate::run::ProbeValue;

/// Latest probe of a world on a GPU.
#[derive(Debug, Default)]
pub(super) struct DeviceProbe {
    /// Position (m) and its values.
    pub(super) last: Option<([f64; 2], Vec<ProbeValue>)>,
    /// True if a query is pending.
    pub(super) is_pending: bool,
}
