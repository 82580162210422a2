//! Vectorised row loops. They are separate functions with their outputs as arguments, compiled for
//! several instruction sets with the same results.

use super::buffers::{Cells, Crossed, Sides, Slopes, View, Waters};
use super::hexagons::Slant;
use super::{
    Coefficients, Half, Moved, Water, between, flux, ground, half_slopes, half_step, incline,
    momentum, push,
};
use crate::flow::context::Roughness;
use multiversion::multiversion;
use std::ops::Range;

#[derive(Clone, Copy)]
pub(super) enum RoughRow<'a> {
    /// No friction.
    Smooth,
    /// One value for all cells.
    Uniform(f32),
    /// One value per cell.
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

#[derive(Clone, Copy)]
pub(super) struct Straight;

impl View for Straight {
    #[inline(always)]
    fn water(self, water: Water) -> Water {
        water
    }

    #[inline(always)]
    fn half(self, half: Half) -> Half {
        half
    }
}

/// Stages along an axis; `closed` has the closed flags of the cells before and after, `None` if
/// none is closed.
pub(super) trait Along: View {
    /// Stage 1: computes half-slopes of a row.
    fn slopes(
        self,
        rows: &[Waters; 3],
        closed: Option<[&[bool]; 2]>,
        gravity: f32,
        slopes: [&mut [f32]; 4],
    );

    /// Stages 3 to 5: computes the fluxes over the faces between `sides`; the volume is multiplied
    /// by the face `width` to a discharge.
    fn fluxes(
        self,
        sides: &[Sides; 2],
        closed: Option<[&[bool]; 2]>,
        gravity_and_width: [f32; 2],
        discharge: &mut [f32],
        crossed: [&mut [f32]; 3],
    );
}

/// Implements the loops per axis type. Generic functions would dispatch the instruction set in
/// every call.
macro_rules! along {
    ($view:ty) => {
        impl Along for $view {
            fn slopes(
                self,
                rows: &[Waters; 3],
                closed: Option<[&[bool]; 2]>,
                gravity: f32,
                [h, w, u, v]: [&mut [f32]; 4],
            ) {
                #[expect(clippy::too_many_arguments, reason = "outputs as arguments of their own")]
                #[multiversion(targets = "simd")]
                fn slopes(
                    view: $view,
                    [before, here, after]: &[Waters; 3],
                    closed: Option<[&[bool]; 2]>,
                    gravity: f32,
                    h: &mut [f32],
                    w: &mut [f32],
                    u: &mut [f32],
                    v: &mut [f32],
                ) {
                    let n = h.len();
                    let (before, here, after) = (before.cut(n), here.cut(n), after.cut(n));
                    let (w, u, v) = (&mut w[..n], &mut u[..n], &mut v[..n]);
                    let seen = |i| [before, here, after].map(|row| view.water(row.at(i)));
                    match closed {
                        None => {
                            for i in 0..n {
                                let [behind, here, ahead] = seen(i);
                                let slopes = half_slopes(behind, here, ahead, gravity);
                                (h[i], w[i], u[i], v[i]) = (slopes.h, slopes.w, slopes.u, slopes.v);
                            }
                        }
                        Some([before, after]) => {
                            let (before, after) = (&before[..n], &after[..n]);
                            for i in 0..n {
                                let [behind, here, ahead] = seen(i);
                                let behind = here.beside(behind, before[i]);
                                let ahead = here.beside(ahead, after[i]);
                                let slopes = half_slopes(behind, here, ahead, gravity);
                                (h[i], w[i], u[i], v[i]) = (slopes.h, slopes.w, slopes.u, slopes.v);
                            }
                        }
                    }
                }
                slopes(self, rows, closed, gravity, h, w, u, v);
            }

            fn fluxes(
                self,
                sides: &[Sides; 2],
                closed: Option<[&[bool]; 2]>,
                factors: [f32; 2],
                discharge: &mut [f32],
                [before, after, along]: [&mut [f32]; 3],
            ) {
                #[expect(clippy::too_many_arguments, reason = "outputs as arguments of their own")]
                #[multiversion(targets = "simd")]
                fn fluxes(
                    view: $view,
                    [left, right]: &[Sides; 2],
                    closed: Option<[&[bool]; 2]>,
                    [gravity, width]: [f32; 2],
                    discharge: &mut [f32],
                    before: &mut [f32],
                    after: &mut [f32],
                    along: &mut [f32],
                ) {
                    let n = discharge.len();
                    let (left, right) = (left.cut(n), right.cut(n));
                    let (before, after) = (&mut before[..n], &mut after[..n]);
                    let along = &mut along[..n];
                    match closed {
                        None => {
                            for i in 0..n {
                                let (left, right) =
                                    (left.at(i, view, 1.0), right.at(i, view, -1.0));
                                let flux = flux(left, right, gravity);
                                discharge[i] = flux.volume * width;
                                (before[i], after[i], along[i]) =
                                    (flux.before, flux.after, flux.along);
                            }
                        }
                        Some([first, second]) => {
                            let (first, second) = (&first[..n], &second[..n]);
                            for i in 0..n {
                                let (left, right) =
                                    (left.at(i, view, 1.0), right.at(i, view, -1.0));
                                let flux = between(left, right, [first[i], second[i]], gravity);
                                discharge[i] = flux.volume * width;
                                (before[i], after[i], along[i]) =
                                    (flux.before, flux.after, flux.along);
                            }
                        }
                    }
                }
                fluxes(self, sides, closed, factors, discharge, before, after, along);
            }
        }
    };
}

along!(Straight);
along!(Slant);

/// Stage 2: Manning's friction over half a step, per velocity.
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

/// Stage 2: half a step in time; `slopes` are those in x and in y, in the components of their axis.
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

/// Stage 6: adds up the fluxes over the x-faces of a row of cells and the faces north and south of
/// it, and the surface slope, to momentum changes.
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

/// Stage 7: computes the new momentum of a row in place.
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
