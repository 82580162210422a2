//! Reference scheme: first-order shallow-water equations with HLL fluxes and hydrostatic
//! reconstruction (Audusse et al. 2004), one Euler step, semi-implicit Manning friction, and walls
//! on all edges. To let a compiler vectorise the loops, fluxes are stored per face, each cell reads
//! the fluxes at its faces, and conditions select numbers instead of branching.

use super::{G, inverse_cube_root, max, row, row_mut};
use headwater::Field;
use multiversion::multiversion;

/// Water on square cells of 1 m, simulated with the shallow-water scheme.
pub(in crate::bench) struct ShallowWaterReference {
    /// Numbers of columns and rows.
    size: [usize; 2],
    bed: Vec<f32>,
    depth: Vec<f32>,
    /// Eastward and southward unit discharge of each cell (m²/s).
    momentum: [Vec<f32>; 2],
    /// Eastward and southward velocity of each cell (m/s).
    velocity: [Vec<f32>; 2],
    /// Fluxes at the western faces of cells. Each row has one value more than there are columns. A
    /// flux has four components: volume (m²/s), normal momentum for the cell to the west, normal
    /// momentum for the cell to the east, and tangential momentum (m³/s²). The two normal momenta
    /// differ by the pressure on a step of the bed.
    fluxes_x: Fluxes,
    /// Fluxes at the northern faces of cells, with the same components for the cells to the north
    /// and south. There is one row more than there are rows of cells.
    fluxes_y: Fluxes,
    manning: f32,
}

type Fluxes = [Vec<f32>; 4];

/// Depth (m) below which a cell is dry.
const DRY: f32 = 1e-5;

impl ShallowWaterReference {
    pub(in crate::bench) fn new(bed: &Field<f32>, depth: &Field<f32>, manning: f64) -> Self {
        let (nx, ny) = (bed.nx(), bed.ny());
        let zeros = |n: usize| vec![0.0; n];
        Self {
            size: [nx, ny],
            bed: bed.as_slice().to_vec(),
            depth: depth.as_slice().to_vec(),
            momentum: [(); 2].map(|()| zeros(nx * ny)),
            velocity: [(); 2].map(|()| zeros(nx * ny)),
            fluxes_x: [(); 4].map(|()| zeros((nx + 1) * ny)),
            fluxes_y: [(); 4].map(|()| zeros(nx * (ny + 1))),
            manning: manning as f32,
        }
    }

    /// Performs one step and returns its length (s).
    pub(in crate::bench) fn step(&mut self) -> f32 {
        let Self { size, bed, depth, momentum, velocity, fluxes_x, fluxes_y, manning } = self;
        let [qx, qy] = momentum;
        let [u, v] = velocity;
        let fastest = compute_velocities(depth, [qx, qy], u, v);
        let dt = if fastest > 0.0 { 0.45 / fastest } else { 1.0 };
        compute_fluxes_x(fluxes_x, [bed, depth, u, v], *size);
        compute_fluxes_y(fluxes_y, [bed, depth, u, v], *size);
        set_wall_fluxes([fluxes_x, fluxes_y], depth, *size);
        update(depth, qx, qy, [fluxes_x, fluxes_y], *size, [dt, *manning]);
        dt
    }
}

/// Computes the velocities `u` and `v` from depths and unit discharges. Returns the largest wave
/// speed (m/s).
#[multiversion(targets = "simd")]
fn compute_velocities(depth: &[f32], [qx, qy]: [&[f32]; 2], u: &mut [f32], v: &mut [f32]) -> f32 {
    let n = depth.len();
    let (qx, qy, u, v) = (&qx[..n], &qy[..n], &mut u[..n], &mut v[..n]);
    for i in 0..n {
        let per_depth = if depth[i] > DRY { 1.0 / depth[i] } else { 0.0 };
        (u[i], v[i]) = (qx[i] * per_depth, qy[i] * per_depth);
    }
    // Use sixteen partial maxima, which a compiler can vectorise.
    let mut maxima = [0.0_f32; 16];
    let cells = depth.chunks_exact(16).zip(u.chunks_exact(16).zip(v.chunks_exact(16)));
    for (h, (u, v)) in cells {
        for (i, largest) in maxima.iter_mut().enumerate() {
            let speed = max(u[i].abs(), v[i].abs()) + (G * h[i]).sqrt();
            *largest = if h[i] > DRY { max(*largest, speed) } else { *largest };
        }
    }
    maxima.into_iter().fold(0.0, f32::max)
}

#[inline(always)]
fn pressure(h: f32) -> f32 {
    0.5 * G * h * h
}

/// Returns the HLL flux at a face: volume, normal momentum for the first cell, normal momentum for
/// the second cell, and tangential momentum. The first argument is the cell to the west or north,
/// the second the cell to the east or south. Each contains bed, depth, normal velocity and
/// tangential velocity.
#[inline(always)]
fn hll_flux([zb, hb, ub, vb]: [f32; 4], [za, ha, ua, va]: [f32; 4]) -> [f32; 4] {
    let z = max(zb, za);
    let (l, r) = (max(zb + hb - z, 0.0), max(za + ha - z, 0.0));
    let (cl, cr) = ((G * l).sqrt(), (G * r).sqrt());
    let min = |a: f32, b: f32| if a < b { a } else { b };
    let sl = if l > DRY { min(ub - cl, ua - cr) } else { ua - 2.0 * cr };
    let sr = if r > DRY { max(ub + cl, ua + cr) } else { ub + 2.0 * cl };
    // If both waves move in the same direction, the flux is that of the upstream side.
    let (sl, sr) = (min(sl, 0.0), max(sr, 0.0));
    let per_width = if sr - sl > 1e-9 { 1.0 / (sr - sl) } else { 0.0 };
    let wet = if (l > DRY) | (r > DRY) { per_width } else { 0.0 };
    let mean = |fl: f32, fr: f32, ul: f32, ur: f32| (sr * fl - sl * fr + sl * sr * (ur - ul)) * wet;
    let volume = mean(l * ub, r * ua, l, r);
    let over = mean(l * ub * ub + pressure(l), r * ua * ua + pressure(r), l * ub, r * ua);
    let along = volume * if volume > 0.0 { vb } else { va };
    [volume, over + pressure(hb) - pressure(l), over + pressure(ha) - pressure(r), along]
}

#[multiversion(targets = "simd")]
fn compute_flux_row(
    volume: &mut [f32],
    before: &mut [f32],
    after: &mut [f32],
    tangential: &mut [f32],
    [zb, hb, ub, vb]: [&[f32]; 4],
    [za, ha, ua, va]: [&[f32]; 4],
) {
    let n = volume.len();
    let (before, after, tangential) = (&mut before[..n], &mut after[..n], &mut tangential[..n]);
    let (zb, hb, ub, vb) = (&zb[..n], &hb[..n], &ub[..n], &vb[..n]);
    let (za, ha, ua, va) = (&za[..n], &ha[..n], &ua[..n], &va[..n]);
    for i in 0..n {
        let flux = hll_flux([zb[i], hb[i], ub[i], vb[i]], [za[i], ha[i], ua[i], va[i]]);
        (volume[i], before[i], after[i], tangential[i]) = (flux[0], flux[1], flux[2], flux[3]);
    }
}

fn compute_fluxes_x(fluxes: &mut Fluxes, cells: [&[f32]; 4], [nx, ny]: [usize; 2]) {
    for y in 0..ny {
        let [volume, before, after, along] =
            fluxes.each_mut().map(|flux| &mut row_mut(flux, nx + 1, y)[1..nx]);
        let rows = cells.map(|cells| row(cells, nx, y));
        let [west, east] = [rows.map(|row| &row[..nx - 1]), rows.map(|row| &row[1..])];
        compute_flux_row(volume, before, after, along, west, east);
    }
}

fn compute_fluxes_y(fluxes: &mut Fluxes, [bed, depth, u, v]: [&[f32]; 4], [nx, ny]: [usize; 2]) {
    for y in 1..ny {
        let [volume, before, after, along] = fluxes.each_mut().map(|flux| row_mut(flux, nx, y));
        let of = |y: usize| [bed, depth, v, u].map(|cells| row(cells, nx, y));
        compute_flux_row(volume, before, after, along, of(y - 1), of(y));
    }
}

/// Sets the fluxes at the edges of the grid, which are walls: only the pressure of the water acts
/// there.
fn set_wall_fluxes([x, y]: [&mut Fluxes; 2], depth: &[f32], [nx, ny]: [usize; 2]) {
    for row in 0..ny {
        x[2][row * (nx + 1)] = pressure(depth[row * nx]);
        x[1][row * (nx + 1) + nx] = pressure(depth[row * nx + nx - 1]);
    }
    for column in 0..nx {
        y[2][column] = pressure(depth[column]);
        y[1][ny * nx + column] = pressure(depth[(ny - 1) * nx + column]);
    }
}

fn update(
    depth: &mut [f32],
    qx: &mut [f32],
    qy: &mut [f32],
    [x, y]: [&Fluxes; 2],
    [nx, ny]: [usize; 2],
    dt_and_manning: [f32; 2],
) {
    for i in 0..ny {
        let along = x.each_ref().map(|flux| row(flux, nx + 1, i));
        let north = y.each_ref().map(|flux| row(flux, nx, i));
        let south = y.each_ref().map(|flux| row(flux, nx, i + 1));
        let [h, qx, qy] = [&mut *depth, &mut *qx, &mut *qy].map(|cells| row_mut(cells, nx, i));
        update_row(h, qx, qy, along, [north, south], dt_and_manning);
    }
}

#[multiversion(targets = "simd")]
fn update_row(
    h: &mut [f32],
    qx: &mut [f32],
    qy: &mut [f32],
    [volume, before, after, tangential]: [&[f32]; 4],
    [north, south]: [[&[f32]; 4]; 2],
    [dt, manning]: [f32; 2],
) {
    let n = h.len();
    let (qx, qy) = (&mut qx[..n], &mut qy[..n]);
    let (volume, before) = (&volume[..=n], &before[..=n]);
    let (after, tangential) = (&after[..=n], &tangential[..=n]);
    let (vn, an, ln) = (&north[0][..n], &north[2][..n], &north[3][..n]);
    let (vs, bs, ls) = (&south[0][..n], &south[1][..n], &south[3][..n]);
    for i in 0..n {
        let new = max(h[i] + dt * (volume[i] - volume[i + 1] + vn[i] - vs[i]), 0.0);
        let east = qx[i] + dt * (after[i] - before[i + 1] + ln[i] - ls[i]);
        let south = qy[i] + dt * (tangential[i] - tangential[i + 1] + an[i] - bs[i]);
        let wet = max(new, DRY);
        let root = inverse_cube_root(wet);
        let cube = root * root * root;
        let size = (east * east + south * south).sqrt();
        // The friction term is divided by h² and h^(1/3).
        let drag = 1.0 + dt * G * manning * manning * size * (cube * cube * root);
        let friction = if new > DRY { 1.0 / drag } else { 0.0 };
        (h[i], qx[i], qy[i]) = (new, east * friction, south * friction);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn water_moves_and_volume_is_conserved() {
        let bed = Field::from_fn(60, 40, |x, y| (0.3 * x as f32).sin() + (0.2 * y as f32).cos());
        let depth = bed.map(|z| if *z > 1.2 { 2.0 } else { (0.5 - z).max(0.0) });
        let mut water = ShallowWaterReference::new(&bed, &depth, 0.03);
        for _ in 0..100 {
            assert!((1e-3..1.0).contains(&water.step()));
        }
        let volume = |depth: &[f32]| depth.iter().map(|&h| f64::from(h)).sum::<f64>();
        let (now, start) = (volume(&water.depth), volume(depth.as_slice()));
        assert!((now / start - 1.0).abs() < 1e-3, "{now} {start}");
        assert!(water.depth.iter().zip(depth.as_slice()).any(|(a, b)| (a - b).abs() > 0.1));
    }

    #[test]
    fn a_lake_over_a_rough_bed_stays_at_rest() {
        let bed = Field::from_fn(60, 40, |x, y| (0.3 * x as f32).sin() + (0.2 * y as f32).cos());
        let depth = bed.map(|z| (0.5 - z).max(0.0));
        let mut water = ShallowWaterReference::new(&bed, &depth, 0.03);
        for _ in 0..100 {
            water.step();
        }
        assert!(water.depth.iter().zip(depth.as_slice()).all(|(a, b)| (a - b).abs() < 1e-4));
    }
}
