//! Boundary state of every edge face at one time, and the periodicity of the grid.

use crate::lattice::{Edge, Way, parted};
use crate::spare::Lent;

/// State outside a boundary face at one time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Outside {
    /// A wall.
    Wall,
    /// A prescribed unit discharge (m²/s), positive into the grid.
    Given(f32),
    /// An inflow with a prescribed velocity.
    Stream {
        /// Unit discharge (m²/s), into the grid.
        discharge: f32,
        /// Velocity along the edge (m/s), east or south.
        along: f32,
        /// Surface height (m), if prescribed.
        level: Option<f32>,
    },
    /// Free outflow over the edge.
    Nothing,
    /// A water level (m).
    Level(f32),
    /// Still water at a level (m) with an incoming wave.
    Waves {
        /// Still-water level (m).
        level: f32,
        /// Elevation of the incoming wave above the level (m).
        rise: f32,
    },
    /// The opposite edge: the boundary is periodic.
    Joined,
}

pub(crate) struct Edges<'s> {
    /// States per edge and face.
    pub(super) outside: [Lent<'s, Outside>; 4],
    pub(super) joined: Joined,
}

impl Edges<'_> {
    pub(super) fn along(&self, edge: Edge) -> &[Outside] {
        &self.outside[edge as usize]
    }
}

/// Axes with periodic boundaries: the outflow over one edge enters over the opposite one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Joined {
    pub(super) x: bool,
    pub(crate) y: bool,
}

impl Joined {
    /// Maps a cell up to one step off a grid of `nx × ny` back to the grid along periodic axes.
    pub(super) fn wrap(self, (x, y): (usize, usize), nx: usize, ny: usize) -> (usize, usize) {
        let around = |joined: bool, i: usize, n: usize| match i {
            usize::MAX if joined => n - 1,
            _ if joined && i >= n => i - n,
            _ => i,
        };
        (around(self.x, x, nx), around(self.y, y, ny))
    }

    /// Returns the faces of a family on periodic edges, with all the places at which they are
    /// stored; the last is repeated up to four. On hexagons, corner z-faces are open only if both
    /// axes are periodic.
    pub(super) fn seams(
        self,
        way: Way,
        nx: usize,
        ny: usize,
    ) -> impl Iterator<Item = [(usize, usize); 4]> {
        let from = usize::from(way == Way::Z);
        let rows = if self.x && way != Way::Y { from..ny } else { 0..0 };
        let columns = if self.y && way != Way::X { from..nx } else { 0..0 };
        let corners = self.x && self.y && way == Way::Z;
        rows.map(move |y| [(0, y), (nx, y), (nx, y), (nx, y)])
            .chain(columns.map(move |x| [(x, 0), (x, ny), (x, ny), (x, ny)]))
            .chain(corners.then_some([(0, 0), (nx, 0), (0, ny), (nx, ny)]))
    }

    pub(super) fn parted(
        self,
        way: Way,
        (x, y): (usize, usize),
        nx: usize,
        ny: usize,
    ) -> [(usize, usize); 2] {
        parted(way, y).map(|cell| self.wrap(cell.from(x, y), nx, ny))
    }
}
