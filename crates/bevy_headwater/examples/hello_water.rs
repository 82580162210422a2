//! A mound of water collapses and flows into the lakes around it.
use bevy::prelude::*;
use bevy_headwater::headwater::flow::{Flow, Params};
use bevy_headwater::headwater::{Field, Square};
use bevy_headwater::prelude::*;
mod common;

fn main() {
    let plugins = (DefaultPlugins, HeadwaterPlugin::default(), common::ScreenshotPlugin);
    App::new().add_plugins(plugins).add_systems(Startup, setup).run();
}

fn setup(mut commands: Commands) -> Result {
    let hills = |x: f32, y: f32| 2.0 + 0.02 * x + 4.0 * (0.09 * x).sin() * (0.11 * y).cos();
    let hill = |x: f32, y: f32| (9.0 * (-(x * x + y * y) / 150.0).exp() - 0.1).max(0.0);
    let bed = Field::from_fn(160, 120, |x, y| hills(x as f32, y as f32));
    let falls = |x, y| hill(x as f32 - 62.0, y as f32 - 58.0);
    let depth = Field::from_fn(160, 120, |x, y| falls(x, y).max(4.5 - bed[(x, y)]));
    let flow = Flow::new(Square::new(160, 120, 1.0, 1.0)?, Params::default(), bed, depth)?;
    commands.spawn((Water(flow), WaterSurface::default()));
    let eye = Transform::from_xyz(80.0, 70.0, 170.0);
    commands.spawn((Camera3d::default(), eye.looking_at(Vec3::new(80.0, 0.0, 65.0), Vec3::Y)));
    commands.spawn((DirectionalLight::default(), eye.looking_to(-Vec3::ONE, Vec3::Y)));
    Ok(())
}
