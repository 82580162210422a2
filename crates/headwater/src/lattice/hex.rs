//! [`Hex`], the hexagonal lattice, in which each cell has six neighbours at equal distances. Its
//! dual lattice consists of equilateral triangles between the cell centres, which are used to draw
//! surfaces.
//!
//! Cells have a corner to the north, and odd rows are shifted east by half a cell. The faces
//! between cells depend on the parity of the row:
//!
//! - X-faces are between the cells `(x − 1, y)` and `(x, y)`, as on the square lattice.
//! - Y-faces are between `(x, y − 1)` and `(x, y)`. Their normal points southwest if `y` is even,
//!   southeast if it is odd.
//! - Z-faces form an array of `(nx + 1) × (ny + 1)` values. They are between the two cells that
//!   [`Hex::z_face_cells`] returns. Their normal points southeast if `y` is even, southwest if it
//!   is odd.
//!
//! The edges of the grid are treated as straight lines. Each cell at an edge has one boundary face
//! there. At the northern and southern edges, this face replaces the two slanted outer sides of the
//! hexagon. Z-faces that lead off the grid at the western and eastern edges are closed.

use super::Edge;
use super::size::{check_sides, check_size};
use crate::error::InputError;
use crate::region::point::Point;
use serde::{Deserialize, Serialize};

/// Lattice of regular hexagons. Column 0 is at the western edge, and row 0 is at the northern edge.
/// Odd rows are shifted to the east by half a cell.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "UncheckedHex")]
pub struct Hex {
    nx: usize,
    ny: usize,
    spacing: f64,
}

#[derive(Deserialize)]
struct UncheckedHex {
    nx: usize,
    ny: usize,
    spacing: f64,
}

impl TryFrom<UncheckedHex> for Hex {
    type Error = InputError;
    fn try_from(p: UncheckedHex) -> Result<Self, InputError> {
        Hex::new(p.nx, p.ny, p.spacing)
    }
}

/// Distance between adjacent rows divided by the distance between cell centres: √3/2
/// (dimensionless).
const ROW_HEIGHT: f64 = 0.866_025_403_784_438_6;

/// Width of a face divided by the distance between cell centres: 1/√3 (dimensionless).
const FACE_WIDTH: f64 = 0.577_350_269_189_625_8;

impl Hex {
    /// Creates a lattice of `nx × ny` hexagons. `spacing` is the distance between the centres of
    /// neighbouring cells (m).
    ///
    /// # Errors
    /// Returns [`InputError`] if there are no cells or more than 2³⁰ cells, or if the spacing is
    /// outside the range from 10⁻⁶ to 10⁷ m.
    pub fn new(nx: usize, ny: usize, spacing: f64) -> Result<Self, InputError> {
        check_size(nx, ny)?;
        check_sides([spacing; 2])?;
        Ok(Self { nx, ny, spacing })
    }

    /// Returns the spacing (m) at which hexagons have the same area as squares with the given side
    /// (m).
    pub fn spacing_for_square(side: f64) -> f64 {
        side / ROW_HEIGHT.sqrt()
    }

    /// Returns the number of columns of cells.
    pub fn nx(&self) -> usize {
        self.nx
    }

    /// Returns the number of rows of cells.
    pub fn ny(&self) -> usize {
        self.ny
    }

    /// Returns the distance between the centres of neighbouring cells (m).
    pub fn spacing(&self) -> f64 {
        self.spacing
    }

    /// Returns the distance between adjacent rows (m), which is `√3/2` times the spacing.
    pub fn row_height(&self) -> f64 {
        ROW_HEIGHT * self.spacing
    }

    /// Returns the width of a face between two cells (m), which is `1/√3` times the spacing.
    pub fn face_width(&self) -> f64 {
        FACE_WIDTH * self.spacing
    }

    /// Returns the extent of the grid from west to east (m). It is `nx + ½` times the spacing,
    /// because odd rows are shifted by half a cell.
    pub fn width(&self) -> f64 {
        (self.nx as f64 + 0.5) * self.spacing
    }

    /// Returns the extent of the grid from north to south (m).
    pub fn height(&self) -> f64 {
        self.ny as f64 * self.row_height()
    }

    pub(super) fn center(&self, x: isize, y: isize) -> Point {
        let column = x as f64 + 0.5 + 0.5 * y.rem_euclid(2) as f64;
        [column * self.spacing, (y as f64 + 0.5) * self.row_height()]
    }

    /// Returns the column and row of the cell that contains a position (m), or `None` if the
    /// position is off the grid. Between a shifted row and the edge of the grid, the nearest cell
    /// is returned.
    pub fn cell_at(&self, position: Point) -> Option<(usize, usize)> {
        let [x, y] = position;
        let inside = x >= 0.0 && y >= 0.0 && x < self.width() && y < self.height();
        inside.then(|| self.nearest_cell(position))
    }

    fn nearest_cell(&self, [x, y]: Point) -> (usize, usize) {
        let row = (y / self.row_height()) as isize;
        let inside = |row: isize| row.clamp(0, self.ny as isize - 1);
        let mut nearest = ((0, 0), f64::INFINITY);
        for row in [inside(row), inside(row - 1), inside(row + 1)] {
            let column = (x / self.spacing - 0.5 * row.rem_euclid(2) as f64).floor();
            let column = (column as isize).clamp(0, self.nx as isize - 1);
            let [cx, cy] = self.center(column, row);
            let distance = (cx - x) * (cx - x) + (cy - y) * (cy - y);
            if distance < nearest.1 {
                nearest = ((column as usize, row as usize), distance);
            }
        }
        nearest.0
    }

    /// Returns the three cells whose centres form the triangle around a position (m), with their
    /// barycentric weights. The weights sum to 1. Cells outside the grid are replaced by the
    /// nearest cells of the grid.
    pub fn barycentric_weights(&self, [x, y]: Point) -> [((usize, usize), f64); 3] {
        // Clamped, so that distant positions do not exceed the range of integers.
        let within = |at: f64| at.clamp(-1e15, 1e15);
        // Axial coordinates along the row and to the southeast. They are integers at cell centres.
        let south = within(y / self.row_height() - 0.5);
        let along = within(x / self.spacing - 0.5 - 0.5 * south);
        let (q, r) = (along.floor(), south.floor());
        let (u, v) = (along - q, south - r);
        let at = |dq: isize, dr: isize| {
            let row = r as isize + dr;
            self.clamp_to_grid(q as isize + dq + row.div_euclid(2), row)
        };
        if u + v <= 1.0 {
            [(at(0, 0), 1.0 - u - v), (at(1, 0), u), (at(0, 1), v)]
        } else {
            [(at(1, 1), u + v - 1.0), (at(0, 1), 1.0 - u), (at(1, 0), 1.0 - v)]
        }
    }

    fn clamp_to_grid(&self, x: isize, y: isize) -> (usize, usize) {
        let within = |i: isize, n: usize| i.clamp(0, n as isize - 1) as usize;
        (within(x, self.nx), within(y, self.ny))
    }

    /// Returns the column and row of the cell to the north of the z-face `(x, y)` and of the cell
    /// to the south of it. For faces on the edge of the grid, a column or row can be out of range.
    pub fn z_face_cells(x: usize, y: usize) -> [(usize, usize); 2] {
        let west = x.wrapping_sub(1);
        if y.is_multiple_of(2) {
            [(west, y.wrapping_sub(1)), (x, y)]
        } else {
            [(x, y - 1), (west, y)]
        }
    }

    /// Returns the column offset (0 or 1) from a cell in row `y` to the z-faces on its northern and
    /// southern side. For a cell in column `x`, both faces are in column `x + z_face_column(y)`.
    pub fn z_face_column(y: usize) -> usize {
        y % 2
    }

    /// Returns the width of boundary face `i` of an edge (m). On the western and eastern edges,
    /// every second row protrudes, and its slanted outer sides count as part of the boundary face.
    /// Such a face is therefore twice as wide as the others.
    pub(super) fn edge_face_width(&self, edge: Edge, i: usize) -> f64 {
        match edge {
            Edge::North | Edge::South => self.spacing,
            Edge::West | Edge::East => {
                let protrudes = i.is_multiple_of(2) == (edge == Edge::West);
                self.face_width() * if protrudes { 2.0 } else { 1.0 }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_map_to_the_nearest_cell() {
        let hex = Hex::new(5, 4, 2.0).unwrap();
        for y in 0..4 {
            for x in 0..5 {
                let [cx, cy] = hex.center(x, y);
                for (dx, dy) in [(0.0, 0.0), (0.9, 0.0), (-0.9, 0.0), (0.4, 0.8), (-0.4, -0.8)] {
                    assert_eq!(hex.nearest_cell([cx + dx, cy + dy]), (x as usize, y as usize));
                }
            }
        }
    }

    #[test]
    fn neighbours_are_one_spacing_away() {
        let hex = Hex::new(6, 7, 3.0).unwrap();
        let center = |(x, y): (usize, usize)| hex.center(x as isize, y as isize);
        for y in 1..7 {
            for x in 1..6 {
                for pair in [Hex::z_face_cells(x, y), [(x, y - 1), (x, y)], [(x - 1, y), (x, y)]] {
                    let [a, b] = pair.map(center);
                    let distance = ((a[0] - b[0]).powi(2) + (a[1] - b[1]).powi(2)).sqrt();
                    assert!((distance - 3.0).abs() < 1e-12, "{pair:?}: {distance}");
                }
                let [upper, lower] = Hex::z_face_cells(x, y);
                assert_eq!(upper.0 + Hex::z_face_column(upper.1), x);
                assert_eq!(lower.0 + Hex::z_face_column(lower.1), x);
            }
        }
    }

    #[test]
    fn weights_interpolate_linear_functions_exactly() {
        let hex = Hex::new(6, 5, 0.5).unwrap();
        let plane = |[x, y]: Point| 3.0 * x - 2.0 * y + 1.0;
        for (x, y) in [(1.0, 0.9), (1.37, 1.1), (0.8, 1.4), (2.01, 0.7), (1.75, 1.299)] {
            let weights = hex.barycentric_weights([x, y]);
            let value = |((x, y), weight): ((usize, usize), f64)| {
                assert!((-1e-12..=1.0).contains(&weight));
                weight * plane(hex.center(x as isize, y as isize))
            };
            let sum: f64 = weights.map(value).into_iter().sum();
            assert!((sum - plane([x, y])).abs() < 1e-12, "{sum}");
        }
    }

    #[test]
    fn boundary_faces_sum_to_the_length_of_the_edge() {
        let hex = Hex::new(8, 6, 1.5).unwrap();
        for (edge, n, length) in [(Edge::West, 6, hex.height()), (Edge::East, 6, hex.height())] {
            let sum: f64 = (0..n).map(|i| hex.edge_face_width(edge, i)).sum();
            assert!((sum - length).abs() < 1e-12);
        }
    }

    #[test]
    fn spacing_for_square_preserves_the_area() {
        let hex = Hex::new(3, 3, Hex::spacing_for_square(4.0)).unwrap();
        assert!((hex.spacing() * hex.row_height() - 16.0).abs() < 1e-12);
        assert!(Hex::new(3, 3, 0.0).is_err() && Hex::new(0, 3, 1.0).is_err());
    }
}
