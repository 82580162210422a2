//! Row buffers of [`super::rows`] that hexagons need in addition to those of squares.

use crate::flow::shallow::Flux;
use crate::flow::shallow::buffers::FaceRow;

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
