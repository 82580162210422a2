//! What stands and runs on the land: soil and rock, rivers as lines, plants. A [`View`](super::View) may
//! bring a [`Scenery`]; [`Scenery::of`] finds that of a world of `hydrology`.

mod ground;
mod lakes;
mod rivers;
mod trees;

pub(super) use rivers::Ribbons;
pub(super) use trees::draw as draw_trees;

use headwater::Field;
use headwater::hydrology::Hydrology;
use headwater::hydrology::report::Survey;
use std::borrow::Cow;

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

/// A river from its head, or from a lake, to where it joins another, ends in a lake or leaves.
#[derive(Clone, Debug, PartialEq)]
pub struct River {
    /// From the top-left corner to the east and to the south (m), going down.
    pub points: Vec<[f32; 2]>,
    /// At each point, what drains there as a part of the whole map (0 to 1, or more where rivers enter from
    /// outside).
    pub share: Vec<f32>,
}

/// A plant.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tree {
    /// From the top-left corner to the east and to the south (m).
    pub position: [f32; 2],
    /// Its kind, from 1.
    pub kind: u8,
    /// Its size, 0 to 1.
    pub size: f32,
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
        let Some([red, green, blue]) = &self.ground else { return Vec::new() };
        let both = red.as_slice().iter().zip(green.as_slice()).zip(blue.as_slice());
        // sRGB, near enough for a colour (the exact curve differs by less than a hundredth).
        both.map(|((&r, &g), &b)| [r, g, b].map(|v| v.max(0.0).powf(2.2))).collect()
    }

    /// The channels of a surveyed land with lakes of some depth (m) on it, of square cells of `size` m.
    pub fn channels(survey: &Survey, depth: &Field<f32>, size: f64) -> Self {
        Self { rivers: rivers::of_survey(survey, depth, size), ..Self::default() }
    }
}

/// The layer of that name. Every name used here is one of `headwater::hydrology::LAYERS`.
fn layer(world: &Hydrology, name: &str) -> Field<f32> {
    let lattice = world.lattice();
    world.layer(name).map_or_else(|| Field::new(lattice.nx(), lattice.ny(), 0.0), Cow::into_owned)
}
