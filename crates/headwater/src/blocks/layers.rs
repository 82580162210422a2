//! Named layers of a world, to draw or to write to a file.

use super::cell::{AIR, FULL};
use super::params::Rule;
use super::world::Blocks;
use crate::field::Field;
use crate::layer::{Layer, Reach};

/// Every layer of a block world.
pub const LAYERS: [Layer; 6] = [
    Layer::new("cells", "1", "1 where there is wall, else 0"),
    Layer::new("fill", "1", "the part of the cell that liquid fills, 0 to 1"),
    Layer::new("liquid", "1", "0 none, 1 oil, 2 water, 3 lava"),
    Layer::new("body", "1", "number of the body, from 1; 0 where nothing stands")
        .reaching(Reach::Anywhere),
    Layer::new("pressure", "cells", "height of the body's top above the cell's surface")
        .reaching(Reach::Anywhere),
    Layer::new("active", "1", "1 where the world is awake, else 0").reaching(Reach::Anywhere),
];

impl Blocks {
    /// The layer of that name, `nx × ny`, or `None` if there is no such layer (see [`LAYERS`]).
    pub fn layer(&self, name: &str) -> Option<Field<f32>> {
        let (nx, ny) = (self.nx(), self.ny());
        let cell = |x, y| self.grid.at(x, y);
        Some(match name {
            "cells" => Field::from_fn(nx, ny, |x, y| f32::from(u8::from(cell(x, y).is_wall()))),
            "fill" => Field::from_fn(nx, ny, |x, y| f32::from(cell(x, y).fill()) / f32::from(FULL)),
            "liquid" => Field::from_fn(nx, ny, |x, y| {
                let cell = cell(x, y);
                f32::from(if cell.is_liquid() { cell.kind() } else { AIR })
            }),
            "body" => self.bodies().map(|body| body.map_or(0.0, |body| body as f32 + 1.0)),
            "pressure" => self.pressure(),
            "active" => Field::from_fn(nx, ny, |x, y| f32::from(u8::from(self.is_awake(x, y)))),
            _ => return None,
        })
    }

    /// Whether a cell's neighbourhood, a square of 64 × 64 cells, is awake in the next step.
    /// The rule of whole blocks is awake everywhere.
    pub fn is_awake(&self, x: usize, y: usize) -> bool {
        if x >= self.nx() || y >= self.ny() {
            return false;
        }
        let chunk = self.grid.chunk_of(x, y);
        self.params.rule == Rule::WholeBlocks
            || self.grid.restless.has(chunk)
            || self.grid.loose.has(chunk)
    }
}
