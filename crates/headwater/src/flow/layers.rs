//! Named layers of a world, to draw or to write to a file.

use super::velocity::{velocities, velocity_of};
use super::world::Flow;
use crate::field::Field;
use crate::layer::Layer;
use crate::mesh::Mesh;
use std::borrow::Cow;

/// Every layer of a flow world.
pub const LAYERS: [Layer; 9] = [
    Layer::new("bed", "m", "height of the ground"),
    Layer::new("depth", "m", "depth of the water"),
    Layer::new("surface", "m", "height of the water's surface, or of dry ground"),
    Layer::new("velocity_x", "m/s", "velocity to the east, at cell centres"),
    Layer::new("velocity_y", "m/s", "velocity to the south, at cell centres"),
    Layer::new("speed", "m/s", "magnitude of the velocity"),
    Layer::new("foam", "1", "how white the water is, 0 to 1"),
    Layer::new("closed", "1", "1 where no water can enter, else 0"),
    Layer::new("soil", "m", "water held in the soil"),
];

impl Flow {
    /// The layer of that name, `nx × ny`, or `None` if there is no such layer (see [`LAYERS`]): borrowed where the state has
    /// it as it is.
    pub fn layer(&self, name: &str) -> Option<Cow<'_, Field<f32>>> {
        let (nx, ny) = (self.lattice.nx(), self.lattice.ny());
        Some(Cow::Owned(match name {
            "bed" => return Some(Cow::Borrowed(&self.state.bed)),
            "depth" => return Some(Cow::Borrowed(&self.state.depth)),
            "surface" => Field::from_fn(nx, ny, |x, y| self.state.surface(x, y)),
            "velocity_x" => {
                let [east, _] = self.velocities();
                east
            }
            "velocity_y" => {
                let [_, south] = self.velocities();
                south
            }
            "speed" => {
                let [u, v] = self.velocities();
                Field::from_fn(nx, ny, |x, y| {
                    let (u, v) = (u[(x, y)], v[(x, y)]);
                    (u * u + v * v).sqrt()
                })
            }
            "foam" => self.foam(),
            "closed" => self.state.closed.cells().map(|&closed| f32::from(u8::from(closed))),
            "soil" => match &self.exchange.soil {
                Some(ground) => ground.held(),
                None => Field::new(nx, ny, 0.0),
            },
            _ => return None,
        }))
    }

    /// The ground as triangles.
    pub fn ground_mesh(&self) -> Mesh {
        Mesh::of_heights(self.lattice, &self.state.bed)
    }

    /// The water's surface as triangles, where it is deeper than
    /// [`dry_depth`](super::Params::dry_depth).
    pub fn water_mesh(&self) -> Mesh {
        let dry = self.params.dry_depth as f32;
        Mesh::of_water(self.lattice, &self.state.bed, &self.state.depth, dry)
    }

    /// Velocity (m/s, `[east, south]`) at a cell's centre: the mean of its faces; 0 in a dry cell.
    pub fn velocity(&self, x: usize, y: usize) -> [f32; 2] {
        velocity_of(self.moving(), x, y)
    }

    /// Velocities (m/s) at all cell centres, to the east and to the south, `nx × ny`:
    /// [`velocity`](Self::velocity) of each cell, sooner than one by one.
    pub fn velocities(&self) -> [Field<f32>; 2] {
        velocities(self.moving())
    }
}
