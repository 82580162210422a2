//! Named layers of a world, as fields of values that can be drawn or written to a file.

use crate::blocks::params::Rule;
use crate::blocks::state::bodies::NONE;
use crate::blocks::state::cell::{AIR, FULL};
use crate::blocks::world::Blocks;
use crate::changes::Tile;
use crate::field::Field;
use crate::layer::{layers, write};
use crate::model::Model as _;

layers! {
    Blocks, Field<f32>;
    Cells: "cells", "1", "1 for wall, else 0";
    Fill: "fill", "1", "filled fraction of the cell, 0 to 1";
    Liquid: "liquid", "1", "0 none, 1 oil, 2 water, 3 lava";
    Body: "body", "1", "number of the body, from 1; 0 outside bodies", Anywhere;
    Pressure: "pressure", "cells", "height of the body's top above the cell's surface", Anywhere;
    Tag: "tag", "1", "tag assigned by the caller, 0 to 255";
    Active: "active", "1", "1 in active chunks, else 0", Anywhere;
}

impl Blocks {
    /// Returns a layer of the world as a field of `nx × ny` values, in the unit of the layer.
    pub fn view(&self, view: View) -> Field<f32> {
        self.compute_layer(view)
    }

    fn write(&self, view: View, tiles: &[Tile], into: &mut Field<f32>) {
        let (layer, cell) = (view.layer(), |x, y| self.grid.cell_at(x, y));
        match view {
            View::Cells => {
                write(layer, tiles, into, |x, y| f32::from(u8::from(cell(x, y).is_wall())));
            }
            View::Fill => {
                write(layer, tiles, into, |x, y| f32::from(cell(x, y).fill()) / f32::from(FULL));
            }
            View::Liquid => write(layer, tiles, into, |x, y| {
                let cell = cell(x, y);
                f32::from(if cell.is_liquid() { cell.kind() } else { AIR })
            }),
            View::Tag => {
                write(layer, tiles, into, |x, y| self.tag(x, y).map_or(0.0, f32::from));
            }
            View::Body => {
                self.with_bodies(|bodies| {
                    for (number, &body) in into.as_mut_slice().iter_mut().zip(bodies) {
                        *number = if body == NONE { 0.0 } else { body as f32 + 1.0 };
                    }
                });
            }
            View::Pressure => self.write_pressure(into),
            View::Active => {
                write(layer, tiles, into, |x, y| f32::from(u8::from(self.is_awake(x, y))));
            }
        }
    }

    /// Returns whether the chunk (64 × 64 cells) that contains a cell is active in the next step.
    /// Always returns true with [`Rule::WholeBlocks`](crate::blocks::Rule::WholeBlocks).
    pub fn is_awake(&self, x: usize, y: usize) -> bool {
        if x >= self.nx() || y >= self.ny() {
            return false;
        }
        let chunk = self.grid.chunk_of(x, y);
        self.params.rule == Rule::WholeBlocks
            || self.grid.active.contains(chunk)
            || self.grid.falling.contains(chunk)
    }
}
