//! Scene table `[[gauge]]` of the model `waves`.

use crate::scene::gauge_edit::Measuring;
use crate::scene::place::Position;
use schemars::JsonSchema;
use serde::Deserialize;

/// `[[gauge]]`: writes a time series to `NAME.csv`; exactly one of `at` and `measure`; at most
/// 1000.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct WavesGauge {
    /// Name, also of the file: 1 to 64 of `a`–`z`, `A`–`Z`, `0`–`9`, `_`, `-`.
    pub name: String,
    /// Records the height of the surface at a position.
    pub at: Option<Position>,
    /// Records a quantity of the whole surface.
    pub measure: Option<WavesMeasure>,
    /// Time between two samples (s), above 0. Default: 1/200 of the run.
    pub every: Option<f64>,
}

impl Measuring for WavesGauge {
    fn name_and_interval(&self) -> (&str, Option<f64>) {
        (&self.name, self.every)
    }
}

/// Quantity of the whole surface that a gauge records.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum WavesMeasure {
    /// Kinetic and potential energy, each divided by the density of water (m⁵/s²).
    Energy,
    /// Mean height of the surface (m).
    Level,
}
