//! Drops and strokes in a scene, and the disturbances of the surface that they cause.

use crate::scene::place::{Line, Position, resolve};
use headwater::{Brush, Falloff, Lattice, Point, Region};
use schemars::JsonSchema;
use serde::Deserialize;

/// A drop that falls on the surface, or a disturbance like that of a drop.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FallingDrop {
    /// Position.
    pub at: Position,
    /// Radius with the rim (m), above 0 to 10⁸.
    pub radius: f64,
    /// Depth of the depression (m), at most `physics.highest`. Negative values raise the surface.
    pub depth: f64,
}

/// Disturbance that lowers or raises the surface in a region.
#[derive(Clone, Debug, PartialEq)]
pub struct Disturbance {
    /// Region of the disturbance, and its falloff towards the rim.
    pub brush: Brush,
    /// Change of the surface height (m) where the brush has full strength; negative for a
    /// depression.
    pub height: f64,
}

impl FallingDrop {
    /// Returns the disturbance that the drop causes, with the position resolved on `lattice`.
    pub fn disturbance(&self, lattice: &Lattice) -> Disturbance {
        let brush = Brush::soft(resolve(self.at, lattice), self.radius);
        Disturbance { brush, height: -self.depth }
    }
}

impl Disturbance {
    /// Returns the disturbance by a stroke of the given depth (m).
    pub fn from_stroke(line: &Line, depth: f64, lattice: &Lattice) -> Self {
        let points: Vec<Point> = line.points.iter().map(|&p| resolve(p, lattice)).collect();
        let region = Region::line(points, line.width);
        Self { brush: Brush { region, falloff: Falloff::Smooth }, height: -depth }
    }
}
