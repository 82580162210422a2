use crate::apps::{create_app, create_cave_world, create_lake_world, pond, pools};
use bevy::prelude::*;
use bevy_headwater::headwater::flow::{self, Edit};
use bevy_headwater::headwater::model::BodyState;
use bevy_headwater::headwater::{Brush, Region, columns, waves};
use bevy_headwater::prelude::*;

#[test]
fn a_raft_floats_at_its_draught_and_drifts() {
    let mut app = create_app();
    let water = app
        .world_mut()
        .spawn((Water(create_lake_world()), Transform::from_xyz(0.0, 10.0, 0.0)))
        .id();
    // The body is 1 m high and half submerged.
    let body = flow::Body::rect([10.0, 12.0], [4.0, 2.0], 0.0, 4000.0, 1.0);
    let raft = app.world_mut().spawn(Floats::new(water, body)).id();
    let child = app.world_mut().spawn((Floats::new(water, body), ChildOf(water))).id();
    for _ in 0..320 {
        app.update();
    }
    let place = app.world().get::<Transform>(raft).unwrap().translation;
    assert!((place.y - 10.0).abs() < 0.1, "its middle lies at the surface: {place}");
    let local = app.world().get::<Transform>(child).unwrap().translation;
    assert!(local.y.abs() < 0.1, "in the water's space: {local}");
    let push = Edit::Push { velocity: [0.6, 0.0] };
    app.world_mut().write_message(WaterEdit::new(
        water,
        Brush::with_flat_falloff(Region::Everywhere),
        push,
    ));
    for _ in 0..48 {
        app.update();
    }
    let moved = app.world().get::<Transform>(raft).unwrap().translation.x - place.x;
    assert!(moved > 0.05, "{moved} m to the east");
    assert!(app.world().get::<Floats>(raft).unwrap().velocity().length() > 0.0);
}

#[test]
fn removing_an_entity_removes_its_body() {
    let mut app = create_app();
    let water = app.world_mut().spawn(Pond(pond())).id();
    let duck = waves::Body::new(waves::Shape::Disc { radius: 0.5 }, [5.0, 5.0], 0.05);
    let ducks: Vec<_> =
        (0..3).map(|_| app.world_mut().spawn(Floats::new(water, duck)).id()).collect();
    app.update();
    assert_eq!(app.world().get::<Pond>(water).unwrap().bodies().len(), 3);
    app.world_mut().despawn(ducks[1]);
    app.world_mut().entity_mut(ducks[2]).remove::<Floats>();
    app.update();
    assert_eq!(app.world().get::<Pond>(water).unwrap().bodies().len(), 1);
    // The water is despawned first, so nothing is left to remove the duck from.
    app.world_mut().despawn(water);
    app.world_mut().despawn(ducks[0]);
    app.update();
}

#[test]
fn crates_float_in_pools_and_are_refused_by_blocks() {
    let mut app = create_app();
    let pools = app.world_mut().spawn(Pools(pools())).id();
    let center = [4.0, 2.0];
    let shape = columns::Shape::Box { center, half: [0.5, 0.5] };
    let floating = app.world_mut().spawn(Floats::new(pools, columns::Body::new(shape, 400.0))).id();
    let blocks = app.world_mut().spawn(BlockWorld(create_cave_world())).id();
    let (size, heading, velocity) = ([1.0, 1.0], 0.0, [0.0; 2]);
    let body = BodyState { position: [2.0, 2.0], size, heading, velocity, draft: 0.5 };
    app.world_mut().spawn(Floats::new(blocks, body));
    app.update();
    let refused = app.world().resource::<Messages<WaterRefused>>();
    assert!(refused.iter_current_update_messages().any(|refused| refused.water == blocks));
    for _ in 0..600 {
        app.update();
    }
    let place = app.world().get::<Transform>(floating).unwrap().translation;
    let surface = app.world().get::<Pools>(pools).unwrap().surface_at([place.x.into(), 5.0]);
    // The body is submerged to 0.4 of its height.
    let middle = -surface.unwrap() as f32 + 0.1;
    assert!((place.y - middle).abs() < 0.1, "at {place}, the water at {surface:?}");
}
