//! Heights and volumes in whole quanta, so that sums are exact. A quantum is 2⁻²⁰ m of height; on
//! one cell, a quantum of volume.

/// The highest height and the lowest depth there can be (m): sums of heights must fit in 64 bits.
pub const HIGHEST: f64 = 32768.0;
/// The most cells of a map, for the same reason.
pub const MAX_CELLS: usize = 1 << 26;

pub(super) const PER_METRE: f64 = (1_u32 << 20) as f64;

const QUANTUM: f64 = 1.0 / PER_METRE;

pub(super) fn quanta(metres: f64) -> i64 {
    (metres * PER_METRE).round() as i64
}

pub(super) fn metres(quanta: i64) -> f64 {
    quanta as f64 * QUANTUM
}

pub(super) fn metres_f32(quanta: i64) -> f32 {
    metres(quanta) as f32
}

/// A load below 2⁵³ quanta in metres, as [`metres_f32`] gives it: both round once.
pub(super) fn metres_of_load(quanta: i64) -> f32 {
    quanta as f32 * QUANTUM as f32
}

/// What a drop takes or leaves (m), in whole quanta, towards 0.
pub(super) fn part(metres: f32) -> i32 {
    (metres * PER_METRE as f32) as i32
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_load_is_rounded_as_a_height_is(
            load in prop_oneof![0..1_i64 << 26, -(1_i64 << 53)..1_i64 << 53],
        ) {
            prop_assert_eq!(metres_of_load(load).to_bits(), metres_f32(load).to_bits());
        }
    }
}
