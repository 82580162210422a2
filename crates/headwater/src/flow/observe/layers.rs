//! Named layers of a flow world, such as depth and speed, and meshes and velocities of the water,
//! for drawing and export.

use super::flood::FloodCell;
use super::velocity::{VelocityRows, cell_velocity, interleave};
use crate::changes::Tile;
use crate::error::InputError;
use crate::field::Field;
use crate::flow::world::Flow;
use crate::lattice::FaceAxis;
use crate::layer::{
    CELLS_PER_TASK, LayerOutput, layers, write_blocks, write_cells, write_copy, write_rows,
};
use crate::mesh::{Mesh, SurfaceMesh};
use crate::model::Model as _;
use crate::parallel::for_each_band;
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
        match view {
            View::Bed => Cow::Borrowed(&self.state.bed),
            View::Depth => Cow::Borrowed(&self.state.depth),
            _ => Cow::Owned(self.compute_layer(view)),
        }
    }

    fn write(&self, view: View, output: LayerOutput<'_>) {
        let state = &self.state;
        match view {
            View::Bed => write_copy(output, &state.bed),
            View::Depth => write_copy(output, &state.depth),
            View::Surface => {
                write_rows(output, |y, columns, into| {
                    state.write_surface(y, columns, into);
                });
            }
            View::VelocityX => self.write_velocity(FaceAxis::X, output),
            View::VelocityY => self.write_velocity(FaceAxis::Y, output),
            View::Speed => write_blocks(output, |mut block| {
                let mut rows = self.velocity_rows(block.tile);
                block.for_each_row(|y, into| rows.write_speed(y, into));
            }),
            View::Foam => write_blocks(output, |mut block| self.write_foam(&mut block)),
            View::Closed => {
                let closed = state.closed.cells();
                write_rows(output, |y, columns, into| {
                    for (into, &closed) in into.iter_mut().zip(&closed.row(y)[columns]) {
                        *into = f32::from(u8::from(closed));
                    }
                });
            }
            View::Soil => {
                let soil = self.exchange.soil.as_ref();
                write_rows(output, |y, columns, into| match soil {
                    None => into.fill(0.0),
                    Some(soil) => {
                        let cells = &soil.cells.row(y)[columns];
                        into.iter_mut()
                            .zip(cells)
                            .for_each(|(into, cell)| *into = cell.held as f32);
                    }
                });
            }
            View::MaxLevel => {
                write_cells(output, |x, y| self.flood_cell(x, y).max_level(state.bed[(x, y)]));
            }
            View::MaxDepth => self.write_flood(output, |cell| cell.depth),
            View::MaxSpeed => self.write_flood(output, |cell| cell.speed),
            View::MaxUnitDischarge => {
                self.write_flood(output, |cell| cell.unit_discharge);
            }
            View::MaxHazard => self.write_flood(output, |cell| cell.hazard),
            View::Arrival => self.write_flood(output, |cell| cell.arrival),
            View::Duration => {
                self.write_flood(output, |cell| cell.duration(self.time));
            }
        }
    }

    fn velocity_rows(&self, tile: Tile) -> VelocityRows<'_> {
        VelocityRows::new(self.velocity_input(), tile.x..tile.x + tile.nx, &self.scratch)
    }

    fn write_velocity(&self, component: FaceAxis, output: LayerOutput<'_>) {
        write_blocks(output, |mut block| {
            let mut rows = self.velocity_rows(block.tile);
            block.for_each_row(|y, into| rows.write(component, y, into));
        });
    }

    fn write_flood(&self, output: LayerOutput<'_>, value: impl Fn(&FloodCell) -> f32 + Sync) {
        write_rows(output, |y, columns, into| match &self.flood {
            None => into.fill(value(&FloodCell::NONE)),
            Some(record) => {
                let cells = &record.marks.row(y)[columns];
                into.iter_mut().zip(cells).for_each(|(into, cell)| *into = value(cell));
            }
        });
    }

    fn flood_cell(&self, x: usize, y: usize) -> FloodCell {
        self.flood.as_ref().map_or(FloodCell::NONE, |record| record.marks[(x, y)])
    }

    /// Returns the ground surface as a triangle mesh.
    pub fn ground_mesh(&self) -> Mesh {
        Mesh::from_heights(self.lattice, &self.state.bed)
    }

    /// Updates the vertices of `mesh`, a mesh of the water surface, in the given `tiles`.
    ///
    /// # Errors
    /// Returns [`InputError`] if `mesh` was created for another grid.
    pub fn update_surface_mesh(
        &self,
        mesh: &mut SurfaceMesh,
        tiles: &[Tile],
    ) -> Result<(), InputError> {
        mesh.set_water(&self.state.bed, &self.state.depth, self.params.dry_depth as f32, tiles)
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
    /// values: the eastward and the southward components.
    pub fn velocities(&self) -> [Field<f32>; 2] {
        [View::VelocityX, View::VelocityY].map(|view| self.compute_layer(view))
    }

    /// Writes the values of the cells of a tile to `into`, row by row, as four numbers per cell:
    /// ground elevation (m), water depth (m), and the eastward and southward components of the
    /// [`velocity`](Self::velocity) (m/s). The function does not allocate.
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
        let rows_per_task = CELLS_PER_TASK.div_ceil(tile.nx);
        for_each_band(into, tile.nx, rows_per_task, |rows, into| {
            let mut velocities = self.velocity_rows(tile);
            for (row, into) in rows.zip(into.chunks_exact_mut(tile.nx)) {
                let y = tile.y + row;
                let [u, v] = velocities.compute(y);
                let [bed, depth] = [&self.state.bed, &self.state.depth]
                    .map(|field| &field.row(y)[columns.clone()]);
                interleave(into, [bed, depth, u, v]);
            }
        });
        Ok(())
    }
}
