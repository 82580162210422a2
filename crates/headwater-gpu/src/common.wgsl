// What all kernels share.

// A number that the compiler knows nothing about: it may not be folded into a fused multiply-add, and sums around
// it may not be rearranged. `ZERO_BITS` has to be 0, and to come from a buffer.
fn opaque(value: f32, zero_bits: u32) -> f32 {
    return bitcast<f32>(bitcast<u32>(value) ^ zero_bits);
}
