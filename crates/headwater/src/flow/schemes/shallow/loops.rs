//! Vectorised row loops of the shallow-water scheme. The loops are separate functions with their
//! outputs as arguments. The compiler builds them for several instruction sets, with the same
//! results.

use super::buffers::{AxisComponents, FluxSlices, HalfStepCells, Sides, SlopeSlices, WaterSlices};
use super::hexagons::SlantedAxis;
use super::{
    Coefficients, HalfState, MomentumInput, Water, friction, half_slopes, half_step, hll_flux,
    inner_flux, momentum_change, slope_force, updated_momentum,
};
use crate::flow::context::Roughness;
use multiversion::multiversion;
use std::ops::Range;

#[derive(Clone, Copy)]
pub(super) enum RoughnessRow<'a> {
    /// No friction in any cell.
    Smooth,
    /// The same roughness (s/m^⅓) for all cells.
    Uniform(f32),
    /// One roughness value (s/m^⅓) per cell.
    Map(&'a [f32]),
}

impl<'a> RoughnessRow<'a> {
    pub(super) fn from_roughness(
        roughness: Roughness<'a>,
        y: usize,
        columns: Range<usize>,
    ) -> Self {
        match roughness {
            Roughness::Uniform(0.0) => Self::Smooth,
            Roughness::Uniform(n) => Self::Uniform(n),
            Roughness::Map(map) => Self::Map(&map.row(y)[columns]),
        }
    }
}

#[multiversion(targets = "simd")]
pub(super) fn compute_surface_and_velocity(
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
pub(super) struct RowAxis;

impl AxisComponents for RowAxis {
    #[inline(always)]
    fn water(self, water: Water) -> Water {
        water
    }

    #[inline(always)]
    fn half(self, half: HalfState) -> HalfState {
        half
    }
}

/// Row loops along one axis of the grid. The arguments `closed` contain the closed-cell flags of
/// the cells before and after along the axis, or `None` if no cell is closed.
pub(super) trait AxisStages: AxisComponents {
    /// Computes the half-slopes of a row of cells (stage 1 of the scheme).
    fn slopes(
        self,
        rows: &[WaterSlices; 3],
        closed: Option<[&[bool]; 2]>,
        gravity: f32,
        slopes: [&mut [f32]; 4],
    );

    /// Computes the fluxes through the faces between the reconstructed states in `sides` (stages 3
    /// to 5 of the scheme). The discharge through a face is its volume flux times `width` (m).
    fn fluxes(
        self,
        sides: &[Sides; 2],
        closed: Option<[&[bool]; 2]>,
        gravity_and_width: [f32; 2],
        discharge: &mut [f32],
        crossed: [&mut [f32]; 3],
    );
}

/// Implements the row loops for one axis type. A generic function would select the instruction set
/// in every call.
macro_rules! impl_axis_stages {
    ($view:ty) => {
        impl AxisStages for $view {
            fn slopes(
                self,
                rows: &[WaterSlices; 3],
                closed: Option<[&[bool]; 2]>,
                gravity: f32,
                [h, w, u, v]: [&mut [f32]; 4],
            ) {
                #[expect(clippy::too_many_arguments, reason = "separate outputs")]
                #[multiversion(targets = "simd")]
                fn slopes(
                    view: $view,
                    [before, here, after]: &[WaterSlices; 3],
                    closed: Option<[&[bool]; 2]>,
                    gravity: f32,
                    h: &mut [f32],
                    w: &mut [f32],
                    u: &mut [f32],
                    v: &mut [f32],
                ) {
                    let n = h.len();
                    let (before, here, after) =
                        (before.truncate(n), here.truncate(n), after.truncate(n));
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
                                let behind = here.neighbour_or_mirror(behind, before[i]);
                                let ahead = here.neighbour_or_mirror(ahead, after[i]);
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
                #[expect(clippy::too_many_arguments, reason = "separate outputs")]
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
                    let (left, right) = (left.truncate(n), right.truncate(n));
                    let (before, after) = (&mut before[..n], &mut after[..n]);
                    let along = &mut along[..n];
                    match closed {
                        None => {
                            for i in 0..n {
                                let (left, right) =
                                    (left.at(i, view, 1.0), right.at(i, view, -1.0));
                                let flux = hll_flux(left, right, gravity);
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
                                let flux = inner_flux(left, right, [first[i], second[i]], gravity);
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

impl_axis_stages!(RowAxis);
impl_axis_stages!(SlantedAxis);

/// Computes the coefficient of Manning's friction over half a time step for a row of cells; see
/// [`half_step_drag_coefficient`](super::friction::half_step_drag_coefficient).
#[multiversion(targets = "simd")]
pub(super) fn compute_half_step_drags(
    here: &WaterSlices,
    g_dt: f32,
    roughness: RoughnessRow,
    drag: &mut [f32],
) {
    let n = drag.len();
    let h = here.truncate(n).h;
    match roughness {
        RoughnessRow::Smooth => drag.fill(0.0),
        RoughnessRow::Uniform(rough) => {
            for i in 0..n {
                drag[i] = friction::half_step_drag_coefficient(h[i], rough, g_dt);
            }
        }
        RoughnessRow::Map(rough) => {
            let rough = &rough[..n];
            for i in 0..n {
                drag[i] = friction::half_step_drag_coefficient(h[i], rough[i], g_dt);
            }
        }
    }
}

/// Computes the state of a row of cells half a time step later (stage 2 of the scheme). `slopes`
/// contains the half-slopes along x and y, each in the velocity components of its axis.
#[expect(clippy::too_many_arguments, reason = "separate outputs, see above")]
#[multiversion(targets = "simd")]
pub(super) fn compute_half_steps(
    here: &WaterSlices,
    slopes: &[SlopeSlices; 2],
    drag: &[f32],
    c: &Coefficients,
    h: &mut [f32],
    per_h: &mut [f32],
    u: &mut [f32],
    v: &mut [f32],
) {
    let n = h.len();
    let [x, y] = slopes;
    let (here, x, y, drag) = (here.truncate(n), x.truncate(n), y.truncate(n), &drag[..n]);
    let (per_h, u, v) = (&mut per_h[..n], &mut u[..n], &mut v[..n]);
    let c = *c;
    for i in 0..n {
        let half = half_step(here.at(i), x.at(i), y.at(i).transposed(), drag[i], &c);
        (h[i], per_h[i], u[i], v[i]) = (half.h, half.per_h, half.u, half.v);
    }
}

/// Computes the momentum changes of a row of cells (stage 6 of the scheme). Reads the fluxes
/// through its x-faces and through the faces to the north and south, and the slopes of the water
/// surface.
#[multiversion(targets = "simd")]
pub(super) fn compute_momentum_changes(
    cells: &HalfStepCells,
    faces: &[FluxSlices; 3],
    c: &Coefficients,
    change_x: &mut [f32],
    change_y: &mut [f32],
) {
    let n = change_x.len();
    let change_y = &mut change_y[..n];
    let [across, north, south] = faces;
    let (h, slope_x, slope_y) = (&cells.h[..n], &cells.slopes[0][..n], &cells.slopes[1][..n]);
    let (west_u, east_u) = (&across.after[..n], &across.before[1..=n]);
    let (west_v, east_v) = (&across.along[..n], &across.along[1..=n]);
    let (north_v, south_v) = (&north.after[..n], &south.before[..n]);
    let (north_u, south_u) = (&north.along[..n], &south.along[..n]);
    let (per_x, per_y, g) = (c.per_x, c.per_y, c.gravity);
    for i in 0..n {
        let force_x = slope_force(h[i], slope_x[i], g);
        change_x[i] =
            momentum_change(west_u[i], east_u[i], north_u[i], south_u[i], force_x, [per_x, per_y]);
        let force_y = slope_force(h[i], slope_y[i], g);
        change_y[i] =
            momentum_change(north_v[i], south_v[i], west_v[i], east_v[i], force_y, [per_y, per_x]);
    }
}

#[derive(Clone, Copy)]
pub(super) struct MomentumInputRow<'a> {
    pub(super) before: &'a [f32],
    pub(super) now: &'a [f32],
    pub(super) scale: &'a [f32],
    pub(super) push: [&'a [f32]; 2],
}

impl MomentumInputRow<'_> {
    #[inline(always)]
    fn truncate(&self, n: usize) -> Self {
        let [x, y] = self.push;
        Self {
            before: &self.before[..n],
            now: &self.now[..n],
            scale: &self.scale[..n],
            push: [&x[..n], &y[..n]],
        }
    }

    #[inline(always)]
    fn at(&self, i: usize, q: [f32; 2]) -> MomentumInput {
        let push = [self.push[0][i], self.push[1][i]];
        MomentumInput { before: self.before[i], now: self.now[i], scale: self.scale[i], q, push }
    }
}

/// Computes the new momentum of a row of cells in place (stage 7 of the scheme).
#[multiversion(targets = "simd")]
pub(super) fn update_momentum_row(
    moved: &MomentumInputRow,
    roughness: RoughnessRow,
    c: &Coefficients,
    qx: &mut [f32],
    qy: &mut [f32],
) {
    let n = qx.len();
    let (moved, qy, c) = (moved.truncate(n), &mut qy[..n], *c);
    match roughness {
        RoughnessRow::Smooth => {
            for x in 0..n {
                [qx[x], qy[x]] = updated_momentum(moved.at(x, [qx[x], qy[x]]), 0.0, &c);
            }
        }
        RoughnessRow::Uniform(rough) => {
            for x in 0..n {
                let drag = friction::drag_coefficient(moved.now[x], rough, c.g_dt);
                [qx[x], qy[x]] = updated_momentum(moved.at(x, [qx[x], qy[x]]), drag, &c);
            }
        }
        RoughnessRow::Map(rough) => {
            let rough = &rough[..n];
            for x in 0..n {
                let drag = friction::drag_coefficient(moved.now[x], rough[x], c.g_dt);
                [qx[x], qy[x]] = updated_momentum(moved.at(x, [qx[x], qy[x]]), drag, &c);
            }
        }
    }
}
