//! Where the water of each cell goes: to the steepest of its neighbours, and through full lakes to their outlets.
//!
//! Every link leads to a neighbour. On dry land it is the steepest way down to the ground or a
//! lake's surface (D8). In a lake that runs over, cells lead down to their basin's pit, and the way
//! from each outlet down to its pit is reversed (G. Cordonnier, B. Bovy, J. Braun, Earth Surf.
//! Dynam. 7:549, 2019). Water ends in other lakes, in the sea and on open edges. Surfaces never
//! rise along a link, so there are no cycles.

use super::super::grid::{DIRECTIONS, Grid};
use super::super::hierarchy::{NONE, Node, Terrain};
use super::super::lakes::DRY;
use super::super::params::EdgeKind;
use super::super::walk::State;
use super::super::water::Waters;
use crate::parallel;
use crate::scratch::ScratchPool;
use std::ops::Range;

/// A cell's link: below 8 the number of a direction, or one of the two below; and perhaps [`EXIT`].
pub(in super::super) type Link = u8;
/// Water ends here: in a lake, in the sea, on an open edge.
pub(in super::super) const END: Link = 8;
pub(in super::super) const SEA: Link = 9;
pub(in super::super) const EXIT: Link = 16;
const WAY: Link = 15;
/// 1 over the ways to a side and to a corner.
const CLOSENESS: [f64; 2] = [1.0, std::f64::consts::FRAC_1_SQRT_2];

pub(in super::super) fn way(link: Link) -> Link {
    link & WAY
}

pub(in super::super) fn receiver(grid: Grid, cell: usize, link: Link) -> Option<usize> {
    let &(x, y) = DIRECTIONS.get(usize::from(way(link)))?;
    Some(cell.wrapping_add_signed(y * grid.nx as isize + x))
}

pub(in super::super) fn link(grid: Grid, from: usize, to: usize) -> Link {
    let ((x0, y0), (x, y)) = (grid.at(from), grid.at(to));
    let way = (x as isize - x0 as isize, y as isize - y0 as isize);
    DIRECTIONS.iter().position(|&direction| direction == way).map_or(END, |k| k as Link)
}

#[derive(Clone, Copy, Debug)]
pub(in super::super) enum WayOut {
    /// The way from a cell of a basin down to its pit is turned round, and the cell leads to one beyond, or off the map.
    Turn {
        inside: u32,
        /// The one beyond; [`NONE`] off the map.
        outside: u32,
    },
    /// All that comes through a lake leaves it at a cell.
    Exit(u32),
}

#[derive(Clone, Copy)]
pub(in super::super) struct Drainage<'a> {
    pub(in super::super) terrain: Terrain<'a>,
    pub(in super::super) waters: &'a Waters,
}

impl Drainage<'_> {
    /// The height of water over a cell, or of the ground where it is dry (quanta).
    pub(in super::super) fn surface(&self, cell: usize) -> i64 {
        self.waters.level_over(self.terrain, cell).unwrap_or(self.terrain.bed[cell])
    }

    /// Whether a cell lies on an edge beyond which the land goes on.
    pub(in super::super) fn is_on_open_edge(&self, cell: usize) -> bool {
        self.is_at(cell, EdgeKind::Open)
    }

    fn is_at(&self, cell: usize, kind: EdgeKind) -> bool {
        let Terrain { grid, edges, .. } = self.terrain;
        let (x, y) = grid.at(cell);
        edges.touching(x, y, grid.nx, grid.ny).contains(&Some(kind))
    }

    /// The link of a cell but for those on the way out of a depression. `surface` is that of every cell.
    pub(in super::super) fn down(&self, surface: &[i64], cell: usize) -> Link {
        let Terrain { grid, bed, sea, .. } = self.terrain;
        let (x, y) = grid.at(cell);
        let inside = grid.is_inside(x, y);
        if !inside && self.is_on_open_edge(cell) {
            return END;
        }
        let height = surface[cell];
        if height > bed[cell] && self.waters.leaf(cell as u32).state != State::Full {
            return END;
        }
        if height == bed[cell] {
            let mut best = (0.0, END);
            let mut try_way = |k: usize, to: usize| {
                let fall = (height - surface[to]) as f64;
                let slope = fall * CLOSENESS[k % 2];
                if slope > best.0 {
                    best = (slope, k as Link);
                }
            };
            if inside {
                for (k, &(x, y)) in DIRECTIONS.iter().enumerate() {
                    try_way(k, cell.wrapping_add_signed(y * grid.nx as isize + x));
                }
            } else {
                for (k, &way) in DIRECTIONS.iter().enumerate() {
                    if let Some(to) = grid.beside((x, y), way) {
                        try_way(k, to);
                    }
                }
                let fall = (height - sea) as f64;
                if fall > best.0 && self.is_at(cell, EdgeKind::Sea) {
                    best.1 = SEA;
                }
            }
            if best.1 != END {
                return best.1;
            }
        }
        // Under a lake, and on level ground: down its basin.
        grid.receiver(bed, cell).map_or(END, |to| link(grid, cell, to))
    }

    /// Turns round the way from each outlet of a depression that runs over down to its pit.
    pub(in super::super) fn lead_out(&self, links: &mut [Link], scratch: &ScratchPool) {
        let cells = self.terrain.grid.cells();
        self.ways_out(scratch, |way| match way {
            WayOut::Turn { inside, outside } => {
                let (inside, outside) = (inside as usize, outside as usize);
                let beyond = (outside < cells).then_some(outside);
                self.turn(links, inside, self.link_out(inside, beyond), 0..cells);
            }
            WayOut::Exit(inside) => links[inside as usize] |= EXIT,
        });
    }

    /// Tells what is to be done for depressions that run over.
    pub(in super::super) fn ways_out(&self, scratch: &ScratchPool, mut tell: impl FnMut(WayOut)) {
        let hierarchy = &self.waters.hierarchy;
        let mut exits = scratch.filled(hierarchy.nodes.len(), [NONE; 3]);
        for n in (0..hierarchy.nodes.len()).rev() {
            let node = &hierarchy.nodes[n];
            let over = self.waters.leaves[node.first as usize];
            let whole = over.node as usize;
            if n > whole {
                continue;
            }
            if n == whole && over.state == State::Full {
                exits[n] = [node.inside, node.outside, node.inner];
            }
            let [inside, outside, inner] = exits[n];
            if inside == NONE {
                continue;
            }
            if n < hierarchy.leaves {
                tell(WayOut::Turn { inside, outside });
            }
            for child in node.children.into_iter().filter(|&child| child != NONE) {
                let holds = hierarchy.is_in(inner, child);
                let Node { inside, outside, inner, .. } = hierarchy.nodes[child as usize];
                exits[child as usize] = if holds { exits[n] } else { [inside, outside, inner] };
            }
            if n == whole && over.height != DRY {
                tell(WayOut::Exit(inside));
            }
        }
    }

    pub(in super::super) fn link_out(&self, inside: usize, beyond: Option<usize>) -> Link {
        beyond.map_or(SEA, |beyond| link(self.terrain.grid, inside, beyond))
    }

    /// Leads a basin's pit up to a cell of it, whose link is `turned`. Stays within cells `within`:
    /// returns the first of the way beyond, and its link.
    pub(in super::super) fn turn(
        &self,
        links: &mut [Link],
        mut cell: usize,
        mut turned: Link,
        within: Range<usize>,
    ) -> Option<(usize, Link)> {
        let Terrain { grid, bed, .. } = self.terrain;
        loop {
            if self.is_on_open_edge(cell) {
                turned = END;
            }
            links[cell] = links[cell] & EXIT | turned;
            let next = grid.receiver(bed, cell)?;
            turned = link(grid, next, cell);
            if !within.contains(&next) {
                return Some((next, turned));
            }
            cell = next;
        }
    }
}

/// Finds all links. `surface` lends its memory: the water's surface over every cell, or the ground's (quanta).
pub(in super::super) fn find(
    drainage: Drainage,
    links: &mut Vec<Link>,
    surface: &mut Vec<i64>,
    scratch: &ScratchPool,
) {
    let grid = drainage.terrain.grid;
    surface.resize(grid.cells(), 0);
    links.resize(grid.cells(), END);
    parallel::for_each_row(surface, grid.nx, |y, row| {
        for (x, surface) in row.iter_mut().enumerate() {
            *surface = drainage.surface(y * grid.nx + x);
        }
    });
    let surface: &[i64] = surface;
    parallel::for_each_row(links, grid.nx, |y, row| {
        for (x, link) in row.iter_mut().enumerate() {
            *link = drainage.down(surface, y * grid.nx + x);
        }
    });
    drainage.lead_out(links, scratch);
}
