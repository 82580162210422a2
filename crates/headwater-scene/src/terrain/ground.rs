//! [`Terrain`]: the ground of a scene.

use crate::raster::Georeference;
use headwater::flow::Subgrid;
use headwater::{Field, Lattice};

/// The ground of a scene.
#[derive(Clone, Debug, PartialEq)]
pub struct Terrain {
    /// Where its cells are.
    pub lattice: Lattice,
    /// Height of the ground above `datum` (m), finite in every cell. Cells without data have that
    /// of the lowest with data.
    pub bed: Field<f32>,
    /// Which cells have low ground and high ground in them, if the scene asks for that: [`bed`](Self::bed) is the mean of both.
    pub subgrid: Option<Subgrid>,
    /// The scene's height at which `bed` is 0 (m). A whole number, below all ground, where that
    /// lies farther from 0 than it is high, so that f32 keeps millimetres on the highest mountain;
    /// else 0.
    pub datum: f64,
    /// Cells that are not part of the world: closed to water.
    pub no_data: Field<bool>,
    /// Where the world lies on a map, if it came from a file that says so.
    pub georeference: Option<Georeference>,
    /// What was decided for lack of better knowledge, in words for whoever runs the scene.
    pub notices: Vec<String>,
}

impl Terrain {
    /// Height of the ground in a cell, as the scene counts heights (m).
    pub fn height(&self, cell: (usize, usize)) -> f64 {
        self.datum + f64::from(self.bed[cell])
    }
}

/// Heights while they are being made: in f64, as the scene counts them.
pub(super) struct Draft {
    pub(super) lattice: Lattice,
    pub(super) heights: Field<f64>,
    pub(super) no_data: Field<bool>,
    pub(super) georeference: Option<Georeference>,
    pub(super) notices: Vec<String>,
}
