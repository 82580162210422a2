//! The formulas of [`Physics::Pipes`](super::Physics::Pipes), one small function each. Both the plain
//! loops ([`super::reference`]) and the row-parallel ones ([`super::rows`]) enter them, so that they
//! differ in order and memory, never in arithmetic.
//!
//! Sources: O'Brien & Hodgins 1995; Mei, Decaudin & Hu 2007; Šťava et al. 2008.

use super::params::Params;
use crate::lattice::Square;

/// What stays the same over a whole step, worked out once.
#[derive(Clone, Copy, Debug)]
pub(super) struct Coefficients {
    /// The part of a discharge that friction leaves, `(1 − friction)^dt`.
    pub(super) keep: f32,
    /// `g·dt·A/dx` (m²/s): discharge gained per metre of surface difference across an x-face.
    pub(super) push_x: f32,
    /// `g·dt·A/dy`, likewise across a y-face.
    pub(super) push_y: f32,
    /// `3·dt·ν` (m²), or `None` for a liquid without viscosity.
    pub(super) drag: Option<f32>,
    /// `dt/(dx·dy)` (s/m²): turns a discharge into a depth moved.
    pub(super) to_depth: f32,
}

impl Coefficients {
    pub(super) fn new(params: &Params, lattice: &Square, dt: f64) -> Self {
        let push = params.gravity * dt * params.pipe_area;
        Self {
            // libm, not the platform's pow: the same bits everywhere.
            keep: libm::pow(1.0 - params.friction, dt) as f32,
            push_x: (push / lattice.dx()) as f32,
            push_y: (push / lattice.dy()) as f32,
            drag: (params.viscosity > 0.0).then_some((3.0 * dt * params.viscosity) as f32),
            to_depth: (dt / lattice.cell_area()) as f32,
        }
    }
}

/// The longest step (s) for which the pipes' waves stay bounded: `2/ω` of the shortest wave on the
/// grid, where `ω² = 4·g·A/(dx·dy)·(1/dx + 1/dy)`.
pub(super) fn stable_dt(params: &Params, lattice: &Square) -> f64 {
    let stiffness = params.gravity * params.pipe_area / lattice.cell_area()
        * (1.0 / lattice.dx() + 1.0 / lattice.dy());
    SAFETY / stiffness.sqrt()
}

/// At the limit itself the shortest wave neither grows nor fades; this keeps it on the safe side.
const SAFETY: f64 = 0.95;

/// Stage 2, a face: gravity drives water from the higher surface to the lower.
#[inline(always)]
pub(super) fn accelerate(q: f32, keep: f32, push: f32, before: f32, after: f32) -> f32 {
    q * keep + push * (before - after)
}

/// Stage 3, a face: a thin layer of a viscous liquid drags over its bed. `upstream` is the depth of
/// the cell that the discharge leaves.
#[inline(always)]
pub(super) fn drag(q: f32, upstream: f32, drag: f32) -> f32 {
    let h2 = upstream * upstream;
    q * (h2 / (h2 + drag))
}

/// Stage 4, a cell: the part of its outgoing discharges that its water can feed.
///
/// [`MARGIN`] leaves room for the rounding of the parts, so that they never add up to more than
/// `depth` itself.
#[inline(always)]
pub(super) fn fed_part(depth: f32, west: f32, east: f32, north: f32, south: f32, c: f32) -> f32 {
    // Sums are paired so that mirrored and transposed worlds add up to the same bits.
    let out = (positive(-west) + positive(east)) + (positive(-north) + positive(south));
    let wanted = out * c;
    let there = depth * MARGIN;
    if wanted > there { there / wanted } else { 1.0 }
}

/// 1 − 2⁻²⁰, more than the dozen roundings between [`fed_part`] and [`settle`] can add up to.
const MARGIN: f32 = 1.0 - 1.0 / 1_048_576.0;

/// Stage 5, a face: the depth (m, signed as `q`) that crosses it, rounded towards zero to what both
/// cells can hold.
///
/// A float near `deeper`, the greater depth of the face's two cells, is a multiple of some power of
/// two. A transfer that is a coarser multiple of it leaves one cell and reaches the other without any
/// rounding, so what one loses the other gains to the last bit. (Only a cell that grows past the next
/// power of two is rounded then, once, and to nearest: small errors that do not lean to one side.)
/// Adding and taking away `4·deeper` does that rounding; `deeper·2⁻²¹`, taken off before, turns
/// rounding to nearest into rounding down, so that a cell never gives what it does not have.
#[inline(always)]
pub(super) fn transfer(q: f32, deeper: f32, to_depth: f32) -> f32 {
    let wished = (q * to_depth).abs();
    let coarse = 4.0 * deeper;
    let moved = (coarse + positive(wished - deeper * ROUND_DOWN)) - coarse;
    moved.copysign(q)
}

/// 2⁻²¹.
const ROUND_DOWN: f32 = 1.0 / 2_097_152.0;

/// Stage 5, a cell: its new depth. What leaves goes first: it is never more than `depth`, so no
/// rounding can make the result negative.
#[inline(always)]
pub(super) fn settle(depth: f32, west: f32, east: f32, north: f32, south: f32) -> f32 {
    let out = (positive(-west) + positive(east)) + (positive(-north) + positive(south));
    let into = (positive(west) + positive(-east)) + (positive(north) + positive(-south));
    (depth - out) + into
}

/// The part of a number above 0. Unlike `f32::max` it is one instruction, and which zero comes out
/// of two zeros is the same on every machine.
#[inline(always)]
fn positive(value: f32) -> f32 {
    if value > 0.0 { value } else { 0.0 }
}

/// The deeper of two cells; one instruction, as [`positive`].
#[inline(always)]
pub(super) fn deeper(a: f32, b: f32) -> f32 {
    if a > b { a } else { b }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_transfer_is_felt_alike_by_both_cells(
            a in 0.0f32..50.0, b in 0.0f32..50.0, part in 0.0f32..1.0
        ) {
            let moved = transfer(a * part, a.max(b), 1.0);
            prop_assert!(moved >= 0.0 && moved <= a * part);
            let (a2, b2) = (a - moved, b + moved);
            let off = (f64::from(a2) + f64::from(b2)) - (f64::from(a) + f64::from(b));
            let same_power_of_two = a2.log2().floor() <= a.log2().floor()
                && b2.log2().floor() <= b.log2().floor();
            if same_power_of_two {
                prop_assert_eq!(off, 0.0);
            } else {
                prop_assert!(off.abs() <= f64::from(a.max(b2)) * f64::from(f32::EPSILON));
            }
        }

        #[test]
        fn a_cell_never_gives_more_than_it_has(
            h in 0.0f32..20.0, near in proptest::array::uniform4(0.0f32..20.0),
            q in proptest::array::uniform4(-40.0f32..40.0)
        ) {
            let part = fed_part(h, q[0], q[1], q[2], q[3], 0.7);
            let leaving = |q: f32, outward: f32| if q * outward > 0.0 { q * part } else { 0.0 };
            let moved: Vec<f32> = [-1.0, 1.0, -1.0, 1.0]
                .into_iter()
                .enumerate()
                .map(|(i, outward)| transfer(leaving(q[i], outward), h.max(near[i]), 0.7))
                .collect();
            prop_assert!(settle(h, moved[0], moved[1], moved[2], moved[3]) >= 0.0);
        }
    }

    #[test]
    fn an_empty_cell_feeds_nothing_and_a_full_one_all() {
        assert_eq!(fed_part(0.0, 0.0, 5.0, 0.0, 0.0, 0.1), 0.0);
        assert_eq!(fed_part(0.0, 1.0, -5.0, 0.0, 0.0, 0.1), 1.0);
        assert_eq!(fed_part(9.0, -1.0, 5.0, 0.0, 0.0, 0.1), 1.0);
    }

    #[test]
    fn viscosity_stops_thin_layers_and_lets_deep_ones_pass() {
        assert_eq!(drag(1.0, 0.0, 0.3), 0.0);
        assert!(drag(1.0, 0.01, 0.3) < 1e-3);
        assert!(drag(1.0, 100.0, 0.3) > 0.999);
    }
}
