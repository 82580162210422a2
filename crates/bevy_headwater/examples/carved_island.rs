//! An island carved by rain: rivers cut valleys, lakes fill and plants spread.

use bevy::prelude::*;
use bevy_headwater::headwater::hydrology::{EdgeKind, Edges, Hydrology, Niche, Params};
use bevy_headwater::headwater::{Field, Square};
use bevy_headwater::prelude::*;

mod common;

const N: usize = 192;

fn main() {
    App::new()
        .add_plugins((
            DefaultPlugins,
            HeadwaterPlugin::in_schedule(FixedUpdate),
            common::ScreenshotPlugin,
        ))
        .add_systems(Startup, setup)
        .run();
}

fn setup(mut commands: Commands) -> Result {
    let bed = Field::from_fn(N, N, |x, y| {
        let (u, v) = (x as f32 / N as f32 - 0.5, y as f32 / N as f32 - 0.5);
        let far = (u * u + v * v).sqrt();
        700.0 * (1.0 - 2.3 * far) + 260.0 * common::noise(7.0 * u + 3.0, 7.0 * v, 6) - 60.0
    });
    let params = Params {
        edges: Edges::uniform(EdgeKind::Sea),
        plants: Niche::default_niches(),
        ..Params::default()
    };
    let mut land = Hydrology::new(Square::new(N, N, 30.0, 30.0)?, params, &bed)?;
    // Erode for a long time before the first frame.
    land.advance(30.0)?;
    let look = WaterSurface {
        clarity: 60.0,
        block: Some(150.0),
        ripples: 0.05,
        deep: Color::srgb(0.02, 0.20, 0.34),
        ..default()
    };
    commands.spawn((CarvedLand(land), WaterClock::at_speed(2.0), look));
    commands.spawn(common::sunlight(4000.0));
    commands
        .spawn(common::camera(Vec3::new(2880.0, 2600.0, 7000.0), Vec3::new(2880.0, 0.0, 3300.0)));
    Ok(())
}
