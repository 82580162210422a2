//! What stands outside the grid at one moment, face by face, and which of its edges are joined.

use crate::lattice::{Edge, FaceAxis, adjacent_cells};
use crate::scratch::PooledVec;

/// What stands outside a boundary face at one moment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Outside {
    /// A wall.
    Wall,
    /// Whatever gives this unit discharge (m²/s), into the grid; below 0, out of it.
    Given(f32),
    /// A stream that comes in.
    Stream {
        /// Its unit discharge (m²/s), into the grid.
        discharge: f32,
        /// Its velocity along the edge (m/s), to the east or to the south.
        along: f32,
        /// Its surface's height (m), where that is known.
        level: Option<f32>,
    },
    /// Nothing: water falls over the edge.
    Nothing,
    /// Water with its surface at this height (m).
    Level(f32),
    /// Water that stands at a level (m) and sends waves, which lift it by `rise` (m) at this moment.
    Waves {
        /// Height of the still water (m).
        level: f32,
        /// How far they lift it (m).
        rise: f32,
    },
    /// The other end of the world.
    Joined,
}

pub(crate) struct Edges<'s> {
    /// Face by face, edge by edge.
    pub(super) outside: [PooledVec<'s, Outside>; 4],
    pub(super) joined: Joined,
}

impl Edges<'_> {
    pub(super) fn along(&self, edge: Edge) -> &[Outside] {
        &self.outside[edge as usize]
    }
}

/// Which opposite edges are joined: what leaves over one comes in over the other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Joined {
    pub(super) x: bool,
    pub(crate) y: bool,
}

impl Joined {
    /// A place that may be one step off a grid of `nx × ny`, on the grid if that is joined there.
    pub(super) fn wrap(self, (x, y): (usize, usize), nx: usize, ny: usize) -> (usize, usize) {
        let around = |joined: bool, i: usize, n: usize| match i {
            usize::MAX if joined => n - 1,
            _ if joined && i >= n => i - n,
            _ => i,
        };
        (around(self.x, x, nx), around(self.y, y, ny))
    }

    /// The faces of a family on the seams of joined edges, with all their places in store (the last
    /// repeated up to four). On hexagons, corner z-faces are open only if all edges are joined.
    pub(super) fn seams(
        self,
        axis: FaceAxis,
        nx: usize,
        ny: usize,
    ) -> impl Iterator<Item = [(usize, usize); 4]> {
        let from = usize::from(axis == FaceAxis::Z);
        let rows = if self.x && axis != FaceAxis::Y { from..ny } else { 0..0 };
        let columns = if self.y && axis != FaceAxis::X { from..nx } else { 0..0 };
        let corners = self.x && self.y && axis == FaceAxis::Z;
        rows.map(move |y| [(0, y), (nx, y), (nx, y), (nx, y)])
            .chain(columns.map(move |x| [(x, 0), (x, ny), (x, ny), (x, ny)]))
            .chain(corners.then_some([(0, 0), (nx, 0), (0, ny), (nx, ny)]))
    }

    pub(super) fn adjacent_cells(
        self,
        axis: FaceAxis,
        (x, y): (usize, usize),
        nx: usize,
        ny: usize,
    ) -> [(usize, usize); 2] {
        adjacent_cells(axis, y).map(|cell| self.wrap(cell.from(x, y), nx, ny))
    }
}
