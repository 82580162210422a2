//! An island that rain carves: rivers cut valleys, lakes fill, plants find their places.

use bevy::prelude::*;
use bevy_headwater::headwater::hydrology::{EdgeKind, Edges, Hydrology, Niche, Params};
use bevy_headwater::headwater::{Field, Square};
use bevy_headwater::prelude::*;

mod common;

const N: usize = 192;

fn main() {
    App::new()
        .add_plugins((DefaultPlugins, HeadwaterPlugin::in_schedule(FixedUpdate), common::Shot))
        .add_systems(Startup, setup)
        .run();
}

/// Value noise of some octaves, −1 to 1.
fn noise(x: f32, y: f32) -> f32 {
    let hash = |x: i32, y: i32| {
        let mut h = (x as u32).wrapping_mul(0x85EB_CA6B) ^ (y as u32).wrapping_mul(0xC2B2_AE35);
        h = (h ^ (h >> 15)).wrapping_mul(0x2C1B_3C6D);
        h = (h ^ (h >> 12)).wrapping_mul(0x297A_2D39);
        (h ^ (h >> 15)) as f32 / u32::MAX as f32 * 2.0 - 1.0
    };
    let octave = |x: f32, y: f32| {
        let (i, j) = (x.floor(), y.floor());
        let smooth = |t: f32| t * t * (3.0 - 2.0 * t);
        let (u, v) = (smooth(x - i), smooth(y - j));
        let (i, j) = (i as i32, j as i32);
        let row = |j: i32| hash(i, j) + (hash(i + 1, j) - hash(i, j)) * u;
        row(j) + (row(j + 1) - row(j)) * v
    };
    (0..6).map(|k| 0.5_f32.powi(k) * octave(x * 2.0_f32.powi(k) + 17.0 * k as f32, y * 2.0_f32.powi(k))).sum()
}

fn setup(mut commands: Commands) -> Result {
    let bed = Field::from_fn(N, N, |x, y| {
        let (u, v) = (x as f32 / N as f32 - 0.5, y as f32 / N as f32 - 0.5);
        let far = (u * u + v * v).sqrt();
        700.0 * (1.0 - 2.3 * far) + 260.0 * noise(7.0 * u + 3.0, 7.0 * v) - 60.0
    });
    let params =
        Params { edges: Edges::all(EdgeKind::Sea), plants: Niche::three(), ..Params::default() };
    let mut land = Hydrology::new(Square::new(N, N, 30.0, 30.0)?, params, &bed)?;
    // Ages pass before anybody looks.
    land.advance(30.0)?;
    let look = WaterSurface {
        clarity: 60.0,
        block: Some(150.0),
        ripples: 0.05,
        deep: Color::srgb(0.02, 0.20, 0.34),
        ..default()
    };
    commands.spawn((CarvedLand(land), WaterClock::at_speed(2.0), look));
    commands.spawn(common::sun(4000.0));
    commands.spawn(common::camera(Vec3::new(2880.0, 2600.0, 7000.0), Vec3::new(2880.0, 0.0, 3300.0)));
    Ok(())
}
