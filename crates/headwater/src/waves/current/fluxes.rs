//! Advection of face fluxes by a current.

use crate::field::Field;
use crate::parallel;

/// Returns the flux of a face after advection with the Courant number `courant`, from a cubic
/// polynomial through four upwind values. The array holds the fluxes of five consecutive faces in
/// the direction of a positive `courant`. The third, `c`, is the flux of the face itself.
#[inline(always)]
pub(super) fn advected_flux(courant: f32, [a, b, c, d, e]: [f32; 5]) -> f32 {
    let forth = courant > 0.0;
    let (up, down) = if forth { (b, d) } else { (d, b) };
    let above = if forth { a } else { e };
    let distance = courant.abs();
    let slope = (2.0 * down + 3.0 * c) - (6.0 * up - above);
    let curve = (down - c) - (c - up);
    let twist = (down - above) - 3.0 * (c - up);
    c - distance * (slope / 6.0 - distance * (0.5 * curve - distance * (twist / 6.0)))
}

pub(super) fn advect_fluxes_plain(
    from: &Field<f32>,
    to: &mut Field<f32>,
    courant: &Field<f32>,
    period: Option<usize>,
    along_x: bool,
) {
    for y in 0..to.ny() {
        for x in 0..to.nx() {
            let near = [-2, -1, 0, 1, 2].map(|k| shifted_flux(from, x, y, k, period, along_x));
            to[(x, y)] = advected_flux(courant[(x, y)], near);
        }
    }
}

/// Returns the flux of a face near the face `(x, y)`: the face `offset` faces to the east if
/// `along_x` is true, or `offset` faces to the south otherwise. If `period` is given, the index
/// wraps around with this period. Otherwise, an index off the grid is replaced by that of the last
/// face on that side.
fn shifted_flux(
    fluxes: &Field<f32>,
    x: usize,
    y: usize,
    offset: isize,
    period: Option<usize>,
    along_x: bool,
) -> f32 {
    if along_x {
        fluxes[(shifted_index(x, offset, fluxes.nx(), period), y)]
    } else {
        fluxes[(x, shifted_index(y, offset, fluxes.ny(), period))]
    }
}

fn shifted_index(index: usize, offset: isize, n: usize, period: Option<usize>) -> usize {
    let index = index as isize + offset;
    match period {
        Some(period) => index.rem_euclid(period as isize) as usize,
        None => index.clamp(0, n as isize - 1) as usize,
    }
}

pub(super) fn advect_fluxes_by_rows(
    from: &Field<f32>,
    to: &mut Field<f32>,
    courant: &Field<f32>,
    period: Option<usize>,
    along_x: bool,
) {
    let (nx, ny) = (from.nx(), from.ny());
    parallel::for_each_row(to.as_mut_slice(), nx, |y, to| {
        let courant = courant.row(y);
        if !along_x {
            let row = |k| &from.row(shifted_index(y, k, ny, period))[..nx];
            let [a, b, c, d, e] = [-2, -1, 0, 1, 2].map(row);
            let (courant, to) = (&courant[..nx], &mut to[..nx]);
            for i in 0..nx {
                to[i] = advected_flux(courant[i], [a[i], b[i], c[i], d[i], e[i]]);
            }
            return;
        }
        let at_end = |x: usize| {
            let near = [-2, -1, 0, 1, 2].map(|k| shifted_flux(from, x, y, k, period, true));
            advected_flux(courant[x], near)
        };
        if nx < 5 {
            (0..nx).for_each(|x| to[x] = at_end(x));
            return;
        }
        let f = from.row(y);
        let n = nx - 4;
        let (a, b, c) = (&f[..n], &f[1..n + 1], &f[2..n + 2]);
        let (d, e) = (&f[3..n + 3], &f[4..n + 4]);
        let (courants, inner) = (&courant[2..n + 2], &mut to[2..n + 2]);
        for i in 0..n {
            inner[i] = advected_flux(courants[i], [a[i], b[i], c[i], d[i], e[i]]);
        }
        for x in [0, 1, nx - 2, nx - 1] {
            to[x] = at_end(x);
        }
    });
}
