//! [`WaterSurface`]: component that draws a water entity and defines its appearance.

use bevy::asset::Handle;
use bevy::color::{Color, LinearRgba};
use bevy::ecs::prelude::*;
use bevy::image::Image;
use bevy::math::Vec4;
use bevy::prelude::{Reflect, ReflectComponent, ReflectDefault, Visibility};

/// Component that draws the water of its entity. The meshes are children of the entity
/// ([`SurfaceEntities`]) with ordinary materials. Fields may be changed at any time; changes of
/// `ground`, `block` or `vertices` rebuild the meshes. When the component is removed, the meshes
/// are removed too.
#[derive(Component, Clone, Debug, PartialEq, Reflect)]
#[reflect(Component, Default)]
#[require(Visibility)]
pub struct WaterSurface {
    /// Whether the ground is drawn. Otherwise the app should draw its own mesh at the elevation of
    /// the model's ground.
    pub ground: bool,
    /// Thickness of the solid block under the terrain (m), measured downward from the lowest ground
    /// cell. `None` for terrain without sides. Ignored in side views.
    pub block: Option<f32>,
    /// Maximum number of vertices along each side of the grid. In larger worlds a vertex covers
    /// several cells.
    pub vertices: usize,
    /// Colour of deep water.
    pub deep: Color,
    /// Colour that shallow water gives to transmitted white light.
    pub shallow: Color,
    /// Depth of water (m) through which about a third of the light passes.
    pub clarity: f32,
    /// Colour of the sky that the water reflects, scaled by ambient and directional light. In side
    /// views, colour of the air in the background.
    pub sky: Color,
    /// Height scale of procedural ripples (dimensionless); 0 for none.
    pub ripples: f32,
    /// Strength of foam (dimensionless); 0 for none.
    pub foam: f32,
    /// Whether the ground under water appears refracted. Refraction samples a copy of the scene
    /// that was rendered without water. Otherwise the water is alpha-blended over the ground.
    pub refraction: bool,
    /// Colour of level ground; in side views, colour of walls.
    pub level_ground: Color,
    /// Colour of steep ground.
    pub steep_ground: Color,
    /// Colour of ground under water.
    pub wet_ground: Color,
    /// Wall textures of a side view; `None` for plain walls.
    pub tiles: Option<WallTiles>,
}

/// Wall textures side by side in one image. A wall with tag `n` (from 1) shows texture number `n`,
/// once per cell. Walls without a tag stay plain.
#[derive(Clone, Debug, PartialEq, Reflect)]
pub struct WallTiles {
    /// Image that contains the textures. The sampler of the image defines how the textures are
    /// magnified.
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

/// Child entities that draw a water entity, and the textures that their materials sample.
#[derive(Component, Clone, Debug)]
pub struct SurfaceEntities {
    /// Entity that draws the water; in side views, the whole picture.
    pub water: Entity,
    /// Entity that draws the ground; `None` if the ground is not drawn.
    pub ground: Option<Entity>,
    /// Texture with ground elevation, depth and velocity of each cell, see `surface.wgsl`.
    pub state: Handle<Image>,
    /// Texture with four values per cell: foam, streams, plants, and a flag for closed cells (cells
    /// that water cannot enter), see `surface.wgsl`.
    pub looks: Handle<Image>,
}

/// Converts a colour to linear components for shaders and appends a fourth component.
pub(crate) fn to_linear_vec4(color: Color, fourth: f32) -> Vec4 {
    let LinearRgba { red, green, blue, .. } = color.to_linear();
    Vec4::new(red, green, blue, fourth)
}
