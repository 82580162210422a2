//! Textures of a world of flow.

use super::FlowWorld;
use crate::picture::{Picture, write_png};
use crate::run;
use crate::squares::Squares;
use headwater::Field;
use std::borrow::Cow;
use std::path::{Path, PathBuf};

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

/// Writes velocity and foam as a texture; `fast` (m/s) is the speed at the ends of its scale.
pub(super) fn write_flow_map(
    world: &FlowWorld,
    fast: f64,
    folder: &Path,
) -> Result<PathBuf, String> {
    let flow = &world.flow;
    let velocity = flow.velocities();
    let foam = flow.foam_of(&velocity);
    let [east, south] = velocity;
    let mut fields = [east, south, foam];
    if let Some(squares) = Squares::as_large(flow.lattice()) {
        fields = fields.map(|field| squares.linear(&field, |_| true, 0.0));
    }
    let [east, south, foam] = fields;
    let texture = Picture::from_fn(foam.nx(), foam.ny(), |x, y| {
        let at = (x, y);
        let speed = |v: f32| (128.0 + 127.0 * (f64::from(v) / fast).clamp(-1.0, 1.0)).round() as u8;
        [speed(east[at]), speed(south[at]), (255.0 * foam[at]).round() as u8]
    });
    let path = folder.join(run::FLOW_MAP);
    write_png(&path, &texture).map_err(|error| error.to_string())?;
    Ok(path)
}
