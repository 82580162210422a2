//! Tests of floating bodies in columns: draft, waves and ice.

use crate::support::columns::{advance_by, level_at};
use headwater::columns::{Anchor, Body, Columns, Edit, Heat, Motion, Params, Shape};
use headwater::{Field, Id, Region};

/// Returns a basin of 80 × 16 cells of 0.25 m, with water 3 m deep below 1 m of air.
fn basin(params: Params) -> Columns {
    let walls = Field::from_fn(80, 16, |x, _| x == 0 || x == 79);
    Columns::new(&walls, 0.25, &[Anchor::new_level([1.0, 1.0])], params).unwrap()
}

fn body_center(world: &Columns, index: usize) -> [f64; 2] {
    let (Shape::Box { center, .. } | Shape::Disc { center, .. }) = world.bodies()[index].shape;
    center
}

#[test]
fn crates_float_at_the_draft_of_archimedes() {
    let mut pool = basin(Params { damping: 0.3, ..Params::default() });
    let volume = pool.volume();
    // The body is 2 m wide, 1 m high and has a draft of 0.6 m.
    let body = Shape::Box { center: [10.0, 0.6], half: [1.0, 0.5] };
    pool.add_body(Body::new(body, 1200.0)).unwrap();
    advance_by(&mut pool, 120.0);
    // The displaced volume raises the water in the remaining 17.5 m.
    let beside = level_at(&pool, [3.0, 3.0]).unwrap();
    assert!((beside - 3.0 - 1.2 / 17.5 * 17.5 / 19.5).abs() < 0.01, "{beside}");
    let keel = 4.0 - body_center(&pool, 0)[1] - 0.5;
    assert!((beside - keel - 0.6).abs() < 0.02, "{beside} {keel}");
    let under = level_at(&pool, [10.0, 3.0]).unwrap();
    assert!((under - beside).abs() < 0.01, "level, also where it floats: {under} {beside}");
    assert!(!pool.is_under_water([10.0, 4.0 - keel - 0.3]), "there is no water in it");
    assert!(pool.is_under_water([10.0, 4.0 - keel + 0.3]));
    assert!((body_center(&pool, 0)[0] - 10.0).abs() < 0.05, "it does not wander");
    assert_eq!(pool.volume(), volume);
    assert_eq!(pool.awake_pool_count(), 0, "it comes to rest");
    let taken = pool.remove_body(Id::new(0)).unwrap();
    assert_eq!(taken.mass, 1200.0);
    advance_by(&mut pool, 60.0);
    assert!((level_at(&pool, [10.0, 3.0]).unwrap() - 3.0).abs() < 0.01);
}

#[test]
fn falling_bodies_make_waves_and_pushed_bodies_drag_water() {
    for motion in [Motion::Discharge, Motion::Springs] {
        let mut pool = basin(Params { motion, ..Params::default() });
        let disc = Shape::Disc { center: [10.0, 0.3], radius: 0.3 };
        pool.add_body(Body::new(disc, 150.0)).unwrap();
        let (mut east, mut west) = (0.0_f64, 0.0_f64);
        for _ in 0..300 {
            pool.step();
            east = east.max((level_at(&pool, [13.1, 3.0]).unwrap() - 3.0).abs());
            west = west.max((level_at(&pool, [6.9, 3.0]).unwrap() - 3.0).abs());
        }
        assert!(east > 0.01 && (east / west - 1.0).abs() < 0.1, "{motion:?}: {east} {west}");
        let depth = body_center(&pool, 0)[1] - 1.0;
        assert!(depth.abs() < 0.3, "{motion:?}: it floats: {depth}");
    }
    let mut pool = basin(Params { damping: 0.0, ..Params::default() });
    let body = Shape::Box { center: [6.0, 1.0], half: [0.5, 0.25] };
    let raft = Body { velocity: [3.0, 0.0], ..Body::new(body, 250.0) };
    pool.add_body(raft).unwrap();
    advance_by(&mut pool, 1.0);
    let raft = pool.bodies()[0];
    assert!(raft.velocity[0] < 2.5 && body_center(&pool, 0)[0] > 7.0, "{raft:?}");
    assert!(pool.layer("velocity").unwrap().min_max().unwrap().1 > 0.02);
    // Flowing water drags a body with it.
    let mut stream = basin(Params { damping: 0.0, ..Params::default() });
    let still = Shape::Box { center: [10.0, 1.0], half: [0.5, 0.25] };
    stream.add_body(Body::new(still, 250.0)).unwrap();
    stream.edit(&Region::Everywhere, Edit::Push(1.0)).unwrap();
    advance_by(&mut stream, 2.0);
    assert!(body_center(&stream, 0)[0] > 10.2, "{:?}", stream.bodies()[0]);
}

#[test]
fn stones_sink_and_walls_stop_drifting_bodies() {
    let mut pool = basin(Params::default());
    let stone = Shape::Disc { center: [5.0, 0.5], radius: 0.25 };
    pool.add_body(Body::new(stone, 500.0)).unwrap();
    let log = Shape::Box { center: [18.0, 1.0], half: [0.5, 0.125] };
    pool.add_body(Body { velocity: [4.0, 0.0], ..Body::new(log, 60.0) }).unwrap();
    advance_by(&mut pool, 20.0);
    assert!(
        (body_center(&pool, 0)[1] - 3.75).abs() < 0.05,
        "on the ground: {:?}",
        body_center(&pool, 0)
    );
    assert!(body_center(&pool, 1)[0] <= 19.25 + 1e-9, "{:?}", body_center(&pool, 1));
    let error = pool.set_body(Id::new(7), Body::new(log, 60.0)).unwrap_err().to_string();
    assert_eq!(error, "a body: found the id 7, allowed is one of 2 from 0 to 1");
    let error = pool.add_body(Body::new(log, -1.0)).unwrap_err().to_string();
    assert_eq!(error, "a body's mass: found -1, allowed is 0.001 to 1e12 kg");
}

/// Regression test: the water surface had a permanent dent of 0.8 m above a sunken boulder (issue
/// 22).
#[test]
fn the_surface_above_a_sunken_body_is_level() {
    let mut pool = basin(Params { damping: 0.5, ..Params::default() });
    let boulder = Shape::Disc { center: [10.0, 0.8], radius: 0.6 };
    pool.add_body(Body::new(boulder, 3000.0)).unwrap();
    advance_by(&mut pool, 120.0);
    assert!(
        (body_center(&pool, 0)[1] - 3.4).abs() < 0.05,
        "on the ground: {:?}",
        body_center(&pool, 0)
    );
    let beside = level_at(&pool, [4.0, 3.0]).unwrap();
    assert!((beside - 3.0 - 0.36 * std::f64::consts::PI / 19.5).abs() < 0.01, "{beside}");
    for x in [9.3, 9.6, 10.0, 10.3, 10.7] {
        let above = level_at(&pool, [x, 3.0]).unwrap();
        assert!((above - beside).abs() < 0.02, "{x}: {above} {beside}");
    }
}

#[test]
fn ice_holds_frozen_bodies_and_supports_falling_ones() {
    let heat = Heat { air: -30.0, water: Some(0.0), pace: 1e4, ..Heat::default() };
    let mut lake = basin(Params { damping: 1.0, heat: Some(heat), ..Params::default() });
    let log = Shape::Box { center: [5.0, 1.0], half: [0.5, 0.25] };
    lake.add_body(Body::new(log, 250.0)).unwrap();
    advance_by(&mut lake, 5.0);
    let caught = lake.bodies()[0];
    lake.set_body(Id::new(0), Body { velocity: [2.0, 0.0], ..caught }).unwrap();
    let stone = Shape::Disc { center: [12.0, 0.3], radius: 0.25 };
    lake.add_body(Body::new(stone, 500.0)).unwrap();
    advance_by(&mut lake, 3.0);
    assert_eq!(lake.bodies()[0].shape, caught.shape, "held fast");
    let top =
        level_at(&lake, [12.0, 2.0]).unwrap() + lake.ice_thickness_at([12.0, 2.0]).unwrap() * 0.083;
    let [_, down] = body_center(&lake, 1);
    assert!((4.0 - down - 0.25 - top).abs() < 0.02, "on the ice: {down} {top}");
    lake.set_air_temperature(40.0).unwrap();
    advance_by(&mut lake, 60.0);
    assert!(body_center(&lake, 1)[1] > 3.7, "it melts, and the stone goes down");
}

/// Returns a world with two adjacent halls that are separated by a lintel. Below them is a cave
/// with water `cave_depth` metres deep. A boat with the given half width (m) floats `distance`
/// metres from the lintel. A hole has just been dug through the floor below the boat.
fn boat_at_a_lintel(half_width: f64, distance: f64, cave_depth: f64) -> Columns {
    let walls = Field::from_fn(80, 40, |x, y| {
        let lintel = (38..42).contains(&x) && y < 12;
        x == 0 || x == 79 || lintel || (20..22).contains(&y)
    });
    let mut anchors = vec![Anchor::new_level([1.0, 1.0])];
    if cave_depth > 0.0 {
        anchors.push(Anchor::new_level([1.0, 10.0 - cave_depth]));
    }
    let mut halls = Columns::new(&walls, 0.25, &anchors, Params::default()).unwrap();
    let boat = Shape::Box { center: [9.5 - distance - half_width, 0.9], half: [half_width, 0.3] };
    halls.add_body(Body::new(boat, 1000.0 * half_width * 0.6)).unwrap();
    advance_by(&mut halls, 5.0);
    let [east, _] = body_center(&halls, 0);
    let hole = Region::rect([east - 0.5, 5.0], [east + 0.5, 5.5]);
    assert!(halls.set_walls(&hole, false).unwrap() > 0);
    halls
}

/// Regression test: the boat jumped up to 4 m in one step because of the water levels in adjacent
/// columns.
#[test]
fn a_boat_stays_steady_where_water_falls_to_a_lower_floor() {
    for half_width in [0.4, 0.9] {
        for distance in [0.0, 0.1, 0.6] {
            for cave_depth in [0.0, 1.5, 4.0] {
                let mut halls = boat_at_a_lintel(half_width, distance, cave_depth);
                let mut before = halls.bodies()[0];
                for step in 0..1200 {
                    let [x, y] = body_center(&halls, 0);
                    halls.step();
                    let now = halls.bodies()[0];
                    let [east, down] = body_center(&halls, 0);
                    let moved = (east - x).hypot(down - y);
                    let speed = |body: &Body| body.velocity[0].hypot(body.velocity[1]);
                    let flown = speed(&before).max(speed(&now)) / 60.0;
                    assert!(
                        moved < flown + 0.3,
                        "{half_width} {distance} {cave_depth}: {moved} m in step {step}, {before:?} to {now:?}"
                    );
                    before = now;
                }
            }
        }
    }
}

/// Regression test: bodies placed in walls or off the grid rose by a metre per step or fell (issue
/// 27).
#[test]
fn bodies_in_walls_or_off_the_grid_are_rejected() {
    let mut pool = basin(Params::default());
    let body = |center| Body::new(Shape::Box { center, half: [0.25, 0.25] }, 100.0);
    for center in [[0.1, 3.0], [19.9, 3.0], [500.0, 1.0], [-3.0, 2.0], [5.0, 4.5]] {
        let error = pool.add_body(body(center)).unwrap_err().to_string();
        assert!(error.contains("in the open, on the grid of 20 × 4 m"), "{error}");
    }
    let id = pool.add_body(body([5.0, -3.0])).unwrap();
    assert!(pool.set_body(id, body([0.1, 3.0])).is_err());
    // A body that only touches a wall slides down along the wall.
    pool.add_body(Body::new(Shape::Box { center: [0.25, 3.0], half: [0.25, 0.25] }, 500.0))
        .unwrap();
    advance_by(&mut pool, 20.0);
    for index in 0..2 {
        let [_, y] = body_center(&pool, index);
        assert!((0.5..4.0).contains(&y), "body {index} is at {y} m");
    }
}

/// Regression test: a body enclosed by walls rose out of the world (issue 27).
#[test]
fn a_body_enclosed_by_walls_stays_in_place() {
    let mut pool = basin(Params::default());
    let shape = Shape::Box { center: [10.0, 2.0], half: [0.5, 0.25] };
    pool.add_body(Body::new(shape, 100.0)).unwrap();
    advance_by(&mut pool, 10.0);
    pool.set_walls(&Region::rect([8.0, 0.0], [12.0, 4.0]), true).unwrap();
    let there = body_center(&pool, 0);
    advance_by(&mut pool, 20.0);
    assert_eq!(body_center(&pool, 0), there);
    assert_eq!(pool.bodies()[0].velocity, [0.0; 2]);
    // The body floats again after it has been dug out.
    pool.set_walls(&Region::rect([8.0, 0.0], [12.0, 4.0]), false).unwrap();
    pool.edit(&Region::rect([13.0, 0.0], [18.0, 4.0]), Edit::Pour(4.0)).unwrap();
    advance_by(&mut pool, 60.0);
    assert_ne!(body_center(&pool, 0), there);
}
