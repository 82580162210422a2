//! Appearance of side-view pictures: [`PixelStyle`].

use crate::style::check_range;
use headwater::InputError;
use serde::{Deserialize, Serialize};

/// Maximum width and height of a picture (pixels).
pub(super) const MAX_SIDE: usize = 16384;

/// Content of a picture of a block world.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum BlocksContent {
    /// Realistic view of the world.
    #[default]
    World,
    /// Each connected body of liquid in its own colour, stable from picture to picture.
    Bodies,
    /// Pressure in each cell, as the depth below the top of its body of liquid.
    Pressure,
    /// Fill fraction of each cell.
    Fill,
}

/// Material of the walls in a picture, without effect on the simulation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Walls {
    /// Grass and earth with rock below, under an open sky.
    #[default]
    Earth,
    /// Rock, as in a cave.
    Rock,
    /// Bricks in a dark room.
    Brick,
}

/// Appearance of a side-view picture; `V` is the type of the content shown. Every field has a
/// default.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields, bound(deserialize = "V: Deserialize<'de> + Default"))]
#[cfg_attr(feature = "schema", schemars(bound = "V: schemars::JsonSchema + Serialize + Default"))]
pub struct PixelStyle<V = BlocksContent> {
    /// Requested width of the picture (pixels, 16 to 8192). The side of a cell is an integer number
    /// of pixels, so the actual width is the nearest possible one.
    #[cfg_attr(feature = "schema", schemars(range(min = 16, max = 8192)))]
    pub width: u32,
    /// Number of pixels along the side of a cell (1 to 256). By default, derived from `width`.
    #[cfg_attr(feature = "schema", schemars(range(min = 1, max = 256)))]
    pub cell: Option<u32>,
    /// Content of the picture.
    pub view: V,
    /// Material of the drawn walls.
    pub walls: Walls,
    /// Pressure head (cells) drawn in the colour at the upper end of the scale (0.01 to 32768). By
    /// default, derived from the state at the start of the run.
    pub head: Option<f64>,
    /// Whether springs, drains and other placed objects are drawn.
    pub marks: bool,
    /// Whether a scale bar is drawn.
    pub scale_bar: bool,
    /// Whether the simulated time is written on the picture.
    pub time_label: bool,
}

impl<V: Default> Default for PixelStyle<V> {
    fn default() -> Self {
        Self {
            width: 960,
            cell: None,
            view: V::default(),
            walls: Walls::Earth,
            head: None,
            marks: true,
            scale_bar: true,
            time_label: true,
        }
    }
}

impl<V> PixelStyle<V> {
    /// Checks that all values are within their ranges.
    ///
    /// # Errors
    /// Returns [`InputError`] for the first value that is out of range.
    pub fn validate(&self) -> Result<(), InputError> {
        check_range("width", f64::from(self.width), 16.0, 8192.0, "16 to 8192 pixels")?;
        check_range("cell", self.cell.map(f64::from), 1.0, 256.0, "1 to 256 pixels")?;
        check_range("head", self.head, 0.01, 32768.0, "0.01 to 32768 cells")
    }
}
