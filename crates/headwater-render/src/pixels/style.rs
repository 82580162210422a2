//! Appearance of side-view pictures: [`PixelStyle`].

use crate::style::within;
use headwater::InputError;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Maximum width and height of a picture (pixels).
pub(super) const MAX_SIDE: usize = 16384;

/// Content of a picture of a block world.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Shown {
    /// Realistic view.
    #[default]
    World,
    /// Each body in its own colour, stable from picture to picture.
    Bodies,
    /// Depth of each cell below the top of its body.
    Pressure,
    /// Fill of each cell.
    Fill,
}

/// Material of walls, for drawing only.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Walls {
    /// Grass, earth and rock below, under an open sky.
    #[default]
    Earth,
    /// Rock, in a cave.
    Rock,
    /// Bricks in a dark room.
    Brick,
}

/// Appearance of a side-view picture with views of type `V`. Every field has a default.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields, bound(deserialize = "V: Deserialize<'de> + Default"))]
#[schemars(bound = "V: JsonSchema + Serialize + Default")]
pub struct PixelStyle<V = Shown> {
    /// Target width (pixels, 16 to 8192). Cells have an integer number of pixels, so the actual
    /// width is the nearest possible one.
    #[schemars(range(min = 16, max = 8192))]
    pub width: u32,
    /// Pixels along the side of a cell (1 to 256). By default derived from `width`.
    #[schemars(range(min = 1, max = 256))]
    pub cell: Option<u32>,
    /// Content of the picture.
    pub view: V,
    /// Material of walls.
    pub walls: Walls,
    /// Head with the hottest colour (cells, 0.01 to 32768). By default derived from the start of
    /// the run.
    pub head: Option<f64>,
    /// Draw springs, drains and other placed objects.
    pub marks: bool,
    /// Draw a scale bar.
    pub scale_bar: bool,
    /// Write the simulated time.
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
        within("width", f64::from(self.width), 16.0, 8192.0, "16 to 8192 pixels")?;
        within("cell", self.cell.map(f64::from), 1.0, 256.0, "1 to 256 pixels")?;
        within("head", self.head, 0.01, 32768.0, "0.01 to 32768 cells")
    }
}
