//! State of a flow world at one time: bed, depth, discharges and momentum.

pub(super) mod device_view;
pub(crate) mod edit_delta;
pub(super) mod motion;
pub(super) mod snapshot;
pub(super) mod workspace;

use super::boundary::state::Periodicity;
use super::subgrid::Subgrid;
use crate::field::Field;
use crate::lattice::{Edge, FaceAxis, Hex, Lattice};
use crate::parallel::for_each_row_pair;
use serde::{Deserialize, Serialize, Serializer};
use std::ops::Range;

/// State of the ground and the water on a staggered square or hexagonal grid. Cells store the bed,
/// the depth and the rounding remainder of the depth; faces store the discharge.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct State {
    /// Elevation of the ground (m), `nx × ny`.
    pub bed: Field<f32>,
    /// Depth of the water (m), not negative, `nx × ny`.
    pub depth: Field<f32>,
    /// Water in each cell that is below the `f32` resolution of its depth (m), `nx × ny`. The water
    /// in a cell is the sum of `depth` and `remainder`.
    pub remainder: Field<f32>,
    /// Discharge through x-faces (m³/s), positive to the east, `(nx + 1) × ny`.
    pub discharge_x: Field<f32>,
    /// Discharge through y-faces (m³/s), positive to the south, `nx × (ny + 1)`.
    pub discharge_y: Field<f32>,
    /// Discharge through z-faces (m³/s), positive to the south, `(nx + 1) × (ny + 1)`. Only
    /// hexagons have z-faces, see [`Hex`](crate::Hex); on hexagons, both y- and z-faces are
    /// slanted.
    pub discharge_z: Option<Field<f32>>,
    /// Cells that water can neither enter nor leave: buildings, shut gates and cells without data.
    pub closed: ClosedCells,
    /// Momentum of the water per cell; `None` with physics models that do not use it.
    pub momentum: Option<Momentum>,
    /// Subgrid topography, which splits some cells into a low and a high part; `None` if all cells
    /// are uniform. For a split cell, `bed` is the mean elevation and `depth` is the volume divided
    /// by the cell area.
    pub subgrid: Option<Box<Subgrid>>,
}

/// Momentum of the water in each cell, stored as unit discharges (m²/s).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Momentum {
    /// Eastward component, depth × velocity (m²/s), `nx × ny`.
    pub x: Field<f32>,
    /// Southward component, depth × velocity (m²/s), `nx × ny`.
    pub y: Field<f32>,
}

impl Momentum {
    pub(super) fn new(nx: usize, ny: usize) -> Self {
        Self { x: Field::new(nx, ny, 0.0), y: Field::new(nx, ny, 0.0) }
    }

    /// Reduces the momentum of cells that have lost water by the factor `after / before`, the ratio
    /// of their depths after and before the loss. Added water has no momentum, so cells that have
    /// gained water keep their momentum.
    pub(super) fn remove_lost_momentum(&mut self, before: &Field<f32>, after: &Field<f32>) {
        let nx = before.nx();
        let (x, y) = (self.x.as_mut_slice(), self.y.as_mut_slice());
        for_each_row_pair(x, nx, y, nx, |row, qx, qy| {
            let depths = before.row(row).iter().zip(after.row(row));
            for ((qx, qy), (&before, &after)) in qx.iter_mut().zip(qy).zip(depths) {
                if after < before {
                    let rest = after / before;
                    (*qx, *qy) = (*qx * rest, *qy * rest);
                }
            }
        });
    }
}

impl State {
    pub(crate) fn new(lattice: &Lattice, bed: Field<f32>, depth: Field<f32>) -> Self {
        let (nx, ny) = (bed.nx(), bed.ny());
        Self {
            discharge_z: lattice.is_hex().then(|| Field::new(nx + 1, ny + 1, 0.0)),
            discharge_x: Field::new(nx + 1, ny, 0.0),
            discharge_y: Field::new(nx, ny + 1, 0.0),
            closed: ClosedCells::new(nx, ny),
            remainder: Field::new(nx, ny, 0.0),
            momentum: None,
            subgrid: None,
            bed,
            depth,
        }
    }

    /// Sets the water depth of a cell (m) and returns the increase (m). Removed water takes its
    /// momentum with it; added water has none.
    pub(super) fn set_depth(&mut self, cell: (usize, usize), after: f32) -> f64 {
        let before = std::mem::replace(&mut self.depth[cell], after);
        if let Some(momentum) = self.momentum.as_mut().filter(|_| after < before) {
            let rest = after / before;
            momentum.x[cell] *= rest;
            momentum.y[cell] *= rest;
        }
        f64::from(after) - f64::from(before)
    }

    /// Returns the discharges through all x-, y- or z-faces (m³/s). Panics for z-faces on squares,
    /// because they do not exist.
    pub(super) fn discharge(&self, axis: FaceAxis) -> &Field<f32> {
        match (axis, &self.discharge_z) {
            (FaceAxis::X, _) => &self.discharge_x,
            (FaceAxis::Y, _) => &self.discharge_y,
            (FaceAxis::Z, Some(z)) => z,
            (FaceAxis::Z, None) => unreachable!("squares have no z-faces"),
        }
    }

    pub(super) fn discharge_mut(&mut self, axis: FaceAxis) -> &mut Field<f32> {
        match (axis, &mut self.discharge_z) {
            (FaceAxis::X, _) => &mut self.discharge_x,
            (FaceAxis::Y, _) => &mut self.discharge_y,
            (FaceAxis::Z, Some(z)) => z,
            (FaceAxis::Z, None) => unreachable!("squares have no z-faces"),
        }
    }

    /// Returns the discharges (m³/s, positive into the grid) through the two halves of boundary
    /// face `i` of an edge. Only northern and southern faces of hexagons have two halves; for all
    /// other faces, the second value is 0.
    pub(super) fn boundary_inflow(&self, edge: Edge, i: usize) -> [f32; 2] {
        let (nx, ny) = (self.bed.nx(), self.bed.ny());
        let half = |x, y| self.discharge_z.as_ref().map_or(0.0, |qz| qz[(x, y)]);
        match edge {
            Edge::West => [self.discharge_x[(0, i)], 0.0],
            Edge::East => [-self.discharge_x[(nx, i)], 0.0],
            Edge::North => [self.discharge_y[(i, 0)], half(i, 0)],
            Edge::South => [-self.discharge_y[(i, ny)], -half(i + Hex::z_face_column(ny - 1), ny)],
        }
    }

    /// Sets the discharge (m³/s, positive into the grid) through boundary face `i` of an edge.
    pub(super) fn set_boundary_inflow(&mut self, edge: Edge, i: usize, inflow: f32) {
        let (nx, ny) = (self.bed.nx(), self.bed.ny());
        let halves = if self.discharge_z.is_some() { 0.5 } else { 1.0 };
        let (column, row, part) = match edge {
            Edge::West => return self.discharge_x[(0, i)] = inflow,
            Edge::East => return self.discharge_x[(nx, i)] = -inflow,
            Edge::North => (i, 0, halves * inflow),
            Edge::South => (i + Hex::z_face_column(ny - 1), ny, -(halves * inflow)),
        };
        self.discharge_y[(i, row)] = part;
        if let Some(discharge_z) = &mut self.discharge_z {
            discharge_z[(column, row)] = part;
        }
    }

    /// Sets the discharges through all boundary faces and all periodic faces to 0.
    pub(super) fn clear_boundary_discharges(&mut self, lattice: &Lattice) {
        let (nx, ny) = (lattice.nx(), lattice.ny());
        let round = Periodicity { x: true, y: true };
        for &axis in lattice.face_axes() {
            let discharge = self.discharge_mut(axis);
            for place in round.periodic_faces(axis, nx, ny).flatten() {
                discharge[place] = 0.0;
            }
        }
    }

    pub(super) fn clone_discharges(&self) -> Discharges {
        Discharges {
            x: self.discharge_x.clone(),
            y: self.discharge_y.clone(),
            z: self.discharge_z.clone(),
        }
    }

    /// Exchanges the discharges of this state with those in `other`, without copying.
    pub(super) fn swap_discharges(&mut self, other: &mut Discharges) {
        std::mem::swap(&mut self.discharge_x, &mut other.x);
        std::mem::swap(&mut self.discharge_y, &mut other.y);
        std::mem::swap(&mut self.discharge_z, &mut other.z);
    }

    /// Returns the elevation of the water surface in a cell (m). It is bed + depth, except in cells
    /// that are split by a subgrid.
    ///
    /// # Panics
    /// Panics if the cell is off the grid.
    pub fn surface(&self, x: usize, y: usize) -> f32 {
        match self.subgrid.as_ref().and_then(|subgrid| subgrid.at((x, y))) {
            None => self.bed[(x, y)] + self.depth[(x, y)],
            Some(ground) => {
                (self.bed[(x, y)] + ground.low) + ground.depth_over_low(self.depth[(x, y)])
            }
        }
    }

    /// Writes the [`surface`](Self::surface) (m) of the cells in row `y` and a range of columns.
    pub(super) fn write_surface(&self, y: usize, columns: Range<usize>, into: &mut [f32]) {
        if self.subgrid.is_some() {
            columns.zip(into).for_each(|(x, into)| *into = self.surface(x, y));
            return;
        }
        let (bed, depth) = (&self.bed.row(y)[columns.clone()], &self.depth.row(y)[columns]);
        for (into, (bed, depth)) in into.iter_mut().zip(bed.iter().zip(depth)) {
            *into = bed + depth;
        }
    }

    /// Returns the elevation of the water surface minus the depth of a cell (m). The result equals
    /// the bed elevation, unless the cell is split by a subgrid.
    pub(super) fn surface_offset(&self, cell: (usize, usize)) -> f64 {
        let bed = f64::from(self.bed[cell]);
        match self.subgrid.as_ref().and_then(|subgrid| subgrid.at(cell)) {
            None => bed,
            Some(ground) => {
                let held = self.depth[cell];
                bed + f64::from(ground.low)
                    + (f64::from(ground.depth_over_low(held)) - f64::from(held))
            }
        }
    }

    pub(super) fn fits(&self, lattice: &Lattice) -> bool {
        let (nx, ny) = (lattice.nx(), lattice.ny());
        let shape = |field: &Field<f32>, nx, ny| field.nx() == nx && field.ny() == ny;
        shape(&self.bed, nx, ny)
            && shape(&self.depth, nx, ny)
            && shape(&self.remainder, nx, ny)
            && shape(&self.discharge_x, nx + 1, ny)
            && shape(&self.discharge_y, nx, ny + 1)
            && self.discharge_z.is_some() == lattice.is_hex()
            && self.discharge_z.iter().all(|q| shape(q, nx + 1, ny + 1))
            && self.closed.cells.has_same_shape(&self.bed)
            && self.subgrid.iter().all(|subgrid| subgrid.fits(lattice))
            && self.momentum.iter().all(|q| shape(&q.x, nx, ny) && shape(&q.y, nx, ny))
    }
}

/// Closed cells of a grid. Also stores whether each row contains a closed cell, because rows
/// without closed cells are faster to process.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(from = "Field<bool>")]
pub struct ClosedCells {
    cells: Field<bool>,
    rows: Vec<bool>,
}

impl From<Field<bool>> for ClosedCells {
    fn from(cells: Field<bool>) -> Self {
        let rows = cells.rows().map(|row| row.contains(&true)).collect();
        Self { cells, rows }
    }
}

impl Serialize for ClosedCells {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.cells.serialize(serializer)
    }
}

impl ClosedCells {
    fn new(nx: usize, ny: usize) -> Self {
        Self { cells: Field::new(nx, ny, false), rows: vec![false; ny] }
    }

    /// Returns a field that is true in closed cells and false in open ones.
    pub fn cells(&self) -> &Field<bool> {
        &self.cells
    }

    /// Returns true if the cell is closed, and false if it is open or off the grid.
    pub fn contains(&self, x: usize, y: usize) -> bool {
        self.cells.get(x, y).is_some_and(|&closed| closed)
    }

    /// Returns true if any cell of row `y` is closed, and false if none is or the row is off the
    /// grid.
    pub fn row_has_closed(&self, y: usize) -> bool {
        self.rows.get(y).is_some_and(|&any| any)
    }

    pub(crate) fn set(&mut self, x: usize, y: usize, closed: bool) {
        self.cells[(x, y)] = closed;
        self.rows[y] = self.cells.row(y).contains(&true);
    }
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Discharges {
    pub(super) x: Field<f32>,
    pub(super) y: Field<f32>,
    pub(super) z: Option<Field<f32>>,
}

impl Discharges {
    pub(super) fn axis_mut(&mut self, axis: FaceAxis) -> &mut Field<f32> {
        match (axis, &mut self.z) {
            (FaceAxis::X, _) => &mut self.x,
            (FaceAxis::Y, _) => &mut self.y,
            (FaceAxis::Z, Some(z)) => z,
            (FaceAxis::Z, None) => unreachable!("squares have no z-faces"),
        }
    }
}
