//! Materials: Bevy's own, extended by the textures of a water.

use super::surface::{WaterSurface, linear};
use bevy::asset::{Asset, AssetPath, Handle, embedded_path};
use bevy::image::Image;
use bevy::math::Vec4;
use bevy::pbr::{ExtendedMaterial, Material, MaterialExtension, StandardMaterial};
use bevy::prelude::{AlphaMode, TypePath};
use bevy::reflect::Reflect;
use bevy::render::render_resource::{AsBindGroup, ShaderType};
use bevy::shader::ShaderRef;

/// Uniforms of the ground and water shaders: `Look` in `surface.wgsl`.
#[derive(Clone, Copy, Debug, Default, PartialEq, ShaderType, Reflect)]
pub struct Look {
    /// Columns, rows, and cell size (m).
    pub grid: Vec4,
    /// Colour of deep water, and clarity (m).
    pub deep: Vec4,
    /// Colour of shallow water, and strength of refraction.
    pub shallow: Vec4,
    /// Colour and amount of foam.
    pub foam: Vec4,
    /// Colour of the sky, and height of ripples.
    pub sky: Vec4,
    /// Colour of level ground, and elevation of the block's floor (m).
    pub flat_ground: Vec4,
    /// Colour of steep ground, and cells per vertex.
    pub steep_ground: Vec4,
    /// Colour of wet ground, and 1 if foam is derived from motion.
    pub wet_ground: Vec4,
    /// Depth that counts as dry (m).
    pub limits: Vec4,
}

impl Look {
    /// Creates the uniforms of a surface on a grid with a cell size (m).
    pub(crate) fn new(surface: &WaterSurface, grid: [usize; 2], cell: [f64; 2]) -> Self {
        let [nx, ny] = grid.map(|n| n as f32);
        let [dx, dy] = cell.map(|size| size as f32);
        Self {
            grid: Vec4::new(nx, ny, dx, dy),
            deep: linear(surface.deep, surface.clarity.max(1e-3)),
            shallow: linear(surface.shallow, f32::from(u8::from(surface.refraction))),
            foam: Vec4::new(0.9, 0.94, 0.96, surface.foam),
            sky: linear(surface.sky, surface.ripples),
            flat_ground: linear(surface.level_ground, 0.0),
            steep_ground: linear(surface.steep_ground, 1.0),
            wet_ground: linear(surface.wet_ground, 0.0),
            limits: Vec4::new(1e-3, 0.0, 0.0, 0.0),
        }
    }
}

fn shader(path: std::path::PathBuf) -> ShaderRef {
    ShaderRef::Path(AssetPath::from_path_buf(path).with_source("embedded"))
}

/// Extension of [`WaterMaterial`].
#[derive(Asset, AsBindGroup, Clone, Debug, TypePath)]
pub struct WaterExtension {
    /// Texture of ground, depth and velocity.
    #[texture(100, sample_type = "float", filterable = false, visibility(vertex, fragment))]
    pub state: Handle<Image>,
    /// Texture of foam, streams, plants and closed cells.
    #[texture(101, sample_type = "float", filterable = false, visibility(vertex, fragment))]
    pub looks: Handle<Image>,
    /// Colours and sizes.
    #[uniform(102)]
    pub look: Look,
}

impl MaterialExtension for WaterExtension {
    fn vertex_shader() -> ShaderRef {
        shader(embedded_path!("shaders/water.wgsl"))
    }

    fn fragment_shader() -> ShaderRef {
        shader(embedded_path!("shaders/water.wgsl"))
    }

    fn enable_prepass() -> bool {
        false
    }

    fn enable_shadows() -> bool {
        false
    }
}

/// Extension of [`GroundMaterial`].
#[derive(Asset, AsBindGroup, Clone, Debug, TypePath)]
pub struct GroundExtension {
    /// Texture of ground, depth and velocity.
    #[texture(100, sample_type = "float", filterable = false, visibility(vertex, fragment))]
    pub state: Handle<Image>,
    /// Texture of foam, streams, plants and closed cells.
    #[texture(101, sample_type = "float", filterable = false, visibility(vertex, fragment))]
    pub looks: Handle<Image>,
    /// Colours and sizes.
    #[uniform(102)]
    pub look: Look,
}

impl MaterialExtension for GroundExtension {
    fn vertex_shader() -> ShaderRef {
        shader(embedded_path!("shaders/ground.wgsl"))
    }

    fn fragment_shader() -> ShaderRef {
        shader(embedded_path!("shaders/ground.wgsl"))
    }

    fn prepass_vertex_shader() -> ShaderRef {
        shader(embedded_path!("shaders/ground.wgsl"))
    }
}

/// Material of water seen from above. Bevy's lights and fog apply to `base`; its colour is computed
/// from the depth.
pub type WaterMaterial = ExtendedMaterial<StandardMaterial, WaterExtension>;

/// Material of the ground of a water seen from above. The base colour is multiplied by the
/// ground's.
pub type GroundMaterial = ExtendedMaterial<StandardMaterial, GroundExtension>;

/// Unlit material of a side view: walls, liquids, ice and steam.
#[derive(Asset, AsBindGroup, Clone, Debug, TypePath)]
pub struct SideMaterial {
    /// Texture of fill, velocity and temperature.
    #[texture(100, sample_type = "float", filterable = false, visibility(vertex, fragment))]
    pub state: Handle<Image>,
    /// Texture of walls, liquids, ice and tags.
    #[texture(101, sample_type = "float", filterable = false, visibility(vertex, fragment))]
    pub looks: Handle<Image>,
    /// Colours and sizes.
    #[uniform(102)]
    pub look: Look,
    /// Wall textures side by side: a wall of tag `n` (from 1) uses the `n`th, one per cell. `None`
    /// for plain walls.
    #[texture(103)]
    #[sampler(104)]
    pub tiles: Option<Handle<Image>>,
    /// Number of wall textures in `tiles`; 0 for none.
    #[uniform(105)]
    pub tile_count: Vec4,
    /// Blending of air with the background.
    pub alpha_mode: AlphaMode,
}

impl Material for SideMaterial {
    fn fragment_shader() -> ShaderRef {
        shader(embedded_path!("shaders/side.wgsl"))
    }

    fn alpha_mode(&self) -> AlphaMode {
        self.alpha_mode
    }

    fn enable_prepass() -> bool {
        false
    }

    fn enable_shadows() -> bool {
        false
    }
}
