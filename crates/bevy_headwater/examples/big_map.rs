//! A map of 2048 × 2048 cells with lakes at rest. Only the tiles around a broken dam are stepped
//! and uploaded.

use bevy::prelude::*;
use bevy_headwater::headwater::flow::{Change, Edit, Flow, Params};
use bevy_headwater::headwater::{Brush, Field, Square};
use bevy_headwater::prelude::*;

mod common;

const N: usize = 2048;

fn main() {
    App::new()
        .add_plugins((
            DefaultPlugins,
            HeadwaterPlugin::in_schedule(FixedUpdate),
            common::ScreenshotPlugin,
        ))
        .add_systems(Startup, setup)
        .add_systems(
            FixedUpdate,
            raise_hill_and_pour_lake.before(bevy_headwater::HeadwaterSystems::Prepare),
        )
        .add_systems(Last, report_awake_tiles)
        .run();
}

fn setup(mut commands: Commands) -> Result {
    let bed = Field::from_fn(N, N, |x, y| {
        let (x, y) = (x as f32 / 400.0, y as f32 / 400.0);
        let ridges = 1.0 - common::noise(0.7 * x + 9.0, 0.7 * y, 4).abs();
        190.0 * ridges * ridges + 90.0 * common::noise(x, y, 6)
    });
    let depth = bed.map(|&z| (95.0 - z).max(0.0));
    let flow = Flow::new(Square::new(N, N, 2.0, 2.0)?, Params::default(), bed, depth)?;
    let look = WaterSurface { clarity: 14.0, block: Some(20.0), ripples: 0.03, ..default() };
    commands.spawn((Water(flow), look, common::backend()));
    commands.spawn((
        DirectionalLight { illuminance: 11_000.0, ..default() },
        Transform::default().looking_to(Vec3::new(-0.7, -0.6, -0.35), Vec3::Y),
    ));
    commands
        .spawn(common::camera(Vec3::new(2048.0, 1250.0, 4500.0), Vec3::new(2048.0, 0.0, 2300.0)));
    Ok(())
}

/// Adds a lake on a hill after one second.
fn raise_hill_and_pour_lake(
    mut edits: MessageWriter<WaterEdit>,
    water: Single<Entity, With<Water>>,
    mut tick: Local<u32>,
) {
    *tick += 1;
    if *tick == 64 {
        let hill = Brush::smooth_disc([2000.0, 2900.0], 160.0);
        edits.write(WaterEdit::new(*water, hill.clone(), Edit::Raise(Change::By(25.0))));
        edits.write(WaterEdit::from_name(*water, hill, "pour", 20.0));
    }
}

/// Prints the fraction of awake cells at regular intervals.
fn report_awake_tiles(
    water: Single<(&Water, &WaterState)>,
    time: Res<Time<Real>>,
    mut last: Local<f32>,
) {
    if time.elapsed_secs() - *last > 2.0 {
        *last = time.elapsed_secs();
        let (water, state) = *water;
        info!(
            "{} of {} tiles awake; at rest: {}",
            water.awake_tile_count(),
            (N / 64).pow(2),
            state.is_resting()
        );
    }
}
