//! What a level of physics is told of a step: how long it is, the lattice, the ground's roughness, and what
//! stands outside the grid. Where that comes from is not its business.

use super::outside::Edges;
use super::params::Params;
use super::state::Roughness;
use crate::lattice::Lattice;

/// What a step needs to know beside the state.
pub(super) struct Step<'a> {
    pub(super) lattice: &'a Lattice,
    pub(super) params: &'a Params,
    /// What stands outside the grid.
    pub(super) edges: &'a Edges,
    /// Roughness of the ground.
    pub(super) roughness: Roughness<'a>,
    /// How long it is (s).
    pub(super) dt: f64,
}

/// The largest stable step, and where it comes from.
#[derive(Clone, Copy, Debug, PartialEq)]
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
