//! Falling drops and strokes (troughs along lines) in a scene, and the disturbances of the surface
//! that they cause.

use crate::scene::place::{Line, Position, resolve_position};
use headwater::{Brush, Falloff, Lattice, Point, Region};
use serde::{Deserialize, Serialize};

/// Falling drop, or another disturbance of the same shape.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct FallingDrop {
    /// Position of the centre of the drop.
    pub at: Position,
    /// Radius of the drop including its rim (m), greater than 0 and at most 10⁸.
    pub radius: f64,
    /// Depth of the depression (m), at most `physics.highest`. Negative values raise the surface.
    pub depth: f64,
}

/// Disturbance that lowers or raises the surface in a region.
#[derive(Clone, Debug, PartialEq)]
pub struct Disturbance {
    /// Region of the disturbance, with the falloff toward its rim.
    pub brush: Brush,
    /// Change in the surface height where the brush has its full weight (m). Negative for a
    /// depression.
    pub height: f64,
}

impl FallingDrop {
    /// Returns the disturbance that the drop causes on `lattice`, with its position in metres.
    pub fn disturbance(&self, lattice: &Lattice) -> Disturbance {
        let brush = Brush::smooth_disc(resolve_position(self.at, lattice), self.radius);
        Disturbance { brush, height: -self.depth }
    }
}

impl Disturbance {
    /// Returns the disturbance that a trough along `line` causes on `lattice`, with its positions
    /// in metres. `depth` is the depth of the trough (m).
    pub fn from_stroke(line: &Line, depth: f64, lattice: &Lattice) -> Self {
        let points: Vec<Point> =
            line.points.iter().map(|&p| resolve_position(p, lattice)).collect();
        let region = Region::line(points, line.width);
        Self { brush: Brush { region, falloff: Falloff::Smooth }, height: -depth }
    }
}
