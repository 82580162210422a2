//! Scene tables of the model `hydrology`: rain, uplift, inflows, variants of the parameters, gauges
//! and panels.

use super::table::{HydrologyKeys, winds};
use crate::scene::gauge_edit::Measuring;
use crate::scene::place::Position;
use crate::scene::{InArea, Keys};
use headwater::Falloff;
use headwater::hydrology::Wind;
use schemars::JsonSchema;
use serde::Deserialize;
use std::path::PathBuf;

/// `[rain]`: spatial distribution of the rain, by at most one of `map` and `wind`.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct HydrologyRain {
    /// Raster of rain in any unit, because only ratios matter. Values are 0 or above and at most 64
    /// times the mean. It is resampled to the grid. The path is relative to the scene file; in
    /// `--set`, to the current directory.
    pub map: Option<PathBuf>,
    /// `[[rain.wind]]`: winds that carry moisture and lose it as rain over rising ground; at most
    /// 16.
    #[serde(rename = "wind", deserialize_with = "winds")]
    #[schemars(with = "Vec<Keys<Wind>>")]
    pub winds: Vec<Wind>,
    /// With winds: rain (drops per cell) between two updates of its distribution over the changed
    /// land, 0.01 to 10⁶. Default 0.5.
    pub every: Option<f64>,
}

impl HydrologyRain {
    /// Returns the interval between two updates of the rain's distribution (drops per cell).
    pub fn every(&self) -> f64 {
        self.every.unwrap_or(0.5)
    }
}

/// `[uplift]`: spatial distribution of the uplift with stream power, by at most one of `map` and
/// `zone`. The maximum is `hydrology.stream_power.uplift`.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct HydrologyUplift {
    /// Raster of uplift in any unit, because only ratios matter. Values are 0 or above. It is
    /// resampled to the grid. The path is relative to the scene file; in `--set`, to the current
    /// directory.
    pub map: Option<PathBuf>,
    /// `[[uplift.zone]]`: areas with uplift, each with exactly one of `disc`, `rect`, `line`,
    /// `polygon`, `everywhere`; at most 1000. Where several overlap, the largest value counts.
    #[serde(rename = "zone")]
    pub zones: Vec<InArea<Zone>>,
}

/// Uplift in an area, relative to the maximum uplift.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Zone {
    /// Fraction of `hydrology.stream_power.uplift`, 0 to 1. Default 1.
    pub part: f64,
    /// Falloff towards the rim: `"flat"`, `"linear"` or `"smooth"` (default).
    pub falloff: Falloff,
}

impl Default for Zone {
    fn default() -> Self {
        Self { part: 1.0, falloff: Falloff::Smooth }
    }
}

/// `[[inflow]]`: a river that enters the map.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct River {
    /// Position.
    pub at: Position,
    /// Catchment area outside the map (m²), above 0, up to 10⁴ times the map.
    pub catchment: f64,
}

/// `[[way]]`: one of several variants of the parameters on the same land.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Way {
    /// Name shown above its picture: one line of at most 60 characters.
    pub name: String,
    /// Keys of `[hydrology]` that differ, such as `{ momentum = 0, plants = [] }`.
    #[serde(default)]
    pub set: HydrologyKeys,
}

/// `[[gauge]]`: writes a time series to `NAME.csv`; exactly one of `at` and `measure`; at most
/// 1000.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct HydrologyGauge {
    /// Name, also of the file: 1 to 64 of `a`–`z`, `A`–`Z`, `0`–`9`, `_`, `-`.
    pub name: String,
    /// Records ground height, water depth and discharge of the cell at this position.
    pub at: Option<Position>,
    /// Records a quantity of the whole land.
    pub measure: Option<HydrologyMeasure>,
    /// Name of the recorded way. Default: the last.
    pub way: Option<String>,
    /// Rain between two samples (drops per cell), above 0. Default: 1/200 of the run.
    pub every: Option<f64>,
}

impl Measuring for HydrologyGauge {
    fn name_and_interval(&self) -> (&str, Option<f64>) {
        (&self.name, self.every)
    }
}

/// Quantity of the whole land that a gauge records.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum HydrologyMeasure {
    /// Number of lakes, their total area, and their total volume of water.
    Lakes,
    /// Volume of sediment that has left the map, and volume of suspended sediment.
    Sediment,
    /// Mean plant cover.
    Plants,
}

/// `[panels]`: views in a picture, side by side. `picture.width` is the total width.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Panels {
    /// Views from left to right; with several ways, from top to bottom in each way's column. 1 to 3
    /// of `"before"` (the land at the start), `"relief"` and `"map"`. Default `["relief"]`.
    pub show: Vec<Panel>,
}

impl Default for Panels {
    fn default() -> Self {
        Self { show: vec![Panel::Relief] }
    }
}

/// Kind of a view in a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Panel {
    /// Shaded relief at the start.
    Before,
    /// Shaded relief with rivers, lakes and plants.
    Relief,
    /// Hydrological map with bright streams and dark lakes.
    Map,
}
