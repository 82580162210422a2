//! Terrain of a map: bed heights, boundary conditions and sea level, which together determine where
//! water leaves the map.

use super::grid::Grid;
use crate::hydrology::params::{EdgeKind, Edges};

#[derive(Clone, Copy)]
pub(in crate::hydrology) struct Terrain<'a> {
    pub(in crate::hydrology) grid: Grid,
    pub(in crate::hydrology) bed: &'a [i64],
    pub(in crate::hydrology) edges: &'a Edges,
    pub(in crate::hydrology) sea: i64,
}

impl Terrain<'_> {
    /// Returns the lowest water level at which water leaves the map from a cell (quanta of 2⁻²⁰ m),
    /// and whether the water enters the sea. Returns `None` if no water can leave from this cell.
    pub(in crate::hydrology) fn outflow_height(&self, cell: usize) -> Option<(i64, bool)> {
        let (x, y) = self.grid.column_and_row(cell);
        let kinds = self.edges.kinds_at_cell(x, y, self.grid.nx, self.grid.ny);
        let height = |kind| match kind {
            EdgeKind::Wall => None,
            EdgeKind::Open => Some((self.bed[cell], false)),
            EdgeKind::Sea => Some((self.bed[cell].max(self.sea), true)),
        };
        let heights = kinds.into_iter().flatten().filter_map(height);
        heights.min_by_key(|&(height, sea)| (height, !sea))
    }
}
