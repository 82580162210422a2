//! The same loops on hexagons, in axial coordinates: a cell's neighbours are west and east, above and below, and aslant
//! from above to the east to below to the west.

use super::pipes::{accelerate_x, accelerate_y};
use super::{G, row, row_mut, rows_mut};
use headwater::Field;
use multiversion::multiversion;

/// Virtual pipes on hexagons of 1 m².
pub(in crate::bench) struct Hexagons {
    /// Columns and rows.
    size: [usize; 2],
    terrain: Vec<f32>,
    water: Vec<f32>,
    flow_x: Vec<f32>,
    flow_y: Vec<f32>,
    /// Over the faces from (x, y − 1) to (x − 1, y), with a row and a column more than there are of cells.
    flow_z: Vec<f32>,
    dt: f32,
}

impl Hexagons {
    pub(in crate::bench) fn new(bed: &Field<f32>, depth: &Field<f32>, dt: f64) -> Self {
        let (nx, ny) = (bed.nx(), bed.ny());
        Self {
            size: [nx, ny],
            terrain: bed.as_slice().to_vec(),
            water: depth.as_slice().to_vec(),
            flow_x: vec![0.0; (nx + 1) * ny],
            flow_y: vec![0.0; nx * (ny + 1)],
            flow_z: vec![0.0; (nx + 1) * (ny + 1)],
            dt: dt as f32,
        }
    }

    pub(in crate::bench) fn step(&mut self) {
        let Self { size, terrain, water, flow_x, flow_y, flow_z, dt } = self;
        accelerate_x(flow_x, terrain, water, *size, G * *dt);
        accelerate_y(flow_y, terrain, water, *size, G * *dt);
        accelerate_z(flow_z, terrain, water, *size, G * *dt);
        scale([flow_x, flow_y, flow_z], water, *size, 1.0 / *dt);
        update(water, [flow_x, flow_y, flow_z], *size, *dt);
    }
}

#[multiversion(targets = "simd")]
fn accelerate_z(flow: &mut [f32], terrain: &[f32], water: &[f32], size: [usize; 2], push: f32) {
    let [nx, ny] = size;
    for y in 1..ny {
        let [za, zb] = [row(terrain, nx, y - 1), row(terrain, nx, y)];
        let [ha, hb] = [row(water, nx, y - 1), row(water, nx, y)];
        let q = row_mut(flow, nx + 1, y);
        for x in 1..nx {
            q[x] += push * ((ha[x] + za[x]) - (hb[x - 1] + zb[x - 1]));
        }
    }
}

#[multiversion(targets = "simd")]
fn scale(flows: [&mut [f32]; 3], water: &[f32], size: [usize; 2], rate: f32) {
    let [nx, ny] = size;
    let [flow_x, flow_y, flow_z] = flows;
    for y in 0..ny {
        let (h, q) = (row(water, nx, y), row_mut(flow_x, nx + 1, y));
        let [north, south] = rows_mut(flow_y, nx, y);
        let [up, down] = rows_mut(flow_z, nx + 1, y);
        for x in 0..nx {
            let out = (-q[x]).max(0.0)
                + q[x + 1].max(0.0)
                + (-north[x]).max(0.0)
                + south[x].max(0.0)
                + (-up[x + 1]).max(0.0)
                + down[x].max(0.0);
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
                if up[x + 1] < 0.0 {
                    up[x + 1] *= part;
                }
                if down[x] > 0.0 {
                    down[x] *= part;
                }
            }
        }
    }
}

#[multiversion(targets = "simd")]
fn update(water: &mut [f32], flows: [&[f32]; 3], size: [usize; 2], dt: f32) {
    let [nx, ny] = size;
    let [flow_x, flow_y, flow_z] = flows;
    for y in 0..ny {
        let (h, q) = (row_mut(water, nx, y), row(flow_x, nx + 1, y));
        let [north, south] = [row(flow_y, nx, y), row(flow_y, nx, y + 1)];
        let [up, down] = [row(flow_z, nx + 1, y), row(flow_z, nx + 1, y + 1)];
        for x in 0..nx {
            h[x] += dt * (q[x] - q[x + 1] + north[x] - south[x] + up[x + 1] - down[x]);
        }
    }
}
