//! A pond with the rings of falling drops and the wake of a toy boat.

use bevy::prelude::*;
use bevy_headwater::headwater::waves::{Body, EdgeKind, Edges, Edit, Params, Shape, Waves};
use bevy_headwater::headwater::{Brush, Region, Square};
use bevy_headwater::prelude::*;
use std::f32::consts::FRAC_PI_2;

mod common;

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
            (let_drops_fall, steer_boat).before(bevy_headwater::HeadwaterSystems::Prepare),
        )
        .run();
}

fn setup(
    mut commands: Commands,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<StandardMaterial>>,
) -> Result {
    let edges = Edges { east: EdgeKind::Absorbing, ..Edges::default() };
    let params = Params { depth: 1.2, edges, ..Params::default() };
    let mut waves = Waves::new(Square::new(256, 192, 0.08, 0.08)?, params)?;
    // A shore all around, and an island.
    let shore = |x: f64, y: f64| {
        let (u, v) = (x / 10.24 - 1.0, y / 7.68 - 1.0);
        let bay = 0.06 * (3.0 * v.atan2(u)).sin() + 0.04 * (7.0 * v.atan2(u)).cos();
        (u * u + v * v).sqrt() > 0.86 + bay || (u - 0.35).hypot(v + 0.25) < 0.13
    };
    let lattice = *waves.lattice();
    for y in 0..192 {
        for x in 0..256 {
            let [east, south] = lattice.center(x, y);
            if shore(east, south) {
                let cell = Region::rect([east - 0.04, south - 0.04], [east + 0.04, south + 0.04]);
                waves.edit(&Brush::with_flat_falloff(cell), Edit::Land)?;
            }
        }
    }
    let pond = commands
        .spawn((
            Pond(waves),
            WaterSurface { clarity: 1.1, ripples: 0.02, block: Some(0.5), ..default() },
        ))
        .id();
    let hull = Shape::Oval { half: [0.55, 0.22], heading: 0.0 };
    commands
        .spawn((Floats::new(pond, Body::new(hull, [5.0, 8.0], 0.09)), Visibility::default()))
        .with_children(|boat| {
            boat.spawn((
                Mesh3d(meshes.add(Capsule3d::new(0.2, 0.7))),
                MeshMaterial3d(materials.add(Color::srgb(0.75, 0.12, 0.08))),
                Transform::from_rotation(Quat::from_rotation_z(FRAC_PI_2)),
            ));
            boat.spawn((
                Mesh3d(meshes.add(Cone::new(0.28, 0.9))),
                MeshMaterial3d(materials.add(Color::srgb(0.95, 0.93, 0.88))),
                Transform::from_xyz(0.0, 0.6, 0.0),
            ));
        });
    commands.spawn(common::sunlight(20.0));
    commands.spawn(common::camera(Vec3::new(10.0, 8.5, 18.5), Vec3::new(10.0, 0.0, 7.4)));
    Ok(())
}

/// Lets drops fall at pseudo-random times and positions, which are the same in every run.
fn let_drops_fall(
    mut edits: MessageWriter<WaterEdit>,
    pond: Single<Entity, With<Pond>>,
    mut tick: Local<u64>,
) {
    *tick += 1;
    if !tick.is_multiple_of(24) {
        return;
    }
    let part = |n: u64| (n.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 40) as f64 / (1 << 24) as f64;
    let place = [3.0 + 15.0 * part(*tick), 3.0 + 10.0 * part(*tick + 7)];
    edits.write(WaterEdit::new(
        *pond,
        Brush::smooth_disc(place, 0.35),
        Edit::Disturb { height: -0.12 },
    ));
}

/// Steers the boat around the pond.
fn steer_boat(mut pond: Single<&mut Pond>, boat: Single<&Floats>, time: Res<Time>) -> Result {
    let Some(id) = boat.id() else { return Ok(()) };
    let angle = 0.28 * time.elapsed_secs_f64() - 2.0;
    let Some(mut body) = pond.bodies().get(id).copied() else { return Ok(()) };
    let speed = 1.5;
    body.velocity = [-speed * angle.sin(), speed * angle.cos()];
    if let Shape::Oval { heading, .. } = &mut body.shape {
        *heading = body.velocity[1].atan2(body.velocity[0]);
    }
    pond.set_body(id, body)?;
    Ok(())
}
