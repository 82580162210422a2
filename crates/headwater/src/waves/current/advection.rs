//! Advection by a current: its velocity, and the resulting Courant numbers at the faces.

use crate::field::Field;
use crate::lattice::{Edge, Square};
use crate::waves::params::{EdgeKind, Params};
use crate::waves::solver::absorbing::AbsorbingLayers;
use crate::waves::solver::rule::WaveCoefficients;
use crate::waves::solver::wave_speed_map::WaveSpeedMap;
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(in crate::waves) struct Current {
    pub(in crate::waves) east: Field<f32>,
    pub(in crate::waves) south: Field<f32>,
}

/// Precomputed factors for the advection by a current. Courant numbers are 0 on closed faces.
#[derive(Clone, Debug)]
pub(in crate::waves) struct AdvectionField {
    /// Courant numbers of the velocity component normal to the face: first for x-faces, then for
    /// y-faces.
    pub(super) normal: [Field<f32>; 2],
    /// Weights of the curvature term in the third-order upwind transport: first for x-faces, then
    /// for y-faces. A weight is `(1 − C²)/6` for the Courant number C. It is 0 if any of the two
    /// nearest cells on each side of the face is land or off the grid.
    pub(super) curvature_weight: [Field<f32>; 2],
    /// Courant numbers of the velocity component tangential to the face, for the advection of
    /// fluxes: first for x-faces (southward velocity), then for y-faces (eastward velocity).
    pub(super) tangential: [Field<f32>; 2],
    pub(super) periodic: [bool; 2],
    pub(super) pinned: [bool; 4],
    pub(super) highest: f32,
}

impl AdvectionField {
    pub(in crate::waves) fn new(
        current: &Current,
        params: &Params,
        lattice: &Square,
        speed_map: &WaveSpeedMap,
        rule: &WaveCoefficients,
        layers: &AbsorbingLayers,
        land: impl Fn(usize, usize) -> bool,
    ) -> Self {
        let (nx, ny) = (lattice.nx(), lattice.ny());
        let edges = &params.edges;
        let periodic = [Edge::West, Edge::North].map(|e| edges.kind(e) == EdgeKind::Periodic);
        let pinned = Edge::ALL.map(|edge| edges.kind(edge) == EdgeKind::Pinned);
        let courant = params.step / lattice.dx();
        // Off the grid, return the cell on the opposite side of a periodic axis, or none.
        let cell = |x: isize, y: isize| {
            Some((wrap_index(x, nx, periodic[0])?, wrap_index(y, ny, periodic[1])?))
                .filter(|&(x, y)| !land(x, y))
        };
        let mean = |of: &Field<f32>, cells: [Option<(usize, usize)>; 2]| {
            let known = cells.iter().flatten();
            let (sum, count) =
                known.fold((0.0, 0.0), |(sum, n), &at| (sum + f64::from(of[at]), n + 1.0));
            if count > 0.0 { sum / count * courant } else { 0.0 }
        };
        let x_faces = |of: &Field<f32>| {
            Field::from_fn(nx + 1, ny, |x, y| {
                let open = speed_map.gain_x(rule, x, y, nx) > 0.0;
                let sides = [x as isize - 1, x as isize].map(|x| cell(x, y as isize));
                let calm = layers.current_factor(x as f64, y as f64 + 0.5, [nx, ny]);
                if open { (calm * mean(of, sides)) as f32 } else { 0.0 }
            })
        };
        let y_faces = |of: &Field<f32>| {
            Field::from_fn(nx, ny + 1, |x, y| {
                let open = speed_map.gain_y(rule, x, y, ny) > 0.0;
                let sides = [y as isize - 1, y as isize].map(|y| cell(x as isize, y));
                let calm = layers.current_factor(x as f64 + 0.5, y as f64, [nx, ny]);
                if open { (calm * mean(of, sides)) as f32 } else { 0.0 }
            })
        };
        let normal = [x_faces(&current.east), y_faces(&current.south)];
        let tangential = [x_faces(&current.south), y_faces(&current.east)];
        let third = |c: f32, there: bool| if there { (1.0 - c * c) / 6.0 } else { 0.0 };
        let curvature_weight = [
            Field::from_fn(nx + 1, ny, |x, y| {
                let c = normal[0][(x, y)];
                let (x, y) = (x as isize, y as isize);
                third(c, [x - 2, x - 1, x, x + 1].iter().all(|&x| cell(x, y).is_some()))
            }),
            Field::from_fn(nx, ny + 1, |x, y| {
                let c = normal[1][(x, y)];
                let (x, y) = (x as isize, y as isize);
                third(c, [y - 2, y - 1, y, y + 1].iter().all(|&y| cell(x, y).is_some()))
            }),
        ];
        Self {
            normal,
            curvature_weight,
            tangential,
            periodic,
            pinned,
            highest: params.highest as f32,
        }
    }
}

/// Returns the index of a cell on an axis with `n` cells. On a periodic axis, the index wraps
/// around. On other axes, it stays the same, and the result is `None` if it is off the grid.
pub(super) fn wrap_index(index: isize, n: usize, is_periodic: bool) -> Option<usize> {
    let n = n as isize;
    let inside = (0..n).contains(&index);
    (inside || is_periodic).then(|| index.rem_euclid(n) as usize)
}
