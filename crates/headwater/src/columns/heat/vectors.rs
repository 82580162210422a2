//! Conversions between 64-bit integers and floating-point numbers that the compiler can vectorise.
//! The results are bit-identical to those of the standard library.

/// Largest number below one half. Adding 0.5 instead would round numbers just below one half up
/// to 1.
const BELOW_HALF: f64 = 0.5 - f64::EPSILON / 4.0;

/// Rounds to the nearest integer, with ties away from zero. The result equals `x.round() as i64`,
/// but the function avoids a rounding instruction that some processors lack.
#[inline(always)]
pub(super) fn round_to_i64(x: f64) -> i64 {
    (x + BELOW_HALF.copysign(x)) as i64
}

/// Conversions between integer amounts of heat and floating-point numbers. The magnitude of an
/// amount must be below 2⁶².
pub(super) trait HeatConversion {
    fn to_f64(x: i64) -> f64;

    /// Rounds to the nearest integer, with ties away from zero.
    fn round_to_heat_units(x: f64) -> i64;
}

pub(super) struct Scalar;

/// Conversions that use only additions and bit operations, so that the compiler can vectorise them.
pub(super) struct Vectorized;

impl HeatConversion for Scalar {
    #[inline(always)]
    fn to_f64(x: i64) -> f64 {
        x as f64
    }

    #[inline(always)]
    fn round_to_heat_units(x: f64) -> i64 {
        round_to_i64(x)
    }
}

impl HeatConversion for Vectorized {
    /// Converts an integer to a floating-point number. The two 32-bit halves of `x` are inserted
    /// into the low mantissa bits of 2⁵² and of 2⁸⁴ + 2⁶³, so that only their sum is rounded.
    #[inline(always)]
    fn to_f64(x: i64) -> f64 {
        const LOW: f64 = (1_u64 << 52) as f64;
        const HIGH: f64 = LOW * (1_u64 << 32) as f64 + (1_u64 << 63) as f64;
        let bits = x as u64;
        let low = f64::from_bits(LOW.to_bits() | (bits & 0xFFFF_FFFF));
        let high = f64::from_bits(HIGH.to_bits() ^ (bits >> 32));
        (high - (HIGH + LOW)) + low
    }

    #[inline(always)]
    fn round_to_heat_units(x: f64) -> i64 {
        round_ties_even((x + BELOW_HALF.copysign(x)).trunc())
    }
}

/// Returns `x.round_ties_even() as i64` for |x| < 2⁶², and 0 for NaN. Adding 1.5 · 2⁵² leaves the
/// nearest integer in the low mantissa bits. Larger numbers are split into two parts.
#[inline(always)]
pub(super) fn round_ties_even(x: f64) -> i64 {
    const UNITS: f64 = 1.5 * (1_u64 << 52) as f64;
    const CUT: f64 = (1_u64 << 32) as f64;
    let x = if x.is_nan() { 0.0 } else { x };
    let digits = |sum: f64| sum.to_bits().wrapping_sub(UNITS.to_bits()) as i64;
    let high = x * (1.0 / CUT) + UNITS;
    let low = (x - (high - UNITS) * CUT) + UNITS;
    (digits(high) << 32).wrapping_add(digits(low))
}

/// Returns `1 − e^(−x)` for `x` ≥ 0 with an error of a few ulps. Uses `e^(−x) = 2^(−k)·e^(−r)` with
/// |r| ≤ ½·ln 2, and a power series for `e^(−r)`.
#[inline(always)]
pub(super) fn one_minus_exp(x: f64) -> f64 {
    use std::f64::consts::LOG2_E;
    // Ln 2 as a number with trailing zeros, whose multiples are exact, and the remainder.
    const LN_2: [f64; 2] = [f64::from_bits(0x3FE6_2E42_FEE0_0000), 1.908_214_929_270_587_7e-10];
    const UNITS: f64 = 1.5 * (1_u64 << 52) as f64;
    // For larger values, the result rounds to 1.
    let x = if x < 40.0 { x } else { 40.0 };
    let sum = x * LOG2_E + UNITS;
    let k = sum - UNITS;
    let r = (x - k * LN_2[0]) - k * LN_2[1];
    // e^(−r) − 1 = −r + r²/2 − r³/6 + …
    let series = (3..=14).rev().fold(1.0, |series, n| 1.0 - r * (series * (1.0 / f64::from(n))));
    let less = r * (0.5 * r * series) - r;
    let power = f64::from_bits(1.0_f64.to_bits() - ((sum.to_bits() - UNITS.to_bits()) << 52));
    (1.0 - power) - power * less
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vectorized_conversions_equal_the_standard_library() {
        let bits = |k: u64| k.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let amounts = (0..200_000).map(|k| (bits(k) as i64 >> 1) >> (k % 60));
        for x in amounts.chain((40..62).flat_map(|k| [-1, 0, 1].map(|more| (1 << k) + more))) {
            for x in [x, -x] {
                assert_eq!(Vectorized::to_f64(x), x as f64, "{x}");
                for half in [0.0, 0.25, 0.5, 0.75] {
                    let y = x as f64 / 1024.0 + half;
                    for y in [y, y.next_up(), y.next_down()] {
                        assert_eq!(round_ties_even(y), y.round_ties_even() as i64, "{y:e}");
                        assert_eq!(Vectorized::round_to_heat_units(y), y.round() as i64, "{y:e}");
                    }
                }
            }
        }
        assert_eq!(Vectorized::round_to_heat_units(f64::NAN), 0);
    }

    #[test]
    fn one_minus_exp_equals_the_math_library() {
        let (mut worst, mut x) = (0.0_f64, 1e-300);
        while x < 1e3 {
            let exact = -libm::expm1(-x);
            worst = worst.max((one_minus_exp(x) / exact - 1.0).abs());
            x *= 1.000_37;
        }
        assert!(worst < 5e-16, "{worst:e}");
        assert_eq!(
            [one_minus_exp(0.0), one_minus_exp(f64::MAX), one_minus_exp(f64::INFINITY)],
            [0.0, 1.0, 1.0]
        );
    }

    #[test]
    fn rounding_equals_the_standard_library() {
        let bits = |k: u64| f64::from_bits(k.wrapping_mul(0x9E37_79B9_7F4A_7C15));
        let halves = (0..2000).map(|k| f64::from(k) * 0.5 - 500.0);
        let near = halves.clone().flat_map(|x| [x.next_up(), x.next_down()]);
        let large = (40..64).flat_map(|k| [0.5, 1.0, 1.5].map(|more| (1_u64 << k) as f64 + more));
        for x in halves.chain(near).chain(large).chain((0..100_000).map(bits)) {
            assert_eq!(round_to_i64(x), x.round() as i64, "{x:e}");
            assert_eq!(round_to_i64(-x), (-x).round() as i64, "{x:e}");
        }
    }
}
