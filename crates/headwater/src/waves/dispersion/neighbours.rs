//! Sums over neighbours for the dispersion filter, including cells at shores and edges. Both
//! implementations of the filter use them.

use super::super::context::StepContext;
use super::super::params::EdgeKind;
use crate::lattice::Edge;

#[derive(Clone, Copy)]
pub(super) struct AdjacentRows<'a> {
    pub(super) y: usize,
    pub(super) north: Option<&'a [f32]>,
    pub(super) own: &'a [f32],
    pub(super) south: Option<&'a [f32]>,
}

impl AdjacentRows<'_> {
    /// Returns the sum of the values t of the four neighbours of the cell in column `x`. It equals
    /// `4·t + L·t`, where L is the Laplacian. A neighbour behind a closed face is replaced by the
    /// cell itself. The order of summation is symmetric, so mirrored worlds give mirrored results.
    #[inline(always)]
    pub(super) fn neighbour_sum(&self, step: &StepContext, x: usize) -> f32 {
        let &Self { y, north, own: row, south } = self;
        let (nx, own) = (row.len(), row[x]);
        let (gx, gy) = match &step.speed_map.map {
            None => ([1.0; 2], [1.0; 2]),
            Some(gains) => {
                ([gains.x[(x, y)], gains.x[(x + 1, y)]], [gains.y[(x, y)], gains.y[(x, y + 1)]])
            }
        };
        // Value of a neighbour beyond an edge.
        let beyond = |edge| match step.edges.kind(edge) {
            EdgeKind::Pinned => 0.0,
            EdgeKind::Periodic | EdgeKind::Reflecting | EdgeKind::Absorbing => own,
        };
        let across = |edge, x: usize| match step.edges.kind(edge) {
            EdgeKind::Periodic => row[x],
            _ => beyond(edge),
        };
        let open = |gain: f32, other: f32| if gain > 0.0 { other } else { own };
        let west = if x > 0 { row[x - 1] } else { across(Edge::West, nx - 1) };
        let east = if x + 1 < nx { row[x + 1] } else { across(Edge::East, 0) };
        let north = north.map_or_else(|| beyond(Edge::North), |row| row[x]);
        let south = south.map_or_else(|| beyond(Edge::South), |row| row[x]);
        let along = open(gy[0], north) + open(gy[1], south);
        (open(gx[0], west) + open(gx[1], east)) + along
    }
}
