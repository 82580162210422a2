//! Row buffers of the row-parallel loops ([`super::rows`]). They hold the state of the water, its
//! state half a time step later, and the fluxes through faces. The functions in [`super::stages`]
//! fill them.

use super::{FaceState, Flux, HalfSlopes, HalfState, Water, reconstruct_side};
use crate::flow::state::ClosedCells;
use std::ops::Range;

/// Conversion of velocity vectors to the components normal and tangential to the faces of an axis.
/// On squares, the stored components are used unchanged; on hexagons, they are rotated.
pub(super) trait AxisComponents: Copy {
    fn water(self, water: Water) -> Water;
    fn half(self, half: HalfState) -> HalfState;
}

#[derive(Default)]
pub(super) struct WaterRow {
    pub(super) z: Vec<f32>,
    pub(super) h: Vec<f32>,
    pub(super) w: Vec<f32>,
    pub(super) u: Vec<f32>,
    pub(super) v: Vec<f32>,
    pub(super) closed: Vec<bool>,
    pub(super) any_closed: bool,
}

impl WaterRow {
    pub(super) fn resize(&mut self, nx: usize) {
        let Self { z, h, w, u, v, closed, .. } = self;
        [z, h, w, u, v].into_iter().for_each(|row| row.resize(nx + 2, 0.0));
        closed.resize(nx + 2, false);
    }

    pub(super) fn at(&self, i: usize) -> Water {
        Water { z: self.z[i], h: self.h[i], w: self.w[i], u: self.u[i], v: self.v[i] }
    }

    /// Copies the closed-cell flags of row `y` from `closed`. If there is no such row, all flags
    /// are false.
    pub(super) fn set_closed_row(
        &mut self,
        closed: &ClosedCells,
        y: Option<usize>,
        periodic_x: bool,
    ) {
        let Some(y) = y.filter(|&y| closed.row_has_closed(y)) else {
            self.any_closed = false;
            return;
        };
        let (row, nx) = (closed.cells().row(y), self.closed.len() - 2);
        self.any_closed = true;
        self.closed[1..=nx].copy_from_slice(row);
        self.closed[0] = periodic_x && row[nx - 1];
        self.closed[nx + 1] = periodic_x && row[0];
    }

    pub(super) fn closed_flags(&self, start: usize, n: usize) -> Option<&[bool]> {
        self.any_closed.then(|| &self.closed[start..start + n])
    }

    pub(super) fn set(&mut self, i: usize, water: Water) {
        let Water { z, h, w, u, v } = water;
        (self.z[i], self.h[i], self.w[i], self.u[i], self.v[i]) = (z, h, w, u, v);
    }

    pub(super) fn window(&self, start: usize, n: usize) -> WaterSlices<'_> {
        let part = |values| &<[f32]>::as_ref(values)[start..start + n];
        WaterSlices {
            z: part(&self.z),
            h: part(&self.h),
            w: part(&self.w),
            u: part(&self.u),
            v: part(&self.v),
        }
    }
}

#[derive(Clone, Copy)]
pub(super) struct WaterSlices<'a> {
    pub(super) z: &'a [f32],
    pub(super) h: &'a [f32],
    pub(super) w: &'a [f32],
    pub(super) u: &'a [f32],
    pub(super) v: &'a [f32],
}

impl WaterSlices<'_> {
    pub(super) fn transposed(&self) -> Self {
        Self { u: self.v, v: self.u, ..*self }
    }

    #[inline(always)]
    pub(super) fn truncate(&self, n: usize) -> Self {
        let Self { z, h, w, u, v } = *self;
        Self { z: &z[..n], h: &h[..n], w: &w[..n], u: &u[..n], v: &v[..n] }
    }

    #[inline(always)]
    pub(super) fn at(&self, i: usize) -> Water {
        Water { z: self.z[i], h: self.h[i], w: self.w[i], u: self.u[i], v: self.v[i] }
    }
}

#[derive(Default)]
pub(super) struct SlopeRow {
    pub(super) h: Vec<f32>,
    pub(super) w: Vec<f32>,
    pub(super) u: Vec<f32>,
    pub(super) v: Vec<f32>,
}

impl SlopeRow {
    pub(super) fn resize(&mut self, nx: usize) {
        let Self { h, w, u, v } = self;
        [h, w, u, v].into_iter().for_each(|row| row.resize(nx, 0.0));
    }

    pub(super) fn window_mut(&mut self, columns: &Range<usize>) -> [&mut [f32]; 4] {
        let Self { h, w, u, v } = self;
        [h, w, u, v].map(|row| &mut row[columns.clone()])
    }

    pub(super) fn window(&self, start: usize, n: usize) -> SlopeSlices<'_> {
        let part = |values| &<[f32]>::as_ref(values)[start..start + n];
        SlopeSlices { h: part(&self.h), w: part(&self.w), u: part(&self.u), v: part(&self.v) }
    }
}

#[derive(Clone, Copy)]
pub(super) struct SlopeSlices<'a> {
    pub(super) h: &'a [f32],
    pub(super) w: &'a [f32],
    pub(super) u: &'a [f32],
    pub(super) v: &'a [f32],
}

impl SlopeSlices<'_> {
    #[inline(always)]
    pub(super) fn truncate(&self, n: usize) -> Self {
        let Self { h, w, u, v } = *self;
        Self { h: &h[..n], w: &w[..n], u: &u[..n], v: &v[..n] }
    }

    #[inline(always)]
    pub(super) fn at(&self, i: usize) -> HalfSlopes {
        HalfSlopes { h: self.h[i], w: self.w[i], u: self.u[i], v: self.v[i] }
    }
}

/// State of the cells of a row half a time step later, and their half-slopes along each axis. A
/// half-slope is the change of a quantity from the centre of a cell to the next face along the
/// axis.
#[derive(Default)]
pub(super) struct HalfStepRow {
    pub(super) drag: Vec<f32>,
    pub(super) h: Vec<f32>,
    pub(super) per_h: Vec<f32>,
    pub(super) u: Vec<f32>,
    pub(super) v: Vec<f32>,
    /// Half-slopes along each axis: east and south on squares; east, southeast and southwest on
    /// hexagons.
    pub(super) slopes: [SlopeRow; 3],
    pub(super) open: Vec<bool>,
}

impl HalfStepRow {
    pub(super) fn resize(&mut self, nx: usize, axes: usize) {
        let Self { drag, h, per_h, u, v, slopes, open } = self;
        [drag, h, per_h, u, v].into_iter().for_each(|row| row.resize(nx, 0.0));
        slopes[..axes].iter_mut().for_each(|slopes| slopes.resize(nx));
        open.resize(nx, false);
    }

    /// Returns the cells in `columns` as inputs for the reconstruction of face states along the
    /// axis with index `axis`. `z` contains the bed elevations (m) of the whole row. Velocities are
    /// given as eastward and southward components.
    pub(super) fn sides<'a>(
        &'a self,
        z: &'a [f32],
        axis: usize,
        columns: Range<usize>,
    ) -> ReconstructionInput<'a> {
        let part = |values: &'a [f32]| &values[columns.clone()];
        ReconstructionInput {
            z: part(z),
            h: part(&self.h),
            per_h: part(&self.per_h),
            u: part(&self.u),
            v: part(&self.v),
            slopes: self.slopes[axis].window(columns.start, columns.len()),
        }
    }

    pub(super) fn window(&self, columns: Range<usize>) -> HalfStepCells<'_> {
        let (start, n) = (columns.start, columns.len());
        HalfStepCells {
            h: &self.h[columns],
            slopes: [0, 1].map(|axis| self.slopes[axis].window(start, n).w),
        }
    }
}

/// State of some cells of a row half a time step later: depths (m), and the eastward and southward
/// half-slopes of the surface (m). A half-slope is the change from the centre of a cell to its
/// face.
#[derive(Clone, Copy)]
pub(super) struct HalfStepCells<'a> {
    pub(super) h: &'a [f32],
    pub(super) slopes: [&'a [f32]; 2],
}

/// State of some cells of a row, as input for the reconstruction of face states along an axis.
#[derive(Clone, Copy)]
pub(super) struct ReconstructionInput<'a> {
    pub(super) z: &'a [f32],
    pub(super) h: &'a [f32],
    pub(super) per_h: &'a [f32],
    pub(super) u: &'a [f32],
    pub(super) v: &'a [f32],
    pub(super) slopes: SlopeSlices<'a>,
}

impl ReconstructionInput<'_> {
    pub(super) fn transposed(self) -> Self {
        Self { u: self.v, v: self.u, ..self }
    }

    #[inline(always)]
    pub(super) fn truncate(&self, n: usize) -> Self {
        let Self { z, h, per_h, u, v, slopes } = *self;
        let (z, h, per_h) = (&z[..n], &h[..n], &per_h[..n]);
        Self { z, h, per_h, u: &u[..n], v: &v[..n], slopes: slopes.truncate(n) }
    }

    #[inline(always)]
    pub(super) fn half_state(&self, i: usize) -> HalfState {
        HalfState { h: self.h[i], per_h: self.per_h[i], u: self.u[i], v: self.v[i] }
    }

    /// Returns the state of cell `i`, reconstructed at one of its faces. `direction` is 1 for the
    /// eastern or southern face of the cell, −1 for the opposite face.
    #[inline(always)]
    pub(super) fn at(
        &self,
        i: usize,
        components: impl AxisComponents,
        direction: f32,
    ) -> FaceState {
        reconstruct_side(
            self.z[i],
            components.half(self.half_state(i)),
            self.slopes.at(i),
            direction,
        )
    }
}

#[derive(Default)]
pub(super) struct FluxRow {
    pub(super) before: Vec<f32>,
    pub(super) after: Vec<f32>,
    pub(super) along: Vec<f32>,
}

impl FluxRow {
    pub(super) fn resize(&mut self, n: usize) {
        let Self { before, after, along } = self;
        [before, after, along].into_iter().for_each(|row| row.resize(n, 0.0));
    }

    pub(super) fn window(&self, faces: Range<usize>) -> FluxSlices<'_> {
        let part = |values| &<[f32]>::as_ref(values)[faces.clone()];
        FluxSlices {
            before: part(&self.before),
            after: part(&self.after),
            along: part(&self.along),
        }
    }

    pub(super) fn set(&mut self, i: usize, flux: Flux) {
        (self.before[i], self.after[i], self.along[i]) = (flux.before, flux.after, flux.along);
    }
}

#[derive(Clone, Copy)]
pub(super) struct FluxSlices<'a> {
    pub(super) before: &'a [f32],
    pub(super) after: &'a [f32],
    pub(super) along: &'a [f32],
}
