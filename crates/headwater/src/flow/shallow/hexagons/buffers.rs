//! What the row-parallel sweep ([`super::rows`]) keeps of a few rows of hexagons, beside what squares have.

use super::Slant;
use crate::flow::shallow::buffers::{FaceRow, Sides};
use crate::flow::shallow::{Flux, Half, Side, side};

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

#[derive(Clone, Copy)]
pub(super) struct Actings<'a> {
    pub(super) across: &'a [f32],
    pub(super) along: &'a [f32],
}

impl<'a> Actings<'a> {
    pub(super) fn before(faces: &'a FaceRow, start: usize, n: usize) -> Self {
        Self { across: &faces.after[start..start + n], along: &faces.along[start..start + n] }
    }

    pub(super) fn after(faces: &'a FaceRow, start: usize, n: usize) -> Self {
        Self { across: &faces.before[start..start + n], along: &faces.along[start..start + n] }
    }
}
