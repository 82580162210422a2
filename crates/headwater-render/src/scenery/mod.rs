//! Scenery of a view: ground colours, rivers as lines, plants, the lakes that are drawn, and
//! buildings. [`Scenery::from_hydrology`] derives the ground colours, the rivers and the plants
//! from a hydrology world; a [`View`](super::View) can reference the result.

pub(super) mod building_pixels;
pub(super) mod components;
mod ground;
mod houses;
mod lakes;
mod layer;
mod rivers;
pub(super) mod segments;
pub(super) mod tree_pixels;
mod trees;

pub use houses::{Building, find_buildings};
pub(super) use rivers::MIN_AREA_FRACTION;
pub use rivers::{River, RiverPoint};
pub use trees::{Crown, Tree, TreeKind};

use super::color::rgb_to_bytes;
use headwater::Field;
use headwater::hydrology::Hydrology;
use headwater::hydrology::report::Survey;
use layer::layer;

/// Additions to a picture of terrain and water: ground colours, rivers and plants.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Scenery {
    /// Ground colour of each cell as fields of red, green and blue (0 to 1); `None` to use the
    /// colours of the palette.
    pub ground: Option<[Field<f32>; 3]>,
    /// Rivers, drawn as lines. The water of lakes is drawn over them.
    pub rivers: Vec<River>,
    /// Plants, drawn as trees.
    pub trees: Vec<Tree>,
}

impl Scenery {
    /// Derives the scenery from the current state of a hydrology world.
    pub fn from_hydrology(world: &Hydrology) -> Self {
        let depth = Self::visible_lake_depth(world);
        Self {
            ground: Some(ground::ground_colors(world)),
            rivers: rivers::rivers_from_world(world, &depth),
            trees: trees::visible_plants(world, &depth),
        }
    }

    /// Returns the depth (m) at which lakes and the sea are drawn in each cell, 0 elsewhere.
    /// Puddles along the rivers are left out.
    pub fn visible_lake_depth(world: &Hydrology) -> Field<f32> {
        lakes::visible_lakes(&layer(world, "depth"), world.lattice().dx() as f32)
    }

    /// Returns the ground colour of each cell as linear red, green and blue (0 to 1), or an empty
    /// vector if the scenery has no ground colours.
    pub fn linear_ground_colors(&self) -> Vec<[f32; 3]> {
        // Approximates the sRGB curve by a power of 2.2; the error is below 0.01.
        self.ground_colors(|color| color.map(|v| v.max(0.0).powf(2.2)))
    }

    /// Returns the ground colour of each cell as sRGB bytes, or an empty vector if the scenery has
    /// no ground colours.
    pub fn srgb_ground_colors(&self) -> Vec<[u8; 3]> {
        self.ground_colors(rgb_to_bytes)
    }

    fn ground_colors<T>(&self, convert: impl Fn([f32; 3]) -> T) -> Vec<T> {
        let Some([red, green, blue]) = &self.ground else { return Vec::new() };
        let both = red.as_slice().iter().zip(green.as_slice()).zip(blue.as_slice());
        both.map(|((&r, &g), &b)| convert([r, g, b])).collect()
    }

    /// Creates scenery that contains only rivers, traced from the drainage network in `survey`.
    /// `depth` is the depth of the lakes (m), and `size` is the side length of the square cells
    /// (m).
    pub fn with_rivers_from_survey(survey: &Survey, depth: &Field<f32>, size: f64) -> Self {
        Self { rivers: rivers::rivers_from_survey(survey, depth, size), ..Self::default() }
    }
}
