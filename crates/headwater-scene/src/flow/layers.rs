//! Textures of a world of flow.

use super::FlowWorld;
use crate::picture::{Picture, write_png};
use crate::run;
use crate::squares::Squares;
use std::path::{Path, PathBuf};

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
