//! Tests of edges that are not walls: periodic edges, inflow and outflow, and wave makers.

use crate::support::flow::{
    CellShape, LEVELS, WORLDS, lattice, make_periodic, noise, step_and_compare, step_together,
};
use headwater::flow::{Boundary, BoundaryKind, Edit, Flow, Params, Physics, Tracers};
use headwater::{Brush, Edge, Field, Hex, Lattice, Region, Series, Square};

fn world(
    (cells, physics): (CellShape, Physics),
    (nx, ny): (usize, usize),
    bed: impl Fn(usize, usize) -> f32,
    depth: impl Fn(usize, usize) -> f32,
) -> Flow {
    let lattice = lattice(cells, nx, ny, 1.0);
    let params = Params { level: physics, friction: 0.02, ..Params::default() };
    Flow::new(lattice, params, Field::from_fn(nx, ny, bed), Field::from_fn(nx, ny, depth)).unwrap()
}

#[test]
fn periodic_world_is_invariant_under_shifts() {
    let (nx, ny, dx, dy) = (37, 70, 11, 38);
    let bed = |x: usize, y: usize| 2.0 * noise(x / 3, y / 3, 8) + noise(x, y, 1);
    let depth = |x: usize, y: usize| (3.0 * noise(x / 5, y / 5, 2) - 1.0).max(0.0);
    let wall = |x: usize, y: usize| noise(x, y, 77) < 0.02;
    // `dy` is even, so that the rows of hexagons keep their shift.
    let moved = |x: usize, y: usize| ((x + dx) % nx, (y + dy) % ny);
    for kind in WORLDS {
        let mut here = world(kind, (nx, ny), bed, depth);
        let cut = |of: &dyn Fn(usize, usize) -> f32, x, y| {
            let (x, y) = moved(x, y);
            of(x, y)
        };
        let mut there = world(kind, (nx, ny), |x, y| cut(&bed, x, y), |x, y| cut(&depth, x, y));
        here.close_cells(&Field::from_fn(nx, ny, wall)).unwrap();
        let walls = Field::from_fn(nx, ny, |x, y| {
            let (x, y) = moved(x, y);
            wall(x, y)
        });
        there.close_cells(&walls).unwrap();
        for flow in [&mut here, &mut there] {
            make_periodic(flow, true, true);
        }
        step_together([&mut here, &mut there], 150);
        let (here, there) = (here.state(), there.state());
        let mut rest = 0;
        for y in 0..ny {
            for x in 0..nx {
                assert_eq!(here.depth[moved(x, y)], there.depth[(x, y)], "{kind:?} {x} {y}");
                rest += usize::from(here.depth[moved(x, y)] == depth(moved(x, y).0, moved(x, y).1));
            }
        }
        assert!(rest < nx * ny / 2, "nothing moved");
    }
}

#[test]
fn periodic_stream_carries_tracers_around() {
    // The stream runs down an endless slope, whose ground has a step at the seam of the periodic
    // edges. On level ground the stream keeps flowing.
    for axis in [0, 1] {
        let lattice = Square::new(24, 24, 1.0, 1.0).unwrap();
        let physics = Physics::ShallowWater;
        let params = Params { level: physics, manning: 0.0, ..Params::default() };
        let flat = Field::new(24, 24, 0.0);
        let mut flow = Flow::new(lattice, params, flat.clone(), Field::new(24, 24, 1.0)).unwrap();
        make_periodic(&mut flow, true, true);
        let stream = Field::new(24, 24, 2.0);
        let (east, south) = if axis == 0 { (&stream, &flat) } else { (&flat, &stream) };
        flow.set_velocity(east, south).unwrap();
        let emitters = vec![Region::disc([12.0, 12.0], 0.1)];
        let tracers = Tracers { count: 1, lifetime: 1e3, emitters, seed: 1 };
        flow.set_tracers(Some(tracers)).unwrap();
        flow.advance(0.1).unwrap();
        let before = flow.particles()[0].position;
        flow.advance(10.0).unwrap();
        let after = flow.particles()[0].position;
        let expected = (before[axis] + 20.0) % 24.0;
        assert!((after[axis] - expected).abs() < 0.05, "{before:?} {after:?}");
        assert!((flow.velocity_at([3.0, 3.0]).unwrap()[axis] - 2.0).abs() < 1e-3);
        assert_eq!((flow.ledger().total_inflow(), flow.ledger().total_outflow()), (0.0, 0.0));
    }
}

#[test]
fn wall_on_one_edge_ends_the_periodicity() {
    let mut flow = world(WORLDS[0], (20, 9), |_, _| 0.0, |x, _| if x < 3 { 2.0 } else { 0.0 });
    make_periodic(&mut flow, true, false);
    flow.set_boundary(Boundary::on_segment(Edge::East, 0.0, 2.0, BoundaryKind::Wall)).unwrap();
    flow.advance(1.0).unwrap();
    assert_eq!(flow.state().depth[(19, 5)], 0.0);
}

#[test]
fn invalid_boundaries_are_rejected_with_a_reason() {
    let mut flow = world((CellShape::Hex, Physics::Pipes), (9, 7), |_, _| 0.0, |_, _| 1.0);
    let mut refuse = |edge, span, kind| {
        let refused = flow.set_boundary(Boundary { edge, span, kind });
        refused.unwrap_err().to_string()
    };
    let waves = |amplitude, period| BoundaryKind::Wave { level: 0.0, amplitude, period };
    let text = refuse(Edge::North, None, BoundaryKind::Periodic);
    assert!(text.contains("found 7, allowed is an even number"), "{text}");
    let text = refuse(Edge::East, Some([1.0, 4.0]), BoundaryKind::Periodic);
    assert!(text.contains("all of the edge"), "{text}");
    let text = refuse(Edge::East, None, waves(-1.0, 4.0));
    assert!(text.contains("boundary.amplitude: found -1, allowed is 0 to 1000 m"), "{text}");
    let solitary = |height, depth| BoundaryKind::Solitary { level: 0.0, height, depth, time: 0.0 };
    let text = refuse(Edge::East, None, solitary(-1.0, 1.0));
    assert!(text.contains("boundary.height: found -1, allowed is 0 to 1000 m"), "{text}");
    let text = refuse(Edge::East, None, solitary(1.0, 0.0));
    assert!(text.contains("boundary.depth: found 0, allowed is above 0"), "{text}");
    let text = refuse(Edge::East, None, BoundaryKind::Recorded { level: 0.0, rise: 2e3.into() });
    assert!(text.contains("boundary.rise: found 2000, allowed is -1000 to 1000 m"), "{text}");
    let text = refuse(Edge::East, None, waves(1.0, 0.0));
    assert!(text.contains("boundary.period: found 0, allowed is above 0"), "{text}");
}

/// Returns the lowest and the highest surface elevation (m) at a position during the next
/// `seconds`.
fn surface_range(flow: &mut Flow, point: [f64; 2], seconds: f64) -> [f32; 2] {
    let (end, mut range) = (flow.time() + seconds, [f32::MAX, f32::MIN]);
    while flow.time() < end {
        flow.advance(0.05).unwrap();
        let level = flow.surface_at(point).unwrap();
        range = [range[0].min(level), range[1].max(level)];
    }
    range
}

#[test]
fn incoming_waves_have_their_height_and_leave_without_reflection() {
    // The water is 4 m deep. Pipes with this cross-section have the same wave speed.
    for physics in LEVELS {
        let (nx, depth, amplitude) = (300, 4.0, 0.02);
        let lattice = Square::new(nx, 3, 1.0, 1.0).unwrap();
        let params = Params {
            level: physics,
            pipe_area: 4.0,
            manning: 0.0,
            theta: 0.98,
            ..Params::default()
        };
        let bed = Field::new(nx, 3, -4.0);
        let mut flow = Flow::new(lattice, params, bed, Field::new(nx, 3, depth)).unwrap();
        for (edge, amplitude) in [(Edge::West, amplitude), (Edge::East, 0.0)] {
            let kind = BoundaryKind::Wave { level: 0.0, amplitude, period: 8.0 };
            flow.set_boundary(Boundary::on_edge(edge, kind)).unwrap();
        }
        // A wave takes 48 s to the other end. A standing wave would have formed by 150 s.
        flow.advance(150.0).unwrap();
        for x in [60.0, 72.5, 85.0, 97.5, 110.0] {
            let mut copy = flow.clone();
            let [low, high] = surface_range(&mut copy, [x, 1.5], 8.0);
            let height = f64::from(high - low) / 2.0 / amplitude;
            assert!((height - 1.0).abs() < 0.06, "{physics:?} at {x}: {height}");
        }
    }
}

/// Returns a channel of 300 m × 3 m with water 4 m deep, whose surface is at elevation 0. `west` is
/// the boundary condition at the western edge; waves leave at the eastern edge.
fn channel(level: Physics, west: BoundaryKind) -> Flow {
    let lattice = Square::new(300, 3, 1.0, 1.0).unwrap();
    let params = Params { level, pipe_area: 4.0, manning: 0.0, theta: 0.98, ..Params::default() };
    let mut flow =
        Flow::new(lattice, params, Field::new(300, 3, -4.0), Field::new(300, 3, 4.0)).unwrap();
    flow.set_boundary(Boundary::on_edge(Edge::West, west)).unwrap();
    let still = BoundaryKind::Wave { level: 0.0, amplitude: 0.0, period: 1.0 };
    flow.set_boundary(Boundary::on_edge(Edge::East, still)).unwrap();
    flow
}

#[test]
fn solitary_wave_arrives_on_time_and_leaves() {
    for physics in LEVELS {
        let (height, crest) = (0.1, 25.0);
        let kind = BoundaryKind::Solitary { level: 0.0, height, depth: 4.0, time: crest };
        let mut flow = channel(physics, kind);
        // The wave travels 100 m at the speed √(g·h).
        let passes = crest + 100.0 / (9.81_f64 * 4.0).sqrt();
        let (mut highest, mut when) = (0.0, 0.0);
        while flow.time() < 75.0 {
            flow.advance(0.1).unwrap();
            let level = flow.surface_at([100.0, 1.5]).unwrap();
            if level > highest {
                (highest, when) = (level, flow.time());
            }
        }
        assert!((f64::from(highest) / height - 1.0).abs() < 0.06, "{physics:?}: {highest} m");
        assert!((when - passes).abs() < 0.8, "{physics:?}: at {when} s, not {passes} s");
        flow.advance(40.0).unwrap();
        let (low, high) = flow.layer("surface").unwrap().min_max().unwrap();
        assert!(low > -0.005 && high < 0.005, "{physics:?}: {low} {high} is left");
    }
}

#[test]
fn recorded_wave_is_reproduced() {
    for physics in LEVELS {
        let period = 8.0;
        let sine = BoundaryKind::Wave { level: 0.0, amplitude: 0.02, period };
        // The points are close enough that the piecewise linear series is accurate.
        let point = |i: u32| {
            let time = f64::from(i) * 0.02;
            [time, 0.02 * (std::f64::consts::TAU * time / period).sin()]
        };
        let rise = Series::from_table((0..2000).map(point).collect()).unwrap();
        let mut made = channel(physics, sine);
        let mut recorded = channel(physics, BoundaryKind::Recorded { level: 0.0, rise });
        for flow in [&mut made, &mut recorded] {
            flow.advance(30.0).unwrap();
        }
        let [made, recorded] = [&made, &recorded].map(|flow| flow.layer("surface").unwrap());
        let pairs = made.as_slice().iter().zip(recorded.as_slice());
        let apart = pairs.fold(0.0_f32, |max, (a, b)| max.max((a - b).abs()));
        let high = made.min_max().unwrap().1;
        assert!(apart < 2e-5 && high > 0.018, "{physics:?}: {apart} of {high}");
    }
}

#[test]
fn bay_comes_to_rest_at_sea_level() {
    for kind in WORLDS {
        let mut flow =
            world(kind, (40, 30), |x, _| -2.0 - 0.02 * x as f32, |x, _| 2.0 + 0.02 * x as f32);
        for edge in Edge::ALL {
            let still = BoundaryKind::Wave { level: 0.0, amplitude: 0.0, period: 1.0 };
            flow.set_boundary(Boundary::on_edge(edge, still)).unwrap();
        }
        let pour = Edit::Pour(headwater::flow::Amount::Depth(0.5));
        flow.edit(&Brush::smooth_disc([20.0, 12.0], 6.0), pour).unwrap();
        flow.advance(60.0).unwrap();
        let surface = flow.layer("surface").unwrap();
        let (low, high) = surface.min_max().unwrap();
        assert!(low > -0.02 && high < 0.02, "{kind:?}: {low} {high}");
    }
}

#[test]
fn boundary_errors_are_propagated() {
    let mut flow = world(WORLDS[0], (5, 5), |_, _| 0.0, |_, _| 1.0);
    let kind = BoundaryKind::Periodic;
    let refused = flow.set_boundary(Boundary::on_segment(Edge::West, 0.0, 1.0, kind));
    assert_eq!(refused.unwrap_err().what, "boundary.stretch");
}

#[test]
fn changing_periodicity_conserves_volume() {
    let kinds = || {
        [BoundaryKind::Open, BoundaryKind::Periodic, BoundaryKind::Wall, BoundaryKind::Periodic]
            .into_iter()
    };
    for kind in WORLDS {
        for (nx, ny) in [(1, 6), (7, 4), (2, 2)] {
            let mut flow = world(kind, (nx, ny), |_, y| -0.3 * y as f32, |x, y| noise(x, y, 3));
            for (one, other) in
                kinds().flat_map(|one| kinds().map(move |other| (one.clone(), other)))
            {
                flow.set_boundary(Boundary::on_edge(Edge::North, one)).unwrap();
                flow.set_boundary(Boundary::on_edge(Edge::East, other)).unwrap();
                flow.edit(
                    &Brush::with_flat_falloff(Region::Everywhere),
                    Edit::Pour(headwater::flow::Amount::Depth(0.5)),
                )
                .unwrap();
                for _ in 0..20 {
                    flow.step(flow.stable_dt().min(0.1)).unwrap();
                }
                let residual = flow.balance().residual_relative;
                assert!(residual.abs() < 1e-11, "{kind:?} {nx} × {ny}: {residual}");
            }
        }
    }
}

#[test]
fn inflow_brings_its_momentum_at_every_edge() {
    let lattices: [Lattice; 2] =
        [Square::new(14, 14, 1.0, 1.0).unwrap().into(), Hex::new(14, 14, 1.0).unwrap().into()];
    for (lattice, edge) in lattices.into_iter().flat_map(|l| Edge::ALL.map(|edge| (l, edge))) {
        let params = Params { level: Physics::ShallowWater, manning: 0.0, ..Params::default() };
        let (bed, depth) = (Field::new(14, 14, 0.0), Field::new(14, 14, 0.01));
        let mut flow = Flow::new(lattice, params, bed, depth).unwrap();
        for (discharge, level) in [(0.8, Some(0.2.into())), (0.1, None)] {
            let stream =
                BoundaryKind::Stream { discharge: discharge.into(), along: 1.5.into(), level };
            flow.set_boundary(Boundary::on_segment(edge, 3.0, 11.0, stream)).unwrap();
            let mut plain = flow.clone();
            for _ in 0..45 {
                step_and_compare(&mut flow, &mut plain);
            }
            let (x, y) = flow.lattice().edge_cell(edge, 7);
            let q = flow.state().momentum.as_ref().unwrap();
            let [u, v] = [&q.x, &q.y].map(|q| q[(x, y)] / flow.state().depth[(x, y)]);
            let (into, along) = if edge.has_x_faces() { (u, v) } else { (v, u) };
            let into = if matches!(edge, Edge::East | Edge::South) { -into } else { into };
            assert!(
                into > 0.1 && (along - 1.5).abs() < 0.1,
                "{lattice:?} {edge:?}: {into} {along}"
            );
            assert!(flow.balance().residual_relative.abs() < 1e-9);
        }
    }
}
