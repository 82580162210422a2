//! Queries of a flow world at a point or in a region: depth, bed, surface, velocity and volume.

use super::layers::View;
use super::velocity::{VelocityInput, velocity_at, velocity_component, velocity_weights};
use crate::error::InputError;
use crate::flow::state::State;
use crate::flow::world::Flow;
use crate::lattice::{CellWeights, FaceAxis};
use crate::layer::check_sample_count;
use crate::parallel::for_each_band;
use crate::region::{Point, Region};

/// Number of positions per task of [`Flow::sample_many`].
const POINTS_PER_TASK: usize = 1024;

/// Number of positions that are located before their values are read, so that the memory accesses
/// of several positions overlap.
const POINTS_PER_BLOCK: usize = 32;

/// Computes a value for each of many positions. `locate` returns the cells around a position. If it
/// returns `None`, the value is NaN.
fn sample_points<T: Copy>(
    points: &[Point],
    into: &mut [f32],
    locate: impl Fn(Point) -> Option<T> + Sync,
    value: impl Fn(T) -> f32 + Sync,
) {
    for_each_band(into, 1, POINTS_PER_TASK, |range, into| {
        let mut located = [None; POINTS_PER_BLOCK];
        let blocks = points[range].chunks(POINTS_PER_BLOCK);
        for (points, into) in blocks.zip(into.chunks_mut(POINTS_PER_BLOCK)) {
            located.iter_mut().zip(points).for_each(|(at, &point)| *at = locate(point));
            into.iter_mut().zip(located).for_each(|(into, at)| *into = at.map_or(f32::NAN, &value));
        }
    });
}

/// Cell that contains a position, and weights for the interpolation at the position.
#[derive(Clone, Copy)]
struct LocatedPoint {
    cell: (usize, usize),
    weights: CellWeights,
}

impl Flow {
    pub(in crate::flow) fn velocity_input(&self) -> VelocityInput<'_> {
        let Self { state, lattice, params, last_dt, .. } = self;
        VelocityInput { state, lattice, dry: params.dry_depth as f32, dt: *last_dt, first: 0 }
    }

    /// Returns the water depth (m) at a position (m), interpolated between cell centres, or `None`
    /// off the grid.
    pub fn depth_at(&self, position: Point) -> Option<f32> {
        self.locate(position).map(|at| at.weights.interpolate(&self.state.depth))
    }

    /// Returns the ground elevation (m) at a position (m), interpolated between cell centres, or
    /// `None` off the grid.
    pub fn bed_at(&self, position: Point) -> Option<f32> {
        self.locate(position).map(|at| at.weights.interpolate(&self.state.bed))
    }

    /// Returns the elevation of the water surface (m) at a position (m), or `None` at positions
    /// that are [dry](Self::is_flooded) or off the grid. The elevation is interpolated between cell
    /// centres. A cell with a [`Subgrid`](crate::flow::Subgrid) has one surface elevation, even if
    /// the subgrid divides it into a low and a high part.
    pub fn surface_at(&self, position: Point) -> Option<f32> {
        let at = self.locate(position)?;
        self.is_wet(at.cell).then(|| self.interpolated_surface(at))
    }

    /// Returns the cells around a position (m), or `None` off the grid.
    fn locate(&self, position: Point) -> Option<LocatedPoint> {
        let cell = self.lattice.cell_at(position)?;
        Some(LocatedPoint { cell, weights: self.lattice.cell_weights(position) })
    }

    fn interpolated_surface(&self, located: LocatedPoint) -> f32 {
        let State { bed, depth, subgrid, .. } = &self.state;
        match subgrid {
            Some(_) => self.state.surface(located.cell.0, located.cell.1),
            None => located.weights.interpolate(bed) + located.weights.interpolate(depth),
        }
    }

    fn is_wet(&self, cell: (usize, usize)) -> bool {
        self.state.depth[cell] > self.params.dry_depth as f32
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
        let (moving, State { bed, depth, .. }) = (self.velocity_input(), &self.state);
        let velocity_weights = |axis| move |p| velocity_weights(moving.lattice, axis, p);
        let velocity = |axis| move |at| velocity_component(moving, axis, &at);
        match view {
            View::Bed => {
                sample_points(points, into, |p| self.locate(p), |at| at.weights.interpolate(bed));
            }
            View::Depth => {
                sample_points(points, into, |p| self.locate(p), |at| at.weights.interpolate(depth));
            }
            View::Surface => sample_points(
                points,
                into,
                |p| self.locate(p).filter(|at| self.is_wet(at.cell)),
                |at| self.interpolated_surface(at),
            ),
            View::VelocityX => {
                sample_points(points, into, velocity_weights(FaceAxis::X), velocity(FaceAxis::X));
            }
            View::VelocityY => {
                sample_points(points, into, velocity_weights(FaceAxis::Y), velocity(FaceAxis::Y));
            }
            View::Speed => {
                sample_points(
                    points,
                    into,
                    |p| self.velocity_at(p),
                    |[u, v]| (u * u + v * v).sqrt(),
                );
            }
            View::Foam => sample_points(
                points,
                into,
                |p| self.lattice.cell_at(p),
                |(x, y)| self.foam_cover_at(x, y),
            ),
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
        self.lattice.cell_at(position).is_some_and(|cell| self.is_wet(cell))
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
