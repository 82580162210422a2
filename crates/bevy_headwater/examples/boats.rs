//! Boats and barrels on a flooding river. A spring swells the river, and the boats drift, bob and
//! run aground.

use bevy::prelude::*;
use bevy_headwater::headwater::flow::{
    Body, Boundary, BoundaryKind, Flow, Params, Physics, Source,
};
use bevy_headwater::headwater::{Edge, Field, Region, Square};
use bevy_headwater::prelude::*;

mod common;

const SIZE: [usize; 2] = [192, 96];

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

fn river_axis_y(x: f32) -> f32 {
    48.0 + 14.0 * (0.05 * x).sin()
}

fn setup(
    mut commands: Commands,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<StandardMaterial>>,
) -> Result {
    let [nx, ny] = SIZE;
    let bed = Field::from_fn(nx, ny, |x, y| {
        let (x, y) = (x as f32, y as f32);
        let off = (y - river_axis_y(x)).abs();
        let channel = 5.0 * (1.0 - (-(off / 11.0).powi(2)).exp());
        channel
            + 0.15 * (off - 12.0).max(0.0)
            + 0.004 * (nx as f32 - x)
            + 0.4 * (0.2 * x).sin() * (0.23 * y).cos()
    });
    let depth = bed.map(|&z| (3.4 - z).max(0.0));
    let params = Params { level: Physics::ShallowWater, ..Params::default() };
    let mut flow = Flow::new(Square::new(nx, ny, 1.0, 1.0)?, params, bed, depth)?;
    flow.set_boundary(Boundary::on_edge(Edge::East, BoundaryKind::Stage { level: 3.2.into() }))?;
    flow.add_spring(Source::new(Region::disc([5.0, f64::from(river_axis_y(5.0))], 8.0), 60.0))?;
    let water = commands.spawn((Water(flow), WaterSurface { clarity: 2.0, ..default() })).id();

    let boat = meshes.add(Cuboid::new(7.0, 1.6, 2.6));
    let cabin = meshes.add(Cuboid::new(2.4, 1.4, 1.8));
    let barrel = meshes.add(Cylinder::new(0.8, 1.6));
    let (red, white, wood) = (
        materials.add(Color::srgb(0.62, 0.13, 0.09)),
        materials.add(Color::srgb(0.92, 0.90, 0.85)),
        materials.add(Color::srgb(0.45, 0.30, 0.17)),
    );
    for x in [30.0_f32, 58.0, 90.0, 125.0] {
        let at = [f64::from(x), f64::from(river_axis_y(x))];
        // The boat heads along the river.
        let heading = f64::from(river_axis_y(x + 1.0) - river_axis_y(x)).atan();
        let body = Body::rect(at, [7.0, 2.6], heading, 9_000.0, 1.6);
        commands
            .spawn((Floats::new(water, body), Mesh3d(boat.clone()), MeshMaterial3d(red.clone())))
            .with_child((
                Mesh3d(cabin.clone()),
                MeshMaterial3d(white.clone()),
                Transform::from_xyz(-1.2, 1.4, 0.0),
            ));
    }
    for i in 0..14 {
        let x = 20.0 + 11.0 * i as f32;
        let at = [f64::from(x), f64::from(river_axis_y(x) + 5.0 * (1.7 * i as f32).sin())];
        let body = Body::disc(at, 0.8, 1_500.0, 1.6);
        commands.spawn((
            Floats::new(water, body),
            Mesh3d(barrel.clone()),
            MeshMaterial3d(wood.clone()),
        ));
    }
    commands.spawn(common::sunlight(100.0));
    commands.spawn(common::camera(Vec3::new(60.0, 34.0, 98.0), Vec3::new(88.0, 0.0, 44.0)));
    Ok(())
}
