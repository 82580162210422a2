//! [`Square`]: a lattice of `nx × ny` rectangles of `dx × dy` metres, staggered as an Arakawa C
//! grid: depths are stored in cells, discharges on the faces between them.

use super::size::{check_sides, check_size};
use crate::error::InputError;
use crate::region::point::Point;
use serde::{Deserialize, Serialize};

/// Lattice of rectangular cells. Column 0 is the westernmost, row 0 the northernmost.
///
/// X-faces form an array of `(nx + 1) × ny`: face `(x, y)` is between the cells `(x − 1, y)` and
/// `(x, y)`. Y-faces form an array of `nx × (ny + 1)`: face `(x, y)` is between the cells `(x, y −
/// 1)` and `(x, y)`. The outermost faces are on the boundary of the grid.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Parts")]
pub struct Square {
    nx: usize,
    ny: usize,
    dx: f64,
    dy: f64,
}

#[derive(Deserialize)]
struct Parts {
    nx: usize,
    ny: usize,
    dx: f64,
    dy: f64,
}

impl TryFrom<Parts> for Square {
    type Error = InputError;
    fn try_from(p: Parts) -> Result<Self, InputError> {
        Square::new(p.nx, p.ny, p.dx, p.dy)
    }
}

impl Square {
    /// Creates a lattice of `nx × ny` cells of `dx × dy` metres.
    ///
    /// # Errors
    /// Returns [`InputError`] unless there are 1 to 2³⁰ cells with sides from 10⁻⁶ to 10⁷ m and an
    /// aspect ratio of at most 100.
    pub fn new(nx: usize, ny: usize, dx: f64, dy: f64) -> Result<Self, InputError> {
        check_size(nx, ny)?;
        check_sides([dx, dy])?;
        Ok(Self { nx, ny, dx, dy })
    }

    /// Returns the number of columns.
    pub fn nx(&self) -> usize {
        self.nx
    }

    /// Returns the number of rows.
    pub fn ny(&self) -> usize {
        self.ny
    }

    /// Returns the number of cells.
    pub fn cells(&self) -> usize {
        self.nx * self.ny
    }

    /// Returns the size of a cell from west to east (m).
    pub fn dx(&self) -> f64 {
        self.dx
    }

    /// Returns the size of a cell from north to south (m).
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

    /// Returns the position of a cell's centre (m).
    pub fn center(&self, x: usize, y: usize) -> Point {
        [(x as f64 + 0.5) * self.dx, (y as f64 + 0.5) * self.dy]
    }

    /// Returns the cell that contains a position (m); `None` off the grid.
    pub fn cell_at(&self, [x, y]: Point) -> Option<(usize, usize)> {
        let inside = x >= 0.0 && y >= 0.0 && x < self.width() && y < self.height();
        // The division may round up to the next cell at the rim.
        let cell = ((x / self.dx) as usize, (y / self.dy) as usize);
        inside.then(|| (cell.0.min(self.nx - 1), cell.1.min(self.ny - 1)))
    }

    /// Converts a position (m) to a fractional column and row, where integers are cell centres. The
    /// result is an argument of [`Field::sample`](crate::Field::sample).
    pub fn to_cells(&self, [x, y]: Point) -> [f64; 2] {
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
                lattice.to_cells(lattice.center(x, y)).map(f64::round),
                [x as f64, y as f64]
            );
        }
    }
}
