//! The formulas of stages 4 and 5: how discharges over faces become depths. All physics, the plain
//! loops ([`super::plain`]) and the sweep ([`super::sweep`]) share them.

/// Stage 4, a cell: the part of its outgoing discharges that its water can feed. `pairs` are the
/// discharges over opposite faces, the west or north first: two pairs of a square, three of a
/// hexagon (x-, y-, z-faces). [`MARGIN`] leaves room for rounding; less than [`TRACE`] stays.
#[inline(always)]
pub(super) fn fed_part<const N: usize>(depth: f32, pairs: [[f32; 2]; N], c: f32) -> f32 {
    let [wanted, there] = asked(depth, pairs, c);
    if wanted > there { there / wanted } else { 1.0 }
}

#[inline(always)]
fn asked<const N: usize>(depth: f32, pairs: [[f32; 2]; N], c: f32) -> [f32; 2] {
    [outflow(pairs) * c, positive(depth - TRACE) * MARGIN]
}

#[inline(always)]
pub(super) fn outflow<const N: usize>(pairs: [[f32; 2]; N]) -> f32 {
    total(pairs, |[before, after]| positive(-before) + positive(after))
}

/// The sum over all pairs of faces, the last two first, so that mirrored, transposed (squares) or
/// half-turned (hexagons) worlds get the same bits. With `<[_]>::map`, loops would not be
/// vectorised.
#[inline(always)]
fn total<const N: usize>(pairs: [[f32; 2]; N], part: impl Fn([f32; 2]) -> f32) -> f32 {
    let mut sum = part(pairs[N - 1]);
    for i in (0..N - 1).rev() {
        sum += part(pairs[i]);
    }
    sum
}

/// Stage 4, a face: its discharge, scaled by what its upstream cell can feed. `fed` are those of
/// the cells before and after, 1 beyond the edge. Both products are computed, so that loops
/// vectorise.
#[inline(always)]
pub(super) fn scaled(q: f32, fed: [f32; 2]) -> f32 {
    let (forth, back) = (q * fed[0], q * fed[1]);
    if q > 0.0 { forth } else { back }
}

/// 1 − 2⁻²⁰, more than the dozen roundings between [`fed_part`] and [`update_depth`] can add up to.
const MARGIN: f32 = 1.0 - 1.0 / 1_048_576.0;

/// 2⁻⁶⁰ m, lost beside any depth above 2⁻³⁶ m. Dry land keeps films of 2⁻⁸⁰ to 2⁻⁶⁰ m, so that no
/// numbers are subnormal, which are slow.
const TRACE: f32 = 8.673_617_4e-19;

/// Stage 5, a cell: its new depth and remainder from those before, `held`, and the discharges over
/// its faces. The depth that crosses a face, discharge × `c`, is the same number on both sides;
/// what a float of the new depth cannot show is the remainder, so their sum is exact to about 2⁻⁴⁸.
/// A negative sum gives depth 0 and a remainder that waits.
#[inline(always)]
pub(super) fn update_depth<const N: usize>(
    [depth, remainder]: [f32; 2],
    pairs: [[f32; 2]; N],
    c: f32,
) -> [f32; 2] {
    let (mut came, mut lost) = net(pairs[N - 1], c);
    for i in (0..N - 1).rev() {
        let (more, lost_there) = net(pairs[i], c);
        let (sum, lost_here) = two_sum(came, more);
        (came, lost) = (sum, (lost + lost_there) + lost_here);
    }
    let (sum, lost_here) = two_sum(depth, came);
    let rest = (lost + lost_here) + remainder;
    let depth = positive(sum + rest);
    [depth, (sum - depth) + rest]
}

/// What comes over two opposite faces, less what goes; and what rounding leaves of that.
#[inline(always)]
fn net([before, after]: [f32; 2], c: f32) -> (f32, f32) {
    two_sum(before * c, -after * c)
}

/// A sum, and exactly what rounding leaves of it (Knuth 1969, §4.2.2), whichever number is the larger.
#[inline(always)]
fn two_sum(a: f32, b: f32) -> (f32, f32) {
    let sum = a + b;
    let from_b = sum - a;
    (sum, (a - (sum - from_b)) + (b - from_b))
}

/// The part of a number above 0: one instruction, unlike `f32::max`, with the same zero on every
/// machine.
#[inline(always)]
fn positive(value: f32) -> f32 {
    if value > 0.0 { value } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_trace_is_a_power_of_two() {
        assert_eq!(TRACE, 2.0_f32.powi(-60));
    }

    proptest! {
        #[test]
        fn nothing_is_lost_between_depth_and_remainder(
            h in 0.0f32..50.0, part in -0.5f32..0.5, thinner in 0i32..60,
            q in proptest::array::uniform6(-8.0f32..8.0),
        ) {
            let h = h * 2.0_f32.powi(-thinner);
            let remainder = part * (h.next_up() - h);
            let c = 0.7;
            // What leaves, it has.
            let asked = [[q[0], q[1]], [q[2], q[3]], [q[4], q[5]]];
            let part = fed_part(h, asked, c);
            let pairs = asked.map(|[before, after]| {
                [scaled(before, [1.0, part]), scaled(after, [part, 1.0])]
            });
            let [after, rest] = update_depth([h, remainder], pairs, c);
            let crossed = |[before, after]: &[f32; 2]| f64::from(before * c) - f64::from(after * c);
            let came: f64 = pairs.iter().map(crossed).sum();
            let before = f64::from(h) + f64::from(remainder);
            let off = f64::from(after) + f64::from(rest) - (before + came);
            let greatest = q.iter().fold(h, |most, q| most.max(q.abs()));
            prop_assert!(off.abs() <= f64::from(greatest) * 2.0_f64.powi(-44), "{off:e}");
            prop_assert!(after >= 0.0);
            // Once nothing moves, nothing changes any more.
            if after > 0.0 {
                let still = update_depth([after, rest], [[0.0; 2]; 3], c);
                prop_assert_eq!(still, [after, rest]);
            }
        }

        #[test]
        fn a_cell_never_gives_more_than_it_has(
            h in 0.0f32..20.0,
            q in proptest::array::uniform6(-40.0f32..40.0), thinner in 0i32..150
        ) {
            let h = h * 2.0_f32.powi(-thinner.min(75)) * 2.0_f32.powi(-(thinner - 75).max(0));
            let pairs = [[q[0], q[1]], [q[2], q[3]], [q[4], q[5]]];
            let part = fed_part(h, pairs, 0.7);
            let leaves = |q: f32, outward: f32| {
                let fed = if q * outward > 0.0 { part } else { 0.0 };
                f64::from((scaled(q, [fed; 2]) * 0.7).abs())
            };
            let all: f64 = (0..6).map(|i| leaves(q[i], if i % 2 == 0 { -1.0 } else { 1.0 })).sum();
            prop_assert!(all <= f64::from(h), "{all:e} of {h:e}");
        }
    }

    #[test]
    fn an_empty_cell_feeds_nothing_and_a_full_one_all() {
        assert_eq!(fed_part(0.0, [[0.0, 5.0], [0.0, 0.0]], 0.1), 0.0);
        assert_eq!(fed_part(0.0, [[1.0, -5.0], [0.0, 0.0]], 0.1), 1.0);
        assert_eq!(fed_part(9.0, [[-1.0, 5.0], [0.0, 0.0]], 0.1), 1.0);
    }
}
