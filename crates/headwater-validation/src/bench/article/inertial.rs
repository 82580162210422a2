//! Reference scheme: the local inertial equations of Bates, Horritt & Fewtrell 2010 (eq. 11 and
//! 12). The time step adapts to the deepest water. Depths are clamped at 0; otherwise the outflow
//! of cells is not limited.

use super::{G, inverse_cube_root, max, row, row_mut};
use headwater::Field;
use multiversion::multiversion;

/// Water on square cells of 1 m, simulated with the local inertial scheme.
pub(in crate::bench) struct Inertial {
    /// Numbers of columns and rows.
    size: [usize; 2],
    bed: Vec<f32>,
    depth: Vec<f32>,
    flow_x: Vec<f32>,
    flow_y: Vec<f32>,
    manning: f32,
}

/// Depth at a face (m) below which no water flows through the face.
const DRY: f32 = 1e-3;

impl Inertial {
    pub(in crate::bench) fn new(bed: &Field<f32>, depth: &Field<f32>, manning: f64) -> Self {
        let (nx, ny) = (bed.nx(), bed.ny());
        Self {
            size: [nx, ny],
            bed: bed.as_slice().to_vec(),
            depth: depth.as_slice().to_vec(),
            flow_x: vec![0.0; (nx + 1) * ny],
            flow_y: vec![0.0; nx * (ny + 1)],
            manning: manning as f32,
        }
    }

    /// Performs one step and returns its length (s).
    pub(in crate::bench) fn step(&mut self) -> f32 {
        let Self { size, bed, depth, flow_x, flow_y, manning } = self;
        let dt = stable_time_step(depth);
        accelerate_x(flow_x, bed, depth, *size, [dt, *manning]);
        accelerate_y(flow_y, bed, depth, *size, [dt, *manning]);
        update_depths(depth, flow_x, flow_y, *size, dt);
        dt
    }
}

/// Returns the stable time step (s) for the greatest depth in `depth`.
fn stable_time_step(depth: &[f32]) -> f32 {
    let deepest = max_depth(depth);
    if deepest > 0.0 { 0.7 / (G * deepest).sqrt() } else { 1.0 }
}

#[multiversion(targets = "simd")]
fn max_depth(depth: &[f32]) -> f32 {
    // Use sixteen partial maxima, which a compiler can vectorise.
    let mut maxima = [0.0_f32; 16];
    for chunk in depth.chunks_exact(16) {
        for (max, h) in maxima.iter_mut().zip(chunk) {
            *max = if *h > *max { *h } else { *max };
        }
    }
    maxima.into_iter().fold(0.0, f32::max)
}

/// Returns the new unit discharge (m²/s) at a face, positive to the east or south. `unit_discharge`
/// is the old one. `bed_before` and `depth_before` are the bed (m) and the depth (m) of the cell to
/// the west or north, `bed_after` and `depth_after` those of the cell to the east or south. `dt` is
/// the time step (s). Uses roots instead of powers and has no branches, so that a compiler can
/// vectorise the loop that calls it.
#[inline(always)]
fn accelerate_face(
    unit_discharge: f32,
    [bed_before, depth_before]: [f32; 2],
    [bed_after, depth_after]: [f32; 2],
    [dt, manning]: [f32; 2],
) -> f32 {
    let (before, after) = (bed_before + depth_before, bed_after + depth_after);
    let depth = max(before, after) - max(bed_before, bed_after);
    let wet = max(depth, DRY);
    let root = inverse_cube_root(wet);
    let cube = root * root * root;
    let drag = G * dt * manning * manning * unit_discharge.abs() * (cube * cube * root);
    let next = (unit_discharge - G * wet * dt * (after - before)) / (1.0 + drag);
    if depth <= DRY { 0.0 } else { next }
}

#[multiversion(targets = "simd")]
fn accelerate_x(
    flow: &mut [f32],
    bed: &[f32],
    depth: &[f32],
    size: [usize; 2],
    dt_and_manning: [f32; 2],
) {
    let [nx, ny] = size;
    for y in 0..ny {
        let (z, h, q) = (row(bed, nx, y), row(depth, nx, y), row_mut(flow, nx + 1, y));
        for x in 1..nx {
            q[x] = accelerate_face(q[x], [z[x - 1], h[x - 1]], [z[x], h[x]], dt_and_manning);
        }
    }
}

#[multiversion(targets = "simd")]
fn accelerate_y(
    flow: &mut [f32],
    bed: &[f32],
    depth: &[f32],
    size: [usize; 2],
    dt_and_manning: [f32; 2],
) {
    let [nx, ny] = size;
    for y in 1..ny {
        let [za, zb] = [row(bed, nx, y - 1), row(bed, nx, y)];
        let [ha, hb] = [row(depth, nx, y - 1), row(depth, nx, y)];
        let q = row_mut(flow, nx, y);
        for x in 0..nx {
            q[x] = accelerate_face(q[x], [za[x], ha[x]], [zb[x], hb[x]], dt_and_manning);
        }
    }
}

#[multiversion(targets = "simd")]
fn update_depths(depth: &mut [f32], flow_x: &[f32], flow_y: &[f32], size: [usize; 2], dt: f32) {
    let [nx, ny] = size;
    for y in 0..ny {
        let (h, q) = (row_mut(depth, nx, y), row(flow_x, nx + 1, y));
        let [north, south] = [row(flow_y, nx, y), row(flow_y, nx, y + 1)];
        for x in 0..nx {
            let new = h[x] + dt * (q[x] - q[x + 1] + north[x] - south[x]);
            h[x] = if new > 0.0 { new } else { 0.0 };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_face_discharge_equals_the_formula_with_a_power() {
        let of = [0.05, 0.03];
        for i in 0..200 {
            let depth = 0.01 * 1.03_f32.powi(i);
            let (q, push) = (0.2 * depth, -G * depth * 0.05 * (0.1 * depth));
            let drag = G * 0.05 * 0.03 * 0.03 * q / depth.powf(7.0 / 3.0);
            let found = accelerate_face(q, [0.0, 0.9 * depth], [0.0, depth], of);
            assert!((found / ((q + push) / (1.0 + drag)) - 1.0).abs() < 1e-3, "{depth}: {found}");
        }
        assert_eq!(accelerate_face(1.0, [0.0, 0.0], [2.0, 0.0], of), 0.0, "dry");
    }
}
