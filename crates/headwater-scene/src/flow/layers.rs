//! Conversion of the layers of a flow world to the values in output files.

use headwater::Field;
use std::borrow::Cow;

/// Converts a layer to the values that are written to files. Adds the elevation `datum` (m) to
/// heights. Sets arrival times to NaN in cells that were never wet, and maximum levels to NaN in
/// cells whose maximum depth is at most `dry` (m). The function `deepest` returns the maximum
/// depths, and is called only if these depths are needed.
pub(super) fn to_output_values<'a, 'b>(
    name: &str,
    mut field: Cow<'a, Field<f32>>,
    [datum, dry]: [f64; 2],
    deepest: impl FnOnce() -> Cow<'b, Field<f32>>,
) -> Cow<'a, Field<f32>> {
    if matches!(name, "bed" | "surface" | "max_level") {
        field = Cow::Owned(field.map(|&z| (f64::from(z) + datum) as f32));
    }
    if name == "arrival" {
        field = Cow::Owned(field.map(|&t| if t < 0.0 { f32::NAN } else { t }));
    }
    if name == "max_level" {
        let (deepest, dry) = (deepest(), dry as f32);
        let levels = field.to_mut().as_mut_slice().iter_mut();
        let never_wet = levels.zip(deepest.as_slice()).filter(|(_, deepest)| **deepest <= dry);
        never_wet.for_each(|(level, _)| *level = f32::NAN);
    }
    field
}
