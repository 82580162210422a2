//! What stands and runs on the land: soil and rock, rivers as lines, plants. A [`View`](super::View) may
//! bring a [`Scenery`]; [`Scenery::of`] finds that of a world of `hydrology`.

mod ground;
mod houses;
mod lakes;
mod layer;
mod rivers;
mod trees;

pub use houses::{Building, buildings};
pub(super) use rivers::LEAST;
pub use rivers::{River, RiverPoint};
pub use trees::{Crown, Tree, TreeKind};

use super::color::bytes;
use headwater::Field;
use headwater::hydrology::Hydrology;
use headwater::hydrology::report::Survey;
use layer::layer;

/// What stands and runs on the land.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Scenery {
    /// Colour of the ground (red, green, blue; 0 to 1) on each cell, in place of a palette's tint.
    pub ground: Option<[Field<f32>; 3]>,
    /// Rivers, drawn as lines under the water of lakes.
    pub rivers: Vec<River>,
    /// Plants.
    pub trees: Vec<Tree>,
}

impl Scenery {
    /// What stands and runs on the land of a world as it is.
    pub fn of(world: &Hydrology) -> Self {
        let depth = Self::lakes(world);
        Self {
            ground: Some(ground::colors(world)),
            rivers: rivers::of_world(world, &depth),
            trees: trees::stand(world, &depth),
        }
    }

    /// Depth (m) of the lakes and the sea of a world as a picture shows them: without puddles, through which
    /// rivers run on.
    pub fn lakes(world: &Hydrology) -> Field<f32> {
        lakes::to_draw(&layer(world, "depth"), world.lattice().dx() as f32)
    }

    /// The ground's colours cell by cell (red, green and blue, linear); empty if it has none of its own.
    pub fn colors(&self) -> Vec<[f32; 3]> {
        // sRGB, near enough for a colour (the exact curve differs by less than a hundredth).
        self.ground_colors(|color| color.map(|v| v.max(0.0).powf(2.2)))
    }

    /// The same as a screen takes them (sRGB).
    pub fn screen_colors(&self) -> Vec<[u8; 3]> {
        self.ground_colors(bytes)
    }

    fn ground_colors<T>(&self, of: impl Fn([f32; 3]) -> T) -> Vec<T> {
        let Some([red, green, blue]) = &self.ground else { return Vec::new() };
        let both = red.as_slice().iter().zip(green.as_slice()).zip(blue.as_slice());
        both.map(|((&r, &g), &b)| of([r, g, b])).collect()
    }

    /// The channels of a surveyed land with lakes of some depth (m) on it, of square cells of `size` m.
    pub fn channels(survey: &Survey, depth: &Field<f32>, size: f64) -> Self {
        Self { rivers: rivers::of_survey(survey, depth, size), ..Self::default() }
    }
}
