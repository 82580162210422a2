//! A crater lake on hexagonal cells. Its rim is breached, and a falling drop makes round rings.

use bevy::prelude::*;
use bevy_headwater::headwater::flow::{Change, Edit, Flow, Params, Physics};
use bevy_headwater::headwater::{Brush, Field, Hex, Lattice};
use bevy_headwater::prelude::*;

mod common;

const SIZE: [usize; 2] = [160, 140];

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
            breach_crater_and_pour.before(bevy_headwater::HeadwaterSystems::Prepare),
        )
        .run();
}

/// Centre of the crater: distances (m) east and south of the north-west corner.
const CRATER_CENTER: [f64; 2] = [70.0, 60.0];

fn setup(mut commands: Commands) -> Result {
    let lattice: Lattice = Hex::new(SIZE[0], SIZE[1], 1.0)?.into();
    let bed = Field::from_fn(SIZE[0], SIZE[1], |x, y| {
        let [east, south] = lattice.center(x, y);
        let far = (east - CRATER_CENTER[0]).hypot(south - CRATER_CENTER[1]) as f32;
        let rim = 14.0 * (-((far - 42.0) / 13.0).powi(2)).exp();
        rim - 0.06 * (far - 30.0).max(0.0)
            + 0.7 * common::noise(0.06 * east as f32, 0.06 * south as f32, 4)
    });
    let depth = Field::from_fn(SIZE[0], SIZE[1], |x, y| {
        let [east, south] = lattice.center(x, y);
        let inside = (east - CRATER_CENTER[0]).hypot(south - CRATER_CENTER[1]) < 42.0;
        if inside { (9.0 - bed[(x, y)]).max(0.0) } else { 0.0 }
    });
    let params = Params { level: Physics::ShallowWater, ..Params::default() };
    let flow = Flow::new(lattice, params, bed, depth)?;
    commands.spawn((Water(flow), WaterSurface { clarity: 4.0, ..default() }));
    commands.spawn(common::sunlight(100.0));
    commands.spawn(common::camera(Vec3::new(112.0, 62.0, 146.0), Vec3::new(80.0, 0.0, 66.0)));
    Ok(())
}

fn breach_crater_and_pour(
    mut edits: MessageWriter<WaterEdit>,
    water: Single<Entity, With<Water>>,
    mut tick: Local<u32>,
) {
    *tick += 1;
    if *tick == 10 {
        let breach = Brush::smooth_disc([102.0, 88.0], 14.0);
        edits.write(WaterEdit::new(*water, breach, Edit::Lower(Change::By(11.0))));
    }
    if *tick == 180 {
        edits.write(WaterEdit::from_name(
            *water,
            Brush::smooth_disc(CRATER_CENTER, 3.0),
            "pour",
            4.0,
        ));
    }
}
