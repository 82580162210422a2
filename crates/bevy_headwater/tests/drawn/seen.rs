//! Tests of small rendered pictures, which are checked by their colours.

use crate::textures::{create_app, image_bytes};
use bevy::camera::RenderTarget;
use bevy::core_pipeline::tonemapping::Tonemapping;
use bevy::prelude::*;
use bevy::render::render_resource::{TextureFormat, TextureUsages};
use bevy_headwater::headwater::flow::{Flow, Params};
use bevy_headwater::headwater::{Field, Square};
use bevy_headwater::prelude::*;
use std::time::Duration;

/// Creates an L-shaped plateau above low land, with water up to the elevation `level` (m).
fn flooded_plateau(level: f32) -> Flow {
    let bed = Field::from_fn(48, 48, |x, y| if x < 24 && y < 24 { 12.0 } else { 0.0 });
    let depth = bed.map(|&z| (level - z).max(0.0));
    Flow::new(Square::new(48, 48, 1.0, 1.0).unwrap(), Params::default(), bed, depth).unwrap()
}

/// Creates an app that shows a water entity under ambient light on a black background. Returns the
/// app and its picture.
fn app_showing_water(surface: WaterSurface) -> (App, Handle<Image>) {
    let mut app = create_app();
    app.insert_resource(ClearColor(Color::BLACK))
        .insert_resource(GlobalAmbientLight { brightness: 4000.0, ..default() });
    let mut target = Image::new_target_texture(96, 64, TextureFormat::Rgba8UnormSrgb, None);
    target.texture_descriptor.usage |= TextureUsages::COPY_SRC;
    let target = app.world_mut().resource_mut::<Assets<Image>>().add(target);
    let eye = Transform::from_xyz(50.0, 20.0, 60.0).looking_at(Vec3::new(22.0, 6.0, 22.0), Vec3::Y);
    let seen = RenderTarget::Image(target.clone().into());
    app.world_mut().spawn((Camera3d::default(), Tonemapping::None, seen, eye));
    let clock = WaterClock { paused: true, ..default() };
    app.world_mut().spawn((Water(flooded_plateau(4.0)), surface, clock));
    // Wait until pipelines are compiled.
    for _ in 0..600 {
        app.update();
        if max_color_component(&app, &target) > 30 {
            return (app, target);
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    panic!("nothing is seen");
}

/// Returns the largest colour component in a picture (0 to 255).
fn max_color_component(app: &App, picture: &Handle<Image>) -> u8 {
    let picture = image_bytes(app, picture, 4);
    picture.chunks_exact(4).flat_map(|rgba| rgba[..3].to_vec()).max().unwrap()
}

/// Regression test: the reflected sky used to ignore the lights.
#[test]
fn water_is_dark_without_light() {
    let (mut app, picture) = app_showing_water(WaterSurface::default());
    app.world_mut().resource_mut::<GlobalAmbientLight>().brightness = 0.0;
    (0..4).for_each(|_| app.update());
    let dark = max_color_component(&app, &picture);
    assert!(dark <= 1, "{dark}");
}
