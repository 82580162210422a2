//! Layers of a world by name, as fields that can be drawn or written to a file.

use crate::changes::Tile;
use crate::field::Field;
use crate::hydrology::state::fixed;
use crate::hydrology::world::Hydrology;
use crate::layer::{layers, write_copy, write_rows};
use crate::model::Model as _;
use std::borrow::Cow;

layers! {
    Hydrology, Cow<'_, Field<f32>>;
    Bed: "bed", "m", "height of the ground";
    Soil: "soil", "m", "thickness of the soil and sediment on the rock";
    Depth: "depth", "m", "depth of lakes, and of the sea";
    Surface: "surface", "m", "bed + depth";
    Discharge: "discharge", "m³ per m of rain", "discharge per metre of rain: the upstream area";
    Stream: "stream", "1", "stream strength, 0 to 1";
    MomentumX: "momentum_x", "1", "mean direction of the water, to the east";
    MomentumY: "momentum_y", "1", "mean direction of the water, to the south";
    Vegetation: "vegetation", "1", "cover of plants; 1 and above is dense";
    Plant: "plant", "1", "kind of the cell's plant, from 1; 0 for none";
    Size: "size", "1", "size of the cell's plant, 0 to 1";
}

impl Hydrology {
    /// Returns the values of a layer for all cells. The field is borrowed if the world stores the
    /// layer in this form, and computed otherwise.
    pub fn view(&self, view: View) -> Cow<'_, Field<f32>> {
        match view {
            View::Bed => Cow::Borrowed(&self.heights),
            View::Vegetation => Cow::Borrowed(&self.cover),
            _ => Cow::Owned(self.compute_layer(view)),
        }
    }

    fn write(&self, view: View, tiles: &[Tile], into: &mut Field<f32>) {
        let land = &self.land;
        let depth = |i: usize| {
            self.waters.level_over(land.terrain(), i).map_or(0, |level| level - land.bed[i])
        };
        let cell_area = land.lattice.cell_area() as f32;
        let strength = land.half_strength_area();
        let direction = |i: usize, axis: usize| land.momentum[i][axis] / land.area[i].max(1e-6);
        let plant = |i: usize| land.plants.get(i).copied().unwrap_or_default();
        let mut map = Map { view, tiles, into };
        match view {
            View::Bed => write_copy(view.layer(), tiles, map.into, &self.heights),
            View::Soil => map.write(|i| fixed::to_metres_f32(land.soil[i])),
            View::Depth => map.write(|i| fixed::to_metres_f32(depth(i))),
            View::Surface => map.write(|i| fixed::to_metres_f32(land.bed[i] + depth(i))),
            View::Discharge => map.write(|i| land.area[i] * cell_area),
            View::Stream => map.write(|i| land.area[i] / (land.area[i] + strength)),
            View::MomentumX => map.write(|i| direction(i, 0)),
            View::MomentumY => map.write(|i| direction(i, 1)),
            View::Vegetation => write_copy(view.layer(), tiles, map.into, &self.cover),
            View::Plant => map.write(|i| f32::from(plant(i).kind)),
            View::Size => map.write(|i| f32::from(plant(i).size) / f32::from(u16::MAX)),
        }
    }
}

/// Output field of a layer.
struct Map<'a> {
    view: View,
    tiles: &'a [Tile],
    into: &'a mut Field<f32>,
}

impl Map<'_> {
    /// Writes the layer. `value` returns the value of a cell, given its index in row-major order.
    fn write(&mut self, value: impl Fn(usize) -> f32 + Sync) {
        let nx = self.into.nx();
        write_rows(self.view.layer(), self.tiles, self.into, |y, columns, into| {
            (y * nx + columns.start..).zip(into).for_each(|(i, into)| *into = value(i));
        });
    }
}
