// Functions shared by all kernels.

// Returns `value` unchanged, but hides it from the optimizer: prevents fused multiply-add and
// reordering of sums. `zero_bits` must be 0 and come from a buffer.
fn opaque(value: f32, zero_bits: u32) -> f32 {
    return bitcast<f32>(bitcast<u32>(value) ^ zero_bits);
}
