//! [`Physics::Inertial`](super::Physics::Inertial): the local inertial equations. Formulas of
//! stages 1 to 3, shared by the plain loops ([`plain`]) and the sweep ([`sweep`]).
//!
//! Sources: Bates, Horritt & Fewtrell 2010 (equations); de Almeida et al. 2012 (filter with `θ`,
//! eq. 9); Almeida & Bates 2013 (limits: no momentum from face to face).

pub(crate) mod limit;
pub(super) mod parted;
pub(super) mod plain;
mod root;
pub(crate) mod sweep;

pub(super) use limit::limit;
pub use limit::{Demand, Surge};

use super::boundary_faces::set_outermost_faces;
use super::context::{Roughness, Step};
use super::params::Params;
use super::state::{Discharges, State};
use super::surface::{fall, surface};
use crate::lattice::{Edge, FaceAxis, FaceOffset, Hex, Lattice};
use root::inverse_cube_root;

/// A face with less water over it (m) passes none: it is within rounding of heights of 10 m.
const FILM: f32 = 1e-6;

/// What stays the same over a whole step, worked out once.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Coefficients {
    /// The part of a discharge that `friction` leaves, `(1 − friction)^dt`.
    pub keep: f32,
    /// The filter's `θ`, and `½(1 − θ)`.
    pub theta: [f32; 2],
    /// `g·dt` (m/s), by which Manning's friction acts.
    pub gravity: f32,
    /// `3·dt·ν` (m²).
    pub viscous: f32,
    /// Faces that are crossed from west to east.
    pub x: Direction,
    /// Faces that are crossed from north to south.
    pub y: Direction,
}

/// What depends on the way that a face is crossed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Direction {
    /// `g·dt·w/l` (m²/s), for face width `w` and cell distance `l`.
    pub push: f32,
    /// `1/w` (1/m): from the discharge over such a face to its unit discharge.
    pub unit: f32,
    /// From the sum of the four discharges beside the face to the unit discharge along it (1/m): a
    /// mean on squares, `½/(√3·w)` on hexagons, at 60°.
    pub unit_across: f32,
}

impl Coefficients {
    fn new(step: &Step) -> Self {
        Self::of_step(step.params, step.lattice, step.dt)
    }

    pub(super) fn of_step(params: &Params, lattice: &Lattice, dt: f64) -> Self {
        let direction = |is_x: bool| {
            let width = lattice.face_width(is_x);
            let (length, across) = match lattice {
                Lattice::Square(_) => (lattice.face_width(!is_x), 0.25 / lattice.face_width(!is_x)),
                Lattice::Hex(hex) => (hex.spacing(), 0.5 / (3.0_f64.sqrt() * width)),
            };
            Direction {
                push: (params.gravity * dt * width / length) as f32,
                unit: (1.0 / width) as f32,
                unit_across: across as f32,
            }
        };
        Self {
            // libm, not the platform's pow: the same bits everywhere.
            keep: libm::pow(1.0 - params.friction, dt) as f32,
            theta: [params.theta as f32, (0.5 * (1.0 - params.theta)) as f32],
            gravity: (params.gravity * dt) as f32,
            viscous: (3.0 * dt * params.viscosity) as f32,
            x: direction(true),
            y: direction(false),
        }
    }
}

impl Coefficients {
    /// What depends on the way that faces of a family are crossed. All faces of a hexagon are alike.
    fn of(&self, axis: FaceAxis) -> Direction {
        if axis == FaceAxis::X { self.x } else { self.y }
    }
}

#[derive(Clone, Copy, Debug)]
struct Face {
    q: f32,
    /// The discharges over the next faces in its direction, behind and ahead.
    along: [f32; 2],
    /// The sum of the discharges over the four faces that touch its ends, see [`across`].
    across: f32,
    /// Bed and depth of the cell before.
    before: [f32; 2],
    /// Bed and depth of the cell after.
    after: [f32; 2],
    rough: f32,
}

/// Stages 2 and 3, a face: its new discharge (Bates et al. 2010; de Almeida et al. 2012, eq. 9)
///
/// `Q' = (Q̂·(1 − friction)^dt·s + P) / (s + D·|q| + 3·dt·ν/h²)`, `s ≈ √(1 + D·|P|/w)`
///
/// with the push `P = w·g·h·dt·(η_before − η_after)/l`, the drag `D = g·dt·n²/h^(7/3)` and `h` the
/// depth over the face; `s = 1` gives Bates et al.'s eq. 11. Drag is in the denominator, so it is
/// stable.
#[inline(always)]
fn drive(face: Face, axis: Direction, c: &Coefficients) -> f32 {
    let (before, after) = (surface(face.before), surface(face.after));
    let depth = depth_over(face.before[0], face.after[0], before, after);
    let wet = greater(depth, FILM);
    let kept = filter(face.q, face.along, c.theta) * c.keep;
    let push = axis.push * wet * fall(face.before, face.after);
    let speed = length(face.q * axis.unit, face.across * axis.unit_across);
    let third = inverse_cube_root(wet);
    let inverse_square = third * third * third * (third * third * third);
    // A factor, not a branch around all of it: with one the loop is not vectorised.
    let open = if depth > FILM { 1.0 } else { 0.0 };
    let drag = face.rough * third * inverse_square;
    open * rubbed([kept, push], [drag, c.viscous * inverse_square], speed, axis.unit)
}

/// The discharge after a step from `kept`, pushed by `push`, with Manning's drag `drag` per unit
/// discharge and a viscous drag `viscous`; `speed` is the unit discharge before (m²/s), `unit` that
/// of a discharge of 1 (1/m). This solves Riccati's equation `q' = s − k·q²` along a line, as in
/// `shallow/ground.rs`: films reach their normal velocity and no more. The root need not be exact.
#[inline(always)]
fn rubbed([kept, push]: [f32; 2], [drag, viscous]: [f32; 2], speed: f32, unit: f32) -> f32 {
    let s = near_root(1.0 + drag * (push * unit).abs());
    (kept * s + push) / (s + (drag * speed + viscous))
}

/// `√x` from 1 up, up to 6 % more, by half of the exponent; exactly 1 at 1, where it has the root's slope.
#[inline(always)]
fn near_root(x: f32) -> f32 {
    f32::from_bits((x.to_bits() >> 1) + (1.0_f32.to_bits() >> 1))
}

/// Depth over a face: of the higher surface over the higher bed; not above 0 if water is too low to
/// get over.
#[inline(always)]
fn depth_over(bed_before: f32, bed_after: f32, before: f32, after: f32) -> f32 {
    greater(before, after) - greater(bed_before, bed_after)
}

/// `Q̂ = θ·Q + ½(1 − θ)·(Q₋ + Q₊)` smooths central differences.
#[inline(always)]
fn filter(q: f32, [behind, ahead]: [f32; 2], [theta, beside]: [f32; 2]) -> f32 {
    theta * q + beside * (behind + ahead)
}

/// Sum of the four discharges over the faces at a face's ends, in pairs as in
/// [`Around`](crate::lattice::Around), so that mirrored, transposed or turned worlds agree.
#[inline(always)]
fn across(first: [f32; 2], second: [f32; 2], sign: f32) -> f32 {
    (first[0] + first[1]) + sign * (second[0] + second[1])
}

#[inline(always)]
fn length(along: f32, across: f32) -> f32 {
    (along * along + across * across).sqrt()
}

/// `g·dt·n²` of a face, `n` the mean of its two cells' roughness.
#[inline(always)]
fn rough(gravity: f32, before: f32, after: f32) -> f32 {
    let n = 0.5 * (before + after);
    gravity * (n * n)
}

/// The greater of two numbers; unlike `f32::max` one instruction.
#[inline(always)]
fn greater(a: f32, b: f32) -> f32 {
    if a > b { a } else { b }
}

/// The column of a face looked at from the seam of west and east. Slanted southern faces on it may
/// be stored at the east end.
fn beside_seam(
    axis: FaceAxis,
    (x, y): (usize, usize),
    (nx, ny): (usize, usize),
    joined_y: bool,
) -> usize {
    let south = axis == FaceAxis::Z && y == ny && !joined_y;
    if south && x == 0 && Hex::z_offset(ny - 1) == 1 { nx } else { x }
}

fn drive_seams(old: &State, next: &mut Discharges, step: &Step, c: &Coefficients) {
    let (nx, ny) = (old.bed.nx(), old.bed.ny());
    let joined = step.edges.joined;
    for &axis in step.lattice.face_axes() {
        for places in joined.seams(axis, nx, ny) {
            let (x, y) = places[0];
            let [before, after] = joined.adjacent_cells(axis, places[0], nx, ny);
            let cell = |at: (usize, usize)| [old.bed[at], old.depth[at]];
            let closed = |at: (usize, usize)| old.closed.contains(at.0, at.1);
            let n = |at: (usize, usize)| step.roughness.at(at.0, at.1);
            let q = |(axis, offset): FaceOffset| {
                let (x, y) = joined.wrap(offset.from(x, y), nx, ny);
                old.discharge(axis)[(beside_seam(axis, (x, y), (nx, ny), joined.y), y)]
            };
            let stencil = step.lattice.face_stencil(axis, y);
            let face = Face {
                q: old.discharge(axis)[places[0]],
                along: stencil.along.map(q),
                across: across(stencil.first.map(q), stencil.second.map(q), stencil.sign),
                before: cell(before),
                after: cell(after),
                rough: rough(c.gravity, n(before), n(after)),
            };
            let shut = closed(before) || closed(after);
            let q = if shut { 0.0 } else { drive(face, c.of(axis), c) };
            for place in places {
                next.of(axis)[place] = q;
            }
        }
    }
}

/// Stage 1: sets every outermost face, but those on seams.
fn set_boundary(state: &mut State, step: &Step, c: &Coefficients) {
    let celerity = |depth: f32, _: Edge| (step.params.gravity as f32 * depth).sqrt();
    set_outermost_faces(state, step, celerity, |outer| {
        let n = match step.roughness {
            Roughness::Uniform(n) => n,
            Roughness::Map(map) => map[outer.cell],
        };
        // Outside the ground goes on level, and so does the stream.
        let face = Face {
            q: outer.into,
            along: [outer.into; 2],
            across: 0.0,
            before: [outer.bed, greater(outer.level - outer.bed, 0.0)],
            after: [outer.bed, outer.depth],
            rough: rough(c.gravity, n, n),
        };
        drive(face, if outer.edge.is_x() { c.x } else { c.y }, c)
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn water_passes_over_the_higher_bed_only_as_deep_as_it_stands_there() {
        let over = |a: [f32; 2], b: [f32; 2]| depth_over(a[0], b[0], surface(a), surface(b));
        assert_eq!(over([0.0, 2.0], [0.0, 1.0]), 2.0);
        assert_eq!(over([0.0, 2.0], [1.5, 0.0]), 0.5);
        assert_eq!(over([5.0, 0.25], [1.0, 2.0]), 0.25);
        assert_eq!(over([0.0, 2.0], [3.0, 0.0]), 0.0, "a dry bank above the water");
    }

    #[test]
    fn what_rests_on_a_slope_comes_to_its_normal_velocity_in_a_long_step_and_no_further() {
        // A film of 2 mm on 5 %, n = 0.05, in steps of 100 s: D and P are so large that it forgets how it began.
        let (h, n, slope, dt) = (2e-3_f32, 0.05_f32, 0.05_f32, 100.0_f32);
        let normal = h.powf(5.0 / 3.0) * slope.sqrt() / n;
        let (push, drag) = (9.81 * dt * h * slope, 9.81 * dt * n * n / h.powf(7.0 / 3.0));
        let first = rubbed([0.0, push], [drag, 0.0], 0.0, 1.0);
        assert!((0.94..1.0).contains(&(first / normal)), "{first} {normal}");
        let later = (0..3).fold(first, |q, _| rubbed([q, push], [drag, 0.0], q, 1.0));
        assert!((later / normal - 1.0).abs() < 1e-3, "{later} {normal}");
        assert_eq!(rubbed([2.0, 0.0], [0.5, 0.0], 2.0, 1.0), 1.0, "without a push it is exact");
        for x in [1.0_f32, 1.5, 2.0, 3.9, 4.0, 1e3, 1e20] {
            let off = near_root(x) / x.sqrt() - 1.0;
            assert!((0.0..0.0607).contains(&off), "{x}: {off}");
        }
    }

    #[test]
    fn the_filter_leaves_an_even_stream_as_it_is() {
        assert_eq!(filter(2.0, [2.0, 2.0], [0.5, 0.25]), 2.0);
        assert_eq!(filter(2.0, [0.0, 1.0], [1.0, 0.0]), 2.0);
        assert_eq!(filter(1.0, [-1.0, -1.0], [0.5, 0.25]), 0.0);
    }
}
