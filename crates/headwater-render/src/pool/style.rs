//! Appearance of pool pictures: [`PoolStyle`], read from the table `[picture]` of a scene or built
//! in code.

use crate::style::{Palette, check_range};
use headwater::InputError;
use serde::{Deserialize, Serialize};

/// Liquid of a pool.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum PoolLiquid {
    /// Clear water, turquoise in the shallows.
    #[default]
    Water,
    /// Green, cloudy liquid that glows.
    Acid,
}

/// Material of the bed of a pool.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Floor {
    /// Round stones of various colours.
    #[default]
    Pebbles,
    /// Fine rippled sand.
    Sand,
    /// Tiles, as in a swimming pool.
    Tiles,
    /// Dark rock with cracks.
    Rock,
}

/// Appearance of a picture of a pool. Every field has a default.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub struct PoolStyle {
    /// Width of the picture (pixels, 16 to 8192). The height follows from the aspect ratio of the
    /// grid. The picture is narrower than requested if the grid is more than three times as high as
    /// wide, or if the picture would have more than 2²⁵ pixels.
    #[cfg_attr(feature = "schema", schemars(range(min = 16, max = 8192)))]
    pub width: u32,
    /// Liquid in the pool.
    pub liquid: PoolLiquid,
    /// Material of the bed.
    pub floor: Floor,
    /// Size of a stone or a tile (m, 0.001 to 1000). Default: 1/60 of the longer side of the grid.
    pub grain: Option<f64>,
    /// Colours of the land around the pool.
    pub palette: Palette,
    /// Width of the sloping part of the bed: the distance from the land at which the bed reaches
    /// its full depth (m, 0 to 1e6; 0 gives a vertical wall). Default: three times the depth.
    pub shore: Option<f64>,
    /// Azimuth of the sun (degrees clockwise from north, 0 to 360).
    pub sun_azimuth: f32,
    /// Altitude of the sun (degrees above the horizon, 5 to 90).
    pub sun_altitude: f32,
    /// Vertical exaggeration of the surface for shading and refraction (0.001 to 10000, default 1).
    /// Larger values make low waves visible.
    pub exaggeration: f32,
    /// Whether a scale bar is drawn.
    pub scale_bar: bool,
    /// Whether the simulated time is written on the picture.
    pub time_label: bool,
}

impl Default for PoolStyle {
    fn default() -> Self {
        Self {
            width: 960,
            liquid: PoolLiquid::Water,
            floor: Floor::Pebbles,
            grain: None,
            palette: Palette::Island,
            shore: None,
            sun_azimuth: 315.0,
            sun_altitude: 50.0,
            exaggeration: 1.0,
            scale_bar: true,
            time_label: true,
        }
    }
}

impl PoolStyle {
    /// Checks that all values are within their ranges.
    ///
    /// # Errors
    /// Returns [`InputError`] for the first value that is out of range.
    pub fn validate(&self) -> Result<(), InputError> {
        check_range("width", f64::from(self.width), 16.0, 8192.0, "16 to 8192 pixels")?;
        check_range("grain", self.grain, 1e-3, 1e3, "0.001 to 1000 m")?;
        check_range("shore", self.shore, 0.0, 1e6, "0 to 1e6 m")?;
        check_range("sun_azimuth", f64::from(self.sun_azimuth), 0.0, 360.0, "0 to 360 degrees")?;
        check_range("sun_altitude", f64::from(self.sun_altitude), 5.0, 90.0, "5 to 90 degrees")?;
        check_range("exaggeration", f64::from(self.exaggeration), 1e-3, 1e4, "0.001 to 10000")
    }
}
