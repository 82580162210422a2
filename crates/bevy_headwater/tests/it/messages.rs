use crate::apps::{create_app, create_dam_world, create_lake_world, pond};
use bevy::ecs::system::RunSystemOnce;
use bevy::prelude::*;
use bevy_headwater::headwater::flow::{Amount, Boundary, BoundaryKind, Change, Edit};
use bevy_headwater::headwater::{Brush, Edge, Region};
use bevy_headwater::prelude::*;

/// Returns all messages of a type that are written during `updates` updates of an app.
pub(crate) fn collect_messages<M: Message + Clone>(app: &mut App, updates: usize) -> Vec<M> {
    let mut cursor = app.world().resource::<Messages<M>>().get_cursor_current();
    let mut found = Vec::new();
    for _ in 0..updates {
        app.update();
        found.extend(cursor.read(app.world().resource::<Messages<M>>()).cloned());
    }
    found
}

#[test]
fn a_sensor_reports_each_change_once() {
    let mut app = create_app();
    let water = app
        .world_mut()
        .spawn((Water(create_dam_world()), Transform::from_xyz(10.0, 0.0, 0.0)))
        .id();
    // 20 m below the dam in the valley, the water is 10 m farther east.
    let sensor = FloodSensor::for_water(water);
    let house = app.world_mut().spawn((sensor, Transform::from_xyz(80.0, 0.0, 40.0))).id();
    assert_eq!(collect_messages::<Flooded>(&mut app, 30), []);
    let breach = Brush::smooth_disc([43.0, 40.0], 6.0);
    app.world_mut().write_message(WaterEdit::new(water, breach, Edit::Lower(Change::By(6.0))));
    assert_eq!(
        collect_messages::<Flooded>(&mut app, 500),
        [Flooded { entity: house, is_flooded: true }]
    );
    assert!(app.world().get::<FloodSensor>(house).unwrap().is_flooded());
    let all_of_it = Brush::with_flat_falloff(Region::Everywhere);
    let dry = Edit::Remove(Amount::Depth(100.0));
    app.world_mut().write_message(WaterEdit::new(water, all_of_it, dry));
    assert_eq!(
        collect_messages::<Flooded>(&mut app, 10),
        [Flooded { entity: house, is_flooded: false }]
    );
}

#[test]
fn coming_to_rest_and_disturbance_are_reported() {
    let mut app = create_app();
    let water = app.world_mut().spawn(Water(create_lake_world())).id();
    assert_eq!(
        collect_messages::<WaterSettled>(&mut app, 200),
        [WaterSettled { water, is_at_rest: true }]
    );
    assert!(app.world().get::<WaterState>(water).unwrap().is_resting());
    let pour = Brush::smooth_disc([10.0, 10.0], 3.0);
    app.world_mut().write_message(WaterEdit::new(water, pour, Edit::Pour(Amount::Depth(0.5))));
    assert_eq!(
        collect_messages::<WaterSettled>(&mut app, 2),
        [WaterSettled { water, is_at_rest: false }]
    );
}

#[test]
fn spilled_water_is_reported() {
    let mut app = create_app();
    let mut flow = create_lake_world();
    flow.set_boundary(Boundary::on_edge(Edge::East, BoundaryKind::Open)).unwrap();
    let before = flow.volume();
    let water = app.world_mut().spawn(Water(flow)).id();
    let spilled: f64 =
        collect_messages::<WaterSpilled>(&mut app, 60).iter().map(|spilled| spilled.volume).sum();
    let left = before - app.world().get::<Water>(water).unwrap().volume();
    assert!(left > 1.0, "{left} m³ went");
    assert!((spilled - left).abs() < 1e-3 * left, "{spilled} of {left} m³ were reported");
    assert_eq!(app.world().get::<WaterState>(water).unwrap().spilled_volume(), spilled);
}

/// Regression test: sensors used to report water far below them.
#[test]
fn sensors_respect_their_elevation() {
    let mut app = create_app();
    let water = app
        .world_mut()
        .spawn((Water(create_lake_world()), Transform::from_xyz(0.0, 12.0, 0.0)))
        .id();
    // The bed is at 10 m, the surface at 12 m.
    let sensor = FloodSensor::for_water(water).with_depth(0.5);
    let spawn = |app: &mut App, sensor: FloodSensor, y: f32| {
        app.world_mut().spawn((sensor, Transform::from_xyz(16.0, y, 12.0))).id()
    };
    let [high, dry, nose, ground, mine] =
        [500.0, 11.7, 11.2, 10.0, 3.0].map(|y| spawn(&mut app, sensor, y));
    let deep = FloodSensor { depth: 2.5, ..default() };
    let [deep, none] =
        [deep, sensor.with_depth(f32::NAN)].map(|sensor| spawn(&mut app, sensor, 9.0));
    (0..3).for_each(|_| app.update());
    let flooded = |entity| app.world().get::<FloodSensor>(entity).unwrap().is_flooded();
    let found = [high, dry, nose, ground, mine, deep, none].map(flooded);
    assert_eq!(found, [false, false, true, true, true, false, false]);
    let pressure = app
        .world_mut()
        .run_system_once(|waters: WaterQuery| {
            [500.0, 3.0].map(|y| waters.sample_at(Vec3::new(16.0, y, 12.0)).unwrap().pressure)
        })
        .unwrap();
    assert_eq!(pressure[0], 0.0);
    assert!((pressure[1] - 2.0 * 9.81).abs() < 1e-3, "in the ground, that on it: {}", pressure[1]);
}

#[test]
fn invalid_combinations_of_components_are_reported() {
    let mut app = create_app();
    let both = app.world_mut().spawn((Water(create_lake_world()), Pond(pond()))).id();
    let one = app.world_mut().spawn((Water(create_lake_world()), WaterBackend::Gpu)).id();
    let refused = collect_messages::<WaterRefused>(&mut app, 3);
    let of = |water| refused.iter().filter(|refused| refused.water == water).collect::<Vec<_>>();
    assert!(
        matches!(&of(both)[..], [it] if it.error.contains("`Pond` stands still")),
        "{refused:?}"
    );
    // This app does not render.
    assert!(matches!(&of(one)[..], [it] if it.error.to_lowercase().contains("gpu")), "{refused:?}");
}
