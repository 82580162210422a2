//! Tests of the local inertial equations. Each test would fail for a world that does not change and
//! for an empty world.

use crate::support::flow::{noise, take_longest_steps};
use headwater::flow::{Amount, Boundary, BoundaryKind, Edit, Flow, Params, Physics, Source, State};
use headwater::{Brush, Edge, Field, Region, Square};
use std::f64::consts::PI;

fn inertial_params() -> Params {
    Params { level: Physics::Inertial, ..Params::default() }
}

fn frictionless_params() -> Params {
    Params { manning: 0.0, ..inertial_params() }
}

fn world_with_bed(
    nx: usize,
    ny: usize,
    cell: f64,
    params: Params,
    bed: impl Fn(usize, usize) -> f32,
    depth: impl Fn(usize, usize) -> f32,
) -> Flow {
    let lattice = Square::new(nx, ny, cell, cell).unwrap();
    let (bed, depth) = (Field::from_fn(nx, ny, bed), Field::from_fn(nx, ny, depth));
    Flow::new(lattice, params, bed, depth).unwrap()
}

fn max_speed(flow: &Flow) -> f32 {
    let (nx, ny) = (flow.lattice().nx(), flow.lattice().ny());
    let speeds = (0..nx * ny).map(|i| {
        let [u, v] = flow.velocity(i % nx, i / nx);
        u.hypot(v)
    });
    speeds.fold(0.0, f32::max)
}

#[test]
fn wave_speed_follows_the_depth() {
    for depth in [0.5, 8.0] {
        // A standing wave of half a wavelength between two walls has the period 2L/c with c =
        // √(g·h).
        let n = 200;
        let height = 0.01 * depth;
        let phase = |x: usize| PI * (x as f64 + 0.5) / n as f64;
        let wave = |x: usize, _| (depth + height * phase(x).cos()) as f32;
        let mut flow = world_with_bed(n, 3, 1.0, frictionless_params(), |_, _| 0.0, wave);
        let half = n as f64 / (9.81 * depth).sqrt();
        for (time, sign) in [(0.5, 0.0), (1.0, -1.0), (2.0, 1.0)] {
            flow.advance(time * half - flow.time()).unwrap();
            let found = (f64::from(flow.state().depth[(0, 1)]) - depth) / height;
            assert!((found - sign).abs() < 0.04, "{depth} m deep, {time} halves: {found}");
        }
    }
}

#[test]
fn lake_with_islands_stays_at_rest_and_can_move() {
    let n = 96;
    let level = 7.0;
    let bed = |x: usize, y: usize| 10.0 * (0.7 * noise(x / 9, y / 9, 1) + 0.3 * noise(x, y, 2));
    let lake = |x, y| (level - bed(x, y)).max(0.0);
    let mut flow = world_with_bed(n, n, 1.0, inertial_params(), bed, lake);
    let before = flow.state().clone();
    assert!(before.depth.as_slice().contains(&0.0) && before.depth.min_max().unwrap().1 > 5.0);
    take_longest_steps(&mut flow, 5000);
    for y in 0..n {
        for x in 0..n {
            let drift = flow.state().surface(x, y) - before.surface(x, y);
            assert!(drift.abs() <= 5e-6, "({x}, {y}) drifts by {drift:e} m");
        }
    }
    assert!(max_speed(&flow) <= 1e-4, "{:e} m/s", max_speed(&flow));
    let (x, y) = flow.step_limit().cell.unwrap();
    let deepest = Region::disc(flow.lattice().center(x, y), 0.1);
    flow.edit(&Brush::with_flat_falloff(deepest), Edit::Pour(Amount::Depth(0.01))).unwrap();
    take_longest_steps(&mut flow, 200);
    assert!(flow.state().depth[(x, y)] - before.depth[(x, y)] < 0.005);
}

/// Returns the position to which one of the eight symmetries of the square moves the cell `(x, y)`,
/// on a grid of `n × n` cells. Bit 0 of `symmetry` mirrors x, bit 1 mirrors y, and bit 2 then swaps
/// x and y.
fn transform_cell(n: usize, symmetry: usize, (x, y): (usize, usize)) -> (usize, usize) {
    let x = if symmetry & 1 == 0 { x } else { n - 1 - x };
    let y = if symmetry & 2 == 0 { y } else { n - 1 - y };
    if symmetry & 4 == 0 { (x, y) } else { (y, x) }
}

#[test]
fn mirrored_and_rotated_worlds_are_bit_identical() {
    let n = 24;
    let run = |turn: usize| {
        let inverse = (0..8)
            .find(|&back| transform_cell(n, back, transform_cell(n, turn, (1, 2))) == (1, 2))
            .unwrap();
        let turned = |seed: u64, size: usize| {
            move |x: usize, y: usize| {
                let (x, y) = transform_cell(n, inverse, (x, y));
                noise(x / size, y / size, seed)
            }
        };
        let (hills, stones, water) = (turned(1, 5), turned(2, 1), turned(3, 4));
        let params = Params { viscosity: 0.01, friction: 0.05, ..inertial_params() };
        let bed = |x, y| 3.0 * hills(x, y) + 0.3 * stones(x, y);
        let mut flow =
            world_with_bed(n, n, 1.5, params, bed, |x, y| (3.0 * water(x, y) - 1.0).max(0.0));
        let rough = Field::from_fn(n, n, turned(4, 1)).map(|n| 0.1 * n);
        flow.set_roughness(Some(rough)).unwrap();
        flow.advance(6.0).unwrap();
        flow.state().clone()
    };
    let first: State = run(0);
    assert!(first.discharge_x.min_max().unwrap().1 > 0.1, "nothing moves");
    for turn in 1..8 {
        let depth = run(turn).depth;
        for (x, y) in (0..n * n).map(|i| (i % n, i / n)) {
            let there = depth[transform_cell(n, turn, (x, y))];
            assert_eq!(there.to_bits(), first.depth[(x, y)].to_bits(), "({x}, {y}), turn {turn}");
        }
    }
}

#[test]
fn stream_on_a_plane_reaches_its_normal_depth() {
    // Slope, unit discharge (m²/s), cell size (m) and end (cells) of flows with Froude numbers of
    // 0.9, 1.8, 2.7 and 3.5. The last flow develops roll waves downstream.
    for (slope, q, cell, end) in
        [(0.01, 0.5, 10.0, 80), (0.1, 0.02, 1.0, 80), (0.3, 0.0085, 1.0, 80), (0.3, 0.1, 1.0, 50)]
    {
        let length = 100;
        let plane = |x: usize, _| (slope * cell * (length - x) as f64) as f32;
        let mut flow = world_with_bed(length, 3, cell, inertial_params(), plane, |_, _| 0.0);
        let inflow = BoundaryKind::Inflow { discharge: q.into() };
        flow.set_boundary(Boundary::on_edge(Edge::West, inflow)).unwrap();
        flow.set_boundary(Boundary::on_edge(Edge::East, BoundaryKind::Open)).unwrap();
        let normal = (q * flow.params().manning / slope.sqrt()).powf(0.6);
        flow.advance(6.0 * length as f64 * cell * normal / q).unwrap();
        for x in 20..end {
            let off = f64::from(flow.state().depth[(x, 1)]) / normal - 1.0;
            assert!(off.abs() < 0.01, "slope {slope}: {off} at {x}");
        }
    }
}

#[test]
fn roughness_map_sets_the_speed_per_cell() {
    let slope = |x: usize, _| 0.02 * (200 - x) as f32;
    let mut flow = world_with_bed(200, 4, 1.0, inertial_params(), slope, |_, _| 0.1);
    flow.edit(
        &Brush::with_flat_falloff(Region::line([[0.0, 2.0], [200.0, 2.0]], 0.1)),
        Edit::Close,
    )
    .unwrap();
    let map = Field::from_fn(200, 4, |_, y| if y < 2 { 0.06 } else { 0.02 });
    flow.set_roughness(Some(map)).unwrap();
    flow.advance(30.0).unwrap();
    let speeds = [0.5, 3.5].map(|y| flow.velocity_at([150.0, y]).unwrap()[0]);
    assert!((speeds[1] / speeds[0] - 3.0).abs() < 0.1, "{speeds:?}");
}

/// Returns the exact depth (m) of a dam break over a level bed, at the distance `x` (m) from the
/// dam after `t` seconds. `high` and `low` are the initial depths (m) on the two sides. The
/// solution is that of Ritter (1892) if `low` is 0, and that of Stoker (1957) otherwise.
fn dam_break_depth(high: f64, low: f64, x: f64, t: f64) -> f64 {
    let (g, c) = (9.81_f64, (9.81 * high).sqrt());
    let fan = (2.0 * c - x / t).powi(2) / (9.0 * g);
    // The depth between fan and shock is the one for which both give the same velocity.
    let speed = |h: f64| 2.0 * (c - (g * h).sqrt());
    let shock = |h: f64| (h - low) * (0.5 * g * (h + low) / (h * low)).sqrt();
    let (mut below, mut above) = (low, high);
    for _ in 0..if low > 0.0 { 100 } else { 0 } {
        let middle = 0.5 * (below + above);
        if speed(middle) > shock(middle) { below = middle } else { above = middle }
    }
    let front = if low > 0.0 { speed(below) * below / (below - low) } else { 2.0 * c };
    match x / t {
        s if s < -c => high,
        s if s > front => low,
        s if s < speed(below) - (g * below).sqrt() => fan,
        _ => below,
    }
}

#[test]
fn dam_break_error_is_within_published_values() {
    // Reference errors of local inertial equations in the OpenSWMM 2D manual, section 9.10: 6.2 %
    // (Stoker) and 10 % (Ritter).
    for (low, limit) in [(0.001, 0.065), (0.0, 0.11)] {
        let (n, length, high) = (400, 10.0, 0.005);
        let start = |x: usize, _| if x < n / 2 { high as f32 } else { low as f32 };
        let mut flow =
            world_with_bed(n, 1, length / n as f64, frictionless_params(), |_, _| 0.0, start);
        let exact = |x: usize| {
            dam_break_depth(high, low, length * ((x as f64 + 0.5) / n as f64 - 0.5), 6.0)
        };
        let total: f64 = (0..n).map(exact).sum();
        let off = |flow: &Flow| -> f64 {
            let depth = |x| f64::from(flow.state().depth[(x, 0)]);
            (0..n).map(|x| (depth(x) - exact(x)).abs()).sum::<f64>() / total
        };
        println!("dam break onto {low} m: at the start {:.1} %", 100.0 * off(&flow));
        assert!(off(&flow) > 1.4 * limit, "a frozen world would pass");
        flow.advance(6.0).unwrap();
        println!("dam break onto {low} m: L1 error {:.2} %", 100.0 * off(&flow));
        assert!(off(&flow) < limit, "onto {low} m: {}", off(&flow));
    }
}

#[test]
fn shortest_wave_is_stable_at_the_longest_step() {
    for (theta, friction) in [(0.5, 0.0), (0.7, 0.9), (0.9, 0.0), (0.9, 0.3), (0.98, 0.0)] {
        for (dx, dy, depth) in [(1.0, 1.0, 5.0), (2.0, 0.5, 0.01)] {
            let params = Params { theta, friction, ..frictionless_params() };
            let lattice = Square::new(24, 24, dx, dy).unwrap();
            let bumps =
                |x: usize, y: usize| depth * if (x + y).is_multiple_of(2) { 1.002 } else { 0.998 };
            let (bed, depths) = (Field::new(24, 24, 0.0), Field::from_fn(24, 24, bumps));
            let mut flow = Flow::new(lattice, params, bed, depths).unwrap();
            take_longest_steps(&mut flow, 2000);
            let (low, high) = flow.state().depth.min_max().unwrap();
            assert!(high - low < 1e-4 * depth, "theta {theta}, dx {dx}: {}", high - low);
        }
    }
}

#[test]
fn disturbed_pool_comes_to_rest() {
    let bowl = |x: usize, y: usize| {
        let r2 = (x as f32 - 23.5).powi(2) + (y as f32 - 23.5).powi(2);
        0.01 * r2
    };
    let mut flow = world_with_bed(48, 48, 1.0, inertial_params(), bowl, |x, y| {
        (2.0 + 0.03 * x as f32 - bowl(x, y)).max(0.0)
    });
    flow.advance(20.0).unwrap();
    let fast = max_speed(&flow);
    assert!(fast > 0.2, "{fast}");
    flow.advance(2000.0).unwrap();
    assert!(max_speed(&flow) < 0.01, "{}", max_speed(&flow));
    let surface = |x, y| flow.state().surface(x, y);
    assert!((surface(20, 24) - surface(30, 20)).abs() < 1e-4);
}

#[test]
fn spring_in_a_dry_world_shortens_the_step() {
    let mut flow = world_with_bed(40, 40, 4.0, inertial_params(), |_, _| 0.0, |_, _| 0.0);
    let dry = flow.step_limit();
    assert!(dry.cell.is_none() && dry.dt.is_finite() && dry.dt > 1.0, "{dry:?}");
    flow.add_spring(Source::new(Region::disc([80.0, 80.0], 3.0), 50.0)).unwrap();
    let sprung = flow.step_limit().dt;
    assert!(sprung < 0.3 * dry.dt, "{sprung} {}", dry.dt);
    assert_eq!(flow.step(dry.dt).unwrap_err().what, "a step");
    flow.advance(60.0).unwrap();
    let (low, high) = flow.state().depth.min_max().unwrap();
    assert!(low >= 0.0 && high > 0.2 && high < 5.0, "{low} {high}");
    assert!(flow.is_flooded([40.0, 80.0]), "it spreads");
    let cell = flow.step_limit().cell.unwrap();
    assert!(flow.state().depth[cell] > 0.5 * high);
}

#[test]
fn viscous_liquid_creeps() {
    let reach = |viscosity: f64| {
        let params = Params { viscosity, ..inertial_params() };
        let mut flow =
            world_with_bed(100, 3, 1.0, params, |_, _| 0.0, |x, _| if x < 10 { 1.0 } else { 0.0 });
        flow.advance(10.0).unwrap();
        (0..100).rev().find(|&x| flow.is_flooded([x as f64 + 0.5, 1.5])).unwrap()
    };
    let (water, lava) = (reach(0.0), reach(20.0));
    assert!(water > 18 && lava < water && lava >= 10, "water {water}, lava {lava}");
}

#[test]
fn sea_fills_a_bay_to_its_level() {
    let mut bay =
        world_with_bed(40, 10, 1.0, inertial_params(), |x, _| x as f32 * 0.05, |_, _| 0.0);
    let sea =
        |level: f64| Boundary::on_edge(Edge::West, BoundaryKind::Stage { level: level.into() });
    bay.set_boundary(sea(1.0)).unwrap();
    bay.advance(600.0).unwrap();
    let full = bay.surface_at([10.0, 5.0]).unwrap();
    assert!((full - 1.0).abs() < 5e-3, "{full}");
    bay.set_boundary(sea(0.2)).unwrap();
    bay.advance(600.0).unwrap();
    assert!((bay.surface_at([1.0, 5.0]).unwrap() - 0.2).abs() < 5e-3);
    assert!(bay.balance().residual_relative.abs() < 1e-6);
}
