//! Pictures of waters: [`WaterSurface`] draws one.
//!
//! Cells are written to two textures, of which only tiles that have changed are sent to the GPU, and shaders lift a grid that
//! never changes by them. Nothing is built anew from frame to frame, and of a water that rests nothing is sent at all.

mod attach;
mod grid;
mod layers;
mod materials;
mod side;
pub(crate) mod surface;
pub(crate) mod texels;
mod upload;

pub use crate::texels::{Plan, Scratch, Written};
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

/// Bringing pictures up to date, in `PostUpdate`.
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SurfaceSystems;

/// Whether an app has pictures of waters already.
pub(crate) fn is_built(app: &App) -> bool {
    app.world().contains_resource::<upload::Uploads>()
}

/// Has an app draw waters; `is_late` once plugins are finished, for then nobody finishes those that are added here.
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
            layers::take_off_surfaces,
            attach::attach_surfaces,
            layers::update_layers,
            attach::update_looks,
            attach::collect_changes,
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
        // There is nobody who would take them.
        app.add_systems(Last, upload::forget);
    }
}
