//! A valley with a dam. A click digs, Shift + click builds, and Ctrl + click pours water. Flooded
//! houses turn red.
//!
//! Without input, the dam is breached after a second and a half.
#![allow(clippy::needless_pass_by_value, reason = "systems take what they ask for")]

use bevy::prelude::*;
use bevy_headwater::headwater::flow::{Amount, Boundary, BoundaryKind, Change, Edit, Flow, Params};
use bevy_headwater::headwater::{Brush, Edge, Field, InputError, Square};
use bevy_headwater::prelude::*;

mod common;

const SIZE: [usize; 2] = [192, 128];

fn main() {
    App::new()
        .add_plugins((
            DefaultPlugins,
            HeadwaterPlugin::in_schedule(FixedUpdate),
            common::ScreenshotPlugin,
        ))
        .add_systems(Startup, setup)
        .add_systems(Update, (edit_at_pointer, breach_dam, color_flooded_houses))
        .run();
}

/// Returns the distance (m) between the north edge and the axis of the valley. `x` is the distance
/// (m) from the west edge.
fn valley_axis_y(x: f32) -> f32 {
    64.0 + 16.0 * (0.045 * x).sin()
}

fn valley() -> Result<Flow, InputError> {
    let [nx, ny] = SIZE;
    let bed = Field::from_fn(nx, ny, |x, y| {
        let (x, y) = (x as f32, y as f32);
        let off = y - valley_axis_y(x);
        let banks = 26.0 * (1.0 - (-(off / 34.0).powi(2)).exp());
        let rocks = 1.6 * (0.13 * x + 0.4).sin() * (0.17 * y).cos()
            + 0.8 * (0.31 * x).cos() * (0.27 * y + 1.0).sin();
        let ground = banks + rocks + 0.05 * (nx as f32 - x);
        let dam = 19.0 - 2.2 * (x - 58.0).abs();
        ground.max(dam)
    });
    let depth =
        Field::from_fn(nx, ny, |x, y| if x < 58 { (16.5 - bed[(x, y)]).max(0.0) } else { 0.0 });
    let mut flow = Flow::new(Square::new(nx, ny, 1.0, 1.0)?, Params::default(), bed, depth)?;
    flow.set_boundary(Boundary::on_edge(Edge::East, BoundaryKind::Open))?;
    Ok(flow)
}

#[derive(Component)]
struct House;

fn setup(
    mut commands: Commands,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<StandardMaterial>>,
) -> Result {
    let flow = valley()?;
    let mesh = meshes.add(Cuboid::new(3.0, 3.0, 4.0));
    let sites =
        [(96, 10), (104, -9), (112, 8), (121, -8), (132, 9), (141, -11), (152, 8), (165, -9)];
    let houses = sites.map(|(x, off)| {
        let at = [f64::from(x), f64::from(valley_axis_y(x as f32)) + f64::from(off)];
        Vec3::new(at[0] as f32, flow.bed_at(at).unwrap_or(0.0), at[1] as f32)
    });
    let water = commands.spawn((Water(flow), WaterSurface::default(), common::backend())).id();
    for place in houses {
        commands.spawn((
            House,
            FloodSensor::for_water(water),
            Mesh3d(mesh.clone()),
            MeshMaterial3d(materials.add(Color::srgb(0.85, 0.8, 0.7))),
            Transform::from_translation(place + Vec3::Y),
        ));
    }
    commands.spawn(common::sunlight(120.0));
    commands.spawn(common::camera(Vec3::new(176.0, 50.0, 86.0), Vec3::new(84.0, 0.0, 60.0)));
    Ok(())
}

/// Digs a breach through the dam, once.
fn breach_dam(
    time: Res<Time<Virtual>>,
    water: Single<Entity, With<Water>>,
    mut edits: MessageWriter<WaterEdit>,
    mut done: Local<bool>,
) {
    if time.elapsed_secs() > 1.5 && !*done {
        let notch = Brush::smooth_disc([58.0, f64::from(valley_axis_y(58.0))], 9.0);
        edits.write(WaterEdit::new(*water, notch, Edit::Lower(Change::By(13.0))));
        *done = true;
    }
}

/// Applies an edit at the position under the mouse pointer.
fn edit_at_pointer(
    buttons: Res<ButtonInput<MouseButton>>,
    keys: Res<ButtonInput<KeyCode>>,
    window: Single<&Window>,
    camera: Single<(&Camera, &GlobalTransform)>,
    water: Single<Entity, With<Water>>,
    waters: WaterQuery,
    mut edits: MessageWriter<WaterEdit>,
) {
    let (camera, place) = *camera;
    let cursor = window.cursor_position().filter(|_| buttons.pressed(MouseButton::Left));
    let Some(ray) = cursor.and_then(|cursor| camera.viewport_to_world(place, cursor).ok()) else {
        return;
    };
    // Follow the ray down to the ground.
    let hit = (0..600).map(|i| ray.get_point(i as f32)).find(|&point| {
        let found = waters.sample_water_at(*water, point);
        found.and_then(|found| found.bed).is_some_and(|bed| bed.y >= point.y)
    });
    let Some(point) = hit.and_then(|point| waters.to_model_point(*water, point)) else { return };
    let edit = if keys.pressed(KeyCode::ShiftLeft) {
        Edit::Raise(Change::By(0.3))
    } else if keys.pressed(KeyCode::ControlLeft) {
        Edit::Pour(Amount::Depth(0.2))
    } else {
        Edit::Lower(Change::By(0.3))
    };
    edits.write(WaterEdit::new(*water, Brush::smooth_disc(point, 4.0), edit));
}

fn color_flooded_houses(
    mut flooded: MessageReader<Flooded>,
    houses: Query<&MeshMaterial3d<StandardMaterial>, With<House>>,
    mut materials: ResMut<Assets<StandardMaterial>>,
) {
    for Flooded { entity, is_flooded } in flooded.read() {
        if let Ok(handle) = houses.get(*entity)
            && let Some(mut material) = materials.get_mut(&handle.0)
        {
            material.base_color =
                if *is_flooded { Color::srgb(0.8, 0.15, 0.1) } else { Color::srgb(0.85, 0.8, 0.7) };
        }
    }
}
