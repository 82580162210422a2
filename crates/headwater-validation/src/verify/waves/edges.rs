//! Test cases for the reflection of waves by absorbing edges. A world with absorbing edges is
//! compared with a larger world whose edges are so distant that no reflection has returned.

use super::worlds::{create_params, create_world};
use crate::verify::{FROZEN, Outcome, Row, Stepper, norms::max_abs, norms::max_of_errors};
use anyhow::Result;
use headwater::waves::{EdgeKind, Edges, Params};
use headwater::{Field, Region};
use std::f64::consts::PI;

/// Number of columns of the world with absorbing edges.
const COLUMNS: usize = 240;
/// Number of columns of the larger reference world.
const REFERENCE_COLUMNS: usize = 1200;

/// Measures the reflection of waves with wavelengths of 8 to 64 cells at normal incidence.
pub(super) fn measure_normal_incidence(
    name: &'static str,
    stepper: &dyn Stepper,
) -> Result<Outcome> {
    let waves =
        [8.0, 12.0, 20.0, 32.0, 64.0].map(|length| reflection_coefficient(stepper, length, 3, 0.0));
    let metric = "reflection coefficient at normal incidence";
    Ok(Row::at_most(name, metric, max_of_errors(waves)?, 0.01).into())
}

/// Measures the reflection of waves with wavelengths of 8.5 to 45 cells at an angle of 45°. The
/// world is periodic from north to south, and its size in this direction is the distance between
/// successive crests along the absorbing edges.
pub(super) fn measure_oblique_incidence(
    name: &'static str,
    stepper: &dyn Stepper,
) -> Result<Outcome> {
    let waves = [12, 16, 24, 40, 64].map(|rows| {
        let length = rows as f64 / 2.0_f64.sqrt();
        reflection_coefficient(stepper, length, rows, 2.0 * PI / rows as f64)
    });
    let metric = "reflection coefficient at 45°";
    Ok(Row::at_most(name, metric, max_of_errors(waves)?, 0.05).into())
}

/// Returns the reflection coefficient for a wave packet in a world of `rows` rows. `length` is the
/// wavelength (cells), and `ky` is the component of the wave number parallel to the absorbing edges
/// (rad/cell).
fn reflection_coefficient(stepper: &dyn Stepper, length: f64, rows: usize, ky: f64) -> Result<f64> {
    let k = 2.0 * PI / length;
    let kx = (k * k - ky * ky).sqrt();
    let packet = |width: usize| {
        Field::from_fn(width, rows, |x, y| {
            let x = x as f64 + 0.5 - 0.5 * width as f64;
            let envelope = (-0.5 * (x / 20.0).powi(2)).exp();
            (0.2 * envelope * (kx * x + ky * y as f64).cos()) as f32
        })
    };
    let build = |width: usize, side: EdgeKind| {
        let along = EdgeKind::Periodic;
        let edges = Edges { west: side, east: side, north: along, south: along };
        let mut waves = create_world(width, rows, Params { edges, ..create_params(0.36, 0.0) })?;
        waves.set_surface(&packet(width))?;
        anyhow::Ok(waves)
    };
    let mut near = build(COLUMNS, EdgeKind::Absorbing)?;
    let mut far = build(REFERENCE_COLUMNS, EdgeKind::Reflecting)?;
    let layer = near.params().absorbing_cells;
    let pace = near.params().speed * near.params().step * kx / k;
    let go = |cells: f64| (cells / pace / 10.0) as u64;
    let start = near.state().height.clone();
    // Half of the packet runs to each side, with half the amplitude.
    let arriving = 0.5 * max_abs(&start);
    let mut reflected = 0.0_f64;
    // The packet travels to the edge, back, and on to the other edge. The walls of the larger world
    // are farther away.
    for _ in 0..go(1.8 * COLUMNS as f64) {
        stepper.step_waves(&mut near, 10)?;
        stepper.step_waves(&mut far, 10)?;
        for y in 0..rows {
            for x in layer..COLUMNS - layer {
                let expected = far.state().height[(x + (REFERENCE_COLUMNS - COLUMNS) / 2, y)];
                let found = near.state().height[(x, y)];
                reflected = reflected.max(f64::from((found - expected).abs()));
            }
        }
    }
    let middle = Region::rect([100.0, 0.0], [140.0, rows as f64]).cells(near.lattice());
    let left = middle.iter().map(|&(x, y, _)| near.state().height[(x, y)].abs());
    let left_the_middle = f64::from(left.fold(0.0, f32::max)) < 0.3 * arriving;
    Ok(if left_the_middle { reflected / arriving } else { FROZEN })
}
