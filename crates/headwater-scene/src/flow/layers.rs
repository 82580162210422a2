//! Conversion of the layers of a flow world to the values in output files.

use headwater::Field;
use std::borrow::Cow;

/// Converts a layer to the values that are written to files, as
/// [`convert_values`] does. The function `deepest` returns the maximum depths (m), and is called
/// only if these depths are needed.
pub(super) fn to_output_values<'a, 'b>(
    name: &str,
    mut field: Cow<'a, Field<f32>>,
    levels: [f64; 2],
    deepest: impl FnOnce() -> Cow<'b, Field<f32>>,
) -> Cow<'a, Field<f32>> {
    if is_converted(name) {
        let deepest = (name == "max_level").then(deepest);
        let deepest = deepest.as_ref().map(|deepest| deepest.as_slice());
        convert_values(name, field.to_mut().as_mut_slice(), levels, deepest);
    }
    field
}

/// Returns whether [`convert_values`] changes values of a layer.
pub(super) fn is_converted(name: &str) -> bool {
    matches!(name, "bed" | "surface" | "max_level" | "arrival")
}

/// Converts values of a layer to those that are written to files. Adds the elevation `datum` (m) to
/// heights. Sets arrival times to NaN in cells that were never wet, and maximum levels to NaN in
/// cells whose maximum depth `deepest` (m) is at most `dry` (m).
pub(super) fn convert_values(
    name: &str,
    values: &mut [f32],
    [datum, dry]: [f64; 2],
    deepest: Option<&[f32]>,
) {
    match name {
        "bed" | "surface" | "max_level" => {
            values.iter_mut().for_each(|z| *z = (f64::from(*z) + datum) as f32);
        }
        "arrival" => {
            values.iter_mut().filter(|time| **time < 0.0).for_each(|time| *time = f32::NAN);
        }
        _ => {}
    }
    let levels = values.iter_mut().zip(deepest.into_iter().flatten());
    let never_wet = levels.filter(|(_, deepest)| **deepest <= dry as f32);
    never_wet.for_each(|(level, _)| *level = f32::NAN);
}
