use crate::apps::{app, dam, lake};
use bevy::prelude::*;
use bevy_headwater::headwater::flow::{Amount, Boundary, BoundaryKind, Change, Edit};
use bevy_headwater::headwater::{Brush, Edge, Region};
use bevy_headwater::prelude::*;

/// All messages of a kind that come while an app is updated so often.
fn all<M: Message + Clone>(app: &mut App, updates: usize) -> Vec<M> {
    let mut cursor = app.world().resource::<Messages<M>>().get_cursor_current();
    let mut found = Vec::new();
    for _ in 0..updates {
        app.update();
        found.extend(cursor.read(app.world().resource::<Messages<M>>()).cloned());
    }
    found
}

#[test]
fn a_sensor_tells_when_a_flood_comes_and_goes_once_each() {
    let mut app = app();
    let water = app.world_mut().spawn((Water(dam()), Transform::from_xyz(10.0, 0.0, 0.0))).id();
    // 20 m below the dam, in the valley: the water stands 10 m farther to the east.
    let sensor = FloodSensor::of(water);
    let house = app.world_mut().spawn((sensor, Transform::from_xyz(80.0, 0.0, 40.0))).id();
    assert_eq!(all::<Flooded>(&mut app, 30), []);
    let breach = Brush::soft([43.0, 40.0], 6.0);
    app.world_mut().write_message(WaterEdit::new(water, breach, Edit::Lower(Change::By(6.0))));
    assert_eq!(all::<Flooded>(&mut app, 500), [Flooded { entity: house, on: true }]);
    assert!(app.world().get::<FloodSensor>(house).unwrap().is_flooded());
    let all_of_it = Brush::flat(Region::Everywhere);
    let dry = Edit::Remove(Amount::Depth(100.0));
    app.world_mut().write_message(WaterEdit::new(water, all_of_it, dry));
    assert_eq!(all::<Flooded>(&mut app, 10), [Flooded { entity: house, on: false }]);
}

#[test]
fn waters_tell_when_they_come_to_rest_and_when_they_are_stirred() {
    let mut app = app();
    let water = app.world_mut().spawn(Water(lake())).id();
    assert_eq!(all::<WaterSettled>(&mut app, 200), [WaterSettled { water, on: true }]);
    assert!(app.world().get::<WaterState>(water).unwrap().is_resting());
    let pour = Brush::soft([10.0, 10.0], 3.0);
    app.world_mut().write_message(WaterEdit::new(water, pour, Edit::Pour(Amount::Depth(0.5))));
    assert_eq!(all::<WaterSettled>(&mut app, 2), [WaterSettled { water, on: false }]);
}

#[test]
fn what_goes_over_the_edge_is_told() {
    let mut app = app();
    let mut flow = lake();
    flow.set_boundary(Boundary::whole(Edge::East, BoundaryKind::Open)).unwrap();
    let before = flow.volume();
    let water = app.world_mut().spawn(Water(flow)).id();
    let spilled: f64 = all::<WaterSpilled>(&mut app, 60).iter().map(|spilled| spilled.volume).sum();
    let left = before - app.world().get::<Water>(water).unwrap().volume();
    assert!(left > 1.0, "{left} m³ went");
    assert!((spilled - left).abs() < 1e-3 * left, "{spilled} of {left} m³ were told");
    assert_eq!(app.world().get::<WaterState>(water).unwrap().spilled(), spilled);
}
