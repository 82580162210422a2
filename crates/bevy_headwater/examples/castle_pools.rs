//! A castle in winter. The gate of its moat opens into the vaults, one cistern boils over a fire,
//! the others freeze, and crates float on the water.

use bevy::prelude::*;
use bevy_headwater::headwater::columns::{
    Anchor, Body, Columns, Heat, Heater, Params, Shape, read_map,
};
use bevy_headwater::headwater::{Brush, Region};
use bevy_headwater::prelude::*;

mod common;

const MAP: &str = "
................................................................
................................................................
................................................................
................................................................
................................................................
................................................................
................................................................
................................................................
..................#.#.#.#......................#.#.#.#..........
..................#######......................#######..........
..................#.....#......................#.....#..........
..................#.....########################.....#..........
..................#..................................#..........
..................#..................................#..........
..................#..................................#..........
..................######.....#############.....#######..........
..................#....#.....#...........#.....#.....#..........
..................#....#.....#...........#.....#.....#..........
..................#....#.....#...........#.....#.....#..........
..................#....#.....#...........#.....#.....#..........
#.............##..#....#######...........#######.....#..##.....#
#.............##..#..................................#..##.....#
#.............##..#..................................#..##.....#
#.............#########################..#############..##.....#
#.............#.......................#..#..............##.....#
#.............#.......................#..#..............##.....#
#.............#.......................#..#..............##.....#
######################..##############....######################
######################..###############..#######################
###############...............#########..####............#######
##########...........................##..##...............######
########..................................................######
#######................................................#########
##########...........................###################.#######
################################################################
################################################################";

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
            open_gate_and_splash.before(bevy_headwater::HeadwaterSystems::Prepare),
        )
        .run();
}

fn setup(
    mut commands: Commands,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<StandardMaterial>>,
) -> Result {
    let (walls, _) = read_map(MAP, 1.0)?;
    let size = Vec2::new(walls.nx() as f32, walls.ny() as f32);
    let levels = [[5.0, 17.4], [26.0, 16.2], [44.0, 17.0], [60.0, 21.4], [45.0, 31.5]]
        .map(Anchor::new_level);
    let heat = Heat { air: -18.0, water: Some(4.0), pace: 1.0e5, ..Heat::default() };
    let mut world =
        Columns::new(&walls, 1.0, &levels, Params { heat: Some(heat), ..Params::default() })?;
    // A heater under the cistern on the right keeps it boiling.
    world.add_heater(Heater::new(Region::rect([42.0, 15.0], [47.0, 20.0]), 3.0e4))?;
    let pools = commands
        .spawn((
            Pools(world),
            WaterSurface {
                level_ground: Color::srgb(0.62, 0.58, 0.55),
                deep: Color::srgb(0.02, 0.16, 0.27),
                ..default()
            },
        ))
        .id();
    let wood = materials.add(StandardMaterial {
        base_color: Color::srgb(0.55, 0.36, 0.2),
        unlit: true,
        ..default()
    });
    for (at, half) in
        [([4.0, 15.0], [1.0, 0.7]), ([9.0, 15.0], [1.6, 0.5]), ([26.5, 14.0], [0.8, 0.8])]
    {
        let mass = 450.0 * 4.0 * half[0] * half[1];
        let body = Body::new(Shape::Box { center: at, half }, mass);
        commands.spawn((
            Floats::new(pools, body).with_offset(Vec3::new(0.0, 0.0, -0.3)),
            Mesh3d(meshes.add(Cuboid::new(2.0 * half[0] as f32, 2.0 * half[1] as f32, 0.4))),
            MeshMaterial3d(wood.clone()),
        ));
    }
    commands.spawn(common::side_camera(size));
    Ok(())
}

/// Opens the gate between the moat and the vaults after one second, and throws objects into the
/// moat at intervals.
fn open_gate_and_splash(
    mut edits: MessageWriter<WaterEdit>,
    pools: Single<Entity, With<Pools>>,
    mut tick: Local<u32>,
) {
    *tick += 1;
    if *tick == 64 {
        let gate = Brush::with_flat_falloff(Region::rect([14.0, 24.0], [15.0, 27.0]));
        edits.write(WaterEdit::from_name(*pools, gate, "dig", 0.0));
    }
    if *tick % 160 == 32 {
        let place = Brush::with_flat_falloff(Region::rect([6.0, 10.0], [8.0, 26.0]));
        edits.write(WaterEdit::from_name(*pools, place, "splash", 0.5));
    }
}
