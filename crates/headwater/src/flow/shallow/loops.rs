//! Hot loops over rows, functions of their own with outputs as arguments, so that they are
//! vectorised; compiled for several instruction sets with the same results.

use super::buffers::{Cells, Crossed, Sides, Slopes, Waters};
use super::{
    Coefficients, Moved, Water, between, flux, ground, half_slopes, half_step, incline, momentum,
    push,
};
use crate::flow::context::Roughness;
use multiversion::multiversion;
use std::ops::Range;

#[derive(Clone, Copy)]
pub(super) enum RoughRow<'a> {
    /// None.
    Smooth,
    /// The same everywhere.
    Uniform(f32),
    /// Cell by cell.
    Map(&'a [f32]),
}

impl<'a> RoughRow<'a> {
    pub(super) fn of(roughness: Roughness<'a>, y: usize, columns: Range<usize>) -> Self {
        match roughness {
            Roughness::Uniform(0.0) => Self::Smooth,
            Roughness::Uniform(n) => Self::Uniform(n),
            Roughness::Map(map) => Self::Map(&map.row(y)[columns]),
        }
    }
}

#[multiversion(targets = "simd")]
pub(super) fn surface_and_velocity(
    [z, h]: [&[f32]; 2],
    [hu, hv]: [&[f32]; 2],
    w: &mut [f32],
    u: &mut [f32],
    v: &mut [f32],
) {
    let n = w.len();
    let (z, h, hu, hv) = (&z[..n], &h[..n], &hu[..n], &hv[..n]);
    let (u, v) = (&mut u[..n], &mut v[..n]);
    for i in 0..n {
        let water = Water::new(z[i], h[i], hu[i], hv[i]);
        (w[i], u[i], v[i]) = (water.w, water.u, water.v);
    }
}

/// 1. Half-slopes of a row.
#[multiversion(targets = "simd")]
pub(super) fn slope(
    [before, here, after]: &[Waters; 3],
    gravity: f32,
    h: &mut [f32],
    w: &mut [f32],
    u: &mut [f32],
    v: &mut [f32],
) {
    let n = h.len();
    let (before, here, after) = (before.cut(n), here.cut(n), after.cut(n));
    let (w, u, v) = (&mut w[..n], &mut u[..n], &mut v[..n]);
    for i in 0..n {
        let slopes = half_slopes(before.at(i), here.at(i), after.at(i), gravity);
        (h[i], w[i], u[i], v[i]) = (slopes.h, slopes.w, slopes.u, slopes.v);
    }
}

/// 1. Half-slopes of a row beside closed cells: `closed` says which of the cells before and after are.
#[multiversion(targets = "simd")]
pub(super) fn slope_by_walls(
    [before, here, after]: &[Waters; 3],
    closed: [&[bool]; 2],
    gravity: f32,
    h: &mut [f32],
    w: &mut [f32],
    u: &mut [f32],
    v: &mut [f32],
) {
    let n = h.len();
    let (before, here, after) = (before.cut(n), here.cut(n), after.cut(n));
    let (closed_before, closed_after) = (&closed[0][..n], &closed[1][..n]);
    let (w, u, v) = (&mut w[..n], &mut u[..n], &mut v[..n]);
    for i in 0..n {
        let here = here.at(i);
        let behind = here.beside(before.at(i), closed_before[i]);
        let ahead = here.beside(after.at(i), closed_after[i]);
        let slopes = half_slopes(behind, here, ahead, gravity);
        (h[i], w[i], u[i], v[i]) = (slopes.h, slopes.w, slopes.u, slopes.v);
    }
}

/// 2. Manning's friction over half a step, per velocity.
#[multiversion(targets = "simd")]
pub(super) fn half_drags(here: &Waters, g_dt: f32, roughness: RoughRow, drag: &mut [f32]) {
    let n = drag.len();
    let h = here.cut(n).h;
    match roughness {
        RoughRow::Smooth => drag.fill(0.0),
        RoughRow::Uniform(rough) => {
            for i in 0..n {
                drag[i] = ground::half_drag(h[i], rough, g_dt);
            }
        }
        RoughRow::Map(rough) => {
            let rough = &rough[..n];
            for i in 0..n {
                drag[i] = ground::half_drag(h[i], rough[i], g_dt);
            }
        }
    }
}

/// 2. Half a step in time; `slopes` are those in x and those in y, each in its own direction's view.
#[expect(clippy::too_many_arguments, reason = "outputs as arguments of their own, see above")]
#[multiversion(targets = "simd")]
pub(super) fn half_steps(
    here: &Waters,
    slopes: &[Slopes; 2],
    drag: &[f32],
    c: &Coefficients,
    h: &mut [f32],
    per_h: &mut [f32],
    u: &mut [f32],
    v: &mut [f32],
) {
    let n = h.len();
    let [x, y] = slopes;
    let (here, x, y, drag) = (here.cut(n), x.cut(n), y.cut(n), &drag[..n]);
    let (per_h, u, v) = (&mut per_h[..n], &mut u[..n], &mut v[..n]);
    let c = *c;
    for i in 0..n {
        let half = half_step(here.at(i), x.at(i), y.at(i).turned(), drag[i], &c);
        (h[i], per_h[i], u[i], v[i]) = (half.h, half.per_h, half.u, half.v);
    }
}

/// 3 to 5. What crosses the faces between `sides`; the volume becomes a discharge by the faces' `width`.
#[multiversion(targets = "simd")]
pub(super) fn fluxes(
    sides: &[Sides; 2],
    [gravity, width]: [f32; 2],
    discharge: &mut [f32],
    before: &mut [f32],
    after: &mut [f32],
    along: &mut [f32],
) {
    let n = discharge.len();
    let [left, right] = sides;
    let (left, right) = (left.cut(n), right.cut(n));
    let (before, after, along) = (&mut before[..n], &mut after[..n], &mut along[..n]);
    for i in 0..n {
        let flux = flux(left.at(i, 1.0), right.at(i, -1.0), gravity);
        discharge[i] = flux.volume * width;
        (before[i], after[i], along[i]) = (flux.before, flux.after, flux.along);
    }
}

/// 3 to 5. What crosses the faces between `sides`, of which those are closed that `closed` says.
#[multiversion(targets = "simd")]
pub(super) fn fluxes_by_walls(
    sides: &[Sides; 2],
    closed: [&[bool]; 2],
    [gravity, width]: [f32; 2],
    discharge: &mut [f32],
    before: &mut [f32],
    after: &mut [f32],
    along: &mut [f32],
) {
    let n = discharge.len();
    let [left, right] = sides;
    let (left, right) = (left.cut(n), right.cut(n));
    let (closed_left, closed_right) = (&closed[0][..n], &closed[1][..n]);
    let (before, after, along) = (&mut before[..n], &mut after[..n], &mut along[..n]);
    for i in 0..n {
        let closed = [closed_left[i], closed_right[i]];
        let flux = between(left.at(i, 1.0), right.at(i, -1.0), closed, gravity);
        discharge[i] = flux.volume * width;
        (before[i], after[i], along[i]) = (flux.before, flux.after, flux.along);
    }
}

/// 6. What the faces of a row of cells, its x-faces and those north and south of it, and the surface's
///    slope add to momentum.
#[multiversion(targets = "simd")]
pub(super) fn push_row(
    cells: &Cells,
    faces: &[Crossed; 3],
    c: &Coefficients,
    push_x: &mut [f32],
    push_y: &mut [f32],
) {
    let n = push_x.len();
    let push_y = &mut push_y[..n];
    let [across, north, south] = faces;
    let (h, slope_x, slope_y) = (&cells.h[..n], &cells.slopes[0][..n], &cells.slopes[1][..n]);
    let (west_u, east_u) = (&across.after[..n], &across.before[1..=n]);
    let (west_v, east_v) = (&across.along[..n], &across.along[1..=n]);
    let (north_v, south_v) = (&north.after[..n], &south.before[..n]);
    let (north_u, south_u) = (&north.along[..n], &south.along[..n]);
    let (per_x, per_y, g) = (c.per_x, c.per_y, c.gravity);
    for i in 0..n {
        let incline_x = incline(h[i], slope_x[i], g);
        push_x[i] = push(west_u[i], east_u[i], north_u[i], south_u[i], incline_x, [per_x, per_y]);
        let incline_y = incline(h[i], slope_y[i], g);
        push_y[i] = push(north_v[i], south_v[i], west_v[i], east_v[i], incline_y, [per_y, per_x]);
    }
}

#[derive(Clone, Copy)]
pub(super) struct MovedRow<'a> {
    pub(super) before: &'a [f32],
    pub(super) now: &'a [f32],
    pub(super) fed: &'a [f32],
    pub(super) push: [&'a [f32]; 2],
}

impl MovedRow<'_> {
    #[inline(always)]
    fn cut(&self, n: usize) -> Self {
        let [x, y] = self.push;
        Self {
            before: &self.before[..n],
            now: &self.now[..n],
            fed: &self.fed[..n],
            push: [&x[..n], &y[..n]],
        }
    }

    #[inline(always)]
    fn at(&self, i: usize, q: [f32; 2]) -> Moved {
        let push = [self.push[0][i], self.push[1][i]];
        Moved { before: self.before[i], now: self.now[i], fed: self.fed[i], q, push }
    }
}

/// 7. New momentum of a row, in place of the old.
#[multiversion(targets = "simd")]
pub(super) fn momentum_row(
    moved: &MovedRow,
    roughness: RoughRow,
    c: &Coefficients,
    qx: &mut [f32],
    qy: &mut [f32],
) {
    let n = qx.len();
    let (moved, qy, c) = (moved.cut(n), &mut qy[..n], *c);
    match roughness {
        RoughRow::Smooth => {
            for x in 0..n {
                [qx[x], qy[x]] = momentum(moved.at(x, [qx[x], qy[x]]), 0.0, &c);
            }
        }
        RoughRow::Uniform(rough) => {
            for x in 0..n {
                let drag = ground::drag(moved.now[x], rough, c.g_dt);
                [qx[x], qy[x]] = momentum(moved.at(x, [qx[x], qy[x]]), drag, &c);
            }
        }
        RoughRow::Map(rough) => {
            let rough = &rough[..n];
            for x in 0..n {
                let drag = ground::drag(moved.now[x], rough[x], c.g_dt);
                [qx[x], qy[x]] = momentum(moved.at(x, [qx[x], qy[x]]), drag, &c);
            }
        }
    }
}
