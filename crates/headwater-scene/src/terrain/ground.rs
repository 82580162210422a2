//! [`Terrain`]: ground of a scene.

use crate::raster::Georeference;
use headwater::flow::Subgrid;
use headwater::{Field, Lattice};

/// Ground of a scene.
#[derive(Clone, Debug, PartialEq)]
pub struct Terrain {
    /// Lattice of the cells.
    pub lattice: Lattice,
    /// Height of the ground above `datum` (m), finite everywhere. Cells without data have the
    /// lowest height of the others.
    pub bed: Field<f32>,
    /// Sub-grid topography, if the scene requests it; [`bed`](Self::bed) is then the mean of the
    /// low and high parts.
    pub subgrid: Option<Subgrid>,
    /// Scene height of `bed` = 0 (m). If the ground is farther from 0 than its relief, this is an
    /// integer below all ground, so that `f32` resolves millimetres on high mountains; else 0.
    pub datum: f64,
    /// Cells without data, which are closed to water.
    pub no_data: Field<bool>,
    /// Position on a map, if the terrain file gives it.
    pub georeference: Option<Georeference>,
    /// Notices about assumptions, for the user.
    pub notices: Vec<String>,
}

impl Terrain {
    /// Returns the height of the ground in a cell (m), in scene heights.
    pub fn height(&self, cell: (usize, usize)) -> f64 {
        self.datum + f64::from(self.bed[cell])
    }
}

/// Terrain under construction, with scene heights in `f64`.
pub(super) struct Draft {
    pub(super) lattice: Lattice,
    pub(super) heights: Field<f64>,
    pub(super) no_data: Field<bool>,
    pub(super) georeference: Option<Georeference>,
    pub(super) notices: Vec<String>,
}
