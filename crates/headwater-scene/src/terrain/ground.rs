//! [`Terrain`]: the ground of a scene as one height per cell.

use crate::raster::Georeference;
use headwater::flow::Subgrid;
use headwater::{Field, Lattice};

/// Ground of a scene as one height per cell, with its position on a map.
#[derive(Clone, Debug, PartialEq)]
pub struct Terrain {
    /// Lattice of the cells.
    pub lattice: Lattice,
    /// Height of the ground above `datum` (m), finite everywhere. Cells without data have the
    /// lowest height of the other cells.
    pub bed: Field<f32>,
    /// Sub-grid topography, if the scene requests it. A cell then has a low and a high part, and
    /// [`bed`](Self::bed) contains its mean height.
    pub subgrid: Option<Subgrid>,
    /// Elevation (m, in the coordinates of the scene) at which `bed` is 0. The datum is normally 0.
    /// If the lowest ground is farther from elevation 0 than from the highest ground, the datum is
    /// the lowest elevation rounded down to an integer, so that `f32` resolves millimetres on high
    /// mountains.
    pub datum: f64,
    /// Mask of the cells without data. These cells are closed to water.
    pub no_data: Field<bool>,
    /// Map position; `None` if the terrain file does not give it.
    pub georeference: Option<Georeference>,
    /// Assumptions that were made about the terrain, to be shown to the user. Each element is one
    /// notice.
    pub notices: Vec<String>,
}

impl Terrain {
    /// Returns the height of the ground in a cell (m, in the coordinates of the scene).
    pub fn height(&self, cell: (usize, usize)) -> f64 {
        self.datum + f64::from(self.bed[cell])
    }
}

/// Terrain under construction, with heights (m, in the coordinates of the scene) in `f64`.
pub(super) struct TerrainDraft {
    pub(super) lattice: Lattice,
    pub(super) heights: Field<f64>,
    pub(super) no_data: Field<bool>,
    pub(super) georeference: Option<Georeference>,
    pub(super) notices: Vec<String>,
}
