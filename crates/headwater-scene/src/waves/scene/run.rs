//! Scene table `[[gauge]]` of the model `waves`.

use crate::scene::event::gauge_edit::GaugeEntry;
use crate::scene::place::Position;
use serde::Deserialize;

/// `[[gauge]]`: measuring device whose time series is written to `NAME.csv`. Needs exactly one of
/// `at` and `measure`. At most 1000 gauges.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct WavesGauge {
    /// Name of the gauge and of its output file: 1 to 64 of `a`–`z`, `A`–`Z`, `0`–`9`, `_`, `-`.
    pub name: String,
    /// Position at which the gauge records the height of the surface above its undisturbed level.
    pub at: Option<Position>,
    /// Quantity that the gauge records for the whole surface: `"energy"` or `"level"`.
    pub measure: Option<WavesMeasure>,
    /// Time between two readings (s), above 0. Default: 1/200 of the duration of the run.
    pub every: Option<f64>,
}

impl GaugeEntry for WavesGauge {
    fn name_and_interval(&self) -> (&str, Option<f64>) {
        (&self.name, self.every)
    }
}

/// Quantity that a gauge records for the whole surface.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum WavesMeasure {
    /// Kinetic and potential energy, each divided by the density of water (m⁵/s²).
    Energy,
    /// Mean height of the surface above its undisturbed level (m).
    Level,
}
