//! Layers of a world of flow as they are written.

use headwater::Field;
use std::borrow::Cow;

/// A layer as it is written: heights as the scene counts them, from `datum` (m), and no data where a level or an arrival is one of water
/// that never came: of a greatest depth, which `deepest` finds, up to `dry` (m).
pub(super) fn as_written<'a, 'b>(
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
