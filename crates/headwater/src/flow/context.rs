//! What a level of physics needs of a step: length, lattice, roughness, and what stands outside the
//! grid.

use super::outside::Edges;
use super::params::Params;
use crate::field::Field;
use crate::lattice::Lattice;

pub(crate) struct Step<'a> {
    pub(crate) lattice: &'a Lattice,
    pub(crate) params: &'a Params,
    pub(crate) edges: &'a Edges<'a>,
    pub(crate) roughness: Roughness<'a>,
    pub(crate) dt: f64,
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum Roughness<'a> {
    /// The same everywhere.
    Uniform(f32),
    /// One for each cell.
    Map(&'a Field<f32>),
}

impl Roughness<'_> {
    pub(super) fn at(&self, x: usize, y: usize) -> f32 {
        match self {
            Roughness::Uniform(n) => *n,
            Roughness::Map(map) => map[(x, y)],
        }
    }
}

/// The largest stable step, and where it comes from.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Limit {
    /// The largest stable step (s).
    pub dt: f64,
    /// The cell that allows no longer one; `None` if it is the same for all.
    pub cell: Option<(usize, usize)>,
}

impl Step<'_> {
    /// `dt/(dx·dy)` (s/m²): turns a discharge into a depth moved.
    pub(super) fn to_depth(&self) -> f32 {
        (self.dt / self.lattice.cell_area()) as f32
    }
}
