//! Cube root without branches, division or mathematical functions of the platform. The function
//! vectorises and gives the same bits on every platform.

/// Returns `h^(−1/3)` for a positive normal number `h`, with a relative error of a few roundings.
///
/// The bit pattern of a float, read as an integer, is roughly linear in its logarithm. So a
/// constant minus a third of the pattern of `h` is the pattern of the result to within 4 %. Each
/// Halley step cubes the error: with `e = 1 − h·r³`,
/// `h^(−1/3) = r·(1 − e)^(−1/3) = r·(1 + e/3 + 2e²/9 + …)`.
#[inline(always)]
pub(super) fn inverse_cube_root(h: f32) -> f32 {
    // One third as the sum 1/4 + 1/16 + 1/64 + …: shifts, because SIMD has no integer division.
    let fourths = (h.to_bits() >> 2) + (h.to_bits() >> 4);
    let sixteenths = fourths + (fourths >> 4);
    let third = sixteenths + (sixteenths >> 8);
    let guess = f32::from_bits(INITIAL_GUESS - third);
    halley_step(halley_step(guess, h), h)
}

/// Offset of the initial guess: 4/3 of the bits of 1.0, minus a constant that balances positive and
/// negative errors of the guess.
const INITIAL_GUESS: u32 = 0x54A2_FA8C;

#[inline(always)]
fn halley_step(r: f32, h: f32) -> f32 {
    let e = 1.0 - h * r * (r * r);
    r + r * (e * (1.0 / 3.0 + e * (2.0 / 9.0)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_inverse_cube_root_is_accurate_at_any_depth() {
        let mut worst = 0.0_f64;
        // Every 997th float from 1e-8 m to 1e7 m.
        for bits in (1e-8_f32.to_bits()..1e7_f32.to_bits()).step_by(997) {
            let h = f32::from_bits(bits);
            let exact = 1.0 / libm::cbrt(f64::from(h));
            worst = worst.max((f64::from(inverse_cube_root(h)) / exact - 1.0).abs());
        }
        assert!(worst < 2e-7, "{worst:e}");
        assert!(worst > 0.0, "floats are not that good");
    }
}
