//! Formulas of stages 4 and 5 of a time step, which limit the outflow of cells and convert
//! discharges to new depths. The reference loops ([`crate::flow::solver::reference`]) and the
//! optimised path ([`crate::flow::solver::sweep`]) use them for all physics models.

/// Returns the fraction of the outflow of a cell that the water in the cell can supply (the outflow
/// limiter, stage 4 of a time step).
///
/// `pairs` contains the discharges (m³/s) through each pair of opposite faces, the western or
/// northern face first: two pairs on squares, three on hexagons (x-, y- and z-faces). `c` converts
/// a discharge to a depth (s/m²). [`OUTFLOW_MARGIN`] allows for rounding, and a depth of
/// [`RETAINED_DEPTH`] always remains in the cell.
#[inline(always)]
pub(in crate::flow) fn outflow_scale<const N: usize>(
    depth: f32,
    pairs: [[f32; 2]; N],
    c: f32,
) -> f32 {
    let [requested, available] = requested_and_available_outflow(depth, pairs, c);
    if requested > available { available / requested } else { 1.0 }
}

/// Returns two outflows of a cell as depths (m): the outflow that the discharges request, and the
/// outflow that the water in the cell allows.
#[inline(always)]
fn requested_and_available_outflow<const N: usize>(
    depth: f32,
    pairs: [[f32; 2]; N],
    depth_per_discharge: f32,
) -> [f32; 2] {
    [
        total_outflow(pairs) * depth_per_discharge,
        positive_part(depth - RETAINED_DEPTH) * OUTFLOW_MARGIN,
    ]
}

/// Returns the sum of the discharges out of a cell (m³/s).
#[inline(always)]
pub(in crate::flow) fn total_outflow<const N: usize>(pairs: [[f32; 2]; N]) -> f32 {
    sum_pairs(pairs, |[before, after]| positive_part(-before) + positive_part(after))
}

/// Returns the sum of `term(pair)` over all pairs of opposite faces of a cell. The last two pairs
/// are added first. Mirrored worlds, transposed worlds of squares and worlds of hexagons rotated by
/// 180° therefore give bit-identical results. The sum is written as a loop because `<[_]>::map`
/// would prevent vectorisation.
#[inline(always)]
fn sum_pairs<const N: usize>(pairs: [[f32; 2]; N], term: impl Fn([f32; 2]) -> f32) -> f32 {
    let mut sum = term(pairs[N - 1]);
    for i in (0..N - 1).rev() {
        sum += term(pairs[i]);
    }
    sum
}

/// Returns the discharge through a face, multiplied by the outflow scale of its upstream cell
/// (stage 4 of a time step). `scale` contains the outflow scales of the cells before and after the
/// face; the scale beyond an edge is 1. Both products are computed, so that loops vectorise.
#[inline(always)]
pub(in crate::flow) fn scaled_discharge(q: f32, scale: [f32; 2]) -> f32 {
    let (forth, back) = (q * scale[0], q * scale[1]);
    if q > 0.0 { forth } else { back }
}

/// Safety factor on the available outflow of a cell, 1 − 2⁻²⁰. Its distance from 1 exceeds the
/// accumulated error of the dozen roundings between [`outflow_scale`] and [`update_depth`].
const OUTFLOW_MARGIN: f32 = 1.0 - 1.0 / 1_048_576.0;

/// Depth (m) that always remains in a cell, 2⁻⁶⁰ m. This depth is below the resolution of depths
/// above 2⁻³⁶ m. Dry land keeps films of 2⁻⁸⁰ to 2⁻⁶⁰ m, which avoids slow subnormal numbers.
const RETAINED_DEPTH: f32 = 8.673_617_4e-19;

/// Returns the new depth and the new rounding remainder of a cell (m; stage 5 of a time step),
/// given the old depth and remainder. `pairs` contains the discharges (m³/s) through each pair of
/// opposite faces, and `c` converts a discharge to a depth (s/m²).
///
/// The depth that crosses a face, discharge × `c`, is the same number on both sides. The part of
/// the new depth below `f32` resolution becomes the remainder, so the sum of both is exact to about
/// 2⁻⁴⁸. A negative sum gives depth 0 and a negative remainder.
#[inline(always)]
pub(in crate::flow) fn update_depth<const N: usize>(
    [depth, remainder]: [f32; 2],
    pairs: [[f32; 2]; N],
    c: f32,
) -> [f32; 2] {
    let (mut came, mut lost) = net_inflow(pairs[N - 1], c);
    for i in (0..N - 1).rev() {
        let (more, lost_there) = net_inflow(pairs[i], c);
        let (sum, lost_here) = two_sum(came, more);
        (came, lost) = (sum, (lost + lost_there) + lost_here);
    }
    let (sum, lost_here) = two_sum(depth, came);
    let rest = (lost + lost_here) + remainder;
    let depth = positive_part(sum + rest);
    [depth, (sum - depth) + rest]
}

/// Returns the net inflow through two opposite faces as a depth (m), and the rounding error of this
/// value.
#[inline(always)]
fn net_inflow([before, after]: [f32; 2], depth_per_discharge: f32) -> (f32, f32) {
    two_sum(before * depth_per_discharge, -after * depth_per_discharge)
}

/// Returns the rounded sum of two numbers and its exact rounding error. Either number may be the
/// larger one (Knuth 1969, §4.2.2).
#[inline(always)]
fn two_sum(a: f32, b: f32) -> (f32, f32) {
    let sum = a + b;
    let from_b = sum - a;
    (sum, (a - (sum - from_b)) + (b - from_b))
}

/// Returns the positive part of a number. Unlike `f32::max`, this function compiles to one
/// instruction and gives the same sign of zero on every platform.
#[inline(always)]
fn positive_part(value: f32) -> f32 {
    if value > 0.0 { value } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_retained_depth_is_a_power_of_two() {
        assert_eq!(RETAINED_DEPTH, 2.0_f32.powi(-60));
    }

    proptest! {
        #[test]
        fn depth_and_remainder_conserve_volume(
            h in 0.0f32..50.0, part in -0.5f32..0.5, thinner in 0i32..60,
            q in proptest::array::uniform6(-8.0f32..8.0),
        ) {
            let h = h * 2.0_f32.powi(-thinner);
            let remainder = part * (h.next_up() - h);
            let c = 0.7;
            // Outflow that the available depth allows.
            let requested = [[q[0], q[1]], [q[2], q[3]], [q[4], q[5]]];
            let part = outflow_scale(h, requested, c);
            let pairs = requested.map(|[before, after]| {
                [scaled_discharge(before, [1.0, part]), scaled_discharge(after, [part, 1.0])]
            });
            let [after, rest] = update_depth([h, remainder], pairs, c);
            let crossed = |[before, after]: &[f32; 2]| f64::from(before * c) - f64::from(after * c);
            let came: f64 = pairs.iter().map(crossed).sum();
            let before = f64::from(h) + f64::from(remainder);
            let off = f64::from(after) + f64::from(rest) - (before + came);
            let greatest = q.iter().fold(h, |max, q| max.max(q.abs()));
            prop_assert!(off.abs() <= f64::from(greatest) * 2.0_f64.powi(-44), "{off:e}");
            prop_assert!(after >= 0.0);
            // Once the water is at rest, the state no longer changes.
            if after > 0.0 {
                let still = update_depth([after, rest], [[0.0; 2]; 3], c);
                prop_assert_eq!(still, [after, rest]);
            }
        }

        #[test]
        fn outflow_never_exceeds_the_depth(
            h in 0.0f32..20.0,
            q in proptest::array::uniform6(-40.0f32..40.0), thinner in 0i32..150
        ) {
            let h = h * 2.0_f32.powi(-thinner.min(75)) * 2.0_f32.powi(-(thinner - 75).max(0));
            let pairs = [[q[0], q[1]], [q[2], q[3]], [q[4], q[5]]];
            let part = outflow_scale(h, pairs, 0.7);
            let leaves = |q: f32, outward: f32| {
                let scale = if q * outward > 0.0 { part } else { 0.0 };
                f64::from((scaled_discharge(q, [scale; 2]) * 0.7).abs())
            };
            let all: f64 = (0..6).map(|i| leaves(q[i], if i % 2 == 0 { -1.0 } else { 1.0 })).sum();
            prop_assert!(all <= f64::from(h), "{all:e} of {h:e}");
        }
    }

    #[test]
    fn the_outflow_scale_is_zero_for_an_empty_cell_and_one_for_a_full_cell() {
        assert_eq!(outflow_scale(0.0, [[0.0, 5.0], [0.0, 0.0]], 0.1), 0.0);
        assert_eq!(outflow_scale(0.0, [[1.0, -5.0], [0.0, 0.0]], 0.1), 1.0);
        assert_eq!(outflow_scale(9.0, [[-1.0, 5.0], [0.0, 0.0]], 0.1), 1.0);
    }
}
