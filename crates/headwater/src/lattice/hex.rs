//! The hexagonal lattice: cells whose six neighbours are all equally far away. Its dual is the lattice of
//! equilateral triangles between the cells' centres, which is also how its surfaces are drawn.
//!
//! Cells stand upright (a corner to the north), every other row half a cell farther east. The
//! neighbours of a row are above and below and one place to a side, by the parity of the row:
//!
//! - X-faces lie between the cells `(x − 1, y)` and `(x, y)`, as on the square lattice.
//! - Y-faces lie between `(x, y − 1)` and `(x, y)`, likewise: southwest where `y` is even, southeast where odd.
//! - Z-faces, `(nx + 1) × (ny + 1)`, see [`Hex::z_cells`]: southeast where `y` is even, southwest where odd.
//!
//! The rim is straightened: a rim cell has one face towards each edge, in two halves to the north
//! and south; z-faces out to the west and east are shut.

use super::Edge;
use super::size::{check_sides, check_size};
use crate::error::InputError;
use crate::point::Point;
use serde::{Deserialize, Serialize};

/// A lattice of regular hexagons. Column 0 is the west, row 0 the north; odd rows are shifted to the east by
/// half a cell.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Parts")]
pub struct Hex {
    nx: usize,
    ny: usize,
    spacing: f64,
}

#[derive(Deserialize)]
struct Parts {
    nx: usize,
    ny: usize,
    spacing: f64,
}

impl TryFrom<Parts> for Hex {
    type Error = InputError;
    fn try_from(p: Parts) -> Result<Self, InputError> {
        Hex::new(p.nx, p.ny, p.spacing)
    }
}

/// √3/2: the distance of two rows, in distances of two cells.
const ROW: f64 = 0.866_025_403_784_438_6;

/// 1/√3: the width of a face, in distances of two cells.
const FACE: f64 = 0.577_350_269_189_625_8;

impl Hex {
    /// A lattice of `nx × ny` hexagons whose centres are `spacing` metres apart.
    ///
    /// # Errors
    /// [`InputError`] unless there is at least one cell, at most 2³⁰, 10⁻⁶ to 10⁷ m from centre to centre.
    pub fn new(nx: usize, ny: usize, spacing: f64) -> Result<Self, InputError> {
        check_size(nx, ny)?;
        check_sides([spacing; 2])?;
        Ok(Self { nx, ny, spacing })
    }

    /// The spacing of hexagons as large as squares of this side (m).
    pub fn spacing_for_square(side: f64) -> f64 {
        side / ROW.sqrt()
    }

    /// Number of columns.
    pub fn nx(&self) -> usize {
        self.nx
    }

    /// Number of rows.
    pub fn ny(&self) -> usize {
        self.ny
    }

    /// Distance of the centres of two neighbours (m).
    pub fn spacing(&self) -> f64 {
        self.spacing
    }

    /// Distance of two rows (m), `√3/2` of the spacing.
    pub fn row_height(&self) -> f64 {
        ROW * self.spacing
    }

    /// Width of a face between two cells (m), `1/√3` of the spacing.
    pub fn face_width(&self) -> f64 {
        FACE * self.spacing
    }

    /// Size of the whole grid from west to east (m): half a cell more than its columns.
    pub fn width(&self) -> f64 {
        (self.nx as f64 + 0.5) * self.spacing
    }

    /// Size of the whole grid from north to south (m).
    pub fn height(&self) -> f64 {
        self.ny as f64 * self.row_height()
    }

    pub(super) fn center(&self, x: isize, y: isize) -> Point {
        let column = x as f64 + 0.5 + 0.5 * y.rem_euclid(2) as f64;
        [column * self.spacing, (y as f64 + 0.5) * self.row_height()]
    }

    /// The cell that holds a position, or `None` off the grid. Where the rows leave half a cell between them and the edge,
    /// it is the nearest.
    pub fn cell_at(&self, position: Point) -> Option<(usize, usize)> {
        let [x, y] = position;
        let inside = x >= 0.0 && y >= 0.0 && x < self.width() && y < self.height();
        inside.then(|| self.nearest(position))
    }

    fn nearest(&self, [x, y]: Point) -> (usize, usize) {
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

    /// The three centres around a position, with weights that add up to 1: linear on the triangle that
    /// they make. Beyond the rim, the nearest cells stand for what is not there.
    pub fn weights(&self, [x, y]: Point) -> [((usize, usize), f64); 3] {
        // However far off: within what whole numbers can count.
        let within = |at: f64| at.clamp(-1e15, 1e15);
        // Axial coordinates: whole numbers at the centres, along the row and along the southeast.
        let south = within(y / self.row_height() - 0.5);
        let along = within(x / self.spacing - 0.5 - 0.5 * south);
        let (q, r) = (along.floor(), south.floor());
        let (u, v) = (along - q, south - r);
        let at = |dq: isize, dr: isize| {
            let row = r as isize + dr;
            self.clamped(q as isize + dq + row.div_euclid(2), row)
        };
        if u + v <= 1.0 {
            [(at(0, 0), 1.0 - u - v), (at(1, 0), u), (at(0, 1), v)]
        } else {
            [(at(1, 1), u + v - 1.0), (at(0, 1), 1.0 - u), (at(1, 0), 1.0 - v)]
        }
    }

    fn clamped(&self, x: isize, y: isize) -> (usize, usize) {
        let within = |i: isize, n: usize| i.clamp(0, n as isize - 1) as usize;
        (within(x, self.nx), within(y, self.ny))
    }

    /// The cells on the upper and the lower side of z-face `(x, y)`; columns and rows off the grid are out
    /// of its range.
    pub fn z_cells(x: usize, y: usize) -> [(usize, usize); 2] {
        let west = x.wrapping_sub(1);
        if y.is_multiple_of(2) {
            [(west, y.wrapping_sub(1)), (x, y)]
        } else {
            [(x, y - 1), (west, y)]
        }
    }

    /// The column of the z-faces above and below the cells of row `y` that belong to its column 0.
    pub fn z_offset(y: usize) -> usize {
        y % 2
    }

    /// Width of boundary face `i` of an edge (m); at the west and east every other row includes
    /// slanted faces.
    pub(super) fn edge_face(&self, edge: Edge, i: usize) -> f64 {
        match edge {
            Edge::North | Edge::South => self.spacing,
            Edge::West | Edge::East => {
                let stands_out = i.is_multiple_of(2) == (edge == Edge::West);
                self.face_width() * if stands_out { 2.0 } else { 1.0 }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_position_belongs_to_the_nearest_cell() {
        let hex = Hex::new(5, 4, 2.0).unwrap();
        for y in 0..4 {
            for x in 0..5 {
                let [cx, cy] = hex.center(x, y);
                for (dx, dy) in [(0.0, 0.0), (0.9, 0.0), (-0.9, 0.0), (0.4, 0.8), (-0.4, -0.8)] {
                    assert_eq!(hex.nearest([cx + dx, cy + dy]), (x as usize, y as usize));
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
                for pair in [Hex::z_cells(x, y), [(x, y - 1), (x, y)], [(x - 1, y), (x, y)]] {
                    let [a, b] = pair.map(center);
                    let apart = ((a[0] - b[0]).powi(2) + (a[1] - b[1]).powi(2)).sqrt();
                    assert!((apart - 3.0).abs() < 1e-12, "{pair:?}: {apart}");
                }
                let [upper, lower] = Hex::z_cells(x, y);
                assert_eq!(upper.0 + Hex::z_offset(upper.1), x);
                assert_eq!(lower.0 + Hex::z_offset(lower.1), x);
            }
        }
    }

    #[test]
    fn values_between_cells_are_linear() {
        let hex = Hex::new(6, 5, 0.5).unwrap();
        let plane = |[x, y]: Point| 3.0 * x - 2.0 * y + 1.0;
        for (x, y) in [(1.0, 0.9), (1.37, 1.1), (0.8, 1.4), (2.01, 0.7), (1.75, 1.299)] {
            let weights = hex.weights([x, y]);
            let value = |((x, y), weight): ((usize, usize), f64)| {
                assert!((-1e-12..=1.0).contains(&weight));
                weight * plane(hex.center(x as isize, y as isize))
            };
            let sum: f64 = weights.map(value).into_iter().sum();
            assert!((sum - plane([x, y])).abs() < 1e-12, "{sum}");
        }
    }

    #[test]
    fn the_faces_of_an_edge_are_as_long_as_the_edge() {
        let hex = Hex::new(8, 6, 1.5).unwrap();
        for (edge, n, length) in [(Edge::West, 6, hex.height()), (Edge::East, 6, hex.height())] {
            let sum: f64 = (0..n).map(|i| hex.edge_face(edge, i)).sum();
            assert!((sum - length).abs() < 1e-12);
        }
    }

    #[test]
    fn hexagons_can_be_as_large_as_squares() {
        let hex = Hex::new(3, 3, Hex::spacing_for_square(4.0)).unwrap();
        assert!((hex.spacing() * hex.row_height() - 16.0).abs() < 1e-12);
        assert!(Hex::new(3, 3, 0.0).is_err() && Hex::new(0, 3, 1.0).is_err());
    }
}
