//! What the row-parallel sweep ([`super::rows`]) keeps of a few rows of hexagons, beside what squares have.

use super::Slant;
use crate::flow::shallow::buffers::{FaceRow, Sides, SlopeRow};
use crate::flow::shallow::{Flux, Half, Side, side};

/// Cells of a row half a step later, with their half-slopes along the three axes, each in its own axis's view.
#[derive(Default)]
pub(super) struct CellRow {
    pub(super) drag: Vec<f32>,
    pub(super) h: Vec<f32>,
    pub(super) per_h: Vec<f32>,
    pub(super) u: Vec<f32>,
    pub(super) v: Vec<f32>,
    /// In the row, to the southeast, and to the southwest.
    pub(super) slopes: [SlopeRow; 3],
    /// A row without closed cells.
    pub(super) open: Vec<bool>,
}

impl CellRow {
    pub(super) fn fit(&mut self, nx: usize) {
        let Self { drag, h, per_h, u, v, slopes, open } = self;
        [drag, h, per_h, u, v].into_iter().for_each(|row| row.resize(nx, 0.0));
        slopes.iter_mut().for_each(|slopes| slopes.fit(nx));
        open.resize(nx, false);
    }

    /// Cells `start` to before `start + n` as faces on an axis see them; `z` is the row's bed. Velocities are to the east
    /// and to the south.
    pub(super) fn sides<'a>(
        &'a self,
        z: &'a [f32],
        axis: usize,
        start: usize,
        n: usize,
    ) -> Sides<'a> {
        let part = |values: &'a [f32]| &values[start..start + n];
        Sides {
            z: part(z),
            h: part(&self.h),
            per_h: part(&self.per_h),
            u: part(&self.u),
            v: part(&self.v),
            slopes: self.slopes[axis].part(start, n),
        }
    }
}

impl Sides<'_> {
    pub(super) fn half(&self, i: usize) -> Half {
        Half { h: self.h[i], per_h: self.per_h[i], u: self.u[i], v: self.v[i] }
    }

    /// 3. The side of cell `i` at the slanted face after it (1) or before it (−1).
    #[inline(always)]
    pub(super) fn aslant(&self, i: usize, slant: Slant, to: f32) -> Side {
        let half = Half { h: self.h[i], per_h: self.per_h[i], u: self.u[i], v: self.v[i] };
        side(self.z[i], slant.half(half), self.slopes.at(i), to)
    }
}

/// What crosses the slanted faces between two rows, but for the volume.
#[derive(Default)]
pub(super) struct SlantedFaces {
    pub(super) y: FaceRow,
    pub(super) z: FaceRow,
}

impl SlantedFaces {
    pub(super) fn fit(&mut self, nx: usize) {
        self.y.fit(nx);
        self.z.fit(nx + 1);
    }
}

pub(super) const NONE: Flux = Flux { volume: 0.0, before: 0.0, after: 0.0, along: 0.0 };

/// What some faces do to the cells on one side of them.
#[derive(Clone, Copy)]
pub(super) struct Actings<'a> {
    pub(super) across: &'a [f32],
    pub(super) along: &'a [f32],
}

impl<'a> Actings<'a> {
    /// On the `n` cells that the faces from `start` on come before.
    pub(super) fn before(faces: &'a FaceRow, start: usize, n: usize) -> Self {
        Self { across: &faces.after[start..start + n], along: &faces.along[start..start + n] }
    }

    /// On the `n` cells that the faces from `start` on come after.
    pub(super) fn after(faces: &'a FaceRow, start: usize, n: usize) -> Self {
        Self { across: &faces.before[start..start + n], along: &faces.along[start..start + n] }
    }
}
