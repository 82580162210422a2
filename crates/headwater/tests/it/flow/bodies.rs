//! Tests of floating bodies: buoyancy, drift, stranding, collisions with walls, and momentum
//! exchange with the water.

use crate::support::flow::{CellShape, WORLDS, busy_world, lattice, step_and_compare};
use crate::support::on_threads;
use headwater::flow::{
    Amount, Body, Boundary, BoundaryKind, Edit, Flow, Params, Physics, WATER_DENSITY,
};
use headwater::{Brush, Edge, Field, Id, Region};

/// Returns a lake 3 m deep over a level bed. With the pipe model, the pipe cross-section matches
/// this depth.
fn lake((cells, physics): (CellShape, Physics), nx: usize, ny: usize, friction: f64) -> Flow {
    let params =
        Params { level: physics, pipe_area: 3.0, friction, manning: 0.0, ..Params::default() };
    let (bed, depth) = (Field::new(nx, ny, 0.0), Field::new(nx, ny, 3.0));
    Flow::new(lattice(cells, nx, ny, 1.0), params, bed, depth).unwrap()
}

/// Returns a floating box of 4 m × 3 m with a draft of 0.5 m, whose centre is at `at` (m).
fn pontoon(at: [f64; 2]) -> Body {
    Body::rect(at, [4.0, 3.0], 0.3, 6000.0, 1.2)
}

fn max_speed(flow: &Flow) -> f32 {
    flow.layer("speed").unwrap().min_max().unwrap().1
}

#[test]
fn floating_body_displaces_its_volume_and_stays_at_rest() {
    for world in WORLDS {
        let mut flow = lake(world, 41, 30, 0.5);
        let area = flow.lattice().cell_area() * flow.lattice().cell_count() as f64;
        let volume = flow.volume();
        let start = [20.2, 13.1];
        flow.add_body(pontoon(start)).unwrap();
        flow.advance(60.0).unwrap();
        let body = flow.bodies()[0];
        assert!((body.draft / body.floating_draft() - 1.0).abs() < 1e-3, "{world:?} {body:?}");
        assert_eq!(body.floating_draft(), 6000.0 / WATER_DENSITY / 12.0);
        // Far away, the lake has risen by the displaced volume.
        let rise = f64::from(flow.surface_at([4.0, 4.0]).unwrap()) - 3.0;
        let expected = 6.0 / area;
        assert!((rise / expected - 1.0).abs() < 0.01, "{world:?}: {rise} of {expected}");
        // Under the body the surface is lowered by the body's draft, down to the keel.
        let under = f64::from(flow.surface_at(body.position).unwrap());
        let level = 3.0 + expected;
        assert!((under - (level - 0.5)).abs() < 0.05, "{world:?}: {under}");
        assert!((body.keel - (level - 0.5)).abs() < 0.002, "{world:?}: {body:?}");
        for _ in 0..200 {
            flow.step(flow.stable_dt()).unwrap();
            let [u, v] = flow.bodies()[0].velocity;
            assert!(u.hypot(v) < 1e-3 && max_speed(&flow) < 1e-3, "{world:?} {u} {v}");
        }
        let [x, y] = flow.bodies()[0].position;
        assert!((x - start[0]).hypot(y - start[1]) < 0.2, "{world:?}: {x}, {y}");
        assert!((flow.volume() / volume - 1.0).abs() < 1e-6);
        assert!(flow.balance().residual_relative.abs() < 1e-6);
    }
}

fn momentum(flow: &Flow) -> [f64; 2] {
    let q = flow.state().momentum.as_ref().unwrap();
    [&q.x, &q.y].map(|q| q.sum() * flow.lattice().cell_area() * WATER_DENSITY)
}

#[test]
fn drag_transfers_momentum_to_the_water() {
    let mut flow = lake((CellShape::Square, Physics::ShallowWater), 90, 81, 0.0);
    let body = Body { velocity: [2.5, -1.0], spin: 0.3, draft: 0.5, ..pontoon([44.3, 41.2]) };
    flow.add_body(body).unwrap();
    let begin = body.velocity.map(|v| v * body.mass);
    // The first waves reach the rim after 6 s.
    while flow.time() < 5.5 {
        flow.step(flow.stable_dt()).unwrap();
        let [water, body] = [momentum(&flow), flow.bodies()[0].velocity.map(|v| v * body.mass)];
        for i in 0..2 {
            let off = water[i] + body[i] - begin[i];
            assert!(off.abs() < 0.03 * begin[0], "{off} at {} s", flow.time());
        }
    }
    let left = flow.bodies()[0].velocity[0];
    assert!((0.0..1.5).contains(&left), "the water does not drag: {left}");
}

#[test]
fn drag_without_gravity_conserves_momentum() {
    // With almost no gravity there is no pressure and there are no waves.
    let params =
        Params { level: Physics::ShallowWater, gravity: 1e-6, manning: 0.0, ..Params::default() };
    let (bed, depth) = (Field::new(60, 51, 0.0), Field::new(60, 51, 3.0));
    let mut flow = Flow::new(lattice(CellShape::Square, 60, 51, 1.0), params, bed, depth).unwrap();
    let boat = Body { velocity: [3.0, 2.0], spin: 0.5, draft: 0.5, ..pontoon([24.7, 22.2]) };
    flow.add_body(boat).unwrap();
    for _ in 0..40 {
        flow.step(0.1).unwrap();
        let [water, body] = [momentum(&flow), flow.bodies()[0].velocity.map(|v| v * boat.mass)];
        for i in 0..2 {
            let begin = boat.velocity[i] * boat.mass;
            assert!((water[i] + body[i] - begin).abs() < 1e-5 * begin, "{water:?} {body:?}");
        }
    }
    let [left, spin] = [flow.bodies()[0].velocity[0], flow.bodies()[0].spin];
    assert!(left > 0.0 && left < 1.5 && spin.abs() < 0.4, "{left} {spin}");
}

#[test]
fn body_drifts_at_the_velocity_of_a_uniform_stream() {
    for world @ (cells, physics) in WORLDS {
        // A slow river, 1.5 m deep, in which friction balances the slope.
        let (nx, ny, slope, speed) = (160, 14, 1e-4_f32, 1.31);
        let friction = if physics == Physics::Pipes { 7.49e-4 } else { 0.0 };
        let params =
            Params { level: physics, pipe_area: 1.5, friction, manning: 0.01, ..Params::default() };
        let lattice = lattice(cells, nx, ny, 1.0);
        let bed = Field::from_fn(nx, ny, |x, y| -slope * lattice.center(x, y)[0] as f32);
        let mut flow = Flow::new(lattice, params, bed, Field::new(nx, ny, 1.5)).unwrap();
        let discharge = || (1.5 * speed).into();
        let (inflow, outflow) = (
            BoundaryKind::Inflow { discharge: discharge() },
            BoundaryKind::Outflow { discharge: discharge() },
        );
        flow.set_boundary(Boundary::on_edge(Edge::West, inflow)).unwrap();
        flow.set_boundary(Boundary::on_edge(Edge::East, outflow)).unwrap();
        let push = Edit::Push { velocity: [speed, 0.0] };
        flow.edit(&Brush::with_flat_falloff(Region::Everywhere), push).unwrap();
        flow.advance(20.0).unwrap();
        let begin = [40.0, 0.5 * lattice.height()];
        flow.add_body(Body { drag: 2.0, ..Body::disc(begin, 0.5, 100.0, 0.6) }).unwrap();
        flow.advance(10.0).unwrap();
        let [x, y] = flow.bodies()[0].position;
        let stream = f64::from(flow.velocity_at([x + 12.0, y]).unwrap()[0]);
        flow.advance(15.0).unwrap();
        let drift = (flow.bodies()[0].position[0] - x) / 15.0;
        assert!((stream / speed - 1.0).abs() < 0.1, "{world:?}: {stream}");
        assert!((drift / stream - 1.0).abs() < 0.06, "{world:?}: {drift} in {stream}");
    }
}

#[test]
fn body_grounds_at_low_water_and_refloats() {
    for world in WORLDS {
        let mut flow = lake(world, 31, 24, 0.5);
        let everywhere = Brush::with_flat_falloff(Region::Everywhere);
        flow.add_body(pontoon([15.0, 11.0])).unwrap();
        flow.advance(10.0).unwrap();
        flow.edit(&everywhere, Edit::Remove(Amount::Depth(2.3))).unwrap();
        flow.advance(40.0).unwrap();
        assert!(!flow.bodies()[0].aground, "0.7 m of water carry 0.5 m of draft");
        for depth in [0.3, 9.0] {
            flow.edit(&everywhere, Edit::Remove(Amount::Depth(depth))).unwrap();
            flow.advance(40.0).unwrap();
            let body = flow.bodies()[0];
            assert!(body.aground && body.keel.abs() < 1e-6, "{world:?} {depth}: {body:?}");
            let draft = if depth < 1.0 { 0.4 } else { 0.0 };
            assert!((body.draft - draft).abs() < 0.03, "{world:?} {depth}: {body:?}");
        }
        let at = flow.bodies()[0].position;
        flow.push_body(Id::new(0), [6000.0 * 0.05, 0.0]).unwrap();
        flow.advance(1.0).unwrap();
        let [x, _] = flow.bodies()[0].position;
        assert!(flow.bodies()[0].velocity == [0.0; 2] && x - at[0] < 0.01, "friction holds it");
        flow.edit(&everywhere, Edit::Pour(Amount::Depth(2.0))).unwrap();
        flow.advance(60.0).unwrap();
        let body = flow.bodies()[0];
        assert!(!body.aground && (body.draft - 0.5).abs() < 0.01, "{world:?}: {body:?}");
        assert!((body.keel - 1.5).abs() < 0.05, "{world:?}: {body:?}");
    }
}

#[test]
fn dense_body_sinks() {
    let mut flow = lake((CellShape::Square, Physics::ShallowWater), 21, 20, 0.3);
    flow.add_body(Body::disc([10.0, 10.0], 1.0, 9000.0, 1.0)).unwrap();
    flow.advance(0.2).unwrap();
    assert!(!flow.bodies()[0].aground);
    flow.advance(10.0).unwrap();
    let stone = flow.bodies()[0];
    assert!(stone.aground && stone.keel.abs() < 1e-9 && stone.draft > 2.9, "{stone:?}");
}

#[test]
fn bodies_do_not_cross_walls_closed_cells_or_edges() {
    for world in WORLDS {
        let mut flow = lake(world, 40, 24, 0.0);
        // A wall with a gap of 4 m, which is too narrow for a log lying across it and wide enough
        // for a box.
        for (from, to) in [(-1.0, 9.0), (13.0, 30.0)] {
            let wall = Region::line([[20.5, from], [20.5, to]], 2.2);
            flow.edit(&Brush::with_flat_falloff(wall), Edit::Close).unwrap();
        }
        flow.add_body(Body::rect([10.0, 11.0], [8.0, 0.8], 1.57, 3000.0, 0.8)).unwrap();
        flow.add_body(Body::disc([10.0, 4.0], 0.3, 100.0, 0.8)).unwrap();
        flow.add_body(Body::disc([13.0, 18.0], 1.4, 2000.0, 0.8)).unwrap();
        for (i, speed) in [(0, 6.0), (1, 300.0), (2, 12.0)] {
            let mass = flow.bodies()[i as usize].mass;
            flow.push_body(Id::new(i), [speed * mass, 0.2 * speed * mass]).unwrap();
        }
        let mut bumped = [false; 3];
        for _ in 0..300 {
            flow.step(flow.stable_dt()).unwrap();
            for (i, body) in flow.bodies().iter().enumerate() {
                let [x, y] = body.position;
                let cell = flow.lattice().cell_at([x, y]).unwrap();
                assert!(!flow.state().closed.contains(cell.0, cell.1), "{world:?} {i}: {x} {y}");
                assert!(x < 20.0 || (i == 1 && x > 9.0), "{world:?}: {i} is through at {x}, {y}");
                bumped[i] |= body.velocity[0] < 1.0;
            }
        }
        assert_eq!(bumped, [true; 3], "{world:?}");
    }
}

#[test]
fn colliding_bodies_separate() {
    let mut flow = lake((CellShape::Square, Physics::Inertial), 40, 20, 0.1);
    for i in 0..6 {
        let at = [8.0 + 4.0 * f64::from(i), 10.0 + 0.3 * f64::from(i % 2)];
        let log = Body::rect(at, [5.0, 0.8], f64::from(i), 2000.0, 0.8);
        let toward = if i < 3 { 2.0 } else { -2.0 };
        flow.add_body(Body { velocity: [toward, 0.0], ..log }).unwrap();
    }
    flow.advance(15.0).unwrap();
    for (i, a) in flow.bodies().iter().enumerate() {
        for b in &flow.bodies()[i + 1..] {
            let apart = (a.position[0] - b.position[0]).hypot(a.position[1] - b.position[1]);
            assert!(apart > 0.7, "{a:?} {b:?}");
        }
    }
}

#[test]
fn falling_body_makes_circular_waves() {
    for world in WORLDS {
        let mut still = lake(world, 61, 60, 0.0);
        let mut pond = still.clone();
        pond.add_body(Body { draft: -2.0, ..Body::disc([30.0, 26.0], 2.0, 9000.0, 1.5) }).unwrap();
        let mut highest = [0.0_f32; 4];
        for flow in [&mut still, &mut pond] {
            highest = [0.0; 4];
            while flow.time() < 4.0 {
                flow.step(flow.stable_dt()).unwrap();
                let around = [[42.0, 26.0], [18.0, 26.0], [30.0, 38.0], [30.0, 14.0]];
                for (highest, at) in highest.iter_mut().zip(around) {
                    *highest = highest.max(flow.surface_at(at).unwrap() - 3.0);
                }
            }
        }
        let mean = highest.iter().sum::<f32>() / 4.0;
        assert!(mean > 0.02, "{world:?}: {highest:?}");
        assert!(highest.iter().all(|h| (h / mean - 1.0).abs() < 0.25), "{world:?}: {highest:?}");
        assert_eq!(still.surface_at([42.0, 26.0]), Some(3.0));
    }
}

#[test]
fn bodies_longer_than_the_diagonal_are_rejected() {
    let mut flow = lake(WORLDS[0], 41, 30, 0.5);
    let log = |length: f64| Body::rect([20.0, 15.0], [length, 1.0], 0.7, 1e4, 1.0);
    let error = flow.add_body(log(1e5)).unwrap_err().to_string();
    assert_eq!(
        error,
        "body: found 100000, allowed is up to 50.803543 m, from one corner of the grid to another"
    );
    let id = flow.add_body(log(50.8)).unwrap();
    flow.step(flow.stable_dt()).unwrap();
    assert!(flow.set_body(id, log(50.9)).is_err());
    assert_eq!(flow.bodies().len(), 1);
}

fn world_with_many_bodies(world: (CellShape, Physics), nx: usize, ny: usize, seed: u64) -> Flow {
    let mut flow = busy_world(world, nx, ny, seed, 0.0);
    let (width, height) = (flow.lattice().width(), flow.lattice().height());
    for i in 0..9 {
        let part = |k: u32| f64::from(i * k % 10) / 10.0 + 0.05;
        let at = [part(3) * width, part(7) * height];
        let body = match i % 3 {
            0 => Body::disc(at, 0.4, 200.0, 0.6),
            1 => Body::rect(at, [6.0, 0.7], f64::from(i), 1500.0, 0.7),
            _ => Body { draft: -1.0, ..Body::rect(at, [3.0, 2.0], 0.2, 2500.0, 1.0) },
        };
        match flow.add_body(Body { velocity: [1.0, -0.5], ..body }) {
            Ok(_) => {}
            Err(error) if error.what == "body" => {}
            Err(error) => panic!("{error}"),
        }
    }
    assert!(flow.bodies().len() > 4);
    flow
}

#[test]
fn fast_path_with_bodies_equals_the_plain_loops() {
    for world in WORLDS {
        let mut plain = world_with_many_bodies(world, 61, 43, 4);
        let begin = plain.clone();
        let mut fast = plain.clone();
        for _ in 0..45 {
            step_and_compare(&mut fast, &mut plain);
        }
        assert_ne!(fast.bodies(), begin.bodies());
        assert_eq!(fast.ledger(), plain.ledger());
        assert_eq!(fast.state().bed, begin.state().bed, "no load stays on the ground");
        let run = |threads: usize| {
            on_threads(threads, || {
                let mut flow = world_with_many_bodies(world, 120, 140, 5);
                flow.advance(1.0).unwrap();
                flow.state_hash()
            })
        };
        assert_eq!(run(1), run(3), "{world:?}");
    }
}

#[test]
fn restored_bodies_continue_bit_for_bit() {
    for world in WORLDS {
        let mut on = world_with_many_bodies(world, 45, 33, 3);
        on.advance(2.0).unwrap();
        let text = serde_json::to_value(on.snapshot()).unwrap().to_string();
        let mut again =
            Flow::restore(serde_json::from_value(text.parse().unwrap()).unwrap()).unwrap();
        assert_eq!(again.state_hash(), on.state_hash());
        on.advance(2.5).unwrap();
        again.advance(2.5).unwrap();
        assert_eq!((again.state_hash(), again.bodies()), (on.state_hash(), on.bodies()));
        // The state hash includes bodies.
        again.push_body(Id::new(0), [1.0, 0.0]).unwrap();
        assert_ne!(again.state_hash(), on.state_hash());
        let broken = text.replacen("\"mass\":200.0", "\"mass\":-200.0", 1);
        assert_ne!(broken, text);
        let error =
            Flow::restore(serde_json::from_value(broken.parse().unwrap()).unwrap()).unwrap_err();
        assert!(error.to_string().contains("body"), "{error}");
    }
}

#[test]
fn invalid_bodies_are_rejected_with_a_reason() {
    let mut flow = lake((CellShape::Square, Physics::Pipes), 20, 20, 0.0);
    flow.edit(&Brush::with_flat_falloff(Region::disc([5.0, 5.0], 2.0)), Edit::Close).unwrap();
    let disc = Body::disc([10.0, 10.0], 1.0, 100.0, 1.0);
    let wrong = [
        (Body { mass: 0.0, ..disc }, "mass"),
        (Body { mass: f64::NAN, ..disc }, "mass"),
        (Body { height: -1.0, ..disc }, "height"),
        (Body { drag: 101.0, ..disc }, "drag"),
        (Body { velocity: [2000.0, 0.0], ..disc }, "velocity"),
        (Body { heading: f64::INFINITY, ..disc }, "heading"),
        (Body { position: [-1.0, 3.0], ..disc }, "open cell"),
        (Body { position: [5.0, 5.0], ..disc }, "open cell"),
        (Body::disc([10.0, 10.0], 0.0, 100.0, 1.0), "radius"),
        (Body::rect([10.0, 10.0], [1.0, 2.0], 0.0, 100.0, 1.0), "length"),
    ];
    for (body, word) in wrong {
        let error = flow.add_body(body).unwrap_err().to_string();
        assert!(error.contains(word), "{error}");
    }
    assert!(flow.bodies().is_empty());
    assert_eq!(flow.add_body(disc).unwrap(), Id::new(0));
    assert!(
        flow.push_body(Id::new(1), [0.0; 2]).is_err()
            && flow.push_body(Id::new(0), [f64::NAN, 0.0]).is_err()
    );
    assert_eq!(flow.bodies()[0].velocity, [0.0; 2]);
    assert!(
        flow.remove_body(Id::new(1)).is_err()
            && flow.remove_body(Id::new(0)).unwrap().mass == 100.0
    );
}

#[test]
fn push_changes_velocity_but_not_volume() {
    for world in WORLDS {
        let mut flow = lake(world, 40, 31, 0.0);
        let before = flow.volume();
        let push = |velocity| Edit::Push { velocity };
        flow.edit(&Brush::with_flat_falloff(Region::disc([20.0, 15.0], 8.0)), push([0.4, -0.3]))
            .unwrap();
        assert_eq!((flow.volume(), flow.ledger().clone()), (before, flow.balance().ledger));
        flow.step(0.1 * flow.stable_dt()).unwrap();
        let [u, v] = flow.velocity_at([20.0, 15.0]).unwrap();
        assert!((u - 0.4).abs() < 0.02 && (v + 0.3).abs() < 0.02, "{world:?}: {u} {v}");
        let far = flow.velocity_at([35.0, 26.0]).unwrap();
        assert!(far[0].abs() < 1e-3 && far[1].abs() < 1e-3, "{world:?}: {far:?}");
        flow.advance(2.0).unwrap();
        let ahead = flow.surface_at([29.0, 9.0]).unwrap();
        let behind = flow.surface_at([11.0, 21.0]).unwrap();
        assert!(ahead > 3.02 && behind < 2.98, "{world:?}: {ahead} {behind}");
        assert!(flow.balance().residual_relative.abs() < 1e-6);
        assert!(
            flow.edit(&Brush::with_flat_falloff(Region::Everywhere), push([f64::NAN, 0.0]))
                .is_err()
        );
    }
}

#[test]
fn push_does_not_cross_closed_cells_or_edges() {
    for world in WORLDS {
        let mut flow = lake(world, 24, 16, 0.0);
        let wall = Region::line([[12.5, -1.0], [12.5, 20.0]], 2.1);
        flow.edit(&Brush::with_flat_falloff(wall), Edit::Close).unwrap();
        let east = Region::rect([14.0, 0.0], [25.0, 16.0]);
        let volume = flow.volume_in(&east).unwrap();
        for _ in 0..50 {
            let push = Edit::Push { velocity: [0.5, 0.5] };
            flow.edit(&Brush::with_flat_falloff(Region::rect([0.0, 0.0], [25.0, 20.0])), push)
                .unwrap();
            flow.step(0.5 * flow.stable_dt()).unwrap();
            assert!(flow.state().depth.as_slice().iter().all(|&h| h >= 0.0 && h.is_finite()));
        }
        assert!((flow.volume_in(&east).unwrap() / volume - 1.0).abs() < 1e-6, "{world:?}");
        assert!(flow.balance().residual_relative.abs() < 1e-6);
    }
}

#[test]
fn body_leaves_over_open_edges_but_not_walls() {
    for world in WORLDS {
        let drift = |kind: BoundaryKind| {
            let mut flow = lake(world, 30, 20, 0.0);
            for edge in [Edge::West, Edge::East] {
                flow.set_boundary(Boundary { edge, span: None, kind: kind.clone() }).unwrap();
            }
            let body = Body { velocity: [1.5, 0.0], ..pontoon([24.0, 10.0]) };
            flow.add_body(body).unwrap();
            flow.advance(12.0).unwrap();
            assert!(flow.balance().residual_relative.abs() < 1e-6, "{world:?}");
            flow
        };
        let mut left = drift(BoundaryKind::Stage { level: 3.0.into() });
        let body = left.bodies()[0];
        assert!(body.gone && body.position[0] > 29.9, "{world:?} {body:?}");
        // The body stays where it left the grid and has no weight.
        left.advance(60.0).unwrap();
        assert_eq!(left.bodies()[0], body);
        assert!(left.state().bed.as_slice().iter().all(|&bed| bed == 0.0));
        let mean =
            left.volume() / (left.lattice().cell_count() as f64 * left.lattice().cell_area());
        assert!((mean - 3.0).abs() < 0.03, "{world:?}: {mean}");
        let restored = Flow::restore(left.snapshot()).unwrap();
        assert_eq!(restored.state_hash(), left.state_hash());
        let kept = drift(BoundaryKind::Wall).bodies()[0];
        assert!(!kept.gone && kept.position[0] < 29.0, "{world:?} {kept:?}");
    }
}
