//! What a level of physics is told of a step: how long it is, the lattice, the ground's roughness, and what
//! stands outside the grid. Where that comes from is not its business.

use super::params::Params;
use super::state::{Roughness, State};
use crate::lattice::{Edge, Square};

/// What a step needs to know beside the state.
pub(super) struct Step<'a> {
    pub(super) lattice: &'a Square,
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

/// What stands outside a boundary face at one moment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Outside {
    /// A wall.
    Wall,
    /// Whatever gives this unit discharge (m²/s), into the grid; below 0, out of it.
    Given(f32),
    /// Nothing: water falls over the edge.
    Nothing,
    /// Water with its surface at this height (m).
    Level(f32),
}

/// What stands outside every boundary face at one moment.
#[derive(Clone, Debug)]
pub(super) struct Edges(pub(super) [Vec<Outside>; 4]);

impl Edges {
    /// Face by face along an edge, from the west or the north.
    pub(super) fn along(&self, edge: Edge) -> &[Outside] {
        &self.0[edge as usize]
    }
}

/// The discharge over boundary face `i` of an edge, and the sign of one into the grid.
pub(super) fn boundary_face(state: &mut State, edge: Edge, i: usize) -> (&mut f32, f32) {
    let (nx, ny) = (state.bed.nx(), state.bed.ny());
    match edge {
        Edge::West => (&mut state.discharge_x[(0, i)], 1.0),
        Edge::East => (&mut state.discharge_x[(nx, i)], -1.0),
        Edge::North => (&mut state.discharge_y[(i, 0)], 1.0),
        Edge::South => (&mut state.discharge_y[(i, ny)], -1.0),
    }
}
