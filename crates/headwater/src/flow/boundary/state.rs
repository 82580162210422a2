//! Boundary states and the periodicity of the grid. A boundary state is a boundary condition
//! evaluated at one time, for one face of an edge.

use crate::lattice::{Edge, FaceAxis, adjacent_cells};
use crate::scratch::PooledVec;

/// State of the water beyond a boundary face at one time, evaluated from the boundary condition.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum BoundaryState {
    /// A wall: no water crosses the face.
    Wall,
    /// A prescribed unit discharge (m²/s), positive into the grid.
    Discharge(f32),
    /// An inflow with a prescribed unit discharge and a prescribed velocity along the edge.
    Stream {
        /// Unit discharge (m²/s), positive into the grid.
        discharge: f32,
        /// Velocity component along the edge (m/s), positive to the east or south.
        tangential_velocity: f32,
        /// Elevation of the water surface (m), used only if the inflow is supercritical; `None` if
        /// none is prescribed.
        level: Option<f32>,
    },
    /// Free outflow over the edge, as over a broad-crested weir.
    FreeOutflow,
    /// A prescribed water level (m) outside the face.
    Level(f32),
    /// A wave boundary: a still-water level and the elevation of the incoming wave.
    Waves {
        /// Still-water level (m).
        level: f32,
        /// Elevation of the incoming wave above the still-water level (m).
        wave_elevation: f32,
    },
    /// A periodic boundary: the face is joined to the corresponding face of the opposite edge.
    Periodic,
}

pub(crate) struct EdgeStates<'s> {
    /// Boundary state of each face, by edge and by face along the edge.
    pub(in crate::flow) states: [PooledVec<'s, BoundaryState>; 4],
    pub(in crate::flow) periodic: Periodicity,
}

impl EdgeStates<'_> {
    pub(in crate::flow) fn edge_faces(&self, edge: Edge) -> &[BoundaryState] {
        &self.states[edge as usize]
    }
}

/// Periodicity of a grid along the x- and the y-axis. On a periodic axis, water that leaves the
/// grid through one edge enters through the opposite edge.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Periodicity {
    pub(in crate::flow) x: bool,
    pub(crate) y: bool,
}

impl Periodicity {
    /// Wraps a cell index onto a grid of `nx × ny` cells along the periodic axes. The index may lie
    /// at most one cell beyond the edges. Along the other axes, it does not change.
    pub(in crate::flow) fn wrap(
        self,
        (x, y): (usize, usize),
        nx: usize,
        ny: usize,
    ) -> (usize, usize) {
        let wrap = |periodic: bool, i: usize, n: usize| match i {
            usize::MAX if periodic => n - 1,
            _ if periodic && i >= n => i - n,
            _ => i,
        };
        (wrap(self.x, x, nx), wrap(self.y, y, ny))
    }

    /// Returns the faces of the given `axis` that lie on periodic edges. The grid stores two or
    /// four copies of each such face. An item contains the indices of all copies of one face; if
    /// there are only two, the last index is repeated. On hexagons, the z-faces at the corners are
    /// open only if both axes are periodic.
    pub(in crate::flow) fn periodic_faces(
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

    pub(in crate::flow) fn adjacent_cells(
        self,
        axis: FaceAxis,
        (x, y): (usize, usize),
        nx: usize,
        ny: usize,
    ) -> [(usize, usize); 2] {
        adjacent_cells(axis, y).map(|cell| self.wrap(cell.apply_to(x, y), nx, ny))
    }
}
