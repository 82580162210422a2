//! The physics model [`Physics::Inertial`](crate::flow::Physics::Inertial): the local inertial
//! equations. This module contains the formulas of stages 1 to 3, which the reference loops
//! ([`plain`]) and the optimised path ([`sweep`]) share.
//!
//! Sources: Bates, Horritt & Fewtrell 2010 (equations); de Almeida et al. 2012 (filter with `θ`,
//! eq. 9); Almeida & Bates 2013 (limits of the missing momentum advection).

pub(crate) mod limit;
pub(in crate::flow) mod plain;
mod root;
pub(in crate::flow) mod subgrid_faces;
pub(crate) mod sweep;

pub(in crate::flow) use limit::step_limit;
pub use limit::{ExteriorExtremes, InteriorExtremes};

use super::surface::{surface_drop, surface_height};
use crate::flow::boundary::faces::set_boundary_faces;
use crate::flow::context::{Roughness, StepContext};
use crate::flow::params::Params;
use crate::flow::state::{Discharges, State};
use crate::lattice::{Edge, FaceAxis, FaceOffset, Hex, Lattice};
use root::inverse_cube_root;

/// Smallest depth at a face (m) at which water flows through the face. It is about the `f32`
/// rounding error of an elevation of 10 m.
const MIN_FACE_DEPTH: f32 = 1e-6;

/// Coefficients of a time step with the local inertial equations. All cells use the same
/// coefficients.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Coefficients {
    /// Factor `(1 − friction)^dt` by which the parameter `friction` reduces a discharge in a step.
    pub decay: f32,
    /// Weights of the discharge filter: `θ` for the face itself, and `½(1 − θ)` for each of its two
    /// neighbours along the axis.
    pub theta: [f32; 2],
    /// `g·dt` (m/s), the factor that multiplies Manning's friction.
    pub gravity: f32,
    /// `3·dt·ν` (m²), the coefficient of viscous drag.
    pub viscous: f32,
    /// Coefficients of x-faces, through which water flows to the east or west.
    pub x: AxisCoefficients,
    /// Coefficients of y-faces; on hexagons, of y-faces and z-faces.
    pub y: AxisCoefficients,
}

/// Coefficients of the local inertial equations that depend on the orientation of a face.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AxisCoefficients {
    /// Increase in the discharge in a step per metre of surface difference and per metre of depth,
    /// `g·dt·w/l` (m/s), with the face width `w` and the cell distance `l`.
    pub push: f32,
    /// Factor `1/w` (1/m) that converts a discharge to a unit discharge, with the face width `w`.
    pub unit: f32,
    /// Factor (1/m) that converts the sum of the discharges through the four adjacent transverse
    /// faces to the unit discharge along the face. On squares the result is their mean; on
    /// hexagons, whose faces meet at 60°, the factor is `½/(√3·w)`.
    pub unit_across: f32,
}

impl Coefficients {
    fn new(step: &StepContext) -> Self {
        Self::for_step(step.params, step.lattice, step.dt)
    }

    pub(in crate::flow) fn for_step(params: &Params, lattice: &Lattice, dt: f64) -> Self {
        let direction = |is_x: bool| {
            let width = lattice.face_width(is_x);
            let (length, across) = match lattice {
                Lattice::Square(_) => (lattice.face_width(!is_x), 0.25 / lattice.face_width(!is_x)),
                Lattice::Hex(hex) => (hex.spacing(), 0.5 / (3.0_f64.sqrt() * width)),
            };
            AxisCoefficients {
                push: (params.gravity * dt * width / length) as f32,
                unit: (1.0 / width) as f32,
                unit_across: across as f32,
            }
        };
        Self {
            // libm gives the same bits on every platform.
            decay: libm::pow(1.0 - params.friction, dt) as f32,
            theta: [params.theta as f32, (0.5 * (1.0 - params.theta)) as f32],
            gravity: (params.gravity * dt) as f32,
            viscous: (3.0 * dt * params.viscosity) as f32,
            x: direction(true),
            y: direction(false),
        }
    }
}

impl Coefficients {
    /// Returns the coefficients of x-, y- or z-faces. On hexagons, all faces have the same
    /// coefficients.
    fn for_axis(&self, axis: FaceAxis) -> AxisCoefficients {
        if axis == FaceAxis::X { self.x } else { self.y }
    }
}

#[derive(Clone, Copy, Debug)]
struct FaceInput {
    q: f32,
    /// Discharges through the previous and the next face along the axis (m³/s).
    neighbours: [f32; 2],
    /// Sum of the discharges through the four transverse faces at the ends of this face (m³/s); see
    /// [`transverse_sum`].
    transverse_sum: f32,
    /// Bed elevation and water depth (m) of the cell before the face along its axis.
    before: [f32; 2],
    /// Bed elevation and water depth (m) of the cell after the face along its axis.
    after: [f32; 2],
    rough: f32,
}

/// Returns the new discharge through a face after stages 2 and 3 of a time step, acceleration and
/// friction (Bates et al. 2010; de Almeida et al. 2012, eq. 9):
///
/// `Q' = (Q̂·(1 − friction)^dt·s + P) / (s + D·|q| + 3·dt·ν/h²)`, `s ≈ √(1 + D·|P|/w)`
///
/// with the filtered discharge `Q̂`, the unit discharge `q`, the pressure term `P =
/// w·g·h·dt·(η_before − η_after)/l`, the drag `D = g·dt·n²/h^(7/3)`, the face width `w`, the cell
/// distance `l` and the depth `h` at the face. `s = 1` gives eq. 11 of Bates et al. The drag is
/// implicit and therefore stable.
#[inline(always)]
fn face_discharge(face: FaceInput, axis: AxisCoefficients, coefficients: &Coefficients) -> f32 {
    let (before, after) = (surface_height(face.before), surface_height(face.after));
    let depth = face_depth(face.before[0], face.after[0], before, after);
    let wet = fast_max(depth, MIN_FACE_DEPTH);
    let kept = filter_discharge(face.q, face.neighbours, coefficients.theta) * coefficients.decay;
    let push = axis.push * wet * surface_drop(face.before, face.after);
    let speed = vector_norm(face.q * axis.unit, face.transverse_sum * axis.unit_across);
    let third = inverse_cube_root(wet);
    let inverse_square = third * third * third * (third * third * third);
    // A factor instead of a branch, which would prevent vectorisation.
    let open = if depth > MIN_FACE_DEPTH { 1.0 } else { 0.0 };
    let drag = face.rough * third * inverse_square;
    open * apply_friction(
        [kept, push],
        [drag, coefficients.viscous * inverse_square],
        speed,
        axis.unit,
    )
}

/// Returns a discharge after a step with pressure and friction.
///
/// `kept` is the discharge that would remain without these terms, `push` the pressure term, `drag`
/// Manning's drag per unit discharge, and `viscous` the viscous drag. `speed` is the unit discharge
/// before the step (m²/s), and `unit` converts a discharge to a unit discharge (1/m). The formula
/// solves the Riccati equation `q' = s − k·q²` as in `shallow/friction.rs`, so that films approach
/// their normal velocity from below. An approximate square root suffices.
#[inline(always)]
fn apply_friction([kept, push]: [f32; 2], [drag, viscous]: [f32; 2], speed: f32, unit: f32) -> f32 {
    let s = approximate_sqrt(1.0 + drag * (push * unit).abs());
    (kept * s + push) / (s + (drag * speed + viscous))
}

/// Returns an upper approximation of `√x` for `x ≥ 1`, obtained by halving the exponent of the
/// float. The error is at most 6 %; value and slope are exact at 1.
#[inline(always)]
fn approximate_sqrt(x: f32) -> f32 {
    f32::from_bits((x.to_bits() >> 1) + (1.0_f32.to_bits() >> 1))
}

/// Returns the depth of water (m) at a face: the higher of the two water surfaces `before` and
/// `after` minus the higher of the two beds. The result is 0 or negative if the water is too low to
/// flow through the face.
#[inline(always)]
fn face_depth(bed_before: f32, bed_after: f32, before: f32, after: f32) -> f32 {
    fast_max(before, after) - fast_max(bed_before, bed_after)
}

/// Returns the filtered discharge `Q̂ = θ·Q + ½(1 − θ)·(Q₋ + Q₊)`. The filter damps the
/// oscillations of central differences.
#[inline(always)]
fn filter_discharge(q: f32, [behind, ahead]: [f32; 2], [theta, neighbour_weight]: [f32; 2]) -> f32 {
    theta * q + neighbour_weight * (behind + ahead)
}

/// Returns the sum of the discharges through the four transverse faces at the ends of a face.
/// `first` and `second` are the pairs of faces, and `sign` the sign of the second pair, that
/// [`face_stencil`](crate::Lattice::face_stencil) returns. Adding by pairs gives the same bits in
/// mirrored, transposed or rotated worlds.
#[inline(always)]
fn transverse_sum(first: [f32; 2], second: [f32; 2], sign: f32) -> f32 {
    (first[0] + first[1]) + sign * (second[0] + second[1])
}

#[inline(always)]
fn vector_norm(along: f32, across: f32) -> f32 {
    (along * along + across * across).sqrt()
}

/// Returns the drag factor `g·dt·n²` of a face, where `n` is the mean roughness of its two cells.
#[inline(always)]
fn drag_factor(gravity: f32, before: f32, after: f32) -> f32 {
    let n = 0.5 * (before + after);
    gravity * (n * n)
}

/// Returns the larger of two numbers. Unlike `f32::max`, this function compiles to one instruction.
#[inline(always)]
fn fast_max(a: f32, b: f32) -> f32 {
    if a > b { a } else { b }
}

/// Returns the column in which the discharge through the face at `(x, y)` is stored, near the seam
/// where the periodic western and eastern edges meet. The result is `x`, except for some slanted
/// faces on the southern edge, which are stored in the last column.
fn periodic_face_column(
    axis: FaceAxis,
    (x, y): (usize, usize),
    (nx, ny): (usize, usize),
    periodic_y: bool,
) -> usize {
    let south = axis == FaceAxis::Z && y == ny && !periodic_y;
    if south && x == 0 && Hex::z_face_column(ny - 1) == 1 { nx } else { x }
}

fn accelerate_periodic_faces(
    old: &State,
    next: &mut Discharges,
    step: &StepContext,
    coefficients: &Coefficients,
) {
    let (nx, ny) = (old.bed.nx(), old.bed.ny());
    let periodic = step.edges.periodic;
    for &axis in step.lattice.face_axes() {
        for faces_list in periodic.periodic_faces(axis, nx, ny) {
            let (x, y) = faces_list[0];
            let [before, after] = periodic.adjacent_cells(axis, faces_list[0], nx, ny);
            let cell = |at: (usize, usize)| [old.bed[at], old.depth[at]];
            let closed = |at: (usize, usize)| old.closed.contains(at.0, at.1);
            let n = |at: (usize, usize)| step.roughness.at(at.0, at.1);
            let q = |(axis, offset): FaceOffset| {
                let (x, y) = periodic.wrap(offset.apply_to(x, y), nx, ny);
                old.discharge(axis)[(periodic_face_column(axis, (x, y), (nx, ny), periodic.y), y)]
            };
            let stencil = step.lattice.face_stencil(axis, y);
            let face = FaceInput {
                q: old.discharge(axis)[faces_list[0]],
                neighbours: stencil.normal_neighbours.map(q),
                transverse_sum: transverse_sum(
                    stencil.first_pair.map(q),
                    stencil.second_pair.map(q),
                    stencil.sign,
                ),
                before: cell(before),
                after: cell(after),
                rough: drag_factor(coefficients.gravity, n(before), n(after)),
            };
            let shut = closed(before) || closed(after);
            let q = if shut {
                0.0
            } else {
                face_discharge(face, coefficients.for_axis(axis), coefficients)
            };
            for place in faces_list {
                next.axis_mut(axis)[place] = q;
            }
        }
    }
}

/// Sets the discharge through every boundary face that is not periodic (stage 1 of a time step).
fn set_boundary_discharges(state: &mut State, step: &StepContext, coefficients: &Coefficients) {
    let celerity = |depth: f32, _: Edge| (step.params.gravity as f32 * depth).sqrt();
    set_boundary_faces(state, step, celerity, |outer| {
        let n = match step.roughness {
            Roughness::Uniform(n) => n,
            Roughness::Map(map) => map[outer.cell],
        };
        // The bed and the stream are assumed uniform outside.
        let face = FaceInput {
            q: outer.inflow,
            neighbours: [outer.inflow; 2],
            transverse_sum: 0.0,
            before: [outer.bed, fast_max(outer.level - outer.bed, 0.0)],
            after: [outer.bed, outer.depth],
            rough: drag_factor(coefficients.gravity, n, n),
        };
        face_discharge(
            face,
            if outer.edge.has_x_faces() { coefficients.x } else { coefficients.y },
            coefficients,
        )
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn face_depth_is_measured_above_the_higher_bed() {
        let over =
            |a: [f32; 2], b: [f32; 2]| face_depth(a[0], b[0], surface_height(a), surface_height(b));
        assert_eq!(over([0.0, 2.0], [0.0, 1.0]), 2.0);
        assert_eq!(over([0.0, 2.0], [1.5, 0.0]), 0.5);
        assert_eq!(over([5.0, 0.25], [1.0, 2.0]), 0.25);
        assert_eq!(over([0.0, 2.0], [3.0, 0.0]), 0.0, "a dry bank above the water");
    }

    #[test]
    fn a_film_on_a_slope_reaches_its_normal_velocity_in_one_long_step() {
        // A film of 2 mm on a slope of 5 %, n = 0.05, with steps of 100 s: `D` and `P` are so large
        // that the initial state has no influence.
        let (h, n, slope, dt) = (2e-3_f32, 0.05_f32, 0.05_f32, 100.0_f32);
        let normal = h.powf(5.0 / 3.0) * slope.sqrt() / n;
        let (push, drag) = (9.81 * dt * h * slope, 9.81 * dt * n * n / h.powf(7.0 / 3.0));
        let first = apply_friction([0.0, push], [drag, 0.0], 0.0, 1.0);
        assert!((0.94..1.0).contains(&(first / normal)), "{first} {normal}");
        let later = (0..3).fold(first, |q, _| apply_friction([q, push], [drag, 0.0], q, 1.0));
        assert!((later / normal - 1.0).abs() < 1e-3, "{later} {normal}");
        assert_eq!(
            apply_friction([2.0, 0.0], [0.5, 0.0], 2.0, 1.0),
            1.0,
            "without a push it is exact"
        );
        for x in [1.0_f32, 1.5, 2.0, 3.9, 4.0, 1e3, 1e20] {
            let off = approximate_sqrt(x) / x.sqrt() - 1.0;
            assert!((0.0..0.0607).contains(&off), "{x}: {off}");
        }
    }

    #[test]
    fn the_filter_preserves_a_uniform_stream() {
        assert_eq!(filter_discharge(2.0, [2.0, 2.0], [0.5, 0.25]), 2.0);
        assert_eq!(filter_discharge(2.0, [0.0, 1.0], [1.0, 0.0]), 2.0);
        assert_eq!(filter_discharge(1.0, [-1.0, -1.0], [0.5, 0.25]), 0.0);
    }
}
