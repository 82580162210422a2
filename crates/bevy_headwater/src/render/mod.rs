//! Pictures of waters: [`WaterSurface`] draws one.
//!
//! Cells are written to two textures, of which only tiles that have changed are sent to the GPU, and shaders lift a grid that
//! never changes by them. Nothing is built anew from frame to frame, and of a water that rests nothing is sent at all.

mod attach;
mod grid;
mod materials;
mod side;
mod surface;
pub(crate) mod texels;
mod upload;

pub use materials::{
    GroundExtension, GroundMaterial, Look, SideMaterial, WaterExtension, WaterMaterial,
};
pub use surface::{SurfaceEntities, WaterSurface};
pub use texels::{Plan, Scratch, Texels};

use bevy::app::{App, Last, PostUpdate};
use bevy::asset::embedded_asset;
use bevy::ecs::prelude::*;
use bevy::pbr::MaterialPlugin;
use bevy::shader::load_shader_library;

/// Bringing pictures up to date, in `PostUpdate`.
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SurfaceSystems;

pub(crate) fn build(app: &mut App) {
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
        (attach::attach_surfaces, attach::update_looks, attach::collect_changes)
            .chain()
            .in_set(SurfaceSystems),
    );
    if !upload::build(app) {
        // There is nobody who would take them.
        app.add_systems(Last, upload::forget);
    }
}
