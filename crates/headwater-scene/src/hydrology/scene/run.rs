//! Scene tables of the model `hydrology` for rain, uplift, inflows, variants of the parameters,
//! gauges and panels.

use super::table::{HydrologyKeys, deserialize_winds};
use crate::scene::AreaAction;
use crate::scene::event::gauge_edit::GaugeEntry;
use crate::scene::place::Position;
use headwater::Falloff;
use headwater::hydrology::Wind;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// `[rain]`: spatial distribution of the rain, given by at most one of `map` and `wind`.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct HydrologyRain {
    /// Raster of rain amounts in any unit; only ratios between cells matter. Values are 0 or above
    /// and at most 64 times the mean. It is resampled to the grid. The path is relative to the
    /// scene file; in `--set`, to the current directory.
    pub map: Option<PathBuf>,
    /// `[[rain.wind]]`: winds that carry moisture, and lose it as rain over rising ground. At most
    /// 16.
    #[serde(rename = "wind", deserialize_with = "deserialize_winds")]
    #[cfg_attr(feature = "schema", schemars(with = "Vec<crate::scene::Keys<Wind>>"))]
    pub winds: Vec<Wind>,
    /// Amount of rain (drops per cell) between two updates of the rain distribution, 0.01 to 10⁶.
    /// Default 0.5. Only with winds: an update adapts the distribution to the changed land.
    pub every: Option<f64>,
}

impl HydrologyRain {
    /// Returns the amount of rain (drops per cell) between two updates of the rain distribution.
    pub fn rain_update_interval(&self) -> f64 {
        self.every.unwrap_or(0.5)
    }
}

/// `[uplift]`: spatial distribution of the uplift rate, given by at most one of `map` and `zone`.
/// Used only with stream power. The maximum uplift rate is `hydrology.stream_power.uplift`.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct HydrologyUplift {
    /// Raster of uplift rates in any unit; only ratios between cells matter. Values are 0 or above.
    /// It is resampled to the grid. The path is relative to the scene file; in `--set`, to the
    /// current directory.
    pub map: Option<PathBuf>,
    /// `[[uplift.zone]]`: areas with uplift, each with exactly one of `disc`, `rect`, `line`,
    /// `polygon` and `everywhere`. At most 1000. Where areas overlap, the largest uplift applies.
    #[serde(rename = "zone")]
    pub zones: Vec<AreaAction<Zone>>,
}

/// Uplift rate within one area, and its falloff toward the rim.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct Zone {
    /// Uplift rate as a fraction of `hydrology.stream_power.uplift`, 0 to 1. Default 1.
    pub part: f64,
    /// Falloff of the uplift rate toward the rim of the area: `"flat"` for none, `"linear"` or
    /// `"smooth"` (default).
    pub falloff: Falloff,
}

impl Default for Zone {
    fn default() -> Self {
        Self { part: 1.0, falloff: Falloff::Smooth }
    }
}

/// `[[inflow]]`: river that enters the map.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct River {
    /// Position at which the river enters.
    pub at: Position,
    /// Catchment area of the river outside the map (m²), greater than 0 and at most 10⁴ times the
    /// area of the map.
    pub catchment: f64,
}

/// `[[way]]`: variant of the parameters. Each variant erodes its own copy of the initial land.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct VariantTable {
    /// Name of the variant, shown above its pictures: one line of at most 60 characters.
    pub name: String,
    /// Keys of `[hydrology]` that differ in this variant, such as `{ momentum = 0, plants = [] }`.
    #[serde(default)]
    pub set: HydrologyKeys,
}

/// `[[gauge]]`: measuring device whose time series is written to `NAME.csv`. Needs exactly one of
/// `at` and `measure`. At most 1000 gauges.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct HydrologyGauge {
    /// Name of the gauge and of its output file: 1 to 64 of `a`–`z`, `A`–`Z`, `0`–`9`, `_`, `-`.
    pub name: String,
    /// Position of the gauge. It records the ground elevation, the water depth and the discharge of
    /// the cell at this position.
    pub at: Option<Position>,
    /// Quantity that the gauge records for the whole land: `"lakes"`, `"sediment"` or `"plants"`.
    pub measure: Option<HydrologyMeasure>,
    /// Name of the `[[way]]` whose land the gauge measures. Default: the last one.
    pub way: Option<String>,
    /// Rain between two readings (drops per cell), above 0. Default: 1/200 of the duration of the
    /// run.
    pub every: Option<f64>,
}

impl GaugeEntry for HydrologyGauge {
    fn name_and_interval(&self) -> (&str, Option<f64>) {
        (&self.name, self.every)
    }
}

/// Quantity that a gauge records for the whole land.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum HydrologyMeasure {
    /// Number of lakes, their total area (m²), and their total volume of water (m³).
    Lakes,
    /// Volume of sediment that has left the map, and volume of suspended sediment (m³).
    Sediment,
    /// Mean plant cover (0 to 1).
    Plants,
}

/// `[panels]`: views that a picture shows side by side. `picture.width` is the total width of the
/// picture.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct Panels {
    /// Views in each picture: 1 to 3 of `"before"` (the initial land), `"relief"` and `"map"`. They
    /// are arranged from left to right. With several `[[way]]` tables, each table has its own
    /// column, and its views are arranged from top to bottom. Default `["relief"]`.
    pub show: Vec<Panel>,
}

impl Default for Panels {
    fn default() -> Self {
        Self { show: vec![Panel::Relief] }
    }
}

/// View of the land in one panel of a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Panel {
    /// Shaded relief of the initial land.
    Before,
    /// Shaded relief with rivers, lakes and plants.
    Relief,
    /// Hydrological map with bright streams and dark lakes.
    Map,
}
