//! Shallow water on hexagons: the scheme of [`super`] along three axes at 60°. Faces use the same
//! formulas as on squares, with vector components parallel and perpendicular to the axis of the
//! face. This module contains the formulas that differ on hexagons.
//!
//! The projections of a vector on three axes sum to one and a half times the vector (`Σ n·nᵀ =
//! 3/2`), so gradients, divergences and momentum changes are scaled by 2/3. The width of a face
//! divided by the area of a cell gives the same factor, `(d/√3)/(√3/2·d²) = 2/3/d`, where `d` is
//! the cell distance. [`Coefficients::per_x`](super::Coefficients::per_x) therefore serves all
//! axes.
//!
//! The two slanted axes are always summed first. Worlds that are rotated by 180° or mirrored along
//! a row therefore give bit-identical results.

mod buffers;
mod ghost_cells;
pub(super) mod limit;
mod loops;
pub(in crate::flow) mod plain;
pub(in crate::flow) mod rows;
mod stages;

use super::buffers::AxisComponents;
use super::{
    Coefficients, FaceState, Flux, HalfSlopes, HalfState, Water, advance_half_step,
    reconstruct_side, slope_force,
};
use crate::lattice::{FaceAxis, Hex};

/// Southward component of the unit vector along a slanted axis, √3/2.
const SLANT_SOUTH: f32 = 0.866_025_4;

/// A slanted axis of a hexagonal grid, which points to the next row, half a cell to the east or to
/// the west.
#[derive(Clone, Copy, Debug)]
pub(super) struct SlantedAxis {
    /// Eastward component of the unit vector along the axis.
    east: f32,
}

const SOUTHEAST: SlantedAxis = SlantedAxis { east: 0.5 };

const SOUTHWEST: SlantedAxis = SlantedAxis { east: -0.5 };

impl SlantedAxis {
    /// Returns two components of a vector given as (east, south): the component along the axis, and
    /// the component perpendicular to it, positive to the right of the axis in plan view.
    #[inline(always)]
    fn axis_components(self, [east, south]: [f32; 2]) -> [f32; 2] {
        [self.east * east + SLANT_SOUTH * south, self.east * south - SLANT_SOUTH * east]
    }
}

impl AxisComponents for SlantedAxis {
    #[inline(always)]
    fn water(self, water: Water) -> Water {
        let [u, v] = self.axis_components([water.u, water.v]);
        Water { u, v, ..water }
    }

    #[inline(always)]
    fn half(self, half: HalfState) -> HalfState {
        let [u, v] = self.axis_components([half.u, half.v]);
        HalfState { u, v, ..half }
    }
}

/// Returns the sum, as (east, south), of three vectors. Each is given by its components along an
/// axis and perpendicular to it, positive to the right. The axes are the row axis, [`SOUTHEAST`]
/// and [`SOUTHWEST`]. If all three are projections of the same vector, the sum is one and a half
/// times that vector.
#[inline(always)]
fn sum_axis_components(along: [f32; 3], right: [f32; 3]) -> [f32; 2] {
    let east = along[0] + (0.5 * (along[1] - along[2]) - SLANT_SOUTH * (right[1] + right[2]));
    let south = right[0] + (SLANT_SOUTH * (along[1] + along[2]) + 0.5 * (right[1] - right[2]));
    [east, south]
}

/// Returns the state of the cell `here` half a time step later (stage 2 of the scheme), given its
/// half-slopes along the three axes; see [`half_step`](super::half_step).
#[inline(always)]
fn half_step(
    here: Water,
    slopes: [HalfSlopes; 3],
    drag: f32,
    coefficients: &Coefficients,
) -> HalfState {
    let [east, southeast, southwest] = slopes;
    let velocity = [here.u, here.v];
    let [se, sw] = [SOUTHEAST.axis_components(velocity)[0], SOUTHWEST.axis_components(velocity)[0]];
    let spread = |u: f32, slope: HalfSlopes| u * slope.h + here.h * slope.u;
    let spread = spread(here.u, east) + (spread(se, southeast) + spread(sw, southwest));
    let push = |u: f32, slope: HalfSlopes| u * slope.u + coefficients.gravity * slope.w;
    let [u, v] = sum_axis_components(
        [push(here.u, east), push(se, southeast), push(sw, southwest)],
        [here.u * east.v, se * southeast.v, sw * southwest.v],
    );
    advance_half_step(
        here,
        coefficients.per_x * spread,
        [coefficients.per_x * u, coefficients.per_x * v],
        drag,
        coefficients,
    )
}

#[derive(Clone, Copy)]
struct FaceMomentum {
    /// Flux of the momentum normal to the face, per metre of face width (m³/s²), relative to the
    /// pressure in the cell.
    across: f32,
    along: f32,
}

impl FaceMomentum {
    #[inline(always)]
    fn for_cell_before(flux: Flux) -> Self {
        Self { across: flux.after, along: flux.along }
    }

    #[inline(always)]
    fn for_cell_after(flux: Flux) -> Self {
        Self { across: flux.before, along: flux.along }
    }
}

/// Returns the momentum change of a cell in a step (m²/s; stage 6 of the scheme). `faces` contains
/// the fluxes through the two faces on each axis. `h` is the depth half a time step later (m).
/// `slopes` contains the changes of the surface elevation from the centre of the cell to its face,
/// along the three axes (m).
#[inline(always)]
fn momentum_change(
    faces: [[FaceMomentum; 2]; 3],
    h: f32,
    slopes: [f32; 3],
    c: &Coefficients,
) -> [f32; 2] {
    let across = |i: usize| {
        let [first, second] = faces[i];
        (second.across - first.across) + slope_force(h, slopes[i], c.gravity)
    };
    let along = |i: usize| faces[i][1].along - faces[i][0].along;
    let [x, y] =
        sum_axis_components([across(0), across(1), across(2)], [along(0), along(1), along(2)]);
    [-(c.per_x * x), -(c.per_x * y)]
}

/// Returns the axis normal to the y-faces or the z-faces of row `y`.
fn slanted_axis(axis: FaceAxis, y: usize) -> SlantedAxis {
    if (axis == FaceAxis::Z) == (Hex::z_face_column(y) == 0) { SOUTHEAST } else { SOUTHWEST }
}

/// Returns the state of a cell at the end of a row, reconstructed at its face on the western
/// (`direction` = −1) or eastern (`direction` = 1) edge of the grid. `relative_width` is the width
/// of this face divided by that of an inner face. It is 1, or 2 if the face also replaces the two
/// slanted faces of the cell on that side.
fn reconstruct_side_at_row_end(
    z: f32,
    half: HalfState,
    slope: HalfSlopes,
    direction: f32,
    relative_width: f32,
) -> FaceState {
    let reach = 0.5 + 0.5 / relative_width;
    let HalfSlopes { h, w, u, v } = slope;
    let slope = HalfSlopes { h: h * reach, w: w * reach, u: u * reach, v: v * reach };
    reconstruct_side(z, half, slope, direction)
}

/// Returns the state of a cell, reconstructed at its face on the northern (`direction` = −1) or
/// southern (`direction` = 1) edge of the grid. The two half-slopes (changes from the cell centre
/// to a face) are those along the southeastern and southwestern axes. The result is the mean of the
/// two states half a cell distance away along these axes. Its first velocity component points south
/// and its second east.
fn reconstruct_side_at_edge_row(
    z: f32,
    half: HalfState,
    [a, b]: [HalfSlopes; 2],
    direction: f32,
) -> FaceState {
    let [east, south] = sum_axis_components([0.0, a.u, b.u], [0.0, a.v, b.v]);
    let slopes =
        HalfSlopes { h: 0.5 * (a.h + b.h), w: 0.5 * (a.w + b.w), u: 0.5 * south, v: 0.5 * east };
    reconstruct_side(z, half.transposed(), slopes, direction)
}

/// Returns the fluxes per metre of width through each of the two slanted halves of a face on the
/// northern or southern edge, given the fluxes through the whole face. The two halves together
/// change the momentum of the cell as the whole face would.
fn split_edge_flux(flux: Flux) -> Flux {
    Flux { along: -flux.along, ..flux }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn projections_on_three_axes_sum_to_one_and_a_half_times_the_vector() {
        let vector = [0.7, -1.3];
        let [a, b] = [SOUTHEAST, SOUTHWEST].map(|slant| slant.axis_components(vector));
        let [east, south] = sum_axis_components([vector[0], a[0], b[0]], [0.0; 3]);
        assert!((east - 1.05).abs() < 1e-6 && (south + 1.95).abs() < 1e-6);
        let [east, south] = sum_axis_components([0.0; 3], [vector[1], a[1], b[1]]);
        assert!((east - 1.05).abs() < 1e-6 && (south + 1.95).abs() < 1e-6);
    }

    #[test]
    fn both_halves_of_an_edge_flux_sum_to_the_whole() {
        // √3 times as wide as a face, normal to the south and tangent to the east.
        let flux = split_edge_flux(Flux { volume: 0.0, before: 0.0, after: 2.0, along: 3.0 });
        let FaceMomentum { across, along } = FaceMomentum::for_cell_before(flux);
        let [east, south] = sum_axis_components([0.0, across, across], [0.0, along, along]);
        let wide = 3.0_f32.sqrt();
        assert!((east - wide * 3.0).abs() < 1e-5 && (south - wide * 2.0).abs() < 1e-5);
    }
}
