//! Tables of a run: rain, rivers from outside, ways, gauges, layers, panels.

use super::table::{HydrologyKeys, winds};
use crate::scene::gauge_edit::Measuring;
use crate::scene::place::Position;
use crate::scene::{InArea, Keys};
use headwater::Falloff;
use headwater::hydrology::Wind;
use schemars::JsonSchema;
use serde::Deserialize;
use std::path::PathBuf;

/// `[rain]`: where it rains, by exactly one of `map` and `wind`.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct HydrologyRain {
    /// A raster of rain, of any unit: only ratios count. 0 or above, and nowhere more than 64 times its
    /// mean; resampled to the grid. Relative to the scene file; in `--set`, to the current directory.
    pub map: Option<PathBuf>,
    /// `[[rain.wind]]`: winds that bring the rain, and lose it over the hills they rise over; at most 16.
    #[serde(rename = "wind", deserialize_with = "winds")]
    #[schemars(with = "Vec<Keys<Wind>>")]
    pub winds: Vec<Wind>,
    /// With winds: how much falls (drops per cell) until the rain is found anew over the land as it then is,
    /// 0.01 to 10⁶. Default 0.5.
    pub every: Option<f64>,
}

impl HydrologyRain {
    /// How much falls until the rain is found anew (drops per cell).
    pub fn every(&self) -> f64 {
        self.every.unwrap_or(0.5)
    }
}

/// `[uplift]`: where the land rises under stream power, by one of `map` and `zone`. It rises by `hydrology.stream_power.uplift` where
/// that is most.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct HydrologyUplift {
    /// A raster of uplift, of any unit: only ratios count. 0 or above; resampled to the grid. Relative to the scene file; in
    /// `--set`, to the current directory.
    pub map: Option<PathBuf>,
    /// `[[uplift.zone]]`: belts that rise, each in exactly one of `disc`, `rect`, `line`, `polygon`, `everywhere`; at most 1000. Where several
    /// overlap, the most counts.
    #[serde(rename = "zone")]
    pub zones: Vec<InArea<Zone>>,
}

/// How much a belt rises.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Zone {
    /// As a part of `hydrology.stream_power.uplift`, 0 to 1. Default 1.
    pub part: f64,
    /// How it fades towards the rim: `"flat"`, `"linear"` or `"smooth"` (default).
    pub falloff: Falloff,
}

impl Default for Zone {
    fn default() -> Self {
        Self { part: 1.0, falloff: Falloff::Smooth }
    }
}

/// `[[inflow]]`: a river that enters from outside.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct River {
    /// Where.
    pub at: Position,
    /// The area it drains outside (m²), above 0, up to 10⁴ times the map.
    pub catchment: f64,
}

/// `[[way]]`: one of several ways to carve the same land.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Way {
    /// What stands over its picture: one line of at most 60 characters.
    pub name: String,
    /// Keys of `[hydrology]` that are other than there, such as `{ momentum = 0, plants = [] }`.
    #[serde(default)]
    pub set: HydrologyKeys,
}

/// `[[gauge]]`: writes what it measures to `NAME.csv`; exactly one of `at` and `measure`; at most 1000.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct HydrologyGauge {
    /// Its name and its file's: 1 to 64 of `a`–`z`, `A`–`Z`, `0`–`9`, `_`, `-`.
    pub name: String,
    /// Measures height of the ground, depth of water and discharge in the cell of a place.
    pub at: Option<Position>,
    /// Measures the whole land.
    pub measure: Option<HydrologyMeasure>,
    /// The name of the way it measures. Default: the last.
    pub way: Option<String>,
    /// Rain between two measurements (drops per cell), above 0. Default: a two-hundredth of the run.
    pub every: Option<f64>,
}

impl Measuring for HydrologyGauge {
    fn name_and_interval(&self) -> (&str, Option<f64>) {
        (&self.name, self.every)
    }
}

/// What a gauge of the whole land measures.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum HydrologyMeasure {
    /// Number, area and volume of the lakes.
    Lakes,
    /// Sediment that has left the map, and that is suspended in lakes.
    Sediment,
    /// Mean cover of plants.
    Plants,
}

/// `[panels]`: what a picture shows, side by side. `picture.width` is the width of all together.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Panels {
    /// From left to right; of several ways, which stand side by side, from top to bottom. 1 to 3 of
    /// `"before"` (the land at the start), `"relief"` and `"map"`. Default `["relief"]`.
    pub show: Vec<Panel>,
}

impl Default for Panels {
    fn default() -> Self {
        Self { show: vec![Panel::Relief] }
    }
}

/// A panel of a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Panel {
    /// Shaded relief as it was at the start.
    Before,
    /// Shaded relief with rivers, lakes and plants.
    Relief,
    /// The hydrological map: streams light, lakes dark.
    Map,
}
