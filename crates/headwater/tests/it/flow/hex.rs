//! Tests of flow on hexagonal lattices: symmetry, wave speed and steady uniform (normal) flow.

use crate::support::flow::{LEVELS, noise, step_together, take_longest_steps};
use headwater::flow::{Boundary, BoundaryKind, Edit, Flow, Params, Physics};
use headwater::{Brush, Edge, Field, Hex, Region};

fn params(physics: Physics) -> Params {
    Params { level: physics, pipe_area: 2.0, ..Params::default() }
}

fn world(
    nx: usize,
    ny: usize,
    physics: Physics,
    bed: impl FnMut(usize, usize) -> f32,
    depth: impl FnMut(usize, usize) -> f32,
) -> Flow {
    let hex = Hex::new(nx, ny, 1.0).unwrap();
    let (bed, depth) = (Field::from_fn(nx, ny, bed), Field::from_fn(nx, ny, depth));
    Flow::new(hex, params(physics), bed, depth).unwrap()
}

#[test]
fn lake_with_islands_stays_at_rest_and_can_move() {
    for physics in LEVELS {
        let bed = |x, y| 8.0 * noise(x / 4, y / 4, 3) + noise(x, y, 5);
        let mut flow = world(61, 48, physics, bed, |x, y| (5.0 - bed(x, y)).max(0.0));
        let before = flow.state().depth.clone();
        take_longest_steps(&mut flow, 3000);
        let pairs = flow.state().depth.as_slice().iter().zip(before.as_slice());
        let drift = pairs.map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
        assert!(drift < 5e-6, "{physics:?}: {drift:e}");
        flow.edit(
            &Brush::smooth_disc([30.0, 20.0], 8.0),
            Edit::Pour(headwater::flow::Amount::Depth(1.0)),
        )
        .unwrap();
        flow.advance(2.0).unwrap();
        assert!(flow.velocity_at([24.0, 20.0]).unwrap()[0].abs() > 1e-3);
    }
}

#[test]
fn rotated_and_mirrored_worlds_are_bit_identical() {
    // A half-turn maps an even number of rows onto itself; a reflection in the middle row maps an
    // odd number onto itself.
    for physics in LEVELS {
        for (ny, turned) in [(24, true), (23, false)] {
            let nx = 31;
            let image = |x: usize, y: usize| {
                if turned { (nx - 1 - x, ny - 1 - y) } else { (x, ny - 1 - y) }
            };
            let bed = |x: usize, y: usize| 2.0 * noise(x / 3, y / 3, 8);
            let depth = |x: usize, y: usize| (3.0 * noise(x / 5, y / 5, 2) - 1.0).max(0.0);
            let mut here = world(nx, ny, physics, bed, depth);
            let of_image = |of: &dyn Fn(usize, usize) -> f32, x, y| {
                let (x, y) = image(x, y);
                of(x, y)
            };
            let mut there =
                world(nx, ny, physics, |x, y| of_image(&bed, x, y), |x, y| of_image(&depth, x, y));
            step_together([&mut here, &mut there], 200);
            for y in 0..ny {
                for x in 0..nx {
                    let other = there.state().depth[image(x, y)];
                    assert_eq!(here.state().depth[(x, y)], other, "{physics:?} {turned} {x} {y}");
                }
            }
        }
    }
}

/// Returns the radius (m) of a ring wave in the direction `angle`: 0° is east, 60° is northeast and
/// 90° is north. The radius is the distance from the centre to the crest.
fn ring_radius(flow: &Flow, center: [f64; 2], angle: f64) -> f64 {
    let (sin, cos) = angle.to_radians().sin_cos();
    let height = |r: f64| flow.surface_at([center[0] + r * cos, center[1] - r * sin]).unwrap();
    let far = (200..2400).map(|i| f64::from(i) * 0.01);
    far.max_by(|&a, &b| height(a).total_cmp(&height(b))).unwrap()
}

#[test]
fn wave_speed_is_isotropic() {
    // The water is 4 m deep, and pipes are as wide as a face, so waves have the speed √(g·4) in
    // both.
    for physics in LEVELS {
        let hex = Hex::new(71, 82, 1.0).unwrap();
        let pipe_area = 4.0 * hex.face_width();
        let params = Params { level: physics, pipe_area, ..Params::default() };
        let center = [35.5, 35.5];
        let depth = Field::from_fn(71, 82, |x, y| {
            let [cx, cy] = headwater::Lattice::from(hex).center(x, y);
            let r2 = (cx - center[0]).powi(2) + (cy - center[1]).powi(2);
            4.0 + 0.01 * (-r2 / 18.0).exp() as f32
        });
        let mut flow = Flow::new(hex, params, Field::new(71, 82, 0.0), depth).unwrap();
        flow.advance(2.0).unwrap();
        let near = [0.0, 30.0, 60.0, 90.0].map(|angle| ring_radius(&flow, center, angle));
        flow.advance(1.5).unwrap();
        for (angle, near) in [0.0, 30.0, 60.0, 90.0].into_iter().zip(near) {
            let speed = (ring_radius(&flow, center, angle) - near) / 1.5;
            let exact = (9.81_f64 * 4.0).sqrt();
            assert!((speed / exact - 1.0).abs() < 0.04, "{physics:?} {angle}°: {speed} {exact}");
        }
    }
}

#[test]
fn uniform_stream_has_its_normal_velocity() {
    // Flow down a plane, to the east and to the south.
    let hex = Hex::new(40, 30, 1.0).unwrap();
    for (edge, other, to_east, to_south) in
        [(Edge::West, Edge::East, 0.01, 0.0), (Edge::North, Edge::South, 0.0, 0.01)]
    {
        let params = Params { level: Physics::Inertial, ..Params::default() };
        let lattice = headwater::Lattice::from(hex);
        let fall = |[x, y]: [f64; 2]| 1.0 - to_east * x - to_south * y;
        let bed = Field::from_fn(40, 30, |x, y| fall(lattice.center(x, y)) as f32);
        let mut flow = Flow::new(hex, params, bed, Field::new(40, 30, 0.1)).unwrap();
        // The water outside of the edge is as deep as inside.
        let outside = if to_east > 0.0 { 40.5 } else { 30.5 * 0.75_f64.sqrt() };
        let below = 1.0 - 0.01 * outside + 0.1;
        // Normal flow: q = h^(5/3)·√S/n.
        let q = 0.1_f64.powf(5.0 / 3.0) * 0.1 / 0.03;
        for (edge, kind) in [
            (edge, BoundaryKind::Inflow { discharge: q.into() }),
            (other, BoundaryKind::Stage { level: below.into() }),
        ] {
            flow.set_boundary(Boundary::on_edge(edge, kind)).unwrap();
        }
        flow.advance(300.0).unwrap();
        let [east, south] = flow.velocity_at([20.0, 13.0]).unwrap().map(f64::from);
        let (along, across) = if to_east > 0.0 { (east, south) } else { (south, east) };
        let depth = f64::from(flow.depth_at([20.0, 13.0]).unwrap());
        assert!((depth - 0.1).abs() < 0.002, "{edge:?}: {depth}");
        assert!((along * depth / q - 1.0).abs() < 0.04, "{edge:?}: {along} {depth} {q}");
        let (from, to, width) = if to_east > 0.0 {
            ([20.0, 99.0], [20.0, 0.0], 30.0 * hex.row_height())
        } else {
            ([0.0, 13.0], [99.0, 13.0], 40.0)
        };
        let through = flow.discharge_through(from, to) / width;
        assert!((through / q - 1.0).abs() < 0.005, "{edge:?}: {through} {q}");
        assert!(across.abs() < 0.01 * along, "{edge:?}: {across}");
    }
}

#[test]
fn walls_retain_water_on_all_six_sides() {
    for physics in LEVELS {
        let mut flow = world(41, 40, physics, |_, _| 0.0, |_, _| 0.0);
        let ring = Region::disc([20.0, 17.0], 10.0);
        flow.edit(&Brush::with_flat_falloff(ring), Edit::Close).unwrap();
        flow.edit(&Brush::with_flat_falloff(Region::disc([20.0, 17.0], 8.0)), Edit::Open).unwrap();
        let pour = Edit::Pour(headwater::flow::Amount::Depth(1.0));
        flow.edit(&Brush::with_flat_falloff(Region::disc([20.0, 17.0], 4.0)), pour).unwrap();
        flow.advance(30.0).unwrap();
        assert!(flow.depth_at([26.0, 17.0]).unwrap() > 0.05);
        let outside = flow.volume() - flow.volume_in(&Region::disc([20.0, 17.0], 9.0)).unwrap();
        // The sums are evaluated in different orders.
        assert!(outside.abs() < 1e-12, "{physics:?}: {outside:e}");
    }
}
