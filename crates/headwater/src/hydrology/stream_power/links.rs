//! Drainage links. The water of each cell flows to the steepest neighbour, and through full lakes
//! to their outlets.
//!
//! Every link leads to a neighbouring cell. On dry land, it follows the steepest descent to the
//! ground or to the surface of a lake (D8). In a lake that spills, links lead down to the pit of
//! the cell's drainage basin, and the path from each outlet down to its pit is reversed (G.
//! Cordonnier, B. Bovy, J. Braun, Earth Surf. Dynam. 7:549, 2019). Water ends in lakes that do not
//! spill, in the sea and on open edges. Surface heights never rise along a link, so there are no
//! cycles.

use super::super::lakes::DRY;
use super::super::params::EdgeKind;
use crate::hydrology::drops::descent::LakeState;
use crate::hydrology::lakes::hierarchy::{NONE, Node, Terrain};
use crate::hydrology::lakes::water::Waters;
use crate::hydrology::state::grid::{DIRECTIONS, Grid};
use crate::parallel;
use crate::scratch::ScratchPool;
use std::ops::Range;

/// Drainage link of a cell: the index of a direction (below 8), or [`END`] or [`SEA`]. It can be
/// combined with the flag [`EXIT`].
pub(in super::super) type Link = u8;
/// Drainage link of a cell at which water ends, in a lake or on an open edge.
pub(in super::super) const END: Link = 8;
pub(in super::super) const SEA: Link = 9;
pub(in super::super) const EXIT: Link = 16;
const DIRECTION_MASK: Link = 15;
/// Inverse distance to an edge neighbour and to a corner neighbour (1/cells).
const INVERSE_DISTANCES: [f64; 2] = [1.0, std::f64::consts::FRAC_1_SQRT_2];

pub(in super::super) fn direction_index(link: Link) -> Link {
    link & DIRECTION_MASK
}

pub(in super::super) fn receiver(grid: Grid, cell: usize, link: Link) -> Option<usize> {
    let &(x, y) = DIRECTIONS.get(usize::from(direction_index(link)))?;
    Some(cell.wrapping_add_signed(y * grid.nx as isize + x))
}

pub(in super::super) fn link_between(grid: Grid, from: usize, to: usize) -> Link {
    let ((x0, y0), (x, y)) = (grid.column_and_row(from), grid.column_and_row(to));
    let offset = (x as isize - x0 as isize, y as isize - y0 as isize);
    DIRECTIONS.iter().position(|&direction| direction == offset).map_or(END, |k| k as Link)
}

#[derive(Clone, Copy, Debug)]
pub(in super::super) enum OutletLink {
    /// Command to reverse the path from the cell `near_cell` down to the pit of its basin. Water
    /// then flows from the pit to `near_cell` and leaves the basin there.
    Reverse {
        near_cell: u32,
        /// Cell beyond the saddle, or [`NONE`] if the saddle leads off the map.
        far_cell: u32,
    },
    /// Outlet of a lake: index of the cell through which all outflow of the lake passes.
    Exit(u32),
}

#[derive(Clone, Copy)]
pub(in super::super) struct Drainage<'a> {
    pub(in super::super) terrain: Terrain<'a>,
    pub(in super::super) waters: &'a Waters,
}

impl Drainage<'_> {
    /// Returns the height of the surface of a cell (quanta of 2⁻²⁰ m): the water level, or the
    /// height of the ground on dry cells.
    pub(in super::super) fn surface_height(&self, cell: usize) -> i64 {
        self.waters.level_over(self.terrain, cell).unwrap_or(self.terrain.bed[cell])
    }

    /// Returns whether a cell lies on an open edge of the map.
    pub(in super::super) fn is_on_open_edge(&self, cell: usize) -> bool {
        self.is_on_edge(cell, EdgeKind::Open)
    }

    fn is_on_edge(&self, cell: usize, kind: EdgeKind) -> bool {
        let Terrain { grid, edges, .. } = self.terrain;
        let (x, y) = grid.column_and_row(cell);
        edges.kinds_at_cell(x, y, grid.nx, grid.ny).contains(&Some(kind))
    }

    /// Returns the drainage link of a cell to its steepest lower neighbour, before the outlets of
    /// depressions are applied. `surface` holds the surface height of every cell (quanta of 2⁻²⁰
    /// m).
    pub(in super::super) fn downhill_link(&self, surface: &[i64], cell: usize) -> Link {
        let Terrain { grid, bed, sea, .. } = self.terrain;
        let (x, y) = grid.column_and_row(cell);
        let inside = grid.is_inside(x, y);
        if !inside && self.is_on_open_edge(cell) {
            return END;
        }
        let height = surface[cell];
        if height > bed[cell] && self.waters.leaf_water_at(cell as u32).state != LakeState::Full {
            return END;
        }
        if height == bed[cell] {
            let mut best = (0.0, END);
            let mut try_direction = |k: usize, to: usize| {
                let fall = (height - surface[to]) as f64;
                let slope = fall * INVERSE_DISTANCES[k % 2];
                if slope > best.0 {
                    best = (slope, k as Link);
                }
            };
            if inside {
                for (k, &(x, y)) in DIRECTIONS.iter().enumerate() {
                    try_direction(k, cell.wrapping_add_signed(y * grid.nx as isize + x));
                }
            } else {
                for (k, &offset) in DIRECTIONS.iter().enumerate() {
                    if let Some(to) = grid.neighbour((x, y), offset) {
                        try_direction(k, to);
                    }
                }
                let fall = (height - sea) as f64;
                if fall > best.0 && self.is_on_edge(cell, EdgeKind::Sea) {
                    best.1 = SEA;
                }
            }
            if best.1 != END {
                return best.1;
            }
        }
        // Under a lake and on flat ground, the link leads down the basin.
        grid.receiver(bed, cell).map_or(END, |to| link_between(grid, cell, to))
    }

    /// Applies the outlets of all spilling depressions to the drainage links. Reverses the path
    /// from each outlet down to its pit, so that water flows from the pit to the outlet.
    pub(in super::super) fn apply_outlets(&self, links: &mut [Link], scratch: &ScratchPool) {
        let cells = self.terrain.grid.cell_count();
        self.for_each_outlet(scratch, |outlet| match outlet {
            OutletLink::Reverse { near_cell, far_cell } => {
                let (near_cell, far_cell) = (near_cell as usize, far_cell as usize);
                let beyond = (far_cell < cells).then_some(far_cell);
                self.reverse_path(links, near_cell, self.outlet_link(near_cell, beyond), 0..cells);
            }
            OutletLink::Exit(near_cell) => links[near_cell as usize] |= EXIT,
        });
    }

    /// Calls `visit` for each outlet of all spilling depressions.
    pub(in super::super) fn for_each_outlet(
        &self,
        scratch: &ScratchPool,
        mut visit: impl FnMut(OutletLink),
    ) {
        let hierarchy = &self.waters.hierarchy;
        let mut exits = scratch.take_filled(hierarchy.nodes.len(), [NONE; 3]);
        for n in (0..hierarchy.nodes.len()).rev() {
            let node = &hierarchy.nodes[n];
            let water = self.waters.leaves[node.first as usize];
            let root = water.node as usize;
            if n > root {
                continue;
            }
            if n == root && water.state == LakeState::Full {
                exits[n] = [node.near_cell, node.far_cell, node.near_leaf];
            }
            let [near_cell, far_cell, near_leaf] = exits[n];
            if near_cell == NONE {
                continue;
            }
            if n < hierarchy.leaves {
                visit(OutletLink::Reverse { near_cell, far_cell });
            }
            for child in node.children.into_iter().filter(|&child| child != NONE) {
                let holds = hierarchy.is_same_or_descendant(near_leaf, child);
                let Node { near_cell, far_cell, near_leaf, .. } = hierarchy.nodes[child as usize];
                exits[child as usize] =
                    if holds { exits[n] } else { [near_cell, far_cell, near_leaf] };
            }
            if n == root && water.height != DRY {
                visit(OutletLink::Exit(near_cell));
            }
        }
    }

    pub(in super::super) fn outlet_link(&self, near_cell: usize, beyond: Option<usize>) -> Link {
        beyond.map_or(SEA, |beyond| link_between(self.terrain.grid, near_cell, beyond))
    }

    /// Reverses the drainage path from a cell down to the pit of its basin. The cell itself gets
    /// the link `reversed`. Stops when the path leaves the cell range `cells`, and then returns
    /// the next cell of the path and its new link. Returns `None` at the pit.
    pub(in super::super) fn reverse_path(
        &self,
        links: &mut [Link],
        mut cell: usize,
        mut reversed: Link,
        cells: Range<usize>,
    ) -> Option<(usize, Link)> {
        let Terrain { grid, bed, .. } = self.terrain;
        loop {
            if self.is_on_open_edge(cell) {
                reversed = END;
            }
            links[cell] = links[cell] & EXIT | reversed;
            let next = grid.receiver(bed, cell)?;
            reversed = link_between(grid, next, cell);
            if !cells.contains(&next) {
                return Some((next, reversed));
            }
            cell = next;
        }
    }
}

/// Finds the drainage links of all cells and writes them to `links`. Writes the surface height of
/// every cell (quanta of 2⁻²⁰ m) to `surface`.
pub(in super::super) fn find_links(
    drainage: Drainage,
    links: &mut Vec<Link>,
    surface: &mut Vec<i64>,
    scratch: &ScratchPool,
) {
    let grid = drainage.terrain.grid;
    surface.resize(grid.cell_count(), 0);
    links.resize(grid.cell_count(), END);
    parallel::for_each_row(surface, grid.nx, |y, row| {
        for (x, surface) in row.iter_mut().enumerate() {
            *surface = drainage.surface_height(y * grid.nx + x);
        }
    });
    let surface: &[i64] = surface;
    parallel::for_each_row(links, grid.nx, |y, row| {
        for (x, link) in row.iter_mut().enumerate() {
            *link = drainage.downhill_link(surface, y * grid.nx + x);
        }
    });
    drainage.apply_outlets(links, scratch);
}
