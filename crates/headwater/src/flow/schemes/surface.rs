//! Elevation of the water surface in a cell, and its drop between adjacent cells.

#[inline(always)]
pub(in crate::flow) fn surface_height([bed, depth]: [f32; 2]) -> f32 {
    bed + depth
}

/// Returns the drop (m) of the water surface from the cell before a face to the cell after it.
/// `before` and `after` each contain the bed elevation and the depth (m) of a cell.
///
/// The two depths and the two surface elevations each have a rounding error of up to half a unit in
/// the last place. A drop within the sum of these four errors counts as 0, so that a lake can be
/// exactly at rest.
#[inline(always)]
pub(in crate::flow) fn surface_drop(before: [f32; 2], after: [f32; 2]) -> f32 {
    let (from, to) = (surface_height(before), surface_height(after));
    let drop = from - to;
    // The sum of both magnitudes, unless one surface is negative and the other positive. In that
    // case, both are so small that only the depths matter.
    let size = (from + to).abs() + (before[1] + after[1]);
    if drop.abs() > LEVEL_TOLERANCE * size { drop } else { 0.0 }
}

/// Largest drop of the water surface that counts as 0, relative to the sum of both depths and both
/// surface elevations. It is `½·f32::EPSILON` for the rounding errors, increased by a quarter
/// because the elevations and depths themselves are rounded.
const LEVEL_TOLERANCE: f32 = 0.625 * f32::EPSILON;

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn surface_drop_is_zero_on_a_lake_and_detects_differences_of_a_few_ulps(
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
                prop_assert_eq!(surface_drop(before, after), 0.0);
                let size = before[1] + after[1] + 2.0 * level.abs();
                let higher = [before[0], before[1] + 4.0 * f32::EPSILON * size];
                prop_assert!(surface_drop(higher, after) > 0.0);
                prop_assert_eq!(surface_drop(after, higher), -surface_drop(higher, after));
            }
        }
    }
}
