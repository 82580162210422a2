//! Queries of a flow world at a point or in a region: depth, bed, surface, velocity and volume.

use super::layers::View;
use super::velocity::{VelocityInput, velocity_at};
use crate::error::InputError;
use crate::flow::state::State;
use crate::flow::world::Flow;
use crate::layer::check_sample_count;
use crate::parallel::for_each_band;
use crate::region::{Point, Region};

/// Number of positions per task of [`Flow::sample_many`].
const POINTS_PER_TASK: usize = 1024;

fn sample_each(points: &[Point], into: &mut [f32], value: impl Fn(Point) -> Option<f32> + Sync) {
    for_each_band(into, 1, POINTS_PER_TASK, |range, into| {
        let points = &points[range];
        into.iter_mut().zip(points).for_each(|(into, &p)| *into = value(p).unwrap_or(f32::NAN));
    });
}

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
    /// The velocity is 0 at dry positions. The velocity is interpolated bilinearly between face
    /// centres on squares, and linearly between cell centres on hexagons.
    pub fn velocity_at(&self, position: Point) -> Option<[f32; 2]> {
        velocity_at(self.velocity_input(), position)
    }

    /// Writes the values of a layer at many positions (m) to `into`, on all threads. The layers
    /// `bed`, `depth`, `surface`, `velocity_x`, `velocity_y` and `speed` are interpolated as by
    /// [`depth_at`](Self::depth_at) and [`velocity_at`](Self::velocity_at); `foam` is the value of
    /// the cell. A value is NaN off the grid, and for the surface also at dry positions.
    ///
    /// # Errors
    /// Returns [`InputError`] for any other layer, or if `points` and `into` differ in length.
    pub fn sample_many(
        &self,
        view: View,
        points: &[Point],
        into: &mut [f32],
    ) -> Result<(), InputError> {
        check_sample_count(points, into)?;
        let velocity = |axis: usize| move |p| self.velocity_at(p).map(|v| v[axis]);
        match view {
            View::Bed => sample_each(points, into, |p| self.bed_at(p)),
            View::Depth => sample_each(points, into, |p| self.depth_at(p)),
            View::Surface => sample_each(points, into, |p| self.surface_at(p)),
            View::VelocityX => sample_each(points, into, velocity(0)),
            View::VelocityY => sample_each(points, into, velocity(1)),
            View::Speed => sample_each(points, into, |p| {
                self.velocity_at(p).map(|[u, v]| (u * u + v * v).sqrt())
            }),
            View::Foam => sample_each(points, into, |p| {
                self.lattice.cell_at(p).map(|(x, y)| self.foam_cover_at(x, y))
            }),
            _ => {
                let allowed = "bed, depth, surface, velocity_x, velocity_y, speed, foam";
                return Err(InputError::new("a layer to sample", view.layer().name, allowed));
            }
        }
        Ok(())
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
