//! Layers of a world by name, as fields that can be drawn or written to a file.

use crate::changes::Tile;
use crate::field::Field;
use crate::hydrology::state::fixed;
use crate::hydrology::world::Hydrology;
use crate::layer::{layers, write};
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
        let nx = self.heights.nx();
        let mut map = |value: &dyn Fn(usize) -> f32| {
            write(view.layer(), tiles, into, |x, y| value(y * nx + x));
        };
        let depth = |i: usize| {
            self.waters.level_over(land.terrain(), i).map_or(0, |level| level - land.bed[i])
        };
        let cell_area = land.lattice.cell_area() as f32;
        let strength = land.half_strength_area();
        let direction = |i: usize, axis: usize| land.momentum[i][axis] / land.area[i].max(1e-6);
        let plant = |i: usize| land.plants.get(i).copied().unwrap_or_default();
        match view {
            View::Bed => map(&|i| self.heights.as_slice()[i]),
            View::Soil => map(&|i| fixed::to_metres_f32(land.soil[i])),
            View::Depth => map(&|i| fixed::to_metres_f32(depth(i))),
            View::Surface => map(&|i| fixed::to_metres_f32(land.bed[i] + depth(i))),
            View::Discharge => map(&|i| land.area[i] * cell_area),
            View::Stream => map(&|i| land.area[i] / (land.area[i] + strength)),
            View::MomentumX => map(&|i| direction(i, 0)),
            View::MomentumY => map(&|i| direction(i, 1)),
            View::Vegetation => map(&|i| self.cover.as_slice()[i]),
            View::Plant => map(&|i| f32::from(plant(i).kind)),
            View::Size => map(&|i| f32::from(plant(i).size) / f32::from(u16::MAX)),
        }
    }
}
