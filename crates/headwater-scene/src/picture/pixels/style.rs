//! How a picture of a world in side view shall look: [`PixelStyle`].

use crate::picture::style::within;
use headwater::InputError;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The widest and highest picture (pixels).
pub(super) const MAX_SIDE: usize = 16384;

/// What a picture of a block world shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Shown {
    /// The world as it looks.
    #[default]
    World,
    /// Each body in its own colour, which it keeps from picture to picture.
    Bodies,
    /// How far below the top of its body each cell lies.
    Pressure,
    /// How full each cell is.
    Fill,
}

/// What walls are made of. It is a matter of looks alone.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Walls {
    /// Grass, earth, and rock below, under an open sky.
    #[default]
    Earth,
    /// Rock, in a cave.
    Rock,
    /// Bricks, in a dark room.
    Brick,
}

/// How a picture of a world in side view shall look, of which there are the views `V`. Every field has a
/// default.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields, bound(deserialize = "V: Deserialize<'de> + Default"))]
#[schemars(bound = "V: JsonSchema + Serialize + Default")]
pub struct PixelStyle<V = Shown> {
    /// Width wished (pixels, 16 to 8192). Cells have a whole number of pixels, so the picture has the
    /// width that comes near.
    #[schemars(range(min = 16, max = 8192))]
    pub width: u32,
    /// Pixels along a cell (1 to 256). By default what `width` asks for.
    #[schemars(range(min = 1, max = 256))]
    pub cell: Option<u32>,
    /// What is shown.
    pub view: V,
    /// What walls are made of.
    pub walls: Walls,
    /// The head that has the hottest colour (cells, 0.01 to 32768). By default found from the start.
    pub head: Option<f64>,
    /// Draw springs and drains, and what else people have put there.
    pub marks: bool,
    /// Draw a bar of a round number of cells.
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
    /// Checks every value.
    ///
    /// # Errors
    /// [`InputError`] for the first value that is out of its range.
    pub fn validate(&self) -> Result<(), InputError> {
        within("width", f64::from(self.width), 16.0, 8192.0, "16 to 8192 pixels")?;
        within("cell", self.cell.map(f64::from), 1.0, 256.0, "1 to 256 pixels")?;
        within("head", self.head, 0.01, 32768.0, "0.01 to 32768 cells")
    }
}
