//! [`WaterSurface`]: appearance of a water.

use bevy::asset::Handle;
use bevy::color::{Color, LinearRgba};
use bevy::ecs::prelude::*;
use bevy::image::Image;
use bevy::math::Vec4;
use bevy::prelude::{Reflect, ReflectComponent, ReflectDefault, Visibility};

/// Draws the water of its entity. Meshes are children of the entity ([`SurfaceEntities`]), with
/// ordinary materials. Fields may change at any time; changes of `ground`, `vertices` or the sides
/// of the block rebuild the meshes. Removing the component removes the meshes.
#[derive(Component, Clone, Debug, PartialEq, Reflect)]
#[reflect(Component, Default)]
#[require(Visibility)]
pub struct WaterSurface {
    /// Whether to draw the ground. Otherwise the app should draw a mesh at the model's ground.
    pub ground: bool,
    /// Extent of the block of ground below its lowest cell (m); `None` for no sides. From above
    /// only.
    pub block: Option<f32>,
    /// Largest number of vertices along a side of the grid. Larger worlds use several cells per
    /// vertex.
    pub vertices: usize,
    /// Colour of deep water.
    pub deep: Color,
    /// Transmission colour of shallow water for white light.
    pub shallow: Color,
    /// Depth (m) at which about a third of the light remains.
    pub clarity: f32,
    /// Colour of the sky reflected in the water, scaled by ambient and directional light; from the
    /// side, of the air behind.
    pub sky: Color,
    /// Height of procedural ripples; 0 for none.
    pub ripples: f32,
    /// Strength of foam; 0 for none.
    pub foam: f32,
    /// Whether the ground is seen refracted, through a copy of the scene without water. Otherwise
    /// the water is blended over it.
    pub refraction: bool,
    /// Colour of level ground; from the side, of walls.
    pub level_ground: Color,
    /// Colour of steep ground.
    pub steep_ground: Color,
    /// Colour of ground under water.
    pub wet_ground: Color,
    /// Wall textures of a side view; `None` for plain walls.
    pub tiles: Option<WallTiles>,
}

/// Wall textures side by side in one image: a wall of tag `n` (from 1) uses the `n`th, one per
/// cell. Walls without a tag stay plain.
#[derive(Clone, Debug, PartialEq, Reflect)]
pub struct WallTiles {
    /// Image with the textures. Its sampler defines magnification.
    pub image: Handle<Image>,
    /// Number of textures in the image.
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

/// Children that draw a water, and the textures that they read.
#[derive(Component, Clone, Debug)]
pub struct SurfaceEntities {
    /// Entity of the water; from the side, of the whole picture.
    pub water: Entity,
    /// Entity of the ground, if it is drawn.
    pub ground: Option<Entity>,
    /// Texture of ground, depth and velocity of each cell: see `surface.wgsl`.
    pub state: Handle<Image>,
    /// Texture of foam, streams, plants and closed cells.
    pub looks: Handle<Image>,
}

/// Converts a colour for shaders, with a fourth component.
pub(crate) fn linear(color: Color, fourth: f32) -> Vec4 {
    let LinearRgba { red, green, blue, .. } = color.to_linear();
    Vec4::new(red, green, blue, fourth)
}
