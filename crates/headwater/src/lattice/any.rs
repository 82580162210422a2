//! [`Lattice`], which gives square and hexagonal lattices a common interface.

use super::{Edge, Hex, Square};
use crate::error::InputError;
use crate::field::{BilinearWeights, Field};
use crate::region::point::Point;
use serde::{Deserialize, Serialize};

/// Lattice of `nx × ny` cells, which are rectangles or hexagons. Column 0 is at the western edge,
/// and row 0 is at the northern edge.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Lattice {
    /// Lattice of rectangular cells, staggered as an Arakawa C grid.
    Square(Square),
    /// Lattice of regular hexagonal cells.
    Hex(Hex),
}

/// Cells from which the value at a position is interpolated, with their weights.
#[derive(Clone, Copy)]
pub(crate) enum CellWeights {
    /// Weights of four cells. Used on lattices of rectangles.
    Bilinear(BilinearWeights),
    /// Column, row and barycentric weight of each of three cells. Used on hexagonal lattices.
    Barycentric([((usize, usize), f64); 3]),
}

impl CellWeights {
    /// Returns the value of a field at the position for which these weights were computed.
    #[inline]
    pub(crate) fn interpolate(&self, field: &Field<f32>) -> f32 {
        match self {
            Self::Bilinear(at) => field.interpolate(*at),
            Self::Barycentric(cells) => {
                let term = |&(cell, weight): &(_, f64)| f64::from(field[cell]) * weight;
                cells.iter().map(term).sum::<f64>() as f32
            }
        }
    }
}

impl From<Square> for Lattice {
    fn from(square: Square) -> Self {
        Lattice::Square(square)
    }
}

impl From<Hex> for Lattice {
    fn from(hex: Hex) -> Self {
        Lattice::Hex(hex)
    }
}

impl<T: Copy + Into<Lattice>> From<&T> for Lattice {
    fn from(lattice: &T) -> Self {
        (*lattice).into()
    }
}

impl Lattice {
    /// Returns a lattice with the number of columns and the cell size of this lattice, but with
    /// `ny` rows.
    ///
    /// # Errors
    /// Returns [`InputError`] if the lattice would have no cells or more than 2³⁰ cells.
    pub fn with_rows(&self, ny: usize) -> Result<Self, InputError> {
        Ok(match self {
            Lattice::Square(of) => Square::new(of.nx(), ny, of.dx(), of.dy())?.into(),
            Lattice::Hex(of) => Hex::new(of.nx(), ny, of.spacing())?.into(),
        })
    }

    /// Returns whether the cells of the lattice are hexagons.
    pub fn is_hex(&self) -> bool {
        matches!(self, Lattice::Hex(_))
    }

    fn match_lattice<T>(
        &self,
        square: impl FnOnce(&Square) -> T,
        hex: impl FnOnce(&Hex) -> T,
    ) -> T {
        match self {
            Lattice::Square(lattice) => square(lattice),
            Lattice::Hex(lattice) => hex(lattice),
        }
    }

    /// Returns the number of columns of cells.
    pub fn nx(&self) -> usize {
        self.match_lattice(Square::nx, Hex::nx)
    }

    /// Returns the number of rows of cells.
    pub fn ny(&self) -> usize {
        self.match_lattice(Square::ny, Hex::ny)
    }

    /// Returns the total number of cells in the grid.
    pub fn cell_count(&self) -> usize {
        self.nx() * self.ny()
    }

    /// Returns the distance between the centres of adjacent cells in the same row (m).
    pub fn dx(&self) -> f64 {
        self.match_lattice(Square::dx, Hex::spacing)
    }

    /// Returns the distance between the centre lines of adjacent rows (m).
    pub fn dy(&self) -> f64 {
        self.match_lattice(Square::dy, Hex::row_height)
    }

    /// Returns the area of a cell (m²).
    pub fn cell_area(&self) -> f64 {
        self.dx() * self.dy()
    }

    /// Returns the extent of the grid from west to east (m).
    pub fn width(&self) -> f64 {
        self.match_lattice(Square::width, Hex::width)
    }

    /// Returns the extent of the grid from north to south (m).
    pub fn height(&self) -> f64 {
        self.match_lattice(Square::height, Hex::height)
    }

    pub(crate) fn contains(&self, x: usize, y: usize) -> bool {
        x < self.nx() && y < self.ny()
    }

    /// Returns the position of the centre of the cell in column `x` and row `y` (m).
    pub fn center(&self, x: usize, y: usize) -> Point {
        match self {
            Lattice::Square(square) => square.center(x, y),
            Lattice::Hex(hex) => hex.center(x as isize, y as isize),
        }
    }

    /// Returns the column and row of the cell that contains a position (m), or `None` if the
    /// position is off the grid. Between a shifted row of hexagons and the edge of the grid, the
    /// nearest cell is returned.
    pub fn cell_at(&self, position: Point) -> Option<(usize, usize)> {
        self.match_lattice(|square| square.cell_at(position), |hex| hex.cell_at(position))
    }

    /// Interpolates a field at a position (m). On rectangles, the interpolation is bilinear between
    /// cell centres. On hexagons, it is linear between the centres of three cells. Positions
    /// outside the outermost cell centres are clamped.
    ///
    /// # Panics
    /// Panics if the shape of the field differs from that of the grid.
    pub fn sample(&self, field: &Field<f32>, position: Point) -> f32 {
        assert!(
            (field.nx(), field.ny()) == (self.nx(), self.ny()),
            "the field and the grid differ in shape"
        );
        self.sample_rows(field, 0, position)
    }

    /// Interpolates a field that contains only some rows of the grid. Row 0 of the field is row
    /// `first_row` of the grid. The field must contain the rows around the position.
    pub(crate) fn sample_rows(&self, field: &Field<f32>, first_row: usize, position: Point) -> f32 {
        let mut at = self.cell_weights(position);
        match &mut at {
            CellWeights::Bilinear(at) => at.y = at.y.map(|y| y - first_row),
            CellWeights::Barycentric(cells) => {
                cells.iter_mut().for_each(|(at, _)| at.1 -= first_row);
            }
        }
        at.interpolate(field)
    }

    /// Returns the cells from which a value at a position (m) is interpolated, with their weights.
    #[inline]
    pub(crate) fn cell_weights(&self, position: Point) -> CellWeights {
        match self {
            Lattice::Square(square) => CellWeights::Bilinear(BilinearWeights::new(
                square.to_cell_coordinates(position),
                [square.nx(), square.ny()],
            )),
            Lattice::Hex(hex) => CellWeights::Barycentric(hex.barycentric_weights(position)),
        }
    }

    /// Returns the width of a face between two cells (m). On square lattices, `is_x` is true for a
    /// face between neighbours in a row, and false for a face between neighbours in a column. On
    /// hexagons, all faces have the same width.
    pub fn face_width(&self, is_x: bool) -> f64 {
        match self {
            Lattice::Square(square) => {
                if is_x {
                    square.dy()
                } else {
                    square.dx()
                }
            }
            Lattice::Hex(hex) => hex.face_width(),
        }
    }

    /// Returns the number of boundary faces along an edge of the grid.
    pub fn edge_len(&self, edge: Edge) -> usize {
        if edge.has_x_faces() { self.ny() } else { self.nx() }
    }

    /// Returns the width of boundary face `i` of an edge (m). Faces are counted from the west or
    /// the north.
    pub fn edge_face_width(&self, edge: Edge, i: usize) -> f64 {
        match self {
            Lattice::Square(_) => self.face_width(edge.has_x_faces()),
            Lattice::Hex(hex) => hex.edge_face_width(edge, i),
        }
    }

    /// Returns the column and row of the cell at boundary face `i` of an edge. Faces are counted
    /// from the west or the north.
    pub fn edge_cell(&self, edge: Edge, i: usize) -> (usize, usize) {
        match edge {
            Edge::West => (0, i),
            Edge::East => (self.nx() - 1, i),
            Edge::North => (i, 0),
            Edge::South => (i, self.ny() - 1),
        }
    }

    /// Returns the position of the centre of boundary face `i` along an edge (m), measured from the
    /// western or northern end of the edge.
    pub fn edge_position(&self, edge: Edge, i: usize) -> f64 {
        let (x, y) = self.edge_cell(edge, i);
        let [east, south] = self.center(x, y);
        if edge.has_x_faces() { south } else { east }
    }

    /// Returns an iterator over the cells that share a face with a cell. There are four on squares
    /// and six on hexagons, but fewer at the edge of the grid.
    pub fn neighbours(&self, x: usize, y: usize) -> impl Iterator<Item = (usize, usize)> + use<> {
        let (nx, ny) = (self.nx(), self.ny());
        let (west, east) = (x.wrapping_sub(1), x.wrapping_add(1));
        let (north, south) = (y.wrapping_sub(1), y.wrapping_add(1));
        // A hexagon has two neighbours in each adjacent row. The second one is on the side to which
        // the row is shifted.
        let second = if Hex::z_face_column(y) == 1 { east } else { west };
        let second = if self.is_hex() { second } else { usize::MAX };
        let all = [(west, y), (east, y), (x, north), (x, south), (second, north), (second, south)];
        all.into_iter().filter(move |&(x, y)| x < nx && y < ny)
    }

    /// Returns the gradient of a quantity at a cell: its eastward and southward components (per
    /// metre), computed by least squares over the neighbouring cells. `value` returns the quantity
    /// in a cell. Neighbours for which it returns `None` are ignored. If it returns `None` for the
    /// cell itself, the gradient is 0. A component is 0 if no neighbour along its axis has a value.
    pub fn gradient(
        &self,
        (x, y): (usize, usize),
        value: impl Fn((usize, usize)) -> Option<f64>,
    ) -> [f64; 2] {
        let Some(here) = value((x, y)) else { return [0.0; 2] };
        let [cx, cy] = self.center(x, y);
        let (mut xx, mut xy, mut yy, mut xv, mut yv) = (0.0, 0.0, 0.0, 0.0, 0.0);
        for (i, j) in self.neighbours(x, y) {
            let Some(other) = value((i, j)) else { continue };
            let [px, py] = self.center(i, j);
            let (px, py, rise) = (px - cx, py - cy, other - here);
            (xx, xy, yy) = (xx + px * px, xy + px * py, yy + py * py);
            (xv, yv) = (xv + px * rise, yv + py * rise);
        }
        let determinant = xx * yy - xy * xy;
        if determinant > 1e-9 * xx * yy {
            return [(yy * xv - xy * yv) / determinant, (xx * yv - xy * xv) / determinant];
        }
        let slope = |v: f64, squares: f64| if squares > 0.0 { v / squares } else { 0.0 };
        [slope(xv, xx), slope(yv, yy)]
    }

    /// Returns the largest value of `ω²/(g·h)` (1/m²) for waves on this grid, where `ω` is the
    /// angular frequency, `g` the gravitational acceleration and `h` the water depth. It belongs to
    /// the shortest waves that the grid resolves, and it limits the stable time step.
    pub(crate) fn max_squared_wavenumber(&self) -> f64 {
        match self {
            Lattice::Square(_) => {
                4.0 * (1.0 / (self.dx() * self.dx()) + 1.0 / (self.dy() * self.dy()))
            }
            Lattice::Hex(_) => 6.0 / (self.dx() * self.dx()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lattices() -> [Lattice; 2] {
        [Square::new(7, 5, 2.0, 3.0).unwrap().into(), Hex::new(7, 5, 2.0).unwrap().into()]
    }

    #[test]
    fn neighbours_are_mutual() {
        for lattice in lattices() {
            let mut faces = 0;
            for y in 0..5 {
                for x in 0..7 {
                    for (i, j) in lattice.neighbours(x, y) {
                        assert!(lattice.neighbours(i, j).any(|back| back == (x, y)));
                        faces += 1;
                    }
                }
            }
            let inner = 6 * 5 + 7 * 4 + if lattice.is_hex() { 6 * 4 } else { 0 };
            assert_eq!(faces, 2 * inner);
        }
    }

    #[test]
    fn the_gradient_of_a_plane_is_exact_also_at_the_rim() {
        for lattice in lattices() {
            let plane = |(x, y)| {
                let [east, south] = lattice.center(x, y);
                Some(0.5 * east - 0.25 * south)
            };
            for cell in [(0, 0), (3, 2), (6, 4), (0, 4), (6, 1)] {
                let [east, south] = lattice.gradient(cell, plane);
                assert!((east - 0.5).abs() < 1e-12 && (south + 0.25).abs() < 1e-12, "{cell:?}");
            }
            let isolated = lattice.gradient((3, 2), |at| (at == (3, 2)).then_some(1.0));
            assert_eq!(isolated, [0.0, 0.0]);
        }
    }
}
