//! Named layers of a world, to draw or to write to a file.

use super::fixed;
use super::world::Hydrology;
use crate::field::Field;
use crate::layer::Layer;
use std::borrow::Cow;

/// Every layer of a hydrology world.
pub const LAYERS: [Layer; 11] = [
    Layer::new("bed", "m", "height of the ground"),
    Layer::new("soil", "m", "thickness of the soil and sediment on the rock"),
    Layer::new("depth", "m", "depth of lakes, and of the sea"),
    Layer::new("surface", "m", "bed + depth"),
    Layer::new(
        "discharge",
        "m³ per m of rain",
        "what runs through the cell when 1 m of rain falls: the area that drains to it",
    ),
    Layer::new("stream", "1", "how strong the stream is, 0 to 1"),
    Layer::new("momentum_x", "1", "mean direction of the water, to the east"),
    Layer::new("momentum_y", "1", "mean direction of the water, to the south"),
    Layer::new("vegetation", "1", "cover of plants; 1 and above is dense"),
    Layer::new("plant", "1", "kind of the cell's plant, from 1; 0 for none"),
    Layer::new("size", "1", "size of the cell's plant, 0 to 1"),
];

impl Hydrology {
    /// The layer of that name, `nx × ny`, borrowed where the world has it as it is; `None` if there is none of that name (see
    /// [`LAYERS`]).
    pub fn layer(&self, name: &str) -> Option<Cow<'_, Field<f32>>> {
        let land = &self.land;
        let grid = land.grid();
        let map = |value: &dyn Fn(usize) -> f32| {
            Cow::Owned(Field::from_fn(grid.nx, grid.ny, |x, y| value(y * grid.nx + x)))
        };
        let depth = |i: usize| {
            self.waters.level_over(land.terrain(), i).map_or(0, |level| level - land.bed[i])
        };
        let cell_area = land.lattice.cell_area() as f32;
        let way = |k: usize| map(&|i| land.momentum[i][k] / land.area[i].max(1e-6));
        let strength = land.params.stream as f32;
        let plant = |i: usize| land.plants.get(i).copied().unwrap_or_default();
        Some(match name {
            "bed" => Cow::Borrowed(&self.heights),
            "soil" => map(&|i| fixed::metres_f32(land.soil[i])),
            "depth" => map(&|i| fixed::metres_f32(depth(i))),
            "surface" => map(&|i| fixed::metres_f32(land.bed[i] + depth(i))),
            "discharge" => map(&|i| land.area[i] * cell_area),
            "stream" => map(&|i| land.area[i] / (land.area[i] + strength)),
            "momentum_x" => way(0),
            "momentum_y" => way(1),
            "vegetation" => Cow::Borrowed(&self.cover),
            "plant" => map(&|i| f32::from(plant(i).kind)),
            "size" => map(&|i| f32::from(plant(i).size) / f32::from(u16::MAX)),
            _ => return None,
        })
    }
}
