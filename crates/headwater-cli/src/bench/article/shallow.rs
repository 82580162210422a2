//! The shallow-water equations in first order: HLL with hydrostatic reconstruction (Audusse et al. 2004), one step of Euler,
//! Manning's friction semi-implicitly. Walls all around.

use super::{G, row, row_mut, rows_mut};
use headwater::Field;
use multiversion::multiversion;

/// Shallow water on squares of 1 m.
pub(in crate::bench) struct Shallow {
    /// Columns and rows.
    size: [usize; 2],
    bed: Vec<f32>,
    depth: Vec<f32>,
    /// Unit discharges, to the east and to the south.
    momentum: [Vec<f32>; 2],
    /// Velocities, likewise.
    velocity: [Vec<f32>; 2],
    /// What the step adds to depth and unit discharges, per second.
    rates: [Vec<f32>; 3],
    manning: f32,
}

/// A cell with less water (m) is dry.
const DRY: f32 = 1e-5;

impl Shallow {
    pub(in crate::bench) fn new(bed: &Field<f32>, depth: &Field<f32>, manning: f64) -> Self {
        let (nx, ny) = (bed.nx(), bed.ny());
        let zeros = || vec![0.0; nx * ny];
        Self {
            size: [nx, ny],
            bed: bed.as_slice().to_vec(),
            depth: depth.as_slice().to_vec(),
            momentum: [zeros(), zeros()],
            velocity: [zeros(), zeros()],
            rates: [zeros(), zeros(), zeros()],
            manning: manning as f32,
        }
    }

    /// The depths (m), row by row.
    #[cfg(test)]
    pub(super) fn depth(&self) -> &[f32] {
        &self.depth
    }

    /// Steps; gives for how long (s).
    pub(in crate::bench) fn step(&mut self) -> f32 {
        let Self { size, bed, depth, momentum, velocity, rates, manning } = self;
        let fastest = velocities(depth, momentum, velocity);
        let dt = if fastest > 0.0 { 0.45 / fastest } else { 1.0 };
        let [of_depth, of_x, of_y] = rates;
        for rate in [&mut *of_depth, of_x, of_y] {
            rate.fill(0.0);
        }
        let [u, v] = [&velocity[0][..], &velocity[1]];
        fluxes_x([of_depth, of_x, of_y], [bed, depth, u, v], *size);
        fluxes_y([of_depth, of_x, of_y], [bed, depth, u, v], *size);
        let [x, y] = momentum;
        update([depth, x, y], [of_depth, of_x, of_y], [dt, *manning]);
        dt
    }
}

/// Velocities, and the fastest wave.
#[multiversion(targets = "simd")]
fn velocities(depth: &[f32], momentum: &[Vec<f32>; 2], velocity: &mut [Vec<f32>; 2]) -> f32 {
    let n = depth.len();
    let (qx, qy) = (&momentum[0][..n], &momentum[1][..n]);
    let [u, v] = velocity;
    let (u, v) = (&mut u[..n], &mut v[..n]);
    let mut fastest = 0.0;
    for i in 0..n {
        if depth[i] > DRY {
            (u[i], v[i]) = (qx[i] / depth[i], qy[i] / depth[i]);
            let speed = u[i].abs().max(v[i].abs()) + (G * depth[i]).sqrt();
            if speed > fastest {
                fastest = speed;
            }
        } else {
            (u[i], v[i]) = (0.0, 0.0);
        }
    }
    fastest
}

/// What crosses a face: volume, momentum over it as the cells before and after see it, momentum along it. A cell is bed, depth,
/// velocity over the face and along it.
#[inline(always)]
fn hll(before: [f32; 4], after: [f32; 4]) -> [f32; 4] {
    let ([zb, hb, ub, vb], [za, ha, ua, va]) = (before, after);
    let z = zb.max(za);
    let (l, r) = ((zb + hb - z).max(0.0), (za + ha - z).max(0.0));
    let pressure = |h: f32| 0.5 * G * h * h;
    let push = [pressure(hb) - pressure(l), pressure(ha) - pressure(r)];
    if l <= DRY && r <= DRY {
        return [0.0, push[0], push[1], 0.0];
    }
    let (cl, cr) = ((G * l).sqrt(), (G * r).sqrt());
    let sl = if l > DRY { (ub - cl).min(ua - cr) } else { ua - 2.0 * cr };
    let sr = if r > DRY { (ub + cl).max(ua + cr) } else { ub + 2.0 * cl };
    let (left, right) = ([l * ub, l * ub * ub + pressure(l)], [r * ua, r * ua * ua + pressure(r)]);
    let [volume, over] = if sl >= 0.0 {
        left
    } else if sr <= 0.0 {
        right
    } else {
        let mean = |fl: f32, fr: f32, ul: f32, ur: f32| {
            (sr * fl - sl * fr + sl * sr * (ur - ul)) / (sr - sl)
        };
        [mean(left[0], right[0], l, r), mean(left[1], right[1], l * ub, r * ua)]
    };
    let along = volume * if volume > 0.0 { vb } else { va };
    [volume, over + push[0], over + push[1], along]
}

#[multiversion(targets = "simd")]
fn fluxes_x(rates: [&mut [f32]; 3], cells: [&[f32]; 4], size: [usize; 2]) {
    let [nx, ny] = size;
    let [of_depth, of_x, of_y] = rates;
    let [bed, depth, u, v] = cells;
    for y in 0..ny {
        let (z, h) = (row(bed, nx, y), row(depth, nx, y));
        let (u, v) = (row(u, nx, y), row(v, nx, y));
        let (dh, dx) = (row_mut(of_depth, nx, y), row_mut(of_x, nx, y));
        let dy = row_mut(of_y, nx, y);
        for x in 1..nx {
            let [volume, before, after, along] =
                hll([z[x - 1], h[x - 1], u[x - 1], v[x - 1]], [z[x], h[x], u[x], v[x]]);
            dh[x - 1] -= volume;
            dh[x] += volume;
            dx[x - 1] -= before;
            dx[x] += after;
            dy[x - 1] -= along;
            dy[x] += along;
        }
        // Walls press back.
        dx[0] += 0.5 * G * h[0] * h[0];
        dx[nx - 1] -= 0.5 * G * h[nx - 1] * h[nx - 1];
    }
}

#[multiversion(targets = "simd")]
fn fluxes_y(rates: [&mut [f32]; 3], cells: [&[f32]; 4], size: [usize; 2]) {
    let [nx, ny] = size;
    let [of_depth, of_x, of_y] = rates;
    let [bed, depth, u, v] = cells;
    for y in 1..ny {
        let [za, zb] = [row(bed, nx, y - 1), row(bed, nx, y)];
        let [ha, hb] = [row(depth, nx, y - 1), row(depth, nx, y)];
        let [ua, ub] = [row(u, nx, y - 1), row(u, nx, y)];
        let [va, vb] = [row(v, nx, y - 1), row(v, nx, y)];
        let [ah, bh] = rows_mut(of_depth, nx, y - 1);
        let [ax, bx] = rows_mut(of_x, nx, y - 1);
        let [ay, by] = rows_mut(of_y, nx, y - 1);
        for x in 0..nx {
            let [volume, before, after, along] =
                hll([za[x], ha[x], va[x], ua[x]], [zb[x], hb[x], vb[x], ub[x]]);
            ah[x] -= volume;
            bh[x] += volume;
            ay[x] -= before;
            by[x] += after;
            ax[x] -= along;
            bx[x] += along;
        }
    }
    for x in 0..nx {
        let [h, last] = [depth[x], depth[(ny - 1) * nx + x]];
        of_y[x] += 0.5 * G * h * h;
        of_y[(ny - 1) * nx + x] -= 0.5 * G * last * last;
    }
}

#[multiversion(targets = "simd")]
fn update(cells: [&mut [f32]; 3], rates: [&[f32]; 3], of: [f32; 2]) {
    let ([h, x, y], [dh, dx, dy], [dt, manning]) = (cells, rates, of);
    let n = h.len();
    let (x, y, dh, dx, dy) = (&mut x[..n], &mut y[..n], &dh[..n], &dx[..n], &dy[..n]);
    for i in 0..n {
        h[i] = (h[i] + dt * dh[i]).max(0.0);
        if h[i] > DRY {
            let (east, south) = (x[i] + dt * dx[i], y[i] + dt * dy[i]);
            let speed = (east * east + south * south).sqrt() / h[i];
            let drag = 1.0 + dt * G * manning * manning * speed / h[i].powf(4.0 / 3.0);
            (x[i], y[i]) = (east / drag, south / drag);
        } else {
            (x[i], y[i]) = (0.0, 0.0);
        }
    }
}
