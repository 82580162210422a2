//! Fixed-point heights and volumes. Their sums are exact. The smallest unit, called quantum, is
//! 2⁻²⁰ m for heights. For volumes, it is 2⁻²⁰ m times the area of a cell.

use multiversion::multiversion;

/// Largest absolute height (m). The limit makes sums of heights fit in 64 bits.
pub const MAX_HEIGHT: f64 = 32768.0;
/// Largest number of cells of a map. The limit makes the sum of all heights fit in 64 bits.
pub const MAX_CELLS: usize = 1 << 26;

pub(in crate::hydrology) const PER_METRE: f64 = (1_u32 << 20) as f64;

const QUANTUM: f64 = 1.0 / PER_METRE;

pub(in crate::hydrology) fn to_quanta(metres: f64) -> i64 {
    (metres * PER_METRE).round() as i64
}

pub(in crate::hydrology) fn to_metres(quanta: i64) -> f64 {
    quanta as f64 * QUANTUM
}

pub(in crate::hydrology) fn to_metres_f32(quanta: i64) -> f32 {
    to_metres(quanta) as f32
}

/// Converts heights in quanta of 2⁻²⁰ m to metres, like [`to_metres_f32`]. The absolute heights
/// must be below 2⁵¹ quanta.
#[multiversion(targets = "simd")]
pub(in crate::hydrology) fn heights_to_metres(quanta: &[i64], into: &mut [f32]) {
    // Most CPUs have no vector instruction for this conversion. The sum is an integer in the last
    // bits of the number 1.5 × 2⁵², so the difference is exact.
    const OFFSET: f64 = 1.5 * (1_u64 << 52) as f64;
    for (into, &quanta) in into.iter_mut().zip(quanta) {
        let shifted = f64::from_bits(OFFSET.to_bits().wrapping_add_signed(quanta));
        *into = ((shifted - OFFSET) * QUANTUM) as f32;
    }
}

/// Converts a sediment load in fixed-point quanta of 2⁻²⁰ m to metres. For loads below 2⁵³ quanta,
/// the result equals that of [`to_metres_f32`], because both conversions round once.
pub(in crate::hydrology) fn load_to_metres(quanta: i64) -> f32 {
    quanta as f32 * QUANTUM as f32
}

/// Converts the thickness of an eroded or deposited layer (m) to quanta of 2⁻²⁰ m. Rounds toward 0.
pub(in crate::hydrology) fn to_quanta_i32(metres: f32) -> i32 {
    (metres * PER_METRE as f32) as i32
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn loads_and_heights_round_to_the_same_metres(
            load in prop_oneof![0..1_i64 << 26, -(1_i64 << 53)..1_i64 << 53],
        ) {
            prop_assert_eq!(load_to_metres(load).to_bits(), to_metres_f32(load).to_bits());
        }

        #[test]
        fn single_and_row_heights_round_to_the_same_metres(
            heights in prop::collection::vec(-(1_i64 << 51) + 1..1_i64 << 51, 0..9),
        ) {
            let mut metres = vec![0.0; heights.len()];
            heights_to_metres(&heights, &mut metres);
            let expected: Vec<f32> = heights.into_iter().map(to_metres_f32).collect();
            prop_assert_eq!(metres, expected);
        }
    }
}
