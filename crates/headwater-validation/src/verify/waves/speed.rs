//! Test cases that compare the speed and damping of waves with the wave equations.

use super::worlds::{STEP, create_params, create_world};
use crate::verify::{FROZEN, Outcome, Row, Stepper};
use anyhow::Result;
use headwater::waves::{EdgeKind, Edges, Params, Waves};
use headwater::{Field, Square};
use std::f64::consts::PI;

/// Time series of the amplitude of a surface shape, sampled once per step.
struct AmplitudeSeries {
    values: Vec<f64>,
    step: f64,
}

impl AmplitudeSeries {
    /// Records the amplitude of the surface shape `shape` (its least-squares coefficient in the
    /// surface) over `steps` steps. Initially the surface is `height` (m) times this shape.
    fn record(
        waves: &mut Waves,
        stepper: &dyn Stepper,
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
                stepper.step_waves(waves, 1)?;
            }
            let both = waves.state().height.as_slice().iter().zip(shape.as_slice());
            values.push(both.map(|(&z, s)| f64::from(z) * s).sum::<f64>() / norm);
        }
        Ok(Self { values, step: waves.params().step })
    }

    /// Returns the angular frequency (rad/s), measured between the first and the last zero
    /// crossing. Returns 0 if there are no crossings.
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

    /// Returns the decay rate (1/s) of the amplitude's peaks, from the first to the last; 0 if
    /// there are fewer than two peaks.
    fn decay_rate(&self) -> f64 {
        let triples = self.values.windows(3).enumerate();
        let highest = triples.filter(|(_, v)| v[1].abs() > v[0].abs() && v[1].abs() >= v[2].abs());
        let peak = |(i, v): (usize, &[f64])| {
            // Vertex of the parabola through three points.
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

/// Returns parameters for undamped waves of small amplitude.
fn undamped_params() -> Params {
    Params { damping: 0.0, highest: 0.1, ..Params::default() }
}

/// Returns the angular frequencies (rad/s) of a standing wave of 3 × 2 half-waves in a closed basin
/// of 1.5 m × 1 m with `n` cells per metre: the measured one, that of the discrete equations, and
/// that of the continuous equations.
fn basin_frequencies(stepper: &dyn Stepper, n: usize) -> Result<[f64; 3]> {
    let (nx, ny) = (3 * n / 2, n);
    let (cell, q, speed) = (1.0 / n as f64, 0.32_f64, 1.0);
    let step = q.sqrt() * cell / speed;
    let params = Params { speed, step, ..undamped_params() };
    let mut waves = Waves::new(Square::new(nx, ny, cell, cell)?, params)?;
    let k = [3.0 * PI / (nx as f64 * cell), 2.0 * PI / (ny as f64 * cell)];
    let exact = speed * (k[0] * k[0] + k[1] * k[1]).sqrt();
    let steps = (20.0 * 2.0 * PI / exact / step) as usize;
    let track = AmplitudeSeries::record(&mut waves, stepper, 0.05, steps, |x, y| {
        (k[0] * (x as f64 + 0.5) * cell).cos() * (k[1] * (y as f64 + 0.5) * cell).cos()
    })?;
    // sin²(ωt/2) = q·(sin²(k_x·d/2) + sin²(k_y·d/2))
    let part = |k: f64| (0.5 * k * cell).sin().powi(2);
    let discrete = 2.0 / step * (q * (part(k[0]) + part(k[1]))).sqrt().asin();
    Ok([track.frequency(), discrete, exact])
}

/// Compares the period of a standing wave with the discrete equations, and measures how it
/// converges to the continuous equations. The convergence must be of second order.
pub(super) fn measure_standing_wave(name: &'static str, stepper: &dyn Stepper) -> Result<Outcome> {
    let (mut off, mut errors) = (0.0_f64, Vec::new());
    for n in [12, 24, 48] {
        let [found, discrete, exact] = basin_frequencies(stepper, n)?;
        off = off.max((discrete / found - 1.0).abs());
        errors.push((found / exact - 1.0).abs());
    }
    let orders = errors.windows(2).map(|pair| (pair[0] / pair[1]).log2());
    let order = orders.fold(FROZEN, f64::min);
    let metric = "relative error of period against the discrete equations";
    Ok(Outcome::from_rows([
        Row::at_most(name, metric, off, 1e-3),
        Row::at_least(
            format!("{name}-order"),
            "order of convergence over 12, 24, 48 cells",
            order,
            1.9,
        ),
    ]))
}

/// Compares the decay of waves with the exact factor e^(−μ·time/2).
pub(super) fn measure_damping(name: &'static str, stepper: &dyn Stepper) -> Result<Outcome> {
    let mut worst = 0.0_f64;
    for damping in [0.05, 0.4, 1.5] {
        let params = create_params(0.3, damping * STEP);
        let mut waves = create_world(40, 5, params)?;
        let k = 3.0 * PI / 40.0;
        let shape = |x: usize, _| (k * (x as f64 + 0.5)).cos();
        let track = AmplitudeSeries::record(&mut waves, stepper, 0.3, 100, shape)?;
        worst = worst.max((2.0 * track.decay_rate() / damping - 1.0).abs());
    }
    Ok(Row::at_most(name, "relative error of damping", worst, 1e-2).into())
}

/// Compares the phase speed of dispersive waves with √(g·tanh(k·depth)/k). The wavelengths are 7
/// cells and more, and the waves travel along axes and diagonals.
pub(super) fn measure_dispersion(name: &'static str, stepper: &dyn Stepper) -> Result<Outcome> {
    let mut worst = 0.0_f64;
    for depth in [0.3, 1.0, 3.0, 8.0] {
        for length in [7_usize, 8, 10, 16, 32, 64] {
            for diagonal in [false, true] {
                // Along the diagonal the wave is √2 shorter than the torus.
                let n = if diagonal {
                    (length as f64 * 2.0_f64.sqrt()).ceil() as usize
                } else {
                    length
                };
                let ny = if diagonal { n } else { 3 };
                worst = worst.max(phase_speed_error(stepper, depth, n, ny, diagonal)?);
            }
        }
    }
    let metric = "relative error of phase speed against √(g·tanh(k·h)/k)";
    Ok(Row::at_most(name, metric, worst, 0.05).into())
}

/// Returns the relative error of the phase speed of a single wave.
fn phase_speed_error(
    stepper: &dyn Stepper,
    depth: f64,
    nx: usize,
    ny: usize,
    diagonal: bool,
) -> Result<f64> {
    let gravity = 9.81;
    // q = 0.4 for long waves.
    let step = (0.4 / (gravity * depth)).sqrt();
    let edges = Edges::uniform(EdgeKind::Periodic);
    let params = Params { gravity, depth, step, edges, dispersion: true, ..undamped_params() };
    let mut waves = create_world(nx, ny, params)?;
    let along = 2.0 * PI / nx as f64;
    let k = if diagonal { along * 2.0_f64.sqrt() } else { along };
    let exact = (gravity * k * (k * depth).tanh()).sqrt();
    let steps = (8.0 * 2.0 * PI / exact / step) as usize;
    let shape = |x: usize, y: usize| {
        let y = if diagonal { y as f64 } else { 0.0 };
        (along * (x as f64 + y)).cos()
    };
    let track = AmplitudeSeries::record(&mut waves, stepper, 0.05, steps, shape)?;
    Ok((track.frequency() / exact - 1.0).abs())
}
