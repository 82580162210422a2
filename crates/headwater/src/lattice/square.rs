//! [`Square`], a lattice of rectangles that is staggered as an Arakawa C grid: depths are stored in
//! cells, and discharges are stored on the faces between cells.

use super::size::{check_sides, check_size};
use crate::error::InputError;
use crate::region::point::Point;
use serde::{Deserialize, Serialize};

/// Lattice of `nx × ny` rectangular cells of `dx × dy` metres. Column 0 is at the western edge, and
/// row 0 is at the northern edge.
///
/// X-faces form an array of `(nx + 1) × ny` values. Face `(x, y)` lies between the cells `(x − 1,
/// y)` and `(x, y)`. Y-faces form an array of `nx × (ny + 1)` values. Face `(x, y)` lies between
/// the cells `(x, y − 1)` and `(x, y)`. The outermost faces lie on the boundary of the grid.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "UncheckedSquare")]
pub struct Square {
    nx: usize,
    ny: usize,
    dx: f64,
    dy: f64,
}

#[derive(Deserialize)]
struct UncheckedSquare {
    nx: usize,
    ny: usize,
    dx: f64,
    dy: f64,
}

impl TryFrom<UncheckedSquare> for Square {
    type Error = InputError;
    fn try_from(p: UncheckedSquare) -> Result<Self, InputError> {
        Square::new(p.nx, p.ny, p.dx, p.dy)
    }
}

impl Square {
    /// Creates a lattice of `nx × ny` cells of `dx × dy` metres.
    ///
    /// # Errors
    /// Returns [`InputError`] if there are no cells or more than 2³⁰ cells, if a side is outside
    /// the range from 10⁻⁶ to 10⁷ m, or if the longer side is more than 100 times the shorter side.
    pub fn new(nx: usize, ny: usize, dx: f64, dy: f64) -> Result<Self, InputError> {
        check_size(nx, ny)?;
        check_sides([dx, dy])?;
        Ok(Self { nx, ny, dx, dy })
    }

    /// Returns the number of columns of cells.
    pub fn nx(&self) -> usize {
        self.nx
    }

    /// Returns the number of rows of cells.
    pub fn ny(&self) -> usize {
        self.ny
    }

    /// Returns the total number of cells in the grid.
    pub fn cell_count(&self) -> usize {
        self.nx * self.ny
    }

    /// Returns the length of a cell from west to east (m).
    pub fn dx(&self) -> f64 {
        self.dx
    }

    /// Returns the length of a cell from north to south (m).
    pub fn dy(&self) -> f64 {
        self.dy
    }

    /// Returns the area of a cell (m²).
    pub fn cell_area(&self) -> f64 {
        self.dx * self.dy
    }

    /// Returns the extent of the grid from west to east (m).
    pub fn width(&self) -> f64 {
        self.nx as f64 * self.dx
    }

    /// Returns the extent of the grid from north to south (m).
    pub fn height(&self) -> f64 {
        self.ny as f64 * self.dy
    }

    /// Returns the position of the centre of the cell in column `x` and row `y` (m).
    pub fn center(&self, x: usize, y: usize) -> Point {
        [(x as f64 + 0.5) * self.dx, (y as f64 + 0.5) * self.dy]
    }

    /// Returns the column and row of the cell that contains a position (m), or `None` if the
    /// position is off the grid.
    pub fn cell_at(&self, [x, y]: Point) -> Option<(usize, usize)> {
        let inside = x >= 0.0 && y >= 0.0 && x < self.width() && y < self.height();
        // Rounding in the division can give the next cell at the edge of the grid.
        let cell = ((x / self.dx) as usize, (y / self.dy) as usize);
        inside.then(|| (cell.0.min(self.nx - 1), cell.1.min(self.ny - 1)))
    }

    /// Converts a position (m) to a fractional column and row. Cell centres have integer values.
    /// The result can be passed to [`Field::sample`](crate::Field::sample).
    pub fn to_cell_coordinates(&self, [x, y]: Point) -> [f64; 2] {
        [x / self.dx - 0.5, y / self.dy - 0.5]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn invalid_grids_are_rejected() {
        assert!(Square::new(0, 4, 1.0, 1.0).is_err());
        assert!(Square::new(1 << 20, 1 << 20, 1.0, 1.0).is_err());
        assert!(Square::new(usize::MAX, 2, 1.0, 1.0).is_err());
        for size in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            assert!(Square::new(4, 4, size, 1.0).is_err());
        }
    }

    #[test]
    fn positions_map_to_their_cells() {
        let lattice = Square::new(7, 3, 0.1, 2.0).unwrap();
        assert_eq!(lattice.cell_at([0.0, 0.0]), Some((0, 0)));
        assert_eq!(lattice.cell_at([0.69999, 5.9]), Some((6, 2)));
        assert_eq!(lattice.cell_at([0.7 + 1e-9, 1.0]), None);
        assert_eq!(lattice.cell_at([0.1, -0.1]), None);
        for (x, y) in [(0, 0), (6, 2), (3, 1)] {
            assert_eq!(lattice.cell_at(lattice.center(x, y)), Some((x, y)));
            assert_eq!(
                lattice.to_cell_coordinates(lattice.center(x, y)).map(f64::round),
                [x as f64, y as f64]
            );
        }
    }
}
