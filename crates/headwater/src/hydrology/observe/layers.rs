//! Layers of a world by name, as fields that can be drawn or written to a file.

use crate::changes::Tile;
use crate::field::Field;
use crate::hydrology::ground::forest::Plant;
use crate::hydrology::state::fixed;
use crate::hydrology::world::Hydrology;
use crate::layer::{LayerOutput, layers, write_blocks, write_copy, write_rows};
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

    fn write(&self, view: View, output: LayerOutput<'_>) {
        let (land, nx) = (&self.land, self.land.lattice.nx());
        let cell_area = land.lattice.cell_area() as f32;
        let strength = land.half_strength_area();
        match view {
            View::Bed => write_copy(output, &self.heights),
            View::Soil => write_rows(output, |y, columns, into| {
                fixed::heights_to_metres(&land.soil[y * nx..][columns], into);
            }),
            View::Depth => self.write_levels(output, |levels, bed| {
                levels.iter_mut().zip(bed).for_each(|(level, bed)| *level -= bed);
            }),
            View::Surface => self.write_levels(output, |_, _| {}),
            View::Discharge => write_from_array(output, nx, &land.area, |area| area * cell_area),
            View::Stream => {
                write_from_array(output, nx, &land.area, |area| area / (area + strength));
            }
            View::MomentumX => self.write_direction(output, 0),
            View::MomentumY => self.write_direction(output, 1),
            View::Vegetation => write_copy(output, &self.cover),
            View::Plant => self.write_plants(output, |plant| f32::from(plant.kind)),
            View::Size => {
                self.write_plants(output, |plant| f32::from(plant.size) / f32::from(u16::MAX));
            }
        }
    }

    /// Writes a layer that is derived from the surface heights. `convert` receives one row at a
    /// time: the heights of the surface and of the bed (quanta of 2⁻²⁰ m). It replaces the surface
    /// heights in place by the values to write.
    fn write_levels(&self, output: LayerOutput<'_>, convert: impl Fn(&mut [i64], &[i64]) + Sync) {
        let nx = self.land.lattice.nx();
        write_blocks(output, |mut block| {
            let Tile { x, nx: width, .. } = block.tile;
            let mut levels = self.scratch.take_filled(width, 0);
            block.for_each_row(|y, into| {
                let cells = y * nx + x..y * nx + x + width;
                let bed = &self.land.bed[cells.clone()];
                self.waters.write_levels(cells, bed, &mut levels);
                convert(&mut levels, bed);
                fixed::heights_to_metres(&levels, into);
            });
        });
    }

    fn write_direction(&self, output: LayerOutput<'_>, axis: usize) {
        let (land, nx) = (&self.land, self.land.lattice.nx());
        write_rows(output, |y, columns, into| {
            let momentum = &land.momentum[y * nx..][columns.clone()];
            let cells = momentum.iter().zip(&land.area[y * nx..][columns]);
            for (into, (momentum, area)) in into.iter_mut().zip(cells) {
                *into = momentum[axis] / area.max(1e-6);
            }
        });
    }

    fn write_plants(&self, output: LayerOutput<'_>, value: impl Fn(&Plant) -> f32 + Sync) {
        if self.land.plants.is_empty() {
            return write_rows(output, |_, _, into| into.fill(value(&Plant::default())));
        }
        write_from_array(output, self.land.lattice.nx(), &self.land.plants, value);
    }
}

/// Writes a layer from the array `from`, which has one element per cell, row by row, and `nx`
/// columns. `value` converts an element to the value of its cell.
fn write_from_array<T: Sync>(
    output: LayerOutput<'_>,
    nx: usize,
    from: &[T],
    value: impl Fn(&T) -> f32 + Sync,
) {
    write_rows(output, |y, columns, into| {
        let from = &from[y * nx..][columns];
        into.iter_mut().zip(from).for_each(|(into, from)| *into = value(from));
    });
}
