//! Rendering of water entities: [`WaterSurface`] and its systems, materials and shaders.
//! The state of the cells is written to two textures; only changed tiles are uploaded. Shaders
//! displace a static grid mesh by the textures, so water at rest causes no uploads.

mod attach;
mod grid;
mod layers;
mod materials;
mod side;
pub(crate) mod surface;
pub(crate) mod texels;
mod upload;

pub use crate::texels::{Scratch, SurfaceInfo, TexelBuffers};
pub use materials::{
    GroundExtension, GroundMaterial, Look, SideMaterial, WaterExtension, WaterMaterial,
};
pub use surface::{SurfaceEntities, WallTiles, WaterSurface};
pub use texels::Texels;

use bevy::app::{App, Last, Plugin, PostUpdate};
use bevy::asset::embedded_asset;
use bevy::ecs::prelude::*;
use bevy::pbr::{MaterialPlugin, MeshMaterial3d};
use bevy::render::erased_render_asset::ErasedRenderAssetPlugin;
use bevy::shader::load_shader_library;

/// System set in `PostUpdate` that updates the rendering of water entities.
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SurfaceSystems;

/// Returns whether the rendering of water entities has already been added to an app.
pub(crate) fn is_built(app: &App) -> bool {
    app.world().contains_resource::<upload::Uploads>()
}

/// Adds the rendering of water entities to an app. `is_late` states whether Bevy has already
/// finished its plugins. If it has, this function also finishes the materials.
pub(crate) fn build(app: &mut App, is_late: bool) {
    load_shader_library!(app, "shaders/surface.wgsl");
    embedded_asset!(app, "shaders/water.wgsl");
    embedded_asset!(app, "shaders/ground.wgsl");
    embedded_asset!(app, "shaders/side.wgsl");
    app.add_plugins((
        MaterialPlugin::<WaterMaterial>::default(),
        MaterialPlugin::<GroundMaterial>::default(),
        MaterialPlugin::<SideMaterial>::default(),
    ))
    .register_type::<WaterSurface>()
    .init_resource::<upload::Uploads>()
    .add_systems(
        PostUpdate,
        (
            layers::remove_surfaces,
            attach::attach_surfaces,
            layers::update_layers,
            attach::update_looks,
            attach::collect_texel_uploads,
        )
            .chain()
            .in_set(SurfaceSystems),
    );
    if is_late {
        ErasedRenderAssetPlugin::<MeshMaterial3d<WaterMaterial>>::default().finish(app);
        ErasedRenderAssetPlugin::<MeshMaterial3d<GroundMaterial>>::default().finish(app);
        ErasedRenderAssetPlugin::<MeshMaterial3d<SideMaterial>>::default().finish(app);
    }
    if !upload::build(app) {
        // Without a render world, nothing consumes the uploads.
        app.add_systems(Last, upload::discard_uploads);
    }
}
