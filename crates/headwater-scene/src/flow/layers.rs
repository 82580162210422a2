//! Conversion of the layers of a flow world to the values in output files.

use headwater::Field;
use std::borrow::Cow;

/// Converts a layer to the values in output files; see [`convert_values`] for the conversions. The
/// function `max_depth` returns the maximum depths (m). It is called only if they are needed.
pub(super) fn to_output_values<'a, 'b>(
    name: &str,
    mut field: Cow<'a, Field<f32>>,
    datum_and_max_dry_depth: [f64; 2],
    max_depth: impl FnOnce() -> Cow<'b, Field<f32>>,
) -> Cow<'a, Field<f32>> {
    if needs_output_conversion(name) {
        let max_depth = (name == "max_level").then(max_depth);
        let max_depth = max_depth.as_ref().map(|max_depth| max_depth.as_slice());
        convert_values(name, field.to_mut().as_mut_slice(), datum_and_max_dry_depth, max_depth);
    }
    field
}

/// Returns whether [`convert_values`] changes values of a layer.
pub(super) fn needs_output_conversion(name: &str) -> bool {
    matches!(name, "bed" | "surface" | "max_level" | "arrival")
}

/// Converts values of a layer to the values in output files. Adds the elevation `datum` (m) to
/// heights. Sets arrival times to NaN in cells that were never wet. Sets maximum levels to NaN in
/// cells whose maximum depth `max_depth` (m) is at most `max_dry_depth` (m).
pub(super) fn convert_values(
    name: &str,
    values: &mut [f32],
    [datum, max_dry_depth]: [f64; 2],
    max_depth: Option<&[f32]>,
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
    let levels = values.iter_mut().zip(max_depth.into_iter().flatten());
    let never_wet = levels.filter(|(_, max_depth)| **max_depth <= max_dry_depth as f32);
    never_wet.for_each(|(level, _)| *level = f32::NAN);
}
