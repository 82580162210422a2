//! The four loops of lisyarus, "Simulating water over terrain" (2025): accelerate, scale what leaves a cell, move it.

use super::{G, row, row_mut, rows_mut};
use headwater::Field;
use multiversion::multiversion;

/// Virtual pipes on squares of 1 m.
pub(in crate::bench) struct Pipes {
    /// Columns and rows.
    size: [usize; 2],
    terrain: Vec<f32>,
    water: Vec<f32>,
    /// Over the faces to the west: one more than there are cells in a row.
    flow_x: Vec<f32>,
    /// Over the faces to the north: a row more than there are of cells.
    flow_y: Vec<f32>,
    dt: f32,
}

impl Pipes {
    pub(in crate::bench) fn new(bed: &Field<f32>, depth: &Field<f32>, dt: f64) -> Self {
        let (nx, ny) = (bed.nx(), bed.ny());
        Self {
            size: [nx, ny],
            terrain: bed.as_slice().to_vec(),
            water: depth.as_slice().to_vec(),
            flow_x: vec![0.0; (nx + 1) * ny],
            flow_y: vec![0.0; nx * (ny + 1)],
            dt: dt as f32,
        }
    }

    pub(in crate::bench) fn step(&mut self) {
        let Self { size, terrain, water, flow_x, flow_y, dt } = self;
        accelerate_x(flow_x, terrain, water, *size, G * *dt);
        accelerate_y(flow_y, terrain, water, *size, G * *dt);
        scale(flow_x, flow_y, water, *size, 1.0 / *dt);
        update(water, flow_x, flow_y, *size, *dt);
    }
}

/// The first loop, over faces between west and east.
#[multiversion(targets = "simd")]
pub(super) fn accelerate_x(
    flow: &mut [f32],
    terrain: &[f32],
    water: &[f32],
    size: [usize; 2],
    push: f32,
) {
    let [nx, ny] = size;
    for y in 0..ny {
        let (z, h, q) = (row(terrain, nx, y), row(water, nx, y), row_mut(flow, nx + 1, y));
        for x in 1..nx {
            q[x] += push * ((h[x - 1] + z[x - 1]) - (h[x] + z[x]));
        }
    }
}

/// The second loop, over faces between north and south.
#[multiversion(targets = "simd")]
pub(super) fn accelerate_y(
    flow: &mut [f32],
    terrain: &[f32],
    water: &[f32],
    size: [usize; 2],
    push: f32,
) {
    let [nx, ny] = size;
    for y in 1..ny {
        let [za, zb] = [row(terrain, nx, y - 1), row(terrain, nx, y)];
        let [ha, hb] = [row(water, nx, y - 1), row(water, nx, y)];
        let q = row_mut(flow, nx, y);
        for x in 0..nx {
            q[x] += push * ((ha[x] + za[x]) - (hb[x] + zb[x]));
        }
    }
}

/// The third loop: no cell gives more than it has.
#[multiversion(targets = "simd")]
fn scale(flow_x: &mut [f32], flow_y: &mut [f32], water: &[f32], size: [usize; 2], rate: f32) {
    let [nx, ny] = size;
    for y in 0..ny {
        let (h, q) = (row(water, nx, y), row_mut(flow_x, nx + 1, y));
        let [north, south] = rows_mut(flow_y, nx, y);
        for x in 0..nx {
            let out =
                (-q[x]).max(0.0) + q[x + 1].max(0.0) + (-north[x]).max(0.0) + south[x].max(0.0);
            let most = h[x] * rate;
            if out > most {
                let part = most / out;
                if q[x] < 0.0 {
                    q[x] *= part;
                }
                if q[x + 1] > 0.0 {
                    q[x + 1] *= part;
                }
                if north[x] < 0.0 {
                    north[x] *= part;
                }
                if south[x] > 0.0 {
                    south[x] *= part;
                }
            }
        }
    }
}

/// The fourth loop.
#[multiversion(targets = "simd")]
fn update(water: &mut [f32], flow_x: &[f32], flow_y: &[f32], size: [usize; 2], dt: f32) {
    let [nx, ny] = size;
    for y in 0..ny {
        let (h, q) = (row_mut(water, nx, y), row(flow_x, nx + 1, y));
        let [north, south] = [row(flow_y, nx, y), row(flow_y, nx, y + 1)];
        for x in 0..nx {
            h[x] += dt * (q[x] - q[x + 1] + north[x] - south[x]);
        }
    }
}
