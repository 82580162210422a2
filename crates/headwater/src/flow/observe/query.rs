//! Queries of a flow world at a point or in a region: depth, bed, surface, velocity and volume.

use super::velocity::{VelocityInput, velocity_at};
use crate::error::InputError;
use crate::flow::state::State;
use crate::flow::world::Flow;
use crate::region::{Point, Region};

impl Flow {
    pub(in crate::flow) fn velocity_input(&self) -> VelocityInput<'_> {
        let Self { state, lattice, params, last_dt, .. } = self;
        VelocityInput { state, lattice, dry: params.dry_depth as f32, dt: *last_dt, first: 0 }
    }

    /// Returns the water depth (m) at a position (m), interpolated between cell centres, or `None`
    /// off the grid.
    pub fn depth_at(&self, position: Point) -> Option<f32> {
        self.sample(&self.state.depth, position)
    }

    /// Returns the ground height (m) at a position (m), interpolated between cell centres, or
    /// `None` off the grid.
    pub fn bed_at(&self, position: Point) -> Option<f32> {
        self.sample(&self.state.bed, position)
    }

    /// Returns the height of the water surface (m) at a position (m), or `None` at positions that
    /// are [dry](Self::is_flooded) or off the grid. The height is interpolated between cell
    /// centres; a cell that is split by a [`Subgrid`](crate::flow::Subgrid) has a single surface.
    pub fn surface_at(&self, position: Point) -> Option<f32> {
        let wet = self.is_flooded(position).then_some(position)?;
        if self.state.subgrid.is_some() {
            return self.lattice.cell_at(wet).map(|(x, y)| self.state.surface(x, y));
        }
        Some(self.bed_at(wet)? + self.depth_at(wet)?)
    }

    fn sample(&self, field: &crate::Field<f32>, position: Point) -> Option<f32> {
        self.lattice.cell_at(position)?;
        Some(self.lattice.sample(field, position))
    }

    /// Returns the water velocity (m/s, `[east, south]`) at a position (m), or `None` off the grid.
    /// The velocity is 0 at dry positions. On squares it is interpolated bilinearly between face
    /// centres, on hexagons linearly between cell centres.
    pub fn velocity_at(&self, position: Point) -> Option<[f32; 2]> {
        velocity_at(self.velocity_input(), position)
    }

    /// Returns true if the cell that contains a position (m) has a water depth above
    /// [`dry_depth`](crate::flow::Params::dry_depth). Returns false off the grid.
    pub fn is_flooded(&self, position: Point) -> bool {
        let dry = self.params.dry_depth as f32;
        self.lattice.cell_at(position).is_some_and(|cell| self.state.depth[cell] > dry)
    }

    /// Returns the volume of water (m³) in the cells whose centres lie in a region.
    ///
    /// # Errors
    /// Returns [`InputError`] if the region is invalid.
    pub fn volume_in(&self, region: &Region) -> Result<f64, InputError> {
        region.validate()?;
        let cells = region.cells(self.lattice);
        let State { depth, remainder, .. } = &self.state;
        let held = |at: (usize, usize)| f64::from(depth[at]) + f64::from(remainder[at]);
        let depths: f64 = cells.iter().map(|&(x, y, _)| held((x, y))).sum();
        Ok(depths * self.lattice.cell_area())
    }
}
