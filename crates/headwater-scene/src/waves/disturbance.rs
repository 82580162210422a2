//! Drops and furrows, as scenes have them, and what they do to a surface.

use crate::scene::place::{Line, Position, resolve};
use headwater::{Brush, Falloff, Lattice, Point, Region};
use schemars::JsonSchema;
use serde::Deserialize;

/// A drop.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FallingDrop {
    /// Where it falls.
    pub at: Position,
    /// Its radius with the rim (m), above 0 to 10⁸.
    pub radius: f64,
    /// How deep it goes (m); below 0, how high it stands. At most `physics.highest` either way.
    pub depth: f64,
}

/// How a surface is disturbed.
#[derive(Clone, Debug, PartialEq)]
pub struct Disturbance {
    /// Where.
    pub brush: Brush,
    /// How high the surface goes (m) at the brush's full strength, below 0 to go down.
    pub height: f64,
}

impl FallingDrop {
    /// What it does.
    pub fn disturbance(&self, lattice: &Lattice) -> Disturbance {
        let brush = Brush::soft(resolve(self.at, lattice), self.radius);
        Disturbance { brush, height: -self.depth }
    }
}

impl Disturbance {
    /// What a furrow of some depth (m) does.
    pub fn of_furrow(line: &Line, depth: f64, lattice: &Lattice) -> Self {
        let points: Vec<Point> = line.points.iter().map(|&p| resolve(p, lattice)).collect();
        let region = Region::line(points, line.width);
        Self { brush: Brush { region, falloff: Falloff::Smooth }, height: -depth }
    }
}
