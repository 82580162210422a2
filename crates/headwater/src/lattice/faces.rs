//! Topology of the faces between cells: the two cells adjacent to each face, and the stencil of
//! neighbouring faces around it.

use super::{Hex, Lattice};
use std::ops::Range;

/// Axis of the normal of a face. Hexagonal lattices have two families of slanted faces, `Y` and
/// `Z`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FaceAxis {
    /// Faces that separate neighbours in a row. Their normal points east.
    X,
    /// Faces whose normal points south. On hexagons, the normal points southwest or southeast.
    Y,
    /// Second family of slanted faces, which only hexagonal lattices have. The normal points
    /// southwest or southeast.
    Z,
}

/// Offset between two elements of a two-dimensional array, in columns and rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Offset {
    x: isize,
    y: isize,
}

impl Offset {
    pub(crate) const HERE: Self = Self { x: 0, y: 0 };

    /// Returns the column and row of the position at this offset from `(x, y)`.
    pub(crate) fn apply_to(self, x: usize, y: usize) -> (usize, usize) {
        (x.wrapping_add_signed(self.x), y.wrapping_add_signed(self.y))
    }

    pub(crate) fn shift_column(self, x: usize) -> usize {
        x.wrapping_add_signed(self.x)
    }

    pub(crate) fn shift_row(self, y: isize) -> isize {
        y + self.y
    }

    pub(crate) fn shift_columns(self, x: &Range<usize>) -> Range<usize> {
        self.shift_column(x.start)..self.shift_column(x.end)
    }

    /// Returns the column at this offset from column 0, in a periodic row of `nx` cells.
    pub(crate) fn wrapped_column(self, nx: usize) -> usize {
        self.x.rem_euclid(nx as isize) as usize
    }
}

const fn offset(x: isize, y: isize) -> Offset {
    Offset { x, y }
}

/// A neighbouring face in a stencil: its axis, and its offset from the central face.
pub(crate) type FaceOffset = (FaceAxis, Offset);

/// Stencil of an advection scheme around one face, the central face. It consists of the nearby
/// faces that supply the velocity components normal and tangential to the central face.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FaceStencil {
    /// The two nearest faces in the direction of the central face's normal: first the one behind
    /// the central face, then the one ahead of it.
    pub(crate) normal_neighbours: [FaceOffset; 2],
    /// First of the two pairs formed by the four faces that touch the ends of the central face. The
    /// two faces of a pair are parallel.
    pub(crate) first_pair: [FaceOffset; 2],
    /// Second of the two pairs formed by the four faces that touch the ends of the central face.
    /// The two faces of a pair are parallel.
    pub(crate) second_pair: [FaceOffset; 2],
    /// Sign (1 or −1) with which `second_pair` contributes to the tangential velocity, relative
    /// to `first_pair`.
    pub(crate) sign: f32,
}

impl Lattice {
    /// Returns the axes of the faces of this lattice: two on squares, three on hexagons.
    pub(crate) fn face_axes(&self) -> &'static [FaceAxis] {
        if self.is_hex() {
            &[FaceAxis::X, FaceAxis::Y, FaceAxis::Z]
        } else {
            &[FaceAxis::X, FaceAxis::Y]
        }
    }

    /// Returns the range of columns of the interior faces with the given axis. Interior faces lie
    /// between two cells of the grid. The function [`first_inner_row`] returns the first row of
    /// these faces.
    pub(crate) fn inner_columns(&self, axis: FaceAxis) -> Range<usize> {
        match axis {
            FaceAxis::X | FaceAxis::Z => 1..self.nx(),
            FaceAxis::Y => 0..self.nx(),
        }
    }

    /// Returns the stencil of an interior face with the given axis in row `y`.
    pub(crate) fn face_stencil(&self, axis: FaceAxis, y: usize) -> FaceStencil {
        use FaceAxis::{X, Y, Z};
        let o = offset;
        let odd = Hex::z_face_column(y) == 1;
        let (normal_neighbours, first_pair, second_pair, sign) = match (self.is_hex(), axis, odd) {
            (false, X, _) => (
                [(X, o(-1, 0)), (X, o(1, 0))],
                [(Y, o(-1, 0)), (Y, o(0, 0))],
                [(Y, o(-1, 1)), (Y, o(0, 1))],
                1.0,
            ),
            (false, ..) => (
                [(Y, o(0, -1)), (Y, o(0, 1))],
                [(X, o(0, -1)), (X, o(0, 0))],
                [(X, o(1, -1)), (X, o(1, 0))],
                1.0,
            ),
            // Each pair consists of a face to the north and a face to the south.
            (true, X, false) => (
                [(X, o(-1, 0)), (X, o(1, 0))],
                [(Z, o(0, 0)), (Y, o(-1, 1))],
                [(Y, o(-1, 0)), (Z, o(0, 1))],
                1.0,
            ),
            (true, X, true) => (
                [(X, o(-1, 0)), (X, o(1, 0))],
                [(Z, o(0, 0)), (Y, o(0, 1))],
                [(Y, o(0, 0)), (Z, o(0, 1))],
                1.0,
            ),
            // Faces whose normal points southwest.
            (true, Y, false) => (
                [(Z, o(1, -1)), (Z, o(0, 1))],
                [(X, o(0, -1)), (X, o(1, 0))],
                [(Z, o(0, 0)), (Z, o(1, 0))],
                1.0,
            ),
            (true, Z, true) => (
                [(Y, o(0, -1)), (Y, o(-1, 1))],
                [(X, o(0, -1)), (X, o(0, 0))],
                [(Y, o(-1, 0)), (Y, o(0, 0))],
                1.0,
            ),
            // Faces whose normal points southeast.
            (true, Z, false) => (
                [(Y, o(-1, -1)), (Y, o(0, 1))],
                [(X, o(0, -1)), (X, o(0, 0))],
                [(Y, o(-1, 0)), (Y, o(0, 0))],
                -1.0,
            ),
            (true, Y, true) => (
                [(Z, o(0, -1)), (Z, o(1, 1))],
                [(X, o(1, -1)), (X, o(0, 0))],
                [(Z, o(0, 0)), (Z, o(1, 0))],
                -1.0,
            ),
        };
        FaceStencil { normal_neighbours, first_pair, second_pair, sign }
    }
}

/// Returns the first row of the interior faces with the given axis. Interior faces lie between two
/// cells of the grid.
pub(crate) fn first_inner_row(axis: FaceAxis) -> usize {
    usize::from(axis != FaceAxis::X)
}

/// Returns the offsets from a face in row `y` to its two adjacent cells. The face's normal points
/// from the first cell to the second.
pub(crate) fn adjacent_cells(axis: FaceAxis, y: usize) -> [Offset; 2] {
    match (axis, Hex::z_face_column(y)) {
        (FaceAxis::X, _) => [offset(-1, 0), offset(0, 0)],
        (FaceAxis::Y, _) => [offset(0, -1), offset(0, 0)],
        (FaceAxis::Z, 0) => [offset(-1, -1), offset(0, 0)],
        (FaceAxis::Z, _) => [offset(0, -1), offset(-1, 0)],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lattice::Square;

    fn center_and_normal(
        lattice: &Lattice,
        axis: FaceAxis,
        (x, y): (usize, usize),
    ) -> ([f64; 2], [f64; 2]) {
        let [before, after] = adjacent_cells(axis, y).map(|cell| {
            let (x, y) = cell.apply_to(x, y);
            lattice.center(x, y)
        });
        let (dx, dy) = (after[0] - before[0], after[1] - before[1]);
        let length = (dx * dx + dy * dy).sqrt();
        let middle = [0.5 * (before[0] + after[0]), 0.5 * (before[1] + after[1])];
        (middle, [dx / length, dy / length])
    }

    #[test]
    fn the_stencil_recovers_a_uniform_flow() {
        let stream = [0.7, -1.3];
        let over = |normal: [f64; 2]| normal[0] * stream[0] + normal[1] * stream[1];
        let square = Square::new(9, 9, 2.0, 2.0).unwrap();
        let hex = Hex::new(9, 9, 2.0).unwrap();
        for (lattice, axes) in [
            (Lattice::from(square), &[FaceAxis::X, FaceAxis::Y][..]),
            (hex.into(), &[FaceAxis::X, FaceAxis::Y, FaceAxis::Z]),
        ] {
            // Mean over four faces at right angles, or over two pairs of faces at an angle of 60°.
            let scale = if lattice.is_hex() { 0.5 / 3.0_f64.sqrt() } else { 0.25 };
            for &axis in axes {
                for at in [(4, 4), (4, 5)] {
                    let (middle, normal) = center_and_normal(&lattice, axis, at);
                    let stencil = lattice.face_stencil(axis, at.1);
                    let near = |(axis, offset): FaceOffset| {
                        center_and_normal(&lattice, axis, offset.apply_to(at.0, at.1))
                    };
                    let [behind, ahead] = stencil.normal_neighbours.map(near);
                    let mean = |i: usize| 0.5 * (behind.0[i] + ahead.0[i]);
                    assert!((mean(0) - middle[0]).abs() < 1e-12, "{axis:?} {at:?}");
                    assert!((mean(1) - middle[1]).abs() < 1e-12, "{axis:?} {at:?}");
                    assert!((over(behind.1) - over(normal)).abs() < 1e-12, "{axis:?} {at:?}");
                    let sum = |pair: [FaceOffset; 2]| {
                        pair.map(|face| over(near(face).1)).iter().sum::<f64>()
                    };
                    let across = sum(stencil.first_pair)
                        + f64::from(stencil.sign) * sum(stencil.second_pair);
                    let tangent = normal[0] * stream[1] - normal[1] * stream[0];
                    let found = (scale * across).abs();
                    assert!((found - tangent.abs()).abs() < 1e-12, "{axis:?} {at:?} {found}");
                    for (face, _) in
                        [stencil.first_pair, stencil.second_pair].concat().into_iter().map(near)
                    {
                        let (dx, dy) = (face[0] - middle[0], face[1] - middle[1]);
                        assert!((dx * dx + dy * dy).sqrt() < 1.5, "{axis:?} {at:?}");
                    }
                }
            }
        }
    }
}
