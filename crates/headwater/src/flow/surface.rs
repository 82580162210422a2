//! The surface of water in a cell, and how far it falls from cell to cell.

#[inline(always)]
pub(super) fn surface([bed, depth]: [f32; 2]) -> f32 {
    bed + depth
}

/// How far the surface falls from the cell before a face to the one after it (m). `before` and `after` are bed and depth.
///
/// Depths and surfaces are rounded, each by half a float's resolution at most. Surfaces within the
/// sum of the four are level, or a lake would never rest.
#[inline(always)]
pub(super) fn fall(before: [f32; 2], after: [f32; 2]) -> f32 {
    let (from, to) = (surface(before), surface(after));
    let fall = from - to;
    // The sum of both sizes, unless one is below 0 and one above: then they are so small that only the depths count.
    let size = (from + to).abs() + (before[1] + after[1]);
    if fall.abs() > LEVEL * size { fall } else { 0.0 }
}

/// Half of what floats of 1 resolve, and a quarter more for the rounding of the sizes themselves.
const LEVEL: f32 = 0.625 * f32::EPSILON;

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_lake_has_no_fall_and_a_step_of_a_few_units_has_one(
            level in -1.0f32..1.0, beds in [-1.0f32..1.0, -1.0f32..1.0],
            sizes in [-10i32..10, -10i32..10, -10i32..10],
        ) {
            let level = level * 2.0_f32.powi(sizes[0]);
            let cell = |i: usize| {
                let bed = beds[i] * 2.0_f32.powi(sizes[i + 1]);
                [bed, (level - bed).max(0.0)]
            };
            let [before, after] = [cell(0), cell(1)];
            if before[1] > 0.0 && after[1] > 0.0 {
                prop_assert_eq!(fall(before, after), 0.0);
                let size = before[1] + after[1] + 2.0 * level.abs();
                let higher = [before[0], before[1] + 4.0 * f32::EPSILON * size];
                prop_assert!(fall(higher, after) > 0.0);
                prop_assert_eq!(fall(after, higher), -fall(higher, after));
            }
        }
    }
}
