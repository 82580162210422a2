//! Tests that the drawn textures are correct after edits.

use crate::apps::{RATE, create_dam_world};
use bevy::app::PluginsState;
use bevy::camera::visibility::RenderLayers;
use bevy::pbr::PreparedMaterial;
use bevy::prelude::*;
use bevy::render::RenderApp;
use bevy::render::erased_render_asset::ErasedRenderAssets;
use bevy::render::pipelined_rendering::PipelinedRenderingPlugin;
use bevy::render::render_asset::RenderAssets;
use bevy::render::render_resource::{
    BufferDescriptor, BufferUsages, CommandEncoderDescriptor, Extent3d, MapMode, PollType,
    TexelCopyBufferInfo, TexelCopyBufferLayout,
};
use bevy::render::renderer::{RenderDevice, RenderQueue};
use bevy::render::texture::GpuImage;
use bevy::time::TimeUpdateStrategy;
use bevy::window::ExitCondition;
use bevy::winit::WinitPlugin;
use bevy_headwater::headwater::flow::{Amount, Change, Edit};
use bevy_headwater::headwater::{Brush, Region};
use bevy_headwater::prelude::*;
use std::time::Duration;

/// Creates an app that renders without a window. Each update performs one fixed step and submits
/// its GPU work before it returns.
pub(crate) fn create_app() -> App {
    app_with_plugin_order(false)
}

/// Creates the app of [`create_app`] with this crate's plugin before or after Bevy's own plugins.
fn app_with_plugin_order(adds_water_plugin_first: bool) -> App {
    let mut app = App::new();
    let water = HeadwaterPlugin::in_schedule(FixedUpdate);
    if adds_water_plugin_first {
        app.add_plugins(water.clone());
    }
    let nowhere =
        WindowPlugin { primary_window: None, exit_condition: ExitCondition::DontExit, ..default() };
    app.add_plugins(
        DefaultPlugins
            .set(nowhere)
            .disable::<WinitPlugin>()
            .disable::<PipelinedRenderingPlugin>()
            .disable::<bevy::log::LogPlugin>(),
    )
    .insert_resource(Time::<Fixed>::from_hz(RATE))
    .insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_secs_f64(1.0 / RATE)));
    if !adds_water_plugin_first {
        app.add_plugins(water);
    }
    while app.plugins_state() == PluginsState::Adding {
        bevy::tasks::tick_global_task_pools_on_main_thread();
    }
    app.finish();
    app.cleanup();
    app.update();
    app
}

/// Runs `count` frames. Waits for the GPU after each frame, so that every read-back arrives exactly
/// one frame later, on fast and slow machines alike.
pub(crate) fn run_frames(app: &mut App, count: usize) {
    for _ in 0..count {
        app.update();
        let device = app.sub_app(RenderApp).world().resource::<RenderDevice>();
        device.poll(PollType::wait_indefinitely()).unwrap();
    }
}

pub(crate) fn texels(app: &App, water: Entity) -> Vec<[f32; 4]> {
    let image = &app.world().get::<SurfaceEntities>(water).unwrap().state;
    let number = |four: &[u8]| f32::from_le_bytes(four.try_into().unwrap());
    let texel = |texel: &[u8]| {
        let mut numbers = texel.chunks_exact(4).map(number);
        [(); 4].map(|()| numbers.next().unwrap())
    };
    image_bytes(app, image, 16).chunks_exact(16).map(texel).collect()
}

/// Returns the bytes of an image row by row. `bytes_per_texel` is the number of bytes in each texel
/// of the image.
pub(crate) fn image_bytes(app: &App, image: &Handle<Image>, bytes_per_texel: u32) -> Vec<u8> {
    let render = app.sub_app(RenderApp).world();
    let image = render.resource::<RenderAssets<GpuImage>>().get(image).unwrap();
    let (device, queue) = (render.resource::<RenderDevice>(), render.resource::<RenderQueue>());
    let Extent3d { width, height, .. } = image.texture.size();
    let pitch = (bytes_per_texel * width).next_multiple_of(256);
    let buffer = device.create_buffer(&BufferDescriptor {
        label: None,
        size: u64::from(pitch) * u64::from(height),
        usage: BufferUsages::COPY_DST | BufferUsages::MAP_READ,
        mapped_at_creation: false,
    });
    let mut encoder = device.create_command_encoder(&CommandEncoderDescriptor::default());
    let layout =
        TexelCopyBufferLayout { offset: 0, bytes_per_row: Some(pitch), rows_per_image: None };
    encoder.copy_texture_to_buffer(
        image.texture.as_image_copy(),
        TexelCopyBufferInfo { buffer: &buffer, layout },
        image.texture.size(),
    );
    queue.submit([encoder.finish()]);
    buffer.slice(..).map_async(MapMode::Read, |outcome| outcome.unwrap());
    device.poll(PollType::wait_indefinitely()).unwrap();
    let bytes = buffer.slice(..).get_mapped_range();
    let row = |row: &[u8]| row[..(bytes_per_texel * width) as usize].to_vec();
    bytes.chunks_exact(pitch as usize).flat_map(row).collect()
}

/// Returns the texels that the state texture of a flow world must contain: ground elevation, depth
/// and velocity of each cell.
pub(crate) fn expected_texels(app: &App, water: Entity) -> Vec<[f32; 4]> {
    let flow = app.world().get::<Water>(water).unwrap();
    let (nx, ny) = (flow.lattice().nx(), flow.lattice().ny());
    let texel = |(x, y)| {
        let [east, south] = flow.velocity(x, y);
        [flow.state().bed[(x, y)], flow.state().depth[(x, y)], east, south]
    };
    (0..ny).flat_map(|y| (0..nx).map(move |x| (x, y))).map(texel).collect()
}

#[test]
fn an_edit_reaches_the_texture_in_the_same_frame() {
    let mut app = create_app();
    let water = app.world_mut().spawn((Water(create_dam_world()), WaterSurface::default())).id();
    // Wait until the texture exists.
    (0..4).for_each(|_| app.update());
    assert_eq!(texels(&app, water), expected_texels(&app, water));
    let at = 20 * 64 + 50;
    assert_eq!(texels(&app, water)[at][1], 0.0);
    let place = Brush::with_flat_falloff(Region::disc([101.0, 41.0], 4.0));
    for edit in [Edit::Raise(Change::By(1.0)), Edit::Pour(Amount::Depth(1.0))] {
        app.world_mut().write_message(WaterEdit::new(water, place.clone(), edit));
    }
    let before = texels(&app, water)[at];
    app.update();
    let after = texels(&app, water)[at];
    assert_eq!(after[0], before[0] + 1.0);
    assert!(after[1] > 0.2, "{after:?}");
    assert_eq!(texels(&app, water), expected_texels(&app, water));
    // The texture must be correct in every frame.
    for _ in 0..20 {
        app.update();
        assert_eq!(texels(&app, water), expected_texels(&app, water));
    }
}

/// Regression test: if the plugin was added before Bevy's own plugins, nothing used to be drawn,
/// and no error was reported.
#[test]
fn the_plugin_may_be_added_before_bevys_own() {
    let mut app = app_with_plugin_order(true);
    let water = app.world_mut().spawn((Water(create_dam_world()), WaterSurface::default())).id();
    let eye = Transform::from_xyz(60.0, 50.0, 90.0).looking_at(Vec3::new(60.0, 0.0, 40.0), Vec3::Y);
    app.world_mut().spawn((Camera3d::default(), eye));
    for _ in 0..6 {
        app.update();
    }
    assert_eq!(texels(&app, water), expected_texels(&app, water));
    let prepared = app.sub_app(RenderApp).world();
    let materials = prepared.resource::<ErasedRenderAssets<PreparedMaterial>>();
    assert!(materials.iter().count() >= 2, "its materials are there");
}

#[test]
fn rendering_follows_changes_of_water_and_surface() {
    let mut app = create_app();
    let layers = RenderLayers::layer(3);
    let surface = WaterSurface::default();
    let water =
        app.world_mut().spawn((Water(create_dam_world()), surface.clone(), layers.clone())).id();
    app.update();
    let seen = |app: &App| app.world().get::<SurfaceEntities>(water).cloned();
    let first = seen(&app).unwrap();
    let on = |app: &App, child| app.world().get::<RenderLayers>(child).cloned();
    let vertices = |app: &App, child: Entity| {
        let mesh = app.world().get::<Mesh3d>(child).unwrap();
        mesh.0.id()
    };
    for child in [first.water, first.ground.unwrap()] {
        assert_eq!(on(&app, child), Some(layers.clone()));
    }
    // Colours change in place; mesh settings rebuild the meshes.
    app.world_mut().get_mut::<WaterSurface>(water).unwrap().clarity = 0.5;
    app.update();
    assert_eq!(seen(&app).unwrap().water, first.water);
    let mut mesh = vertices(&app, first.water);
    let changes: [fn(&mut WaterSurface); 3] =
        [|s| s.vertices = 8, |s| s.ground = false, |s| s.block = None];
    for change in changes {
        change(&mut app.world_mut().get_mut::<WaterSurface>(water).unwrap());
        let before = seen(&app).unwrap();
        app.update();
        let now = seen(&app).unwrap();
        assert!(app.world().get_entity(before.water).is_err(), "the old one is gone");
        assert_ne!(vertices(&app, now.water), mesh);
        assert_eq!(on(&app, now.water), Some(layers.clone()));
        mesh = vertices(&app, now.water);
    }
    assert_eq!(seen(&app).unwrap().ground, None);
    app.world_mut().entity_mut(water).remove::<RenderLayers>();
    app.update();
    assert_eq!(on(&app, seen(&app).unwrap().water), None);
    (0..3).for_each(|_| app.update());
    assert_eq!(texels(&app, water), expected_texels(&app, water), "it is drawn anew");

    let last = seen(&app).unwrap();
    app.world_mut().entity_mut(water).remove::<WaterSurface>();
    app.update();
    assert!(seen(&app).is_none() && app.world().get_entity(last.water).is_err());
    app.world_mut().entity_mut(water).insert(surface);
    app.update();
    let last = seen(&app).unwrap();
    app.world_mut().entity_mut(water).remove::<Water>();
    app.update();
    assert!(seen(&app).is_none() && app.world().get_entity(last.water).is_err());
    app.update();
}
