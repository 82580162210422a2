//! Values that gauges and probes of waves worlds show for a point of the surface.

use crate::run::{ProbeValue, numeric_value};

/// Name of the CSV column for the surface height that a gauge records at a point.
pub(super) const HEIGHT_COLUMN: &str = "height_m";

/// Returns the values that a probe shows for a point of the surface, given its height (m), its
/// vertical velocity (m/s) and its unit normal.
pub(super) fn surface_values(height: f32, velocity: f32, normal: [f32; 3]) -> Vec<ProbeValue> {
    let [east, south, up] = normal.map(f64::from);
    vec![
        numeric_value("height", height.into(), "m"),
        numeric_value("rises by", velocity.into(), "m/s"),
        numeric_value("slope", libm::hypot(east, south) / up, ""),
    ]
}
