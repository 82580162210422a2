//! Pseudorandom numbers for test worlds, equal on every machine.

/// Scrambles the bits of a number, like the finalizer of SplitMix64 without its last shift.
pub(crate) fn scramble_bits(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB)
}

/// Returns a pseudorandom number from 0 to 1 for the cell `(x, y)`.
pub(crate) fn noise(x: usize, y: usize) -> f32 {
    let z = scramble_bits(((x as u64) << 32 | y as u64).wrapping_add(0x9E37_79B9_7F4A_7C15));
    ((z ^ (z >> 31)) >> 40) as f32 / (1u64 << 24) as f32
}
