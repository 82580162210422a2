//! Flux gain of each face: the flux per height difference. It depends on the wave speeds of the
//! adjacent cells, and is 0 for closed faces, which no water crosses.

use super::rule::WaveCoefficients;
use crate::field::Field;
use crate::lattice::{Edge, Square};
use crate::waves::params::{EdgeKind, Edges};

#[derive(Clone, Debug, Default)]
pub(in crate::waves) struct WaveSpeedMap {
    /// Flux gains (dimensionless) of the western, eastern, northern and southern boundary faces.
    /// They apply if all faces inside the grid have the same gain.
    pub(in crate::waves) boundary: [f32; 4],
    /// Flux gain of each face, or `None` if all faces inside the grid have the same gain.
    pub(in crate::waves) map: Option<FaceGains>,
}

#[derive(Clone, Debug)]
pub(in crate::waves) struct FaceGains {
    pub(in crate::waves) x: Field<f32>,
    pub(in crate::waves) y: Field<f32>,
}

/// Inputs from which the flux gains of faces are computed. `land` is an optional land mask, and
/// `speed` holds optional wave speeds for each cell (m/s). `uniform` is the wave speed for which
/// `rule` was created (m/s).
#[derive(Clone, Copy, Debug)]
pub(in crate::waves) struct GainInputs<'a> {
    pub(in crate::waves) lattice: &'a Square,
    pub(in crate::waves) rule: &'a WaveCoefficients,
    pub(in crate::waves) edges: &'a Edges,
    pub(in crate::waves) land: Option<&'a Field<bool>>,
    pub(in crate::waves) speed: Option<&'a Field<f32>>,
    pub(in crate::waves) uniform: f64,
}

impl GainInputs<'_> {
    fn relative_speed_squared(&self, cell: (usize, usize)) -> Option<f64> {
        let open = self.land.is_none_or(|land| !land[cell]);
        let part = |c: f32| (f64::from(c) / self.uniform) * (f64::from(c) / self.uniform);
        open.then(|| self.speed.map_or(1.0, |speed| part(speed[cell])))
    }

    /// Returns the flux gain of the face between two cells. It is proportional to c² averaged over
    /// the two cells, where c is the wave speed. With this average, the scheme conserves volume and
    /// energy exactly.
    fn face_gain(&self, before: (usize, usize), after: (usize, usize)) -> f32 {
        match (self.relative_speed_squared(before), self.relative_speed_squared(after)) {
            (Some(a), Some(b)) => (f64::from(self.rule.gain) * 0.5 * (a + b)) as f32,
            _ => 0.0,
        }
    }

    fn boundary_gain(
        &self,
        edge: Edge,
        inner_cell: (usize, usize),
        opposite_cell: (usize, usize),
    ) -> f32 {
        match self.edges.kind(edge) {
            EdgeKind::Reflecting | EdgeKind::Absorbing => 0.0,
            EdgeKind::Pinned => self.face_gain(inner_cell, inner_cell),
            EdgeKind::Periodic => self.face_gain(inner_cell, opposite_cell),
        }
    }

    /// Returns the flux gain of the x-face to the west of column `x`. If `x` is `nx`, the face is
    /// to the east of the last column.
    fn gain_x(&self, x: usize, y: usize) -> f32 {
        let nx = self.lattice.nx();
        match x {
            0 => self.boundary_gain(Edge::West, (0, y), (nx - 1, y)),
            _ if x == nx => self.boundary_gain(Edge::East, (nx - 1, y), (0, y)),
            _ => self.face_gain((x - 1, y), (x, y)),
        }
    }

    /// Returns the flux gain of the y-face to the north of row `y`. If `y` is `ny`, the face is to
    /// the south of the last row.
    fn gain_y(&self, x: usize, y: usize) -> f32 {
        let ny = self.lattice.ny();
        match y {
            0 => self.boundary_gain(Edge::North, (x, 0), (x, ny - 1)),
            _ if y == ny => self.boundary_gain(Edge::South, (x, ny - 1), (x, 0)),
            _ => self.face_gain((x, y - 1), (x, y)),
        }
    }
}

impl FaceGains {
    /// Recomputes the flux gains of the faces of a cell. Sets the fluxes through closed faces to 0.
    pub(in crate::waves) fn update_cell_faces(
        &mut self,
        inputs: &GainInputs<'_>,
        (x, y): (usize, usize),
        (flux_x, flux_y): (&mut Field<f32>, &mut Field<f32>),
    ) {
        let (nx, ny) = (inputs.lattice.nx(), inputs.lattice.ny());
        // Faces on periodic edges are stored on both sides of the grid.
        for x in [x, x + 1, if x == 0 { nx } else { 0 }] {
            self.x[(x, y)] = inputs.gain_x(x, y);
            if self.x[(x, y)] == 0.0 {
                flux_x[(x, y)] = 0.0;
            }
        }
        for y in [y, y + 1, if y == 0 { ny } else { 0 }] {
            self.y[(x, y)] = inputs.gain_y(x, y);
            if self.y[(x, y)] == 0.0 {
                flux_y[(x, y)] = 0.0;
            }
        }
    }
}

impl WaveSpeedMap {
    pub(in crate::waves) fn new(inputs: &GainInputs<'_>) -> Self {
        let crossed =
            |edge| matches!(inputs.edges.kind(edge), EdgeKind::Pinned | EdgeKind::Periodic);
        let boundary = Edge::ALL.map(|edge| if crossed(edge) { inputs.rule.gain } else { 0.0 });
        if inputs.land.is_none() && inputs.speed.is_none() {
            return Self { boundary, map: None };
        }
        let (nx, ny) = (inputs.lattice.nx(), inputs.lattice.ny());
        let x = Field::from_fn(nx + 1, ny, |x, y| inputs.gain_x(x, y));
        let y = Field::from_fn(nx, ny + 1, |x, y| inputs.gain_y(x, y));
        Self { boundary, map: Some(FaceGains { x, y }) }
    }

    pub(in crate::waves) fn gain_x(
        &self,
        rule: &WaveCoefficients,
        x: usize,
        y: usize,
        nx: usize,
    ) -> f32 {
        match &self.map {
            Some(gains) => gains.x[(x, y)],
            None if x == 0 => self.boundary[Edge::West as usize],
            None if x == nx => self.boundary[Edge::East as usize],
            None => rule.gain,
        }
    }

    pub(in crate::waves) fn gain_y(
        &self,
        rule: &WaveCoefficients,
        x: usize,
        y: usize,
        ny: usize,
    ) -> f32 {
        match &self.map {
            Some(gains) => gains.y[(x, y)],
            None if y == 0 => self.boundary[Edge::North as usize],
            None if y == ny => self.boundary[Edge::South as usize],
            None => rule.gain,
        }
    }
}
