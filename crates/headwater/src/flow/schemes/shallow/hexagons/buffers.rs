//! Row buffers that the row-parallel loops in [`super::rows`] need on hexagons, in addition to
//! those for squares.

use crate::flow::schemes::shallow::Flux;
use crate::flow::schemes::shallow::buffers::FluxRow;

#[derive(Default)]
pub(super) struct SlantedFaces {
    pub(super) y: FluxRow,
    pub(super) z: FluxRow,
}

impl SlantedFaces {
    pub(super) fn resize(&mut self, nx: usize) {
        self.y.resize(nx);
        self.z.resize(nx + 1);
    }
}

pub(super) const NONE: Flux = Flux { volume: 0.0, before: 0.0, after: 0.0, along: 0.0 };

#[derive(Clone, Copy)]
pub(super) struct FaceMomentumSlices<'a> {
    pub(super) across: &'a [f32],
    pub(super) along: &'a [f32],
}

impl<'a> FaceMomentumSlices<'a> {
    pub(super) fn for_cell_before(faces: &'a FluxRow, start: usize, n: usize) -> Self {
        Self { across: &faces.after[start..start + n], along: &faces.along[start..start + n] }
    }

    pub(super) fn for_cell_after(faces: &'a FluxRow, start: usize, n: usize) -> Self {
        Self { across: &faces.before[start..start + n], along: &faces.along[start..start + n] }
    }
}
