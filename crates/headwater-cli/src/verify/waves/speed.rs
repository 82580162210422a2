//! How fast waves run and fade, held against the equations.

use super::worlds::{STEP, params, world};
use crate::verify::{FROZEN, Motion, Outcome, Row};
use anyhow::Result;
use headwater::waves::{EdgeKind, Edges, Params, Waves};
use headwater::{Field, Square};
use std::f64::consts::PI;

/// How strongly a shape is in the surface, sampled once a step.
struct Track {
    values: Vec<f64>,
    step: f64,
}

impl Track {
    /// Starts from the shape itself, `height` m high, and goes `steps` steps.
    fn of(
        waves: &mut Waves,
        motion: &dyn Motion,
        height: f64,
        steps: usize,
        shape: impl Fn(usize, usize) -> f64,
    ) -> Result<Self> {
        let (nx, ny) = (waves.lattice().nx(), waves.lattice().ny());
        let shape = Field::from_fn(nx, ny, shape);
        waves.set_surface(&shape.map(|&s| (height * s) as f32))?;
        let norm: f64 = shape.as_slice().iter().map(|s| s * s).sum();
        let mut values = Vec::with_capacity(steps + 1);
        for i in 0..=steps {
            if i > 0 {
                motion.ripple(waves, 1)?;
            }
            let both = waves.state().height.as_slice().iter().zip(shape.as_slice());
            values.push(both.map(|(&z, s)| f64::from(z) * s).sum::<f64>() / norm);
        }
        Ok(Self { values, step: waves.params().step })
    }

    /// Angular frequency (1/s) from the first to the last time it passes 0; 0 if it never does.
    fn frequency(&self) -> f64 {
        let pairs = self.values.windows(2).enumerate();
        let crossing = pairs.filter(|(_, pair)| (pair[0] > 0.0) != (pair[1] > 0.0));
        let passes: Vec<f64> =
            crossing.map(|(i, pair)| i as f64 + pair[0] / (pair[0] - pair[1])).collect();
        match passes.as_slice() {
            [first, .., last] => PI * (passes.len() - 1) as f64 / ((last - first) * self.step),
            _ => 0.0,
        }
    }

    /// Rate (1/s) at which the peaks fade; 0 if there are none.
    fn fading(&self) -> f64 {
        let triples = self.values.windows(3).enumerate();
        let highest = triples.filter(|(_, v)| v[1].abs() > v[0].abs() && v[1].abs() >= v[2].abs());
        let peak = |(i, v): (usize, &[f64])| {
            // Of the parabola through three points.
            let (slope, bend) = (0.5 * (v[2] - v[0]), v[2] - 2.0 * v[1] + v[0]);
            let at = -slope / bend;
            (i as f64 + 1.0 + at, (v[1] + 0.5 * slope * at).abs())
        };
        let peaks: Vec<(f64, f64)> = highest.map(peak).collect();
        match peaks.as_slice() {
            [first, .., last] => (first.1 / last.1).ln() / ((last.0 - first.0) * self.step),
            _ => 0.0,
        }
    }
}

/// Low waves that nothing takes energy from.
fn undamped() -> Params {
    Params { damping: 0.0, highest: 0.1, ..Params::default() }
}

/// A standing wave of 3 × 2 half waves in a closed basin of 1.5 m × 1 m: frequencies (1/s) found, of the
/// discrete equations and of the continuous ones, on `n` cells for a metre.
fn basin(motion: &dyn Motion, n: usize) -> Result<[f64; 3]> {
    let (nx, ny) = (3 * n / 2, n);
    let (cell, q, speed) = (1.0 / n as f64, 0.32_f64, 1.0);
    let step = q.sqrt() * cell / speed;
    let params = Params { speed, step, ..undamped() };
    let mut waves = Waves::new(Square::new(nx, ny, cell, cell)?, params)?;
    let k = [3.0 * PI / (nx as f64 * cell), 2.0 * PI / (ny as f64 * cell)];
    let exact = speed * (k[0] * k[0] + k[1] * k[1]).sqrt();
    let steps = (20.0 * 2.0 * PI / exact / step) as usize;
    let track = Track::of(&mut waves, motion, 0.05, steps, |x, y| {
        (k[0] * (x as f64 + 0.5) * cell).cos() * (k[1] * (y as f64 + 0.5) * cell).cos()
    })?;
    // sin²(ωt/2) = q·(sin²(k_x·d/2) + sin²(k_y·d/2))
    let part = |k: f64| (0.5 * k * cell).sin().powi(2);
    let discrete = 2.0 / step * (q * (part(k[0]) + part(k[1]))).sqrt().asin();
    Ok([track.frequency(), discrete, exact])
}

/// The period of a standing wave is that of the discrete equations, and comes near that of the
/// continuous ones at second order.
pub(super) fn standing(name: &'static str, motion: &dyn Motion) -> Result<Outcome> {
    let (mut off, mut errors) = (0.0_f64, Vec::new());
    for n in [12, 24, 48] {
        let [found, discrete, exact] = basin(motion, n)?;
        off = off.max((discrete / found - 1.0).abs());
        errors.push((found / exact - 1.0).abs());
    }
    let orders = errors.windows(2).map(|pair| (pair[0] / pair[1]).log2());
    let order = orders.fold(FROZEN, f64::min);
    let metric = "period off that of the discrete equations";
    Ok(Outcome::of([
        Row::at_most(name, metric, off, 1e-3),
        Row::at_least(format!("{name}-order"), "order over 12, 24, 48 cells", order, 1.9),
    ]))
}

/// Waves fade as e^(−μ·time/2).
pub(super) fn damping(name: &'static str, motion: &dyn Motion) -> Result<Outcome> {
    let mut worst = 0.0_f64;
    for damping in [0.05, 0.4, 1.5] {
        let params = params(0.3, damping * STEP);
        let mut waves = world(40, 5, params)?;
        let k = 3.0 * PI / 40.0;
        let shape = |x: usize, _| (k * (x as f64 + 0.5)).cos();
        let track = Track::of(&mut waves, motion, 0.3, 100, shape)?;
        worst = worst.max((2.0 * track.fading() / damping - 1.0).abs());
    }
    Ok(Row::at_most(name, "damping off the one asked for, relative", worst, 1e-2).into())
}

/// With dispersion, waves of 7 cells and more run at √(g·tanh(k·depth)/k), along the axes and across.
pub(super) fn dispersion(name: &'static str, motion: &dyn Motion) -> Result<Outcome> {
    let mut worst = 0.0_f64;
    for depth in [0.3, 1.0, 3.0, 8.0] {
        for length in [7_usize, 8, 10, 16, 32, 64] {
            for turned in [false, true] {
                // Across, the wave is √2 shorter than the torus.
                let n =
                    if turned { (length as f64 * 2.0_f64.sqrt()).ceil() as usize } else { length };
                let ny = if turned { n } else { 3 };
                worst = worst.max(dispersive(motion, depth, n, ny, turned)?);
            }
        }
    }
    let metric = "phase speed off √(g·tanh(k·h)/k), relative";
    Ok(Row::at_most(name, metric, worst, 0.05).into())
}

/// How far the phase speed of one wave is off, relative.
fn dispersive(motion: &dyn Motion, depth: f64, nx: usize, ny: usize, turned: bool) -> Result<f64> {
    let gravity = 9.81;
    // q = 0.4 for long waves.
    let step = (0.4 / (gravity * depth)).sqrt();
    let edges = Edges::all(EdgeKind::Periodic);
    let params = Params { gravity, depth, step, edges, dispersion: true, ..undamped() };
    let mut waves = world(nx, ny, params)?;
    let along = 2.0 * PI / nx as f64;
    let k = if turned { along * 2.0_f64.sqrt() } else { along };
    let exact = (gravity * k * (k * depth).tanh()).sqrt();
    let steps = (8.0 * 2.0 * PI / exact / step) as usize;
    let shape = |x: usize, y: usize| {
        let y = if turned { y as f64 } else { 0.0 };
        (along * (x as f64 + y)).cos()
    };
    let track = Track::of(&mut waves, motion, 0.05, steps, shape)?;
    Ok((track.frequency() / exact - 1.0).abs())
}
