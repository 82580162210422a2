//! Inputs of a step that every physics model needs: time step, lattice, roughness and boundary
//! state.

use super::boundary::state::EdgeStates;
use super::params::Params;
use crate::field::Field;
use crate::lattice::Lattice;

pub(crate) struct StepContext<'a> {
    pub(crate) lattice: &'a Lattice,
    pub(crate) params: &'a Params,
    pub(crate) edges: &'a EdgeStates<'a>,
    pub(crate) roughness: Roughness<'a>,
    pub(crate) dt: f64,
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum Roughness<'a> {
    /// The same roughness for all cells.
    Uniform(f32),
    /// One roughness value per cell.
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

/// Longest stable time step of a world, and the cell that limits it.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct StepLimit {
    /// Longest stable time step (s).
    pub dt: f64,
    /// Cell that limits the step, as column and row; `None` if all cells have the same limit.
    pub cell: Option<(usize, usize)>,
}

impl StepContext<'_> {
    /// Returns `dt/(dx·dy)` (s/m²), the factor that converts a discharge through a face (m³/s) into
    /// the change of depth of a cell (m) in this step.
    pub(super) fn depth_per_discharge(&self) -> f32 {
        (self.dt / self.lattice.cell_area()) as f32
    }
}
