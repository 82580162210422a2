//! Reference scheme: virtual pipes as in lisyarus, "Simulating water over terrain" (2025). A step
//! has four loops: two accelerate the flows at faces, one limits the outflow of each cell, and one
//! updates the depths.

use super::{G, row, row_mut};
use headwater::Field;
use multiversion::multiversion;

/// Water on square cells of 1 m, simulated with the virtual-pipe scheme.
pub(in crate::bench) struct Pipes {
    /// Numbers of columns and rows.
    size: [usize; 2],
    terrain: Vec<f32>,
    water: Vec<f32>,
    /// Flows (m³/s) at the western faces of cells, positive to the east. Each row has one value
    /// more than there are columns.
    flow_x: Vec<f32>,
    /// Flows (m³/s) at the northern faces of cells, positive to the south. There is one row more
    /// than there are rows of cells.
    flow_y: Vec<f32>,
    /// Factor by which the outflow of each cell is multiplied, 0 to 1, so that no cell loses more
    /// water than it has.
    outflow_scale: Vec<f32>,
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
            outflow_scale: vec![1.0; nx * ny],
            dt: dt as f32,
        }
    }

    pub(in crate::bench) fn step(&mut self) {
        let Self { size, terrain, water, flow_x, flow_y, dt, .. } = self;
        accelerate_x(flow_x, terrain, water, *size, G * *dt);
        accelerate_y(flow_y, terrain, water, *size, G * *dt);
        limit_outflow(flow_x, flow_y, water, *size, 1.0 / *dt);
        update_depths(water, flow_x, flow_y, *size, *dt);
    }

    /// Performs one step. In contrast to the article, the outflow limiter is split into three
    /// loops, so that a compiler can vectorise all loops of the step.
    pub(in crate::bench) fn step_in_vectors(&mut self) {
        let Self { size, terrain, water, flow_x, flow_y, outflow_scale, dt } = self;
        accelerate_x(flow_x, terrain, water, *size, G * *dt);
        accelerate_y(flow_y, terrain, water, *size, G * *dt);
        compute_outflow_factors(outflow_scale, flow_x, flow_y, water, *size, 1.0 / *dt);
        scale_x(flow_x, outflow_scale, *size);
        scale_y(flow_y, outflow_scale, *size);
        update_depths(water, flow_x, flow_y, *size, *dt);
    }
}

/// Accelerates the flows through the west–east faces (first loop of a step).
#[multiversion(targets = "simd")]
fn accelerate_x(
    flow: &mut [f32],
    terrain: &[f32],
    water: &[f32],
    size: [usize; 2],
    acceleration_factor: f32,
) {
    let [nx, ny] = size;
    for y in 0..ny {
        let (z, h, q) = (row(terrain, nx, y), row(water, nx, y), row_mut(flow, nx + 1, y));
        for x in 1..nx {
            q[x] += acceleration_factor * ((h[x - 1] + z[x - 1]) - (h[x] + z[x]));
        }
    }
}

/// Accelerates the flows through the north–south faces (second loop of a step).
#[multiversion(targets = "simd")]
fn accelerate_y(
    flow: &mut [f32],
    terrain: &[f32],
    water: &[f32],
    size: [usize; 2],
    acceleration_factor: f32,
) {
    let [nx, ny] = size;
    for y in 1..ny {
        let [za, zb] = [row(terrain, nx, y - 1), row(terrain, nx, y)];
        let [ha, hb] = [row(water, nx, y - 1), row(water, nx, y)];
        let q = row_mut(flow, nx, y);
        for x in 0..nx {
            q[x] += acceleration_factor * ((ha[x] + za[x]) - (hb[x] + zb[x]));
        }
    }
}

/// Returns rows `y` and `y + 1` of a row-major array as mutable slices.
fn rows_mut(values: &mut [f32], width: usize, y: usize) -> [&mut [f32]; 2] {
    let (first, second) = values[y * width..][..2 * width].split_at_mut(width);
    [first, second]
}

/// Multiplies a flow by `factor` if it is negative (westward or northward).
#[inline(always)]
fn scale_negative(flow: &mut f32, factor: f32) {
    if *flow < 0.0 {
        *flow *= factor;
    }
}

/// Multiplies a flow by `factor` if it is positive (eastward or southward).
#[inline(always)]
fn scale_positive(flow: &mut f32, factor: f32) {
    if *flow > 0.0 {
        *flow *= factor;
    }
}

/// Limits the outflow of each cell to the water in the cell (third loop of a step).
#[multiversion(targets = "simd")]
fn limit_outflow(
    flow_x: &mut [f32],
    flow_y: &mut [f32],
    water: &[f32],
    size: [usize; 2],
    rate: f32,
) {
    let [nx, ny] = size;
    for y in 0..ny {
        let (h, q) = (row(water, nx, y), row_mut(flow_x, nx + 1, y));
        let [north, south] = rows_mut(flow_y, nx, y);
        for x in 0..nx {
            let out =
                (-q[x]).max(0.0) + q[x + 1].max(0.0) + (-north[x]).max(0.0) + south[x].max(0.0);
            let available = h[x] * rate;
            if out > available {
                let factor = available / out;
                scale_negative(&mut q[x], factor);
                scale_positive(&mut q[x + 1], factor);
                scale_negative(&mut north[x], factor);
                scale_positive(&mut south[x], factor);
            }
        }
    }
}

/// Returns the value if it is positive, otherwise 0.
#[inline(always)]
fn positive_part(value: f32) -> f32 {
    if value > 0.0 { value } else { 0.0 }
}

/// Computes the outflow factor of each cell, in a loop that a compiler can vectorise.
#[multiversion(targets = "simd")]
fn compute_outflow_factors(
    outflow_factors: &mut [f32],
    flow_x: &[f32],
    flow_y: &[f32],
    water: &[f32],
    size: [usize; 2],
    rate: f32,
) {
    let [nx, ny] = size;
    for y in 0..ny {
        let (h, q, outflow_factors) =
            (row(water, nx, y), row(flow_x, nx + 1, y), row_mut(outflow_factors, nx, y));
        let [north, south] = [row(flow_y, nx, y), row(flow_y, nx, y + 1)];
        for x in 0..nx {
            let along = positive_part(-q[x]) + positive_part(q[x + 1]);
            let out = along + positive_part(-north[x]) + positive_part(south[x]);
            let available = h[x] * rate;
            outflow_factors[x] = if out > available { available / out } else { 1.0 };
        }
    }
}

/// Multiplies each flow through a west–east face by the outflow factor of its upstream cell. A
/// branch that selects the upstream cell would prevent vectorisation, so the products for both
/// directions are added. One of them is always 0.
#[multiversion(targets = "simd")]
fn scale_x(flow: &mut [f32], outflow_factors: &[f32], size: [usize; 2]) {
    let [nx, ny] = size;
    for y in 0..ny {
        let (q, outflow_factors) = (row_mut(flow, nx + 1, y), row(outflow_factors, nx, y));
        for x in 1..nx {
            q[x] = positive_part(q[x]) * outflow_factors[x - 1]
                - positive_part(-q[x]) * outflow_factors[x];
        }
    }
}

/// Multiplies each flow through a north–south face by the outflow factor of its upstream cell, like
/// [`scale_x`].
#[multiversion(targets = "simd")]
fn scale_y(flow: &mut [f32], outflow_factors: &[f32], size: [usize; 2]) {
    let [nx, ny] = size;
    for y in 1..ny {
        let (q, before, after) =
            (row_mut(flow, nx, y), row(outflow_factors, nx, y - 1), row(outflow_factors, nx, y));
        for x in 0..nx {
            q[x] = positive_part(q[x]) * before[x] - positive_part(-q[x]) * after[x];
        }
    }
}

/// Last loop of a step: updates the depth of each cell from the flows at its faces.
#[multiversion(targets = "simd")]
fn update_depths(water: &mut [f32], flow_x: &[f32], flow_y: &[f32], size: [usize; 2], dt: f32) {
    let [nx, ny] = size;
    for y in 0..ny {
        let (h, q) = (row_mut(water, nx, y), row(flow_x, nx + 1, y));
        let [north, south] = [row(flow_y, nx, y), row(flow_y, nx, y + 1)];
        for x in 0..nx {
            h[x] += dt * (q[x] - q[x + 1] + north[x] - south[x]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_vectorised_step_equals_the_plain_step() {
        let bed = Field::from_fn(70, 50, |x, y| (0.3 * x as f32).sin() + (0.2 * y as f32).cos());
        let level = |x: usize| 0.5 + 0.3 * (0.4 * x as f32).sin();
        let of = |x: usize, y: usize| (level(x) - bed[(x, y)]).max(0.0);
        let depth = Field::from_fn(bed.nx(), bed.ny(), of);
        let mut whole = Pipes::new(&bed, &depth, 0.1);
        let mut cut = Pipes::new(&bed, &depth, 0.1);
        for _ in 0..40 {
            whole.step();
            cut.step_in_vectors();
        }
        let apart = whole.water.iter().zip(&cut.water).map(|(a, b)| (a - b).abs());
        let max_error = apart.fold(0.0, f32::max);
        assert!(max_error < 1e-4, "{max_error}");
        assert!(whole.water.iter().zip(depth.as_slice()).any(|(a, b)| (a - b).abs() > 0.1));
    }
}
