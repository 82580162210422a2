//! The gauges and layers of a run of waves.

use crate::scene::gauge_edit::Measuring;
use crate::scene::place::Position;
use schemars::JsonSchema;
use serde::Deserialize;

/// `[[gauge]]`: writes what it measures to `NAME.csv`; exactly one of `at` and `measure`; at most 1000.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct WavesGauge {
    /// Its name and its file's: 1 to 64 of `a`–`z`, `A`–`Z`, `0`–`9`, `_`, `-`.
    pub name: String,
    /// Measures the height of the surface at a place.
    pub at: Option<Position>,
    /// Measures something of the whole surface.
    pub measure: Option<WavesMeasure>,
    /// Time between two measurements (s), above 0. Default: a two-hundredth of the run.
    pub every: Option<f64>,
}

impl Measuring for WavesGauge {
    fn name_and_interval(&self) -> (&str, Option<f64>) {
        (&self.name, self.every)
    }
}

/// What of the whole surface a gauge measures.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum WavesMeasure {
    /// Kinetic and potential energy (m⁵/s²: joules for each kg/m³).
    Energy,
    /// The mean height of the surface (m).
    Level,
}
