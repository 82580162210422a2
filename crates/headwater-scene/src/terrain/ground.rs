//! [`Terrain`]: the ground of a scene as heights by cell.

use crate::raster::Georeference;
use headwater::flow::Subgrid;
use headwater::{Field, Lattice};

/// Ground of a scene as heights by cell, with its position on a map.
#[derive(Clone, Debug, PartialEq)]
pub struct Terrain {
    /// Lattice of the cells.
    pub lattice: Lattice,
    /// Height of the ground above `datum` (m), finite everywhere. Cells without data get the lowest
    /// height of the other cells.
    pub bed: Field<f32>,
    /// Sub-grid topography, if the scene requests it. [`bed`](Self::bed) is then the mean of its
    /// low and high parts.
    pub subgrid: Option<Subgrid>,
    /// Height (m, as in the scene) that corresponds to `bed` = 0. If the ground is farther from 0
    /// than its relief, the datum is an integer below all ground, so that `f32` resolves
    /// millimetres on high mountains; otherwise 0.
    pub datum: f64,
    /// Whether each cell lacks data. Such cells are closed to water.
    pub no_data: Field<bool>,
    /// Map position, if the terrain file gives it.
    pub georeference: Option<Georeference>,
    /// Assumptions to report to the user, one text each.
    pub notices: Vec<String>,
}

impl Terrain {
    /// Returns the height of the ground in a cell (m), measured as in the scene.
    pub fn height(&self, cell: (usize, usize)) -> f64 {
        self.datum + f64::from(self.bed[cell])
    }
}

/// Terrain under construction, with heights (m, as in the scene) in `f64`.
pub(super) struct Draft {
    pub(super) lattice: Lattice,
    pub(super) heights: Field<f64>,
    pub(super) no_data: Field<bool>,
    pub(super) georeference: Option<Georeference>,
    pub(super) notices: Vec<String>,
}
