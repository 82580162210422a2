//! [`WaterSurface`]: how a water looks.

use bevy::asset::Handle;
use bevy::color::{Color, LinearRgba};
use bevy::ecs::prelude::*;
use bevy::image::Image;
use bevy::math::Vec4;
use bevy::prelude::{Reflect, ReflectComponent, ReflectDefault, Visibility};

/// Draws the water of its entity. The meshes are children of the entity, found by its [`SurfaceEntities`]; their materials can be
/// changed as any others can. Fields may be changed at any time; with another `ground`, `vertices` or sides of the block the meshes
/// are made anew. Without this component, the picture goes.
#[derive(Component, Clone, Debug, PartialEq, Reflect)]
#[reflect(Component, Default)]
#[require(Visibility)]
pub struct WaterSurface {
    /// Whether the ground is drawn too. Without it there should be a mesh of the app's own where the model's ground is.
    pub ground: bool,
    /// How far the block of ground goes below its lowest cell (m); `None` for a block without sides. Of worlds seen from above.
    pub block: Option<f32>,
    /// The most vertices along a side of the grid. Larger worlds have several cells to a vertex.
    pub vertices: usize,
    /// Colour of deep water.
    pub deep: Color,
    /// What shallow water lets through of white.
    pub shallow: Color,
    /// Depth (m) at which about a third of the light is left.
    pub clarity: f32,
    /// Colour of the sky that is seen in the water, as bright as ambient and directional light make it; in side view, of the air
    /// behind.
    pub sky: Color,
    /// Height of ripples that no model knows, 0 for none.
    pub ripples: f32,
    /// How much foam there is of what the water makes, 0 for none.
    pub foam: f32,
    /// Whether the ground is seen bent through the water, by a copy of the picture without it. Else the water is blended over it.
    pub refraction: bool,
    /// Colour of level ground; in side view, of walls.
    pub level_ground: Color,
    /// Colour of steep ground.
    pub steep_ground: Color,
    /// Colour of ground under water.
    pub wet_ground: Color,
    /// Pictures of walls in side view; `None` for plain ones.
    pub tiles: Option<WallTiles>,
}

/// Pictures of walls, side by side in one image, and how many there are: a wall of tag `n` (from 1) has the `n`th, each cell all of
/// it. Walls without a tag stay plain.
#[derive(Clone, Debug, PartialEq, Reflect)]
pub struct WallTiles {
    /// The image. Its sampler tells how it is seen from near.
    pub image: Handle<Image>,
    /// How many pictures there are in it.
    pub count: u32,
}

impl Default for WaterSurface {
    fn default() -> Self {
        Self {
            ground: true,
            block: Some(2.0),
            vertices: 512,
            deep: Color::srgb(0.02, 0.17, 0.27),
            shallow: Color::srgb(0.72, 0.95, 0.90),
            clarity: 2.0,
            sky: Color::srgb(0.60, 0.76, 0.90),
            ripples: 0.08,
            foam: 1.0,
            refraction: true,
            level_ground: Color::srgb(0.42, 0.52, 0.25),
            steep_ground: Color::srgb(0.46, 0.41, 0.36),
            wet_ground: Color::srgb(0.55, 0.47, 0.34),
            tiles: None,
        }
    }
}

/// The children that draw a water, and the textures that they read.
#[derive(Component, Clone, Debug)]
pub struct SurfaceEntities {
    /// The water; in side view, all of the picture.
    pub water: Entity,
    /// The ground, if it is drawn.
    pub ground: Option<Entity>,
    /// Ground, depth and velocity of each cell: see the crate's `surface.wgsl`.
    pub state: Handle<Image>,
    /// Foam, streams, plants and closed cells.
    pub looks: Handle<Image>,
}

/// A colour as shaders have it, with a fourth number.
pub(crate) fn linear(color: Color, fourth: f32) -> Vec4 {
    let LinearRgba { red, green, blue, .. } = color.to_linear();
    Vec4::new(red, green, blue, fourth)
}
