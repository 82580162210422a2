use crate::apps::{app, caves, lake, pond, pools};
use bevy::ecs::system::RunSystemOnce;
use bevy::prelude::*;
use bevy_headwater::headwater::Brush;
use bevy_headwater::headwater::Region;
use bevy_headwater::headwater::flow::Edit;
use bevy_headwater::prelude::*;
use std::f32::consts::FRAC_PI_2;

fn ask<R: 'static>(app: &mut App, what: impl Fn(WaterQuery) -> R + Send + Sync + 'static) -> R {
    app.world_mut().run_system_once(move |waters: WaterQuery| what(waters)).unwrap()
}

#[test]
fn places_are_told_from_bevys_positions_wherever_the_water_lies() {
    let mut app = app();
    let turned =
        Transform::from_xyz(100.0, 5.0, -30.0).with_rotation(Quat::from_rotation_y(FRAC_PI_2));
    let water = app.world_mut().spawn((Water(lake()), turned)).id();
    app.update();
    // East of the model lies to the north now (−Z).
    let place = Vec3::new(100.0 + 6.0, 4.0, -30.0 - 20.0);
    let found = ask(&mut app, move |waters| waters.at(place)).unwrap();
    assert_eq!(found.water, water);
    assert!((found.depth - 2.0).abs() < 1e-5);
    assert!((found.surface.unwrap() - Vec3::new(106.0, 5.0, -50.0)).length() < 1e-4);
    assert!((found.bed.unwrap().y - 3.0).abs() < 1e-5);
    assert!(
        (found.pressure - 9.81).abs() < 1e-3,
        "a metre under the surface: {} kPa",
        found.pressure
    );
    assert!(found.is_under_water() && found.normal.distance(Vec3::Y) < 1e-5);
    let point = ask(&mut app, move |waters| waters.point(water, place)).unwrap();
    assert!((point[0] - 20.0).abs() < 1e-4 && (point[1] - 6.0).abs() < 1e-4, "{point:?}");
    let back = ask(&mut app, move |waters| waters.translation(water, point, -1.0)).unwrap();
    assert!(back.distance(place) < 1e-4);
    let far = Vec3::new(0.0, 0.0, 0.0);
    assert_eq!(ask(&mut app, move |waters| waters.at(far)), None);
}

#[test]
fn a_current_is_told_in_bevys_directions() {
    let mut app = app();
    let turned = Transform::from_rotation(Quat::from_rotation_y(FRAC_PI_2));
    let water = app.world_mut().spawn((Water(lake()), turned)).id();
    let push = Edit::Push { velocity: [1.0, 0.0] };
    app.world_mut().write_message(WaterEdit::new(water, Brush::flat(Region::Everywhere), push));
    (0..4).for_each(|_| app.update());
    let found =
        ask(&mut app, move |waters| waters.at_in(water, Vec3::new(12.0, 0.0, -16.0))).unwrap();
    assert!(found.velocity.z < -0.3 && found.velocity.x.abs() < 0.05, "{}", found.velocity);
}

#[test]
fn side_views_stand_upright() {
    let mut app = app();
    let blocks = app.world_mut().spawn(BlockWorld(caves())).id();
    let pools = app.world_mut().spawn((Pools(pools()), Transform::from_xyz(50.0, 0.0, 0.0))).id();
    app.update();
    // A metre and a half under the top of the world, half a cell under the water's surface.
    let found =
        ask(&mut app, move |waters| waters.at_in(blocks, Vec3::new(2.0, -1.5, 0.0))).unwrap();
    assert!((found.surface.unwrap().y + 1.0).abs() < 0.3, "{found:?}");
    assert!(found.depth > 0.2 && found.pressure > 2.0, "{found:?}");
    for _ in 0..2000 {
        app.update();
    }
    let level = 6.0 - 8.0 / 9.0 - 0.5;
    let found =
        ask(&mut app, move |waters| waters.at_in(pools, Vec3::new(54.0, -5.4, 0.0))).unwrap();
    assert!((found.surface.unwrap().y + level as f32).abs() < 0.05, "{found:?}");
    assert!((found.depth - (5.4 - level as f32)).abs() < 0.05, "{found:?}");
}

#[test]
fn lines_and_areas_are_asked_as_well() {
    let mut app = app();
    let water = app.world_mut().spawn(Water(lake())).id();
    app.world_mut().spawn((Pond(pond()), Transform::from_xyz(40.0, 0.0, 0.0)));
    app.update();
    let depths = ask(&mut app, |waters| {
        let line = waters.line(Vec3::new(0.5, 0.0, 5.0), Vec3::new(48.5, 0.0, 5.0), 5);
        line.map(|found| found.map(|found| found.depth)).collect::<Vec<_>>()
    });
    let wet = [true, true, true, false, true];
    assert_eq!(depths.iter().map(Option::is_some).collect::<Vec<_>>(), wet, "{depths:?}");
    assert_eq!(depths[4], Some(1.0), "the pond's");
    let region = Region::rect([4.0, 4.0], [8.0, 6.0]);
    let volume = ask(&mut app, move |waters| waters.volume_in(water, &region)).unwrap();
    assert!((volume.unwrap() - 16.0).abs() < 1e-6);
    let none = Region::disc([0.0, 0.0], -1.0);
    assert!(ask(&mut app, move |waters| waters.volume_in(water, &none)).is_err());
}
