//! Shallow water at rest stays at rest, and thin films run at their normal velocity.
#![allow(clippy::unwrap_used, reason = "a failing test may panic")]

mod common;

use common::noise;
use headwater::flow::{Boundary, BoundaryKind, Flow, Params, Physics};
use headwater::{Edge, Field, Square};

const G: f64 = 9.81;

fn params(manning: f64) -> Params {
    Params { physics: Physics::ShallowWater, manning, ..Params::default() }
}

/// The largest velocity of water deeper than a tenth of a millimetre.
fn fastest(flow: &Flow) -> f64 {
    let state = flow.state();
    let q = state.momentum.as_ref().unwrap();
    let mut most = 0.0_f64;
    for (i, &h) in state.depth.as_slice().iter().enumerate() {
        if h > 1e-4 {
            let (u, v) = (q.x.as_slice()[i] / h, q.y.as_slice()[i] / h);
            most = most.max(f64::from(u.hypot(v)));
        }
    }
    most
}

/// Potential and kinetic energy above the still world's (m⁵/s² per unit of density).
fn energy(flow: &Flow) -> f64 {
    let state = flow.state();
    let q = state.momentum.as_ref().unwrap();
    let mut sum = 0.0;
    for (i, &h) in state.depth.as_slice().iter().enumerate() {
        let (h, z) = (f64::from(h), f64::from(state.bed.as_slice()[i]));
        let (qx, qy) = (f64::from(q.x.as_slice()[i]), f64::from(q.y.as_slice()[i]));
        sum += G * h * (z + 0.5 * h);
        if h > 1e-8 {
            sum += 0.5 * (qx * qx + qy * qy) / h;
        }
    }
    sum * flow.lattice().cell_area()
}

/// A rough bed from −10 to 10 m with dry islands in water up to the level 0.
fn islands(n: usize, unevenness: f32) -> Flow {
    let lattice = Square::new(n, n, 1.0, 1.0).unwrap();
    let bed = Field::from_fn(n, n, |x, y| {
        8.0 * (2.0 * noise(x / 9, y / 9, 1) - 1.0) + 2.0 * (2.0 * noise(x, y, 2) - 1.0)
    });
    let depth = Field::from_fn(n, n, |x, y| {
        let h = 0.0 - bed[(x, y)];
        if h > 0.0 { (h + unevenness * (2.0 * noise(x, y, 3) - 1.0)).max(0.0) } else { 0.0 }
    });
    Flow::new(lattice, params(0.0), bed, depth).unwrap()
}

#[test]
fn a_rough_lake_with_islands_stays_at_rest() {
    let mut flow = islands(128, 0.0);
    let dry = flow.state().depth.as_slice().iter().filter(|h| **h == 0.0).count();
    assert!((2000..14000).contains(&dry), "{dry} dry cells");
    let start = flow.clone();
    let dt = 0.9 * flow.stable_dt();
    for _ in 0..steps(100_000) {
        flow.step(dt).unwrap();
    }
    let moved = flow.state().depth.as_slice().iter().zip(start.state().depth.as_slice());
    let drift = moved.map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
    println!("rest: drift {drift:e} m, speed {:e} m/s", fastest(&flow));
    assert!(drift <= 5e-6 && fastest(&flow) <= 1e-4);
    // Were the water frozen, a bump would stay too.
    let mut bumpy = islands(128, 0.01);
    bumpy.advance(1.0).unwrap();
    assert!(fastest(&bumpy) > 1e-3);
}

fn steps(all: usize) -> usize {
    std::env::var("HW_STEPS").ok().and_then(|s| s.parse().ok()).unwrap_or(all)
}

#[test]
fn noise_on_a_lake_dies_away() {
    let mut flow = islands(64, 0.01);
    let begun = energy(&flow);
    let (mut before, mut grown) = (begun, 0.0_f64);
    for step in 0..steps(20_000) {
        flow.step(flow.stable_dt()).unwrap();
        let now = energy(&flow);
        grown = grown.max(now - before);
        before = now;
        if step % 2000 == 0 {
            println!(
                "{step}: energy {:.9e} speed {:.3e} dt {:.4}",
                now - begun,
                fastest(&flow),
                flow.stable_dt()
            );
        }
    }
    println!(
        "noise: energy {begun} to {before}, growth in a step {grown:e}, speed {:e}",
        fastest(&flow)
    );
    assert!(before < begun && fastest(&flow) < 1e-2);
}

/// A film on a plane, with an inflow at the top; returns the mean depth and velocity in the middle.
fn film(slope: f64, depth: f64, rough: f32, ny: usize) -> (f64, f64, f64) {
    let n = 100;
    let manning = 0.03;
    let velocity = depth.powf(2.0 / 3.0) * slope.sqrt() / manning;
    let lattice = Square::new(n, ny, 1.0, 1.0).unwrap();
    let bed = Field::from_fn(n, ny, |x, y| {
        ((n - x) as f64 * slope) as f32 + rough * (2.0 * noise(x, y, 5) - 1.0)
    });
    let mut flow = Flow::new(lattice, params(manning), bed, Field::new(n, ny, 0.0)).unwrap();
    let discharge = BoundaryKind::Inflow { discharge: (depth * velocity).into() };
    flow.set_boundary(Boundary::whole(Edge::West, discharge)).unwrap();
    flow.set_boundary(Boundary::whole(Edge::East, BoundaryKind::Open)).unwrap();
    flow.advance(600.0).unwrap();
    let (mut h, mut q, mut count) = (0.0, 0.0, 0.0);
    for y in 0..ny {
        for x in n / 4..3 * n / 4 {
            h += f64::from(flow.state().depth[(x, y)]);
            q += f64::from(flow.state().momentum.as_ref().unwrap().x[(x, y)]);
            count += 1.0;
        }
    }
    let through =
        f64::from(flow.discharge_through([50.0, ny as f64], [50.0, 0.0]) as f32) / ny as f64;
    (h / count / depth, q / h / velocity, through / (depth * velocity))
}

#[test]
fn films_run_at_their_normal_velocity() {
    for slope in [0.05, 0.3] {
        for depth in [0.01, 0.02] {
            let (h, u, q) = film(slope, depth, 0.0, 1);
            println!("film {depth} m on {slope}: depth {h:.4}, velocity {u:.4}, discharge {q:.4}");
            assert!((h - 1.0).abs() < 0.02 && (u - 1.0).abs() < 0.02);
        }
    }
}

#[test]
fn films_on_rough_ground() {
    for rough in [0.005, 0.01] {
        for slope in [0.05, 0.3] {
            for depth in [0.01, 0.02] {
                let (h, u, q) = film(slope, depth, rough, 50);
                println!(
                    "film {depth} m on {slope} noise {rough}: depth {h:.4}, velocity {u:.4}, discharge {q:.4}"
                );
            }
        }
    }
}
