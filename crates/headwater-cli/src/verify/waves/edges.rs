//! What absorbing edges send back: a world with such edges, held against one so large that no wave has
//! come back from its walls yet.

use super::worlds::{params, world};
use crate::verify::{FROZEN, Motion, Outcome, Row, fields::greatest, fields::worst};
use anyhow::Result;
use headwater::waves::{EdgeKind, Edges, Params};
use headwater::{Field, Region};
use std::f64::consts::PI;

/// Columns of the world with absorbing edges, and of the large one around it.
const NEAR: usize = 240;
const FAR: usize = 1200;

/// Waves of 8 to 64 cells, straight onto the edges.
pub(super) fn straight(name: &'static str, motion: &dyn Motion) -> Result<Outcome> {
    let waves = [8.0, 12.0, 20.0, 32.0, 64.0].map(|length| sent_back(motion, length, 3, 0.0));
    let metric = "amplitude sent back at 0°, over that of the wave";
    Ok(Row::at_most(name, metric, worst(waves)?, 0.01).into())
}

/// Waves of 8.5 to 45 cells, at 45°: a torus to the north and south is as high as one wave.
pub(super) fn slantwise(name: &'static str, motion: &dyn Motion) -> Result<Outcome> {
    let waves = [12, 16, 24, 40, 64].map(|rows| {
        let length = rows as f64 / 2.0_f64.sqrt();
        sent_back(motion, length, rows, 2.0 * PI / rows as f64)
    });
    let metric = "amplitude sent back at 45°, over that of the wave";
    Ok(Row::at_most(name, metric, worst(waves)?, 0.05).into())
}

/// The part of a packet of waves of `length` cells, with wave number `ky` along the edges, that comes
/// back from them.
fn sent_back(motion: &dyn Motion, length: f64, rows: usize, ky: f64) -> Result<f64> {
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
        let mut waves = world(width, rows, Params { edges, ..params(0.36, 0.0) })?;
        waves.set_surface(&packet(width))?;
        anyhow::Ok(waves)
    };
    let mut near = build(NEAR, EdgeKind::Absorbing)?;
    let mut far = build(FAR, EdgeKind::Reflecting)?;
    let layer = near.params().absorbing_cells;
    let pace = near.params().speed * near.params().step * kx / k;
    let go = |cells: f64| (cells / pace / 10.0) as u64;
    let start = near.state().height.clone();
    // Half of it runs to each side: what arrives there is half as high.
    let arriving = 0.5 * greatest(&start);
    let mut back = 0.0_f64;
    // To the edge, back, and on to the other edge; the large world's walls are farther than that.
    for _ in 0..go(1.8 * NEAR as f64) {
        motion.ripple(&mut near, 10)?;
        motion.ripple(&mut far, 10)?;
        for y in 0..rows {
            for x in layer..NEAR - layer {
                let awaited = far.state().height[(x + (FAR - NEAR) / 2, y)];
                let found = near.state().height[(x, y)];
                back = back.max(f64::from((found - awaited).abs()));
            }
        }
    }
    let middle = Region::rect([100.0, 0.0], [140.0, rows as f64]).cells(near.lattice());
    let left = middle.iter().map(|&(x, y, _)| near.state().height[(x, y)].abs());
    let gone = f64::from(left.fold(0.0, f32::max)) < 0.3 * arriving;
    Ok(if gone { back / arriving } else { FROZEN })
}
