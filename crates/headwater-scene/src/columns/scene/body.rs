//! `[[body]]`: what floats in pools, sinks, or lies.

use crate::picture::FloaterLook;
use crate::scene::place::{Position, resolve};
use headwater::Lattice;
use headwater::columns::{Body, Shape};
use serde::Deserialize;

/// `[[body]]`: a body in the water, a box by its `size` or a disc by its `radius`; at most 1000.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ColumnsBody {
    /// What it looks like: `"crate"` (default), `"barrel"`, `"stone"` or `"boat"`.
    #[serde(default)]
    pub kind: FloaterLook,
    /// Where its middle is.
    pub at: Position,
    /// Width and height (m), each above 0.
    pub size: Option<[f64; 2]>,
    /// Radius (m), above 0.
    pub radius: Option<f64>,
    /// Density (kg/m³), 1 to 100000; water has 1000. Default: 500, a stone's 2500.
    pub density: Option<f64>,
    /// Velocity at the start (m/s, to the east and downward), −100 to 100. Default: none.
    #[serde(default)]
    pub velocity: [f64; 2],
    /// Drag coefficient, 0 to 100. Default 1, as of a blunt body.
    #[serde(default = "blunt")]
    pub drag: f64,
}

fn blunt() -> f64 {
    1.0
}

impl ColumnsBody {
    /// Its density (kg/m³).
    pub fn density(&self) -> f64 {
        let of_kind = if self.kind == FloaterLook::Stone { 2500.0 } else { 500.0 };
        self.density.unwrap_or(of_kind)
    }

    /// The body on `lattice`.
    pub fn body(&self, lattice: &Lattice) -> Body {
        let center = resolve(self.at, lattice);
        let (shape, area) = match (self.radius, self.size) {
            (Some(radius), _) => {
                (Shape::Disc { center, radius }, std::f64::consts::PI * radius * radius)
            }
            (None, size) => {
                let [width, height] = size.unwrap_or([1.0; 2]);
                (Shape::Box { center, half: [0.5 * width, 0.5 * height] }, width * height)
            }
        };
        let mass = self.density() * area;
        Body { shape, mass, velocity: self.velocity, drag: self.drag }
    }
}
