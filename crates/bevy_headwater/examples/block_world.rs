//! Caves in side view with ponds and lava; a shaft is dug down to them from a lake.

use bevy::prelude::*;
use bevy_headwater::headwater::blocks::{Blocks, Cell, Edit, Liquid, Params};
use bevy_headwater::headwater::{Brush, Field, Region};
use bevy_headwater::prelude::*;

mod common;

const SIZE: [usize; 2] = [128, 72];

fn main() {
    App::new()
        .add_plugins((DefaultPlugins, HeadwaterPlugin::in_schedule(FixedUpdate), common::Shot))
        .add_systems(Startup, setup)
        .add_systems(FixedUpdate, dig.before(bevy_headwater::HeadwaterSystems::Prepare))
        .run();
}

/// Hills with caves in them; below a level the caves are full of water, and right at the bottom of lava.
fn cave(x: usize, y: usize) -> Cell {
    let (u, v) = (x as f32, y as f32);
    let hill = 17.0
        + 4.0 * (0.09 * u).sin()
        + 2.0 * (0.23 * u + 1.0).sin()
        + 7.0 * (-((u - 44.0) / 13.0).powi(2)).exp();
    let wave = (0.16 * u + 0.5 * (0.13 * v).sin()).sin()
        + (0.21 * v + 0.7 * (0.09 * u).cos()).sin()
        + 0.5 * (0.37 * u - 0.29 * v).sin();
    let edge = x == 0 || x == SIZE[0] - 1 || y == SIZE[1] - 1;
    if edge {
        return Cell::Wall;
    }
    if v < hill {
        // A lake lies in the hollow between the hills.
        return if v > 18.0 { Cell::Liquid(Liquid::Water, 256) } else { Cell::Air };
    }
    if v < hill + 4.0 || wave < 0.55 {
        return Cell::Wall;
    }
    match v {
        v if v > 62.0 => Cell::Liquid(Liquid::Lava, 256),
        v if v > 44.0 && x > 66 => Cell::Liquid(Liquid::Water, 256),
        _ => Cell::Air,
    }
}

fn setup(mut commands: Commands) -> Result {
    let [nx, ny] = SIZE;
    let world = Blocks::new(&Field::from_fn(nx, ny, cave), Params::default())?;
    let look = WaterSurface {
        level_ground: Color::srgb(0.55, 0.44, 0.35),
        deep: Color::srgb(0.02, 0.14, 0.34),
        ..default()
    };
    commands.spawn((BlockWorld(world), look));
    commands.spawn(common::side_camera(Vec2::new(nx as f32, ny as f32)));
    Ok(())
}

/// Digs down from the lake, a block every few ticks.
fn dig(
    mut edits: MessageWriter<WaterEdit>,
    world: Single<Entity, With<BlockWorld>>,
    mut tick: Local<u32>,
) {
    *tick += 1;
    let depth = f64::from(*tick / 6) + 10.0;
    if *tick < 64 || depth > 32.0 {
        return;
    }
    let shaft = Brush::flat(Region::rect([84.0, depth - 1.0], [86.0, depth]));
    edits.write(WaterEdit::new(*world, shaft, Edit::Dig));
}
