//! The formulas of stages 4 and 5, one small function each: how discharges over faces become depths in
//! cells. All levels of physics share them; a level only says what the discharges are. The plain loops
//! ([`super::plain`]) and the sweep ([`super::sweep`]) both enter them, so that they differ in
//! order and memory, never in arithmetic.

/// Stage 4, a cell: the part of its outgoing discharges that its water can feed. `pairs` are the discharges
/// over its faces in pairs, the one to the west or north first: two pairs of a square, three of a hexagon
/// (west and east, y-faces, z-faces).
///
/// [`MARGIN`] leaves room for the rounding of the parts, so that they never add up to more than
/// `depth` itself. What is less than [`TRACE`] stays: near the smallest numbers there are, rounding takes any part.
#[inline(always)]
pub(super) fn fed_part<const N: usize>(depth: f32, pairs: [[f32; 2]; N], c: f32) -> f32 {
    let wanted = outflow(pairs) * c;
    let there = positive(depth - TRACE) * MARGIN;
    if wanted > there { there / wanted } else { 1.0 }
}

/// What leaves a cell over its faces.
#[inline(always)]
pub(super) fn outflow<const N: usize>(pairs: [[f32; 2]; N]) -> f32 {
    total(pairs, |[before, after]| positive(-before) + positive(after))
}

/// What enters a cell over its faces.
#[inline(always)]
fn inflow<const N: usize>(pairs: [[f32; 2]; N]) -> f32 {
    total(pairs, |[before, after]| positive(before) + positive(-after))
}

/// The sum over all pairs of faces. The last two come first, so that worlds that are mirrored, transposed
/// (squares) or turned by half a turn (hexagons) add up to the same bits. Not `<[_]>::map`, whose array in
/// between keeps the loops over cells from being vectorised.
#[inline(always)]
fn total<const N: usize>(pairs: [[f32; 2]; N], part: impl Fn([f32; 2]) -> f32) -> f32 {
    let mut sum = part(pairs[N - 1]);
    for i in (0..N - 1).rev() {
        sum += part(pairs[i]);
    }
    sum
}

/// Stages 4 and 5, a face: its discharge, scaled by what the cell that it leaves can feed, and the depth (m, signed
/// as the discharge) that crosses it. `fed` and `h` are those of the cells before and after it; beyond the edge of
/// the grid they are 1 and 0.
#[inline(always)]
pub(super) fn cross(q: f32, fed: [f32; 2], h: [f32; 2], to_depth: f32) -> (f32, f32) {
    let q = scaled(q, fed[0], fed[1]);
    (q, transfer(q, deeper(h[0], h[1]), to_depth))
}

/// A discharge scaled by what the cell that it leaves can feed. Both products are worked out: to choose
/// between two numbers vectorises, to choose which one to read does not.
#[inline(always)]
fn scaled(q: f32, before: f32, after: f32) -> f32 {
    let (forth, back) = (q * before, q * after);
    if q > 0.0 { forth } else { back }
}

/// 1 − 2⁻²⁰, more than the dozen roundings between [`fed_part`] and [`update_depth`] can add up to.
const MARGIN: f32 = 1.0 - 1.0 / 1_048_576.0;

/// 2⁻¹²⁰ m. It is nothing beside any depth above 2⁻⁹⁶ m: what that can feed is the same to the bit without it.
const TRACE: f32 = 7.523_164e-37;

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
pub(super) fn update_depth<const N: usize>(depth: f32, pairs: [[f32; 2]; N]) -> f32 {
    (depth - outflow(pairs)) + inflow(pairs)
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

    #[test]
    fn a_trace_is_a_power_of_two() {
        assert_eq!(TRACE, 2.0_f32.powi(-120));
    }

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
            h in 0.0f32..20.0, near in proptest::array::uniform6(0.0f32..20.0),
            q in proptest::array::uniform6(-40.0f32..40.0), thinner in 0i32..150
        ) {
            let h = h * 2.0_f32.powi(-thinner.min(75)) * 2.0_f32.powi(-(thinner - 75).max(0));
            let pairs = [[q[0], q[1]], [q[2], q[3]], [q[4], q[5]]];
            let part = fed_part(h, pairs, 0.7);
            let leaving = |q: f32, outward: f32| if q * outward > 0.0 { q * part } else { 0.0 };
            let moved = |i: usize, outward: f32| {
                transfer(leaving(q[i], outward), h.max(near[i]), 0.7)
            };
            let moved = [0, 2, 4].map(|i| [moved(i, -1.0), moved(i + 1, 1.0)]);
            prop_assert!(update_depth(h, moved) >= 0.0);
        }
    }

    #[test]
    fn an_empty_cell_feeds_nothing_and_a_full_one_all() {
        assert_eq!(fed_part(0.0, [[0.0, 5.0], [0.0, 0.0]], 0.1), 0.0);
        assert_eq!(fed_part(0.0, [[1.0, -5.0], [0.0, 0.0]], 0.1), 1.0);
        assert_eq!(fed_part(9.0, [[-1.0, 5.0], [0.0, 0.0]], 0.1), 1.0);
    }
}
