use crate::apps::{create_app, create_cave_world, create_lake_world, pond, pools};
use bevy::ecs::system::RunSystemOnce;
use bevy::prelude::*;
use bevy_headwater::headwater::flow::{self, Edit, Flow, Params};
use bevy_headwater::headwater::{Brush, Field, Region, Square};
use bevy_headwater::prelude::*;
use std::f32::consts::FRAC_PI_2;

fn run_query<R: 'static>(
    app: &mut App,
    query: impl Fn(WaterQuery) -> R + Send + Sync + 'static,
) -> R {
    app.world_mut().run_system_once(move |waters: WaterQuery| query(waters)).unwrap()
}

#[test]
fn queries_work_under_any_transform() {
    let mut app = create_app();
    let turned =
        Transform::from_xyz(100.0, 5.0, -30.0).with_rotation(Quat::from_rotation_y(FRAC_PI_2));
    let water = app.world_mut().spawn((Water(create_lake_world()), turned)).id();
    app.update();
    // The model's east direction points north (−Z) in world space.
    let place = Vec3::new(100.0 + 6.0, 4.0, -30.0 - 20.0);
    let found = run_query(&mut app, move |waters| waters.sample_at(place)).unwrap();
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
    let point = run_query(&mut app, move |waters| waters.to_model_point(water, place)).unwrap();
    assert!((point[0] - 20.0).abs() < 1e-4 && (point[1] - 6.0).abs() < 1e-4, "{point:?}");
    let back =
        run_query(&mut app, move |waters| waters.to_world_position(water, point, -1.0)).unwrap();
    assert!(back.distance(place) < 1e-4);
    let far = Vec3::new(0.0, 0.0, 0.0);
    assert_eq!(run_query(&mut app, move |waters| waters.sample_at(far)), None);
}

#[test]
fn currents_are_in_world_directions() {
    let mut app = create_app();
    let turned = Transform::from_rotation(Quat::from_rotation_y(FRAC_PI_2));
    let water = app.world_mut().spawn((Water(create_lake_world()), turned)).id();
    let push = Edit::Push { velocity: [1.0, 0.0] };
    app.world_mut().write_message(WaterEdit::new(
        water,
        Brush::with_flat_falloff(Region::Everywhere),
        push,
    ));
    (0..4).for_each(|_| app.update());
    let found = run_query(&mut app, move |waters| {
        waters.sample_water_at(water, Vec3::new(12.0, 0.0, -16.0))
    })
    .unwrap();
    assert!(found.velocity.z < -0.3 && found.velocity.x.abs() < 0.05, "{}", found.velocity);
}

#[test]
fn side_views_are_upright() {
    let mut app = create_app();
    let blocks = app.world_mut().spawn(BlockWorld(create_cave_world())).id();
    let pools = app.world_mut().spawn((Pools(pools()), Transform::from_xyz(50.0, 0.0, 0.0))).id();
    app.update();
    // The point is 1.5 m below the top of the world and half a cell below the surface.
    let found = run_query(&mut app, move |waters| {
        waters.sample_water_at(blocks, Vec3::new(2.0, -1.5, 0.0))
    })
    .unwrap();
    assert!((found.surface.unwrap().y + 1.0).abs() < 0.3, "{found:?}");
    assert!(found.depth > 0.2 && found.pressure > 2.0, "{found:?}");
    for _ in 0..2000 {
        app.update();
    }
    let level = 6.0 - 8.0 / 9.0 - 0.5;
    let found = run_query(&mut app, move |waters| {
        waters.sample_water_at(pools, Vec3::new(54.0, -5.4, 0.0))
    })
    .unwrap();
    assert!((found.surface.unwrap().y + level as f32).abs() < 0.05, "{found:?}");
    assert!((found.depth - (5.4 - level as f32)).abs() < 0.05, "{found:?}");
}

#[test]
fn lines_and_areas_can_be_queried() {
    let mut app = create_app();
    let water = app.world_mut().spawn(Water(create_lake_world())).id();
    app.world_mut().spawn((Pond(pond()), Transform::from_xyz(40.0, 0.0, 0.0)));
    app.update();
    let depths = run_query(&mut app, |waters| {
        let line = waters.sample_line(Vec3::new(0.5, 0.0, 5.0), Vec3::new(48.5, 0.0, 5.0), 5);
        line.map(|found| found.map(|found| found.depth)).collect::<Vec<_>>()
    });
    let wet = [true, true, true, false, true];
    assert_eq!(depths.iter().map(Option::is_some).collect::<Vec<_>>(), wet, "{depths:?}");
    assert_eq!(depths[4], Some(1.0), "the pond's");
    let region = Region::rect([4.0, 4.0], [8.0, 6.0]);
    let volume = run_query(&mut app, move |waters| waters.volume_in(water, &region)).unwrap();
    assert!((volume.unwrap() - 16.0).abs() < 1e-6);
    let none = Region::disc([0.0, 0.0], -1.0);
    assert!(run_query(&mut app, move |waters| waters.volume_in(water, &none)).is_err());
}

/// Regression test: before the first step, queries used to be evaluated at the origin.
#[test]
fn queries_work_before_the_first_step() {
    let mut app = create_app();
    let parent = app.world_mut().spawn(Transform::from_xyz(1000.0, 0.0, 0.0)).id();
    let water = app.world_mut().spawn((Water(create_lake_world()), ChildOf(parent))).id();
    let at = |app: &mut App, x: f32| {
        run_query(app, move |waters| waters.sample_at(Vec3::new(x, 0.0, 10.0)))
    };
    assert_eq!(at(&mut app, 10.0), None);
    assert!(at(&mut app, 1010.0).is_some());
    let place = Vec3::new(1010.0, 0.0, 10.0);
    assert_eq!(
        run_query(&mut app, move |waters| waters.to_model_point(water, place)),
        Some([10.0, 10.0])
    );
    // A parent added later applies from the next frame even without a step.
    let late = app.world_mut().spawn(Water(create_lake_world())).id();
    app.world_mut().entity_mut(late).insert(ChildOf(parent));
    app.world_mut().run_schedule(PreUpdate);
    assert_eq!(
        run_query(&mut app, move |waters| waters.to_model_point(late, place)),
        Some([10.0, 10.0])
    );
}

#[test]
fn samples_are_scaled_with_the_water() {
    let mut app = create_app();
    let slope = Field::from_fn(32, 24, |x, _| 4.0 - 0.1 * x as f32);
    let bed = Field::new(32, 24, 0.0);
    let flow = Flow::new(Square::new(32, 24, 1.0, 1.0).unwrap(), Params::default(), bed, slope);
    let place = Transform::from_scale(Vec3::new(2.0, 3.0, 2.0));
    let clock = WaterClock { paused: true, ..default() };
    app.world_mut().spawn((Water(flow.unwrap()), place, clock));
    app.update();
    let found = run_query(&mut app, |waters| waters.sample_at(Vec3::new(21.0, 3.0, 20.0))).unwrap();
    let height = found.surface.unwrap().y - found.bed.unwrap().y;
    assert!((found.depth - height).abs() < 1e-4, "{found:?}");
    assert!((found.submersion - (found.surface.unwrap().y - 3.0)).abs() < 1e-4, "{found:?}");
    assert!((found.pressure - 9.81 * found.submersion / 3.0).abs() < 1e-3, "{found:?}");
    // The surface falls by 0.3 m over 2 m.
    let steep = Vec3::new(0.15, 1.0, 0.0).normalize();
    assert!(found.normal.distance(steep) < 1e-4, "{} instead of {steep}", found.normal);
}

#[test]
fn a_ray_hits_the_nearer_of_water_and_ground() {
    let mut app = create_app();
    let turned = Transform::from_xyz(100.0, 5.0, -30.0).with_rotation(Quat::from_rotation_y(0.4));
    let mut flow = create_lake_world();
    let island = Brush::with_flat_falloff(Region::rect([20.0, 0.0], [32.0, 24.0]));
    flow.edit(&island, flow::Edit::Raise(flow::Change::By(6.0))).unwrap();
    flow.edit(&island, flow::Edit::Remove(flow::Amount::Depth(9.0))).unwrap();
    let water = app.world_mut().spawn((Water(flow), turned)).id();
    let side = Transform::from_xyz(-100.0, 0.0, 0.0);
    let blocks = app.world_mut().spawn((BlockWorld(create_cave_world()), side)).id();
    let clock = WaterClock { paused: true, ..default() };
    for entity in [water, blocks] {
        app.world_mut().entity_mut(entity).insert(clock);
    }
    app.update();
    let hit = |app: &mut App, from: Vec3, to: Vec3| {
        let ray = |from: Vec3, to: Vec3| Ray3d::new(from, Dir3::new(to - from).unwrap());
        run_query(app, move |waters| {
            let (from, to) = (turned.transform_point(from), turned.transform_point(to));
            waters.cast_ray(ray(from, to), 200.0)
        })
    };
    let there = |found: &WaterHit| turned.compute_affine().inverse().transform_point3(found.at);
    let lake = hit(&mut app, Vec3::new(5.0, 10.0, 3.0), Vec3::new(10.0, 0.0, 8.0)).unwrap();
    assert_eq!((lake.water, lake.on_water), (water, true));
    assert!(there(&lake).distance(Vec3::new(10.0, 0.0, 8.0)) < 1e-2, "{}", there(&lake));
    let top = hit(&mut app, Vec3::new(26.5, 50.0, 12.5), Vec3::new(26.5, 0.0, 12.5)).unwrap();
    assert_eq!((top.on_water, (there(&top).y - 4.0).abs() < 1e-2), (false, true), "{top:?}");
    let cliff = hit(&mut app, Vec3::new(5.0, 2.0, 12.0), Vec3::new(30.0, 2.0, 12.0)).unwrap();
    assert!(!cliff.on_water && (there(&cliff).x - 19.5).abs() < 1.0, "{}", there(&cliff));
    // From under water the ray hits the bed.
    let bed = hit(&mut app, Vec3::new(5.0, -0.5, 12.0), Vec3::new(6.0, -2.0, 12.0)).unwrap();
    assert!(!bed.on_water && (there(&bed).y + 2.0).abs() < 1e-2, "{}", there(&bed));
    for (from, to) in [
        (Vec3::new(5.0, 3.0, 3.0), Vec3::new(5.0, 9.0, 3.0)),
        (Vec3::new(-50.0, 3.0, 3.0), Vec3::new(-50.0, -3.0, 3.0)),
    ] {
        assert_eq!(hit(&mut app, from, to), None);
    }
    let ray = Ray3d::new(Vec3::new(-98.0, -2.5, 30.0), Dir3::NEG_Z);
    let pool = run_query(&mut app, move |waters| waters.cast_ray(ray, 100.0)).unwrap();
    assert_eq!((pool.water, pool.distance, pool.on_water), (blocks, 30.0, true));
}
