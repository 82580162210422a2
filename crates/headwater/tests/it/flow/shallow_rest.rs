//! Tests that shallow water at rest stays at rest, and that thin films flow at the velocity of
//! uniform flow.

use crate::support::flow::noise;
use headwater::flow::{Boundary, BoundaryKind, Flow, Params, Physics};
use headwater::{Edge, Field, Square};

const G: f64 = 9.81;

fn params(manning: f64) -> Params {
    Params { level: Physics::ShallowWater, manning, ..Params::default() }
}

fn max_speed(flow: &Flow) -> f64 {
    let state = flow.state();
    let q = state.momentum.as_ref().unwrap();
    let mut max_speed = 0.0_f64;
    for (i, &h) in state.depth.as_slice().iter().enumerate() {
        if f64::from(h) > flow.params().dry_depth {
            let (u, v) = (q.x.as_slice()[i] / h, q.y.as_slice()[i] / h);
            max_speed = max_speed.max(f64::from(u.hypot(v)));
        }
    }
    max_speed
}

/// Returns the energy of the water per unit of density (m⁵/s²): its potential energy above that of
/// the lake at rest, plus its kinetic energy.
fn energy(flow: &Flow) -> f64 {
    let state = flow.state();
    let q = state.momentum.as_ref().unwrap();
    let mut sum = 0.0;
    for (i, &h) in state.depth.as_slice().iter().enumerate() {
        let h = f64::from(h) + f64::from(state.remainder.as_slice()[i]);
        let z = f64::from(state.bed.as_slice()[i]);
        let (qx, qy) = (f64::from(q.x.as_slice()[i]), f64::from(q.y.as_slice()[i]));
        sum += G * h * (z + 0.5 * h);
        if h > 1e-8 {
            sum += 0.5 * (qx * qx + qy * qy) / h;
        }
    }
    sum * flow.lattice().cell_area()
}

/// Returns a world with a rough bed between −10 m and 10 m and dry islands. The water level is not
/// exactly representable as an `f32`, and is disturbed by up to `unevenness` (m).
fn lake_with_islands(n: usize, unevenness: f32) -> Flow {
    let lattice = Square::new(n, n, 1.0, 1.0).unwrap();
    let bed = Field::from_fn(n, n, |x, y| {
        8.0 * (2.0 * noise(x / 9, y / 9, 1) - 1.0) + 2.0 * (2.0 * noise(x, y, 2) - 1.0)
    });
    let depth = Field::from_fn(n, n, |x, y| {
        let h = 0.7 - bed[(x, y)];
        if h > 0.0 { (h + unevenness * (2.0 * noise(x, y, 3) - 1.0)).max(0.0) } else { 0.0 }
    });
    Flow::new(lattice, params(0.0), bed, depth).unwrap()
}

fn check_lake_stays_at_rest(mut flow: Flow, steps: usize) {
    let start = flow.clone();
    let dry = flow.state().depth.as_slice().iter().filter(|h| **h == 0.0).count();
    assert!((2000..14000).contains(&dry), "{dry} dry cells");
    let dt = flow.stable_dt();
    for _ in 0..steps {
        flow.step(dt).unwrap();
    }
    let moved = flow.state().depth.as_slice().iter().zip(start.state().depth.as_slice());
    let drift = moved.map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
    println!("rest: drift {drift:e} m, speed {:e} m/s after {steps} steps", max_speed(&flow));
    assert!(drift <= 5e-6 && max_speed(&flow) <= 1e-4);
}

#[test]
fn lake_with_islands_stays_at_rest() {
    check_lake_stays_at_rest(lake_with_islands(128, 0.0), 2_000);
    // Counter-check: if the water could not move, an uneven surface would stay too.
    let mut uneven = lake_with_islands(128, 0.01);
    uneven.advance(1.0).unwrap();
    assert!(max_speed(&uneven) > 1e-2);
}

#[test]
fn lake_stays_at_rest_beside_a_prescribed_level() {
    let mut flow = lake_with_islands(128, 0.0);
    for edge in Edge::ALL {
        let sea = BoundaryKind::Stage { level: 0.7.into() };
        flow.set_boundary(Boundary::on_edge(edge, sea)).unwrap();
    }
    check_lake_stays_at_rest(flow, 250);
}

#[test]
fn noise_on_a_lake_decays_without_energy_growth() {
    let mut flow = lake_with_islands(32, 0.01);
    let dry = flow.state().depth.as_slice().iter().filter(|h| **h == 0.0).count();
    assert!((200..800).contains(&dry), "{dry} dry cells");
    let begun = energy(&flow);
    let (mut before, mut grown) = (begun, 0.0_f64);
    flow.advance(1.0).unwrap();
    let fast = max_speed(&flow);
    for _ in 0..6_000 {
        flow.step(flow.stable_dt()).unwrap();
        let now = energy(&flow);
        grown = grown.max(now - before);
        before = now;
    }
    println!(
        "noise: speed {fast:e} to {:e} m/s, most energy gained in a step {grown:e}",
        max_speed(&flow)
    );
    assert!(fast > 2e-2 && max_speed(&flow) < 1e-2);
    // Rounding of the depths causes a millionth of the initial energy.
    assert!(before < begun && grown <= 1e-6 * (begun - before), "{begun} {before} {grown:e}");
}

/// Simulates a film of water on a sloping plane whose ground varies randomly by ±`roughness_height`
/// (m), with inflow at the top and free outflow at the bottom. Returns the mean depth and the mean
/// velocity in the middle of the plane, both relative to uniform (normal) flow.
fn simulate_film(slope: f64, depth: f64, roughness_height: f32, ny: usize) -> (f64, f64) {
    let (n, manning) = (100, 0.03);
    let velocity = depth.powf(2.0 / 3.0) * slope.sqrt() / manning;
    let lattice = Square::new(n, ny, 1.0, 1.0).unwrap();
    let bed = Field::from_fn(n, ny, |x, y| {
        ((n - x) as f64 * slope) as f32 + roughness_height * (2.0 * noise(x, y, 5) - 1.0)
    });
    let mut flow = Flow::new(lattice, params(manning), bed, Field::new(n, ny, 0.0)).unwrap();
    let discharge = BoundaryKind::Inflow { discharge: (depth * velocity).into() };
    flow.set_boundary(Boundary::on_edge(Edge::West, discharge)).unwrap();
    flow.set_boundary(Boundary::on_edge(Edge::East, BoundaryKind::Open)).unwrap();
    flow.advance(400.0).unwrap();
    let through = flow.discharge_through([50.0, ny as f64], [50.0, 0.0]) / ny as f64;
    assert!((through / (depth * velocity) - 1.0).abs() < 0.01, "{through} m²/s get through");
    let middle = (0..ny).flat_map(|y| (n / 4..3 * n / 4).map(move |x| (x, y)));
    let sum: f64 = middle.map(|cell| f64::from(flow.state().depth[cell])).sum();
    let mean = sum / (n / 2 * ny) as f64;
    (mean / depth, through / mean / velocity)
}

fn check_films(roughness_height: f32, ny: usize, limit: f64) {
    for (slope, depth) in [(0.05, 0.01), (0.05, 0.02), (0.3, 0.01), (0.3, 0.02)] {
        let (h, u) = simulate_film(slope, depth, roughness_height, ny);
        println!(
            "film of {depth} m on {slope}, noise ±{roughness_height} m: \
             depth {h:.4}, velocity {u:.4}"
        );
        assert!((h - 1.0).abs() < limit && (u - 1.0).abs() < limit);
    }
}

#[test]
fn films_have_their_normal_velocity() {
    check_films(0.0, 1, 0.02);
}

#[test]
fn films_on_rough_ground_nearly_have_their_normal_velocity() {
    check_films(0.005, 6, 0.1);
    // If the noise is as high as the film is deep, pools store up to a seventh more water.
    check_films(0.01, 6, 0.15);
}
