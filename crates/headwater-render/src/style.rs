//! Appearance of pictures: [`Style`], read from the table `[picture]` of a scene or built in code.
//!
//! Values that a style does not set are derived from the first view (see
//! [`Painter`](super::Painter)).

use headwater::InputError;
use serde::{Deserialize, Serialize};

/// Colours of the land.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Palette {
    /// Green valleys, brown slopes, gray rock and snow.
    #[default]
    Alpine,
    /// Sand, ochre and red rock.
    Desert,
    /// Beaches at sea level, lush green above, dark rock at the top, and a sea floor below.
    Island,
    /// Shades of gray.
    #[serde(rename = "grey")]
    Gray,
}

/// Liquid drawn on the land.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Liquid {
    /// Translucent water, from turquoise to deep blue.
    #[default]
    Water,
    /// Lava with a black crust that glows where the flow is deep or fast.
    Lava,
}

/// Drawing style of the cells of a hexagonal lattice.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum CellStyle {
    /// Smooth ground and water without visible cells.
    #[default]
    Surface,
    /// Hexagonal cells, each in one colour, without contours.
    Hexes,
}

/// Appearance of a picture. Every field has a default.
///
/// ```
/// use headwater_render::Style;
/// let error = Style { sun_altitude: 100.0, ..Style::default() }.validate().unwrap_err();
/// assert_eq!(error.to_string(), "sun_altitude: found 100, allowed is 5 to 90 degrees");
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub struct Style {
    /// Width of the picture (pixels, 16 to 8192). The height follows from the aspect ratio of the
    /// grid. The picture is narrower than requested if the grid is more than three times as high as
    /// wide, or if the picture would have more than 2²⁵ pixels.
    #[cfg_attr(feature = "schema", schemars(range(min = 16, max = 8192)))]
    pub width: u32,
    /// Drawing style of the cells: `"surface"` (smooth, the default) or `"hexes"` (for hexagonal
    /// lattices only). The style `"hexes"` needs a `width` of several pixels per column of cells.
    pub cells: CellStyle,
    /// Colours of the land.
    pub palette: Palette,
    /// Liquid drawn on the land.
    pub liquid: Liquid,
    /// Azimuth of the sun (degrees clockwise from north, 0 to 360).
    pub sun_azimuth: f32,
    /// Altitude of the sun (degrees above the horizon, 5 to 90).
    pub sun_altitude: f32,
    /// Vertical exaggeration of the terrain for shading (0.001 to 10000). By default, the
    /// exaggeration is chosen so that the steeper slopes of the first view are clearly visible.
    pub exaggeration: Option<f32>,
    /// Whether contour lines (about a dozen) are drawn.
    pub contours: bool,
    /// Minimum depth of water that is drawn (m, 1e-9 to 10).
    pub wet_depth: f64,
    /// Depth drawn in the deepest colour (m, above `wet_depth`, up to 20000). By default, the depth
    /// is derived from the water of the first view or, if that view is dry, from its relief.
    pub deep_depth: Option<f64>,
    /// Speed at which particles have the longest streaks and lava the hottest colour (m/s, 1e-6 to
    /// 1000). By default, half the speed of a shallow-water wave at the depth `deep_depth`.
    pub fast_speed: Option<f64>,
    /// Whether particles are drawn.
    pub particles: bool,
    /// Whether a scale bar is drawn.
    pub scale_bar: bool,
    /// Whether the simulated time is written on the picture.
    pub time_label: bool,
}

impl Default for Style {
    fn default() -> Self {
        Self {
            width: 960,
            cells: CellStyle::Surface,
            palette: Palette::Alpine,
            liquid: Liquid::Water,
            sun_azimuth: 315.0,
            sun_altitude: 42.0,
            exaggeration: None,
            contours: true,
            // A raindrop leaves about a millimetre; less is only damp ground.
            wet_depth: 1e-3,
            deep_depth: None,
            fast_speed: None,
            particles: true,
            scale_bar: true,
            time_label: true,
        }
    }
}

impl Style {
    /// Checks that all values are within their ranges.
    ///
    /// # Errors
    /// Returns [`InputError`] for the first value that is out of range.
    pub fn validate(&self) -> Result<(), InputError> {
        check_range("width", f64::from(self.width), 16.0, 8192.0, "16 to 8192 pixels")?;
        check_range("sun_azimuth", f64::from(self.sun_azimuth), 0.0, 360.0, "0 to 360 degrees")?;
        check_range("sun_altitude", f64::from(self.sun_altitude), 5.0, 90.0, "5 to 90 degrees")?;
        let factor = self.exaggeration.map(f64::from);
        check_range("exaggeration", factor, 1e-3, 1e4, "0.001 to 10000")?;
        check_range("wet_depth", self.wet_depth, 1e-9, 10.0, "1e-9 to 10 m")?;
        let min_depth = self.wet_depth * 1.001;
        check_range(
            "deep_depth",
            self.deep_depth,
            min_depth,
            2e4,
            "above wet_depth, up to 20000 m",
        )?;
        check_range("fast_speed", self.fast_speed, 1e-6, 1e3, "1e-6 to 1000 m/s")
    }
}

/// Checks that `value`, if it is set, lies between `low` and `high`; otherwise returns an error.
/// The error message contains `key` and `range_text`, a description of the range.
pub(super) fn check_range(
    key: &'static str,
    value: impl Into<Option<f64>>,
    low: f64,
    high: f64,
    range_text: &'static str,
) -> Result<(), InputError> {
    let Some(value) = value.into().filter(|value| !(low..=high).contains(value)) else {
        return Ok(());
    };
    // Show `f32` values as written, without the digits of their `f64` conversion.
    let short = value as f32;
    let value = if f64::from(short) == value { short.to_string() } else { value.to_string() };
    Err(InputError::new(key, value, range_text))
}
