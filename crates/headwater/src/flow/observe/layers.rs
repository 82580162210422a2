//! Named layers of a flow world, such as depth and speed, and meshes and velocities of the water,
//! for drawing and export.

use super::flood::FloodCell;
use super::velocity::{VelocityRow, cell_velocity, interleave, velocities};
use crate::changes::Tile;
use crate::error::InputError;
use crate::field::Field;
use crate::flow::world::Flow;
use crate::layer::{layers, write};
use crate::mesh::{Mesh, SurfaceMesh};
use crate::model::Model as _;
use crate::parallel::for_each_row;
use std::borrow::Cow;

layers! {
    Flow, Cow<'_, Field<f32>>;
    Bed: "bed", "m", "height of the ground";
    Depth: "depth", "m", "depth of the water";
    Surface: "surface", "m", "height of the water surface, or of dry ground";
    VelocityX: "velocity_x", "m/s", "velocity to the east, at cell centres";
    VelocityY: "velocity_y", "m/s", "velocity to the south, at cell centres";
    Speed: "speed", "m/s", "magnitude of the velocity";
    Foam: "foam", "1", "foam cover, 0 to 1";
    Closed: "closed", "1", "1 where no water can enter, else 0";
    Soil: "soil", "m", "water stored in the soil";
    MaxDepth: "max_depth", "m", "maximum depth, if flood statistics are on";
    MaxLevel: "max_level", "m", "maximum water level, or height of ground that stayed dry";
    MaxSpeed: "max_speed", "m/s", "maximum speed";
    MaxUnitDischarge: "max_unit_discharge", "m²/s", "maximum unit discharge, mean over the faces of a cell";
    MaxHazard: "max_hazard", "m²/s", "maximum of unit discharge + 0.5 m/s × depth";
    Arrival: "arrival", "s", "first arrival of the flood, NaN where it never arrived";
    Duration: "duration", "s", "total duration of flooding", Anywhere;
}

impl View {
    /// Returns true if the layer is one of the statistics of a [`Flood`](crate::flow::Flood).
    pub const fn is_flood_statistic(self) -> bool {
        matches!(
            self,
            Self::MaxDepth
                | Self::MaxLevel
                | Self::MaxSpeed
                | Self::MaxUnitDischarge
                | Self::MaxHazard
                | Self::Arrival
                | Self::Duration
        )
    }
}

impl Flow {
    /// Returns the values of a layer as a field of `nx × ny` cells. The field is borrowed from the
    /// state if possible, otherwise computed.
    pub fn view(&self, view: View) -> Cow<'_, Field<f32>> {
        let [mut east, mut south] = match view {
            View::Bed => return Cow::Borrowed(&self.state.bed),
            View::Depth => return Cow::Borrowed(&self.state.depth),
            View::Foam => return Cow::Owned(self.foam_cover()),
            // All velocities at once are faster than cell by cell.
            View::VelocityX | View::VelocityY | View::Speed => self.velocities(),
            _ => return Cow::Owned(self.compute_layer(view)),
        };
        Cow::Owned(match view {
            View::VelocityX => east,
            View::VelocityY => south,
            _ => {
                for (u, v) in east.as_mut_slice().iter_mut().zip(south.as_mut_slice()) {
                    *u = (*u * *u + *v * *v).sqrt();
                }
                east
            }
        })
    }

    fn write(&self, view: View, tiles: &[Tile], into: &mut Field<f32>) {
        let state = &self.state;
        let soil = |x, y| self.soil_water_at(x, y).map_or(0.0, |held| held as f32);
        let layer = view.layer();
        match view {
            View::Bed => write(layer, tiles, into, |x, y| state.bed[(x, y)]),
            View::Depth => write(layer, tiles, into, |x, y| state.depth[(x, y)]),
            View::Surface => write(layer, tiles, into, |x, y| state.surface(x, y)),
            View::VelocityX => write(layer, tiles, into, |x, y| self.velocity(x, y)[0]),
            View::VelocityY => write(layer, tiles, into, |x, y| self.velocity(x, y)[1]),
            View::Speed => write(layer, tiles, into, |x, y| {
                let [u, v] = self.velocity(x, y);
                (u * u + v * v).sqrt()
            }),
            View::Foam => write(layer, tiles, into, |x, y| self.foam_cover_at(x, y)),
            View::Closed => {
                write(layer, tiles, into, |x, y| f32::from(u8::from(state.closed.contains(x, y))));
            }
            View::Soil => write(layer, tiles, into, soil),
            View::MaxDepth => write(layer, tiles, into, |x, y| self.flood_cell(x, y).depth),
            View::MaxLevel => {
                write(layer, tiles, into, |x, y| {
                    self.flood_cell(x, y).max_level(state.bed[(x, y)])
                });
            }
            View::MaxSpeed => write(layer, tiles, into, |x, y| self.flood_cell(x, y).speed),
            View::MaxUnitDischarge => {
                write(layer, tiles, into, |x, y| self.flood_cell(x, y).unit_discharge);
            }
            View::MaxHazard => write(layer, tiles, into, |x, y| self.flood_cell(x, y).hazard),
            View::Arrival => write(layer, tiles, into, |x, y| self.flood_cell(x, y).arrival),
            View::Duration => {
                write(layer, tiles, into, |x, y| self.flood_cell(x, y).duration(self.time));
            }
        }
    }

    fn flood_cell(&self, x: usize, y: usize) -> FloodCell {
        self.flood.as_ref().map_or(FloodCell::NONE, |record| record.marks[(x, y)])
    }

    /// Returns the ground surface as a triangle mesh.
    pub fn ground_mesh(&self) -> Mesh {
        Mesh::from_heights(self.lattice, &self.state.bed)
    }

    /// Updates the vertices of `sheet`, a mesh of the water surface, in the given `tiles`.
    ///
    /// # Errors
    /// Returns [`InputError`] if the sheet was created for another grid.
    pub fn update_water_sheet(
        &self,
        sheet: &mut SurfaceMesh,
        tiles: &[Tile],
    ) -> Result<(), InputError> {
        sheet.set_water(&self.state.bed, &self.state.depth, self.params.dry_depth as f32, tiles)
    }

    /// Returns the water surface as a triangle mesh. The mesh covers the cells that are deeper than
    /// [`dry_depth`](crate::flow::Params::dry_depth).
    pub fn water_mesh(&self) -> Mesh {
        let mut mesh = Mesh::default();
        self.water_mesh_into(&mut mesh);
        mesh
    }

    /// Replaces the contents of `mesh` with the water surface, like
    /// [`water_mesh`](Self::water_mesh), but reuses the allocations of `mesh`.
    pub fn water_mesh_into(&self, mesh: &mut Mesh) {
        let dry = self.params.dry_depth as f32;
        mesh.set_water(&self.scratch, self.lattice, &self.state.bed, &self.state.depth, dry);
    }

    /// Returns the water velocity (m/s, `[east, south]`) at the centre of a cell, as the mean over
    /// the faces of the cell. The velocity is 0 in dry cells and off the grid.
    pub fn velocity(&self, x: usize, y: usize) -> [f32; 2] {
        if !self.lattice.contains(x, y) {
            return [0.0; 2];
        }
        cell_velocity(self.velocity_input(), x, y)
    }

    /// Returns the [`velocity`](Self::velocity) (m/s) of all cells as two fields of `nx × ny`
    /// values: the components to the east and to the south.
    pub fn velocities(&self) -> [Field<f32>; 2] {
        velocities(self.velocity_input())
    }

    /// Writes the values of the cells of a tile to `into`, row by row, as four numbers per cell:
    /// ground height (m), water depth (m), and the components of the [`velocity`](Self::velocity)
    /// to the east and to the south (m/s). The function does not allocate.
    ///
    /// # Errors
    /// Returns [`InputError`] if the tile is not within the grid, or the length of `into` differs
    /// from the number of cells in the tile.
    pub fn texels_into(&self, tile: Tile, into: &mut [[f32; 4]]) -> Result<(), InputError> {
        let grid = [self.lattice.nx(), self.lattice.ny()];
        if tile != tile.expanded(0, grid) {
            return Err(InputError::new("a tile", format!("{tile:?}"), "one on the grid"));
        }
        let cells = tile.nx * tile.ny;
        InputError::check("texel buffer length", into.len() as f64, into.len() == cells, cells)?;
        if cells == 0 {
            return Ok(());
        }
        let columns = tile.x..tile.x + tile.nx;
        for_each_row(into, tile.nx, |row, into| {
            let y = tile.y + row;
            let mut velocities = self.scratch.take::<VelocityRow>();
            let [u, v] = velocities.compute(self.velocity_input(), y, columns.clone());
            let [bed, depth] =
                [&self.state.bed, &self.state.depth].map(|field| &field.row(y)[columns.clone()]);
            interleave(into, [bed, depth, u, v]);
        });
        Ok(())
    }
}
