//! The heat that water takes along over the edges between the columns of a pool. What a column gives is the same part of the heat
//! of both its halves as of its water, by how much it had before the step.

use super::turn::TASK;
use crate::parallel;
use multiversion::multiversion;

/// Columns whose edges are worked out before any of their heat changes.
const BLOCK: usize = 256;

/// The part `moved/of` of an amount of heat, to the nearest unit, of two as near the even one; of nothing that moves 0.
pub(super) fn part(heat: i64, moved: i32, of: i32) -> i64 {
    (heat as f64 * (f64::from(moved) / f64::from(of))).round_ties_even() as i64
}

/// The same by additions and the bits of numbers alone, which every processor has for vectors: conversions of 64 bits most have not.
/// Amounts are below 2⁶².
#[inline(always)]
fn part_in_vectors(heat: i64, moved: i32, of: i32) -> i64 {
    whole_in_vectors(float_in_vectors(heat) * (f64::from(moved) / f64::from(of)))
}

/// `x as f64`: its halves are put into the lowest digits of 2⁵² and of 2⁸⁴ + 2⁶³; the sum of what they stand for is rounded once.
#[inline(always)]
fn float_in_vectors(x: i64) -> f64 {
    const LOW: f64 = (1_u64 << 52) as f64;
    const HIGH: f64 = LOW * (1_u64 << 32) as f64 + (1_u64 << 63) as f64;
    let bits = x as u64;
    let low = f64::from_bits(LOW.to_bits() | (bits & 0xFFFF_FFFF));
    let high = f64::from_bits(HIGH.to_bits() ^ (bits >> 32));
    (high - (HIGH + LOW)) + low
}

/// `x.round_ties_even() as i64` below 2⁶²; what is no number is 0. The nearest whole number to one of this size is the lowest digits of
/// what comes of adding 1.5 · 2⁵²; larger ones are cut in two.
#[inline(always)]
fn whole_in_vectors(x: f64) -> i64 {
    const UNITS: f64 = 1.5 * (1_u64 << 52) as f64;
    const CUT: f64 = (1_u64 << 32) as f64;
    let x = if x.is_nan() { 0.0 } else { x };
    let digits = |sum: f64| sum.to_bits().wrapping_sub(UNITS.to_bits()) as i64;
    let high = x * (1.0 / CUT) + UNITS;
    let low = (x - (high - UNITS) * CUT) + UNITS;
    (digits(high) << 32) + digits(low)
}

/// Neighbouring columns of a pool.
pub(super) struct Stretch<'a> {
    /// What each has after the step, what of it does not flow, and what went over its edge on the east (quanta); over that of the last
    /// one nothing does.
    pub(super) depth: &'a [i32],
    pub(super) held: &'a [i32],
    pub(super) fluxes: &'a [i32],
    /// What came over the edge on the west of the first (quanta).
    pub(super) west: i32,
    /// Heat of the halves (units).
    pub(super) lower: &'a mut [i64],
    pub(super) upper: &'a mut [i64],
}

impl Stretch<'_> {
    /// The water that a column had before the step.
    fn before(&self, c: usize) -> i32 {
        let west = if c == 0 { self.west } else { self.fluxes[c - 1] };
        self.depth[c] + self.fluxes[c] - west - self.held[c]
    }

    /// The heats that go east over the edge on the east of a column.
    fn over(&self, c: usize) -> [i64; 2] {
        let moved = self.fluxes[c];
        let donor = if moved >= 0 { c } else { c + 1 };
        let of = self.before(donor);
        [self.lower[donor], self.upper[donor]].map(|heat| part(heat, moved, of))
    }

    /// Lets the heat go, edge by edge: the oracle.
    pub(super) fn carry_plain(&mut self) {
        let n = self.depth.len();
        let heats: Vec<_> = (0..n - 1).map(|c| self.over(c)).collect();
        for (c, [lower, upper]) in heats.into_iter().enumerate() {
            self.lower[c] -= lower;
            self.upper[c] -= upper;
            self.lower[c + 1] += lower;
            self.upper[c + 1] += upper;
        }
    }

    /// The same in vectors, and by threads if it is long; `came` and `goes` are the heats over its edges on the west and on the east.
    pub(super) fn carry(self, came: [i64; 2], goes: [i64; 2]) {
        let n = self.depth.len();
        if n <= BLOCK {
            let Self { depth, held, fluxes, west, lower, upper } = self;
            return block(depth, held, fluxes, west, lower, upper, came, goes);
        }
        // Whole blocks, and a task's worth where threads are to take turns.
        let middle = (n / 2).next_multiple_of(BLOCK);
        let between = self.over(middle - 1);
        let (depth, depths) = self.depth.split_at(middle);
        let (held, helds) = self.held.split_at(middle);
        let (fluxes, more) = self.fluxes.split_at(middle);
        let (lower, lowers) = self.lower.split_at_mut(middle);
        let (upper, uppers) = self.upper.split_at_mut(middle);
        let next = fluxes[middle - 1];
        let first = Stretch { depth, held, fluxes, west: self.west, lower, upper };
        let second = Stretch {
            depth: depths,
            held: helds,
            fluxes: more,
            west: next,
            lower: lowers,
            upper: uppers,
        };
        if n > TASK {
            parallel::join(|| first.carry(came, between), || second.carry(between, goes));
        } else {
            first.carry(came, between);
            second.carry(between, goes);
        }
    }
}

/// Up to [`BLOCK`] columns; what goes over the edge on the east of the last one is known.
#[multiversion(targets = "simd")]
#[expect(clippy::too_many_arguments)] // Arguments are known to lie apart, which vectors need.
fn block(
    depth: &[i32],
    held: &[i32],
    fluxes: &[i32],
    west: i32,
    lower: &mut [i64],
    upper: &mut [i64],
    came: [i64; 2],
    goes: [i64; 2],
) {
    let n = depth.len();
    let (held, fluxes) = (&held[..n], &fluxes[..n]);
    let (lower, upper) = (&mut lower[..n], &mut upper[..n]);
    let mut water = [0_i32; BLOCK];
    let water = &mut water[..n];
    water[0] = depth[0] + fluxes[0] - west - held[0];
    for c in 1..n {
        water[c] = depth[c] + fluxes[c] - fluxes[c - 1] - held[c];
    }
    // What goes over the edge on the west of each column, and over that on the east of the last.
    let (mut lows, mut highs) = ([0_i64; BLOCK + 1], [0_i64; BLOCK + 1]);
    let (lows, highs) = (&mut lows[..=n], &mut highs[..=n]);
    ([lows[0], highs[0]], [lows[n], highs[n]]) = (came, goes);
    for c in 0..n - 1 {
        let [west, east] = [water[c], water[c + 1]];
        let [lower_west, lower_east] = [lower[c], lower[c + 1]];
        let [upper_west, upper_east] = [upper[c], upper[c + 1]];
        let (moved, from_east) = (fluxes[c], fluxes[c] < 0);
        let of = if from_east { east } else { west };
        let lower = if from_east { lower_east } else { lower_west };
        let upper = if from_east { upper_east } else { upper_west };
        lows[c + 1] = part_in_vectors(lower, moved, of);
        highs[c + 1] = part_in_vectors(upper, moved, of);
    }
    for c in 0..n {
        lower[c] += lows[c] - lows[c + 1];
        upper[c] += highs[c] - highs[c + 1];
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_vectors_can_do_is_what_the_standard_library_does() {
        let bits = |k: u64| k.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let amounts = (0..200_000).map(|k| (bits(k) as i64 >> 1) >> (k % 60));
        for x in amounts.chain((40..62).flat_map(|k| [-1, 0, 1].map(|more| (1 << k) + more))) {
            for x in [x, -x] {
                assert_eq!(float_in_vectors(x), x as f64, "{x}");
                for half in [0.0, 0.25, 0.5, 0.75] {
                    let y = x as f64 / 1024.0 + half;
                    for y in [y, y.next_up(), y.next_down()] {
                        assert_eq!(whole_in_vectors(y), y.round_ties_even() as i64, "{y:e}");
                    }
                }
            }
        }
        assert_eq!(part_in_vectors(12345, 0, 0), 0);
    }
}
