//! Tests that shallow-water flow on hexagonal lattices is nearly independent of the orientation of
//! the lattice axes and of the shape of the rim.

use crate::support::flow::{make_periodic, noise, step_together, take_longest_steps};
use headwater::flow::{Amount, Boundary, BoundaryKind, Edit, Flow, Params, Physics};
use headwater::{Brush, Edge, Field, Hex, Region};

fn params() -> Params {
    Params { level: Physics::ShallowWater, manning: 0.0, ..Params::default() }
}

fn uniform_stream(nx: usize, ny: usize, depth: f32) -> Flow {
    let hex = Hex::new(nx, ny, 1.0).unwrap();
    Flow::new(hex, params(), Field::new(nx, ny, 0.0), Field::new(nx, ny, depth)).unwrap()
}

#[test]
fn uniform_stream_is_unaffected_by_walls() {
    for (to_east, to_south) in [(1.5, 0.0), (0.0, 1.5)] {
        let mut flow = uniform_stream(14, 12, 0.7);
        make_periodic(&mut flow, to_east > 0.0, to_south > 0.0);
        let [east, south] = [to_east, to_south].map(|v| Field::new(14, 12, v));
        flow.set_velocity(&east, &south).unwrap();
        let start = flow.state().momentum.clone().unwrap();
        flow.advance(20.0).unwrap();
        assert!(flow.steps() > 50);
        let now = flow.state().momentum.as_ref().unwrap();
        for (now, start) in [(&now.x, &start.x), (&now.y, &start.y)] {
            for (now, start) in now.as_slice().iter().zip(start.as_slice()) {
                assert!((now - start).abs() < 1e-5, "{now} {start}");
            }
        }
    }
}

/// Simulates a wave that travels along a channel of `rows` rows. The long sides of the channel are
/// walls if `walls` is true, and periodic otherwise. Returns the final height of the wave (m) and
/// the final position of its centroid (m).
fn simulate_wave(rows: usize, walls: bool) -> [f64; 2] {
    let (nx, time) = (120, 12.0);
    let hex = Hex::new(nx, rows, 1.0).unwrap();
    let lattice = headwater::Lattice::from(hex);
    let hump = |x: f64| 0.02 * (-((x - 25.0) / 4.0).powi(2)).exp();
    let depth = Field::from_fn(nx, rows, |x, y| (2.0 + hump(lattice.center(x, y)[0])) as f32);
    let velocity = Field::from_fn(nx, rows, |x, y| {
        (hump(lattice.center(x, y)[0]) * (9.81_f64 / 2.0).sqrt()) as f32
    });
    let still = Field::new(nx, rows, 0.0);
    let mut flow = Flow::new(hex, params(), still.clone(), depth).unwrap();
    flow.set_velocity(&velocity, &still).unwrap();
    make_periodic(&mut flow, false, !walls);
    flow.advance(time).unwrap();
    let rise = |x: usize| f64::from(flow.state().depth[(x, rows / 2)]) - 2.0;
    let (mut sum, mut places) = (0.0, 0.0);
    for x in 40..118 {
        sum += rise(x);
        places += rise(x) * lattice.center(x, rows / 2)[0];
    }
    let highest = (40..118).map(rise).fold(0.0, f64::max);
    [highest, places / sum]
}

/// Checks that walls hardly affect a wave that travels along them. The rim of a hexagonal lattice
/// is straightened, so its cells store slightly too much water for the flow that they convey. This
/// slows the wave at the walls and bends its crest in a channel of 24 rows.
#[test]
fn wave_along_walls_is_nearly_unaffected() {
    let [open, far] = simulate_wave(24, false);
    assert!(
        open > 0.016 && (far - 25.0 - 12.0 * (9.81_f64 * 2.0).sqrt()).abs() < 0.6,
        "{open} {far}"
    );
    let [beside, there] = simulate_wave(24, true);
    assert!(
        (beside / open - 1.0).abs() < 0.08 && (there - far).abs() < 0.5,
        "{open} {beside} {there} {far}"
    );
}

#[test]
fn wave_reflects_from_every_wall_with_its_volume() {
    for edge in Edge::ALL {
        let mut flow = uniform_stream(60, 60, 1.0);
        let [x, y] = match edge {
            Edge::West => [4.0, 26.0],
            Edge::East => [56.0, 26.0],
            Edge::North => [30.0, 4.0],
            Edge::South => [30.0, 48.0],
        };
        flow.edit(&Brush::smooth_disc([x, y], 6.0), Edit::Pour(Amount::Depth(0.5))).unwrap();
        let held = flow.volume();
        flow.advance(45.0).unwrap();
        assert!((flow.volume() / held - 1.0).abs() < 1e-12);
        let (low, high) = flow.state().depth.min_max().unwrap();
        assert!(low > 0.9 && high < 1.12, "{edge:?}: {low} {high}");
    }
}

#[test]
fn rotated_worlds_with_all_features_are_bit_identical() {
    let (nx, ny) = (31, 24);
    let turn = |x: usize, y: usize| (nx - 1 - x, ny - 1 - y);
    let bed = |x: usize, y: usize| 2.0 * noise(x / 3, y / 3, 8);
    let depth = |x: usize, y: usize| (3.0 * noise(x / 5, y / 5, 2) - 1.0).max(0.0);
    let wall = |x: usize, y: usize| noise(x, y, 77) < 0.04;
    let params = Params { manning: 0.03, viscosity: 0.05, friction: 0.01, ..params() };
    let make = |turned: bool| {
        let at = |x, y| if turned { turn(x, y) } else { (x, y) };
        let hex = Hex::new(nx, ny, 1.0).unwrap();
        let of = |of: &dyn Fn(usize, usize) -> f32| {
            Field::from_fn(nx, ny, |x, y| {
                let (x, y) = at(x, y);
                of(x, y)
            })
        };
        let mut flow = Flow::new(hex, params.clone(), of(&bed), of(&depth)).unwrap();
        flow.close_cells(&Field::from_fn(nx, ny, |x, y| {
            let (x, y) = at(x, y);
            wall(x, y)
        }))
        .unwrap();
        let kinds = [
            BoundaryKind::Stage { level: 1.2.into() },
            BoundaryKind::Open,
            BoundaryKind::Inflow { discharge: 0.3.into() },
            BoundaryKind::Wave { level: 1.0, amplitude: 0.2, period: 3.0 },
        ];
        for (edge, kind) in
            [Edge::West, Edge::East, Edge::North, Edge::South].into_iter().zip(kinds)
        {
            let edge = if turned { edge.opposite() } else { edge };
            flow.set_boundary(Boundary::on_edge(edge, kind)).unwrap();
        }
        flow
    };
    let (mut here, mut there) = (make(false), make(true));
    step_together([&mut here, &mut there], 200);
    let [q, turned] = [&here, &there].map(|flow| flow.state().momentum.as_ref().unwrap());
    for (x, y) in (0..nx * ny).map(|i| (i % nx, i / nx)) {
        let image = turn(x, y);
        assert_eq!(here.state().depth[(x, y)], there.state().depth[image], "{x} {y}");
        assert_eq!(q.x[(x, y)], -turned.x[image], "{x} {y}");
        assert_eq!(q.y[(x, y)], -turned.y[image], "{x} {y}");
    }
}

#[test]
fn circular_dam_break_has_sixfold_symmetry() {
    let (nx, ny) = (91, 105);
    let hex = Hex::new(nx, ny, 1.0).unwrap();
    let lattice = headwater::Lattice::from(hex);
    let middle = lattice.center(45, 52);
    let depth = Field::from_fn(nx, ny, |x, y| {
        let [east, south] = lattice.center(x, y);
        // The radius lies between rings of cells, so that rounding does not matter.
        if (east - middle[0]).hypot(south - middle[1]) < 15.3 { 2.0 } else { 0.5 }
    });
    let mut flow = Flow::new(hex, params(), Field::new(nx, ny, 0.0), depth).unwrap();
    flow.advance(4.0).unwrap();
    for away in [5.0, 12.0, 18.0, 25.0, 31.0] {
        let at = |i: i32| {
            let (sin, cos) = (f64::from(i) * std::f64::consts::PI / 3.0).sin_cos();
            let place = [middle[0] + away * cos, middle[1] + away * sin];
            let [east, south] = flow.velocity_at(place).unwrap().map(f64::from);
            [f64::from(flow.depth_at(place).unwrap()), east * cos + south * sin]
        };
        let first = at(0);
        for i in 1..6 {
            for (here, there) in first.into_iter().zip(at(i)) {
                assert!((here - there).abs() < 2e-4, "{away}: {first:?} {:?}", at(i));
            }
        }
    }
}

#[test]
fn dam_of_closed_cells_holds_until_opened() {
    let mut flow = uniform_stream(50, 40, 0.0);
    let dam = Brush::with_flat_falloff(Region::line([[25.0, 0.0], [25.0, 40.0]], 2.0));
    flow.edit(&dam, Edit::Close).unwrap();
    let basin = Brush::with_flat_falloff(Region::rect([0.0, 0.0], [25.0, 40.0]));
    flow.edit(&basin, Edit::Pour(Amount::Depth(2.0))).unwrap();
    let level = flow.state().depth.clone();
    take_longest_steps(&mut flow, 200);
    assert!(flow.state().depth == level, "a lake behind a dam rests");
    flow.edit(&Brush::with_flat_falloff(Region::disc([25.0, 17.0], 4.0)), Edit::Open).unwrap();
    flow.advance(6.0).unwrap();
    assert!(flow.depth_at([32.0, 17.0]).unwrap() > 0.1);
    let [east, south] = flow.velocity_at([28.0, 17.0]).unwrap();
    assert!(east > 1.0 && south.abs() < 0.5 * east, "{east} {south}");
}
