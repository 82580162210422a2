//! Materials of water entities and their ground: Bevy's standard material, extended by two textures
//! with the data of each cell.

use super::surface::{WaterSurface, to_linear_vec4};
use bevy::asset::{Asset, AssetPath, Handle, embedded_path};
use bevy::image::Image;
use bevy::math::Vec4;
use bevy::pbr::{ExtendedMaterial, Material, MaterialExtension, StandardMaterial};
use bevy::prelude::{AlphaMode, TypePath};
use bevy::reflect::Reflect;
use bevy::render::render_resource::{AsBindGroup, ShaderType};
use bevy::shader::ShaderRef;

/// Uniforms of the ground and water shaders. The layout is that of `Look` in `surface.wgsl`.
#[derive(Clone, Copy, Debug, Default, PartialEq, ShaderType, Reflect)]
pub struct Look {
    /// Number of columns, number of rows, and cell size along each of the two axes (m).
    pub grid: Vec4,
    /// Colour of deep water. The fourth component is the clarity: the depth of water (m) through
    /// which about a third of the light passes.
    pub deep: Vec4,
    /// Colour of shallow water. The fourth component is 1 if the water refracts the ground,
    /// otherwise 0.
    pub shallow: Vec4,
    /// Colour of foam. The fourth component is the strength of foam.
    pub foam: Vec4,
    /// Colour of the sky. The fourth component is the height scale of ripples (dimensionless).
    pub sky: Vec4,
    /// Colour of level ground. The fourth component is the elevation of the bottom of the ground
    /// block (m).
    pub flat_ground: Vec4,
    /// Colour of steep ground. The fourth component is the number of cells per mesh vertex along
    /// each axis.
    pub steep_ground: Vec4,
    /// Colour of wet ground. The fourth component is 1 if the shader derives foam from the water
    /// velocity, otherwise 0.
    pub wet_ground: Vec4,
    /// Depth (m) up to which a cell counts as dry. Only the first component is used.
    pub limits: Vec4,
}

impl Look {
    /// Creates the uniforms for a surface from the number of columns and rows and the cell size
    /// (m).
    pub(crate) fn new(surface: &WaterSurface, grid: [usize; 2], cell: [f64; 2]) -> Self {
        let [nx, ny] = grid.map(|n| n as f32);
        let [dx, dy] = cell.map(|size| size as f32);
        Self {
            grid: Vec4::new(nx, ny, dx, dy),
            deep: to_linear_vec4(surface.deep, surface.clarity.max(1e-3)),
            shallow: to_linear_vec4(surface.shallow, f32::from(u8::from(surface.refraction))),
            foam: Vec4::new(0.9, 0.94, 0.96, surface.foam),
            sky: to_linear_vec4(surface.sky, surface.ripples),
            flat_ground: to_linear_vec4(surface.level_ground, 0.0),
            steep_ground: to_linear_vec4(surface.steep_ground, 1.0),
            wet_ground: to_linear_vec4(surface.wet_ground, 0.0),
            limits: Vec4::new(1e-3, 0.0, 0.0, 0.0),
        }
    }
}

fn shader(path: std::path::PathBuf) -> ShaderRef {
    ShaderRef::Path(AssetPath::from_path_buf(path).with_source("embedded"))
}

/// Data that [`WaterMaterial`] adds to the standard material.
#[derive(Asset, AsBindGroup, Clone, Debug, TypePath)]
pub struct WaterExtension {
    /// Texture with ground elevation, depth and velocity of each cell.
    #[texture(100, sample_type = "float", filterable = false, visibility(vertex, fragment))]
    pub state: Handle<Image>,
    /// Texture with four values per cell: foam, streams, plants, and a flag for closed cells (cells
    /// that water cannot enter).
    #[texture(101, sample_type = "float", filterable = false, visibility(vertex, fragment))]
    pub looks: Handle<Image>,
    /// Colours and sizes that are passed to the shader.
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

/// Data that [`GroundMaterial`] adds to the standard material.
#[derive(Asset, AsBindGroup, Clone, Debug, TypePath)]
pub struct GroundExtension {
    /// Texture with ground elevation, depth and velocity of each cell.
    #[texture(100, sample_type = "float", filterable = false, visibility(vertex, fragment))]
    pub state: Handle<Image>,
    /// Texture with four values per cell: foam, streams, plants, and a flag for closed cells (cells
    /// that water cannot enter).
    #[texture(101, sample_type = "float", filterable = false, visibility(vertex, fragment))]
    pub looks: Handle<Image>,
    /// Colours and sizes that are passed to the shader.
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

/// Material of a water entity seen from above. Bevy's lights and fog apply to the `base` material,
/// whose colour the shader computes from the depth.
pub type WaterMaterial = ExtendedMaterial<StandardMaterial, WaterExtension>;

/// Material of the ground in worlds seen from above. The shader multiplies the base colour by the
/// colour of the ground.
pub type GroundMaterial = ExtendedMaterial<StandardMaterial, GroundExtension>;

/// Unlit material of a side view, which shows walls, liquids, ice and steam.
#[derive(Asset, AsBindGroup, Clone, Debug, TypePath)]
pub struct SideMaterial {
    /// Texture with filled fraction, velocity and temperature of each cell.
    #[texture(100, sample_type = "float", filterable = false, visibility(vertex, fragment))]
    pub state: Handle<Image>,
    /// Texture with four values per cell: wall flag, kind of liquid, ice fraction and tag.
    #[texture(101, sample_type = "float", filterable = false, visibility(vertex, fragment))]
    pub looks: Handle<Image>,
    /// Colours and sizes that are passed to the shader.
    #[uniform(102)]
    pub look: Look,
    /// Wall textures side by side in one image; `None` for plain walls. A wall with tag `n` (from
    /// 1) shows texture number `n`, once per cell.
    #[texture(103)]
    #[sampler(104)]
    pub tiles: Option<Handle<Image>>,
    /// Number of wall textures in `tiles` as a vector for the shader; 0 if there are none.
    #[uniform(105)]
    pub tile_count: Vec4,
    /// Alpha mode with which cells of air are blended with the background.
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
