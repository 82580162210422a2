//! The materials: Bevy's own, extended by what the textures of a water say.

use super::surface::{WaterSurface, linear};
use bevy::asset::{Asset, AssetPath, Handle, embedded_path};
use bevy::image::Image;
use bevy::math::Vec4;
use bevy::pbr::{ExtendedMaterial, Material, MaterialExtension, StandardMaterial};
use bevy::prelude::{AlphaMode, TypePath};
use bevy::reflect::Reflect;
use bevy::render::render_resource::{AsBindGroup, ShaderType};
use bevy::shader::ShaderRef;

/// What the shaders of ground and water are told, as `Look` in `surface.wgsl`.
#[derive(Clone, Copy, Debug, Default, PartialEq, ShaderType, Reflect)]
pub struct Look {
    /// Columns, rows, and the size of a cell (m).
    pub grid: Vec4,
    /// Deep water, and its clarity (m).
    pub deep: Vec4,
    /// Shallow water, and how strong refraction is.
    pub shallow: Vec4,
    /// Foam, and how much of it.
    pub foam: Vec4,
    /// The sky, and how high ripples are.
    pub sky: Vec4,
    /// Level ground, and the height of the block's floor (m).
    pub flat_ground: Vec4,
    /// Steep ground, and cells to a vertex.
    pub steep_ground: Vec4,
    /// Wet ground, and 1 if foam follows from the water's motion.
    pub wet_ground: Vec4,
    /// Depth that counts as dry (m).
    pub limits: Vec4,
}

impl Look {
    /// How a surface looks on a grid of cells of a size (m).
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

/// What makes a material water: see [`WaterMaterial`].
#[derive(Asset, AsBindGroup, Clone, Debug, TypePath)]
pub struct WaterExtension {
    /// Ground, depth and velocity.
    #[texture(100, sample_type = "float", filterable = false, visibility(vertex, fragment))]
    pub state: Handle<Image>,
    /// Foam, streams, plants and closed cells.
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

/// What makes a material ground: see [`GroundMaterial`].
#[derive(Asset, AsBindGroup, Clone, Debug, TypePath)]
pub struct GroundExtension {
    /// Ground, depth and velocity.
    #[texture(100, sample_type = "float", filterable = false, visibility(vertex, fragment))]
    pub state: Handle<Image>,
    /// Foam, streams, plants and closed cells.
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

/// Water seen from above. `base` is what Bevy's lights and fog see; its colour is worked out from the water's depth.
pub type WaterMaterial = ExtendedMaterial<StandardMaterial, WaterExtension>;

/// The ground of a water seen from above. `base` is what Bevy knows of it: its colour is multiplied by the ground's.
pub type GroundMaterial = ExtendedMaterial<StandardMaterial, GroundExtension>;

/// A world in side view: walls, liquids, ice and steam, with no light but its own.
#[derive(Asset, AsBindGroup, Clone, Debug, TypePath)]
pub struct SideMaterial {
    /// Fill, velocity and temperature.
    #[texture(100, sample_type = "float", filterable = false, visibility(vertex, fragment))]
    pub state: Handle<Image>,
    /// Walls, liquids, ice and tags.
    #[texture(101, sample_type = "float", filterable = false, visibility(vertex, fragment))]
    pub looks: Handle<Image>,
    /// Colours and sizes.
    #[uniform(102)]
    pub look: Look,
    /// Pictures of walls, side by side: a wall of tag `n` (from 1) has the `n`th, one tile to a cell. `None` for the plain ones.
    #[texture(103)]
    #[sampler(104)]
    pub tiles: Option<Handle<Image>>,
    /// How many pictures there are in `tiles`; 0 for none.
    #[uniform(105)]
    pub tile_count: Vec4,
    /// Whether what is behind air is seen.
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
