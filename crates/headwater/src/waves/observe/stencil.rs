//! Sampling of the surface at a point from a few cells and faces. This is for worlds whose fields
//! are stored on a device such as a GPU. [`PointStencil`] lists the cells and faces to read.

use crate::field::{lerp, split_fraction};
use crate::region::Point;
use crate::waves::solver::rule::WaveCoefficients;
use crate::waves::state::device::DeviceView;

/// Cells and faces whose values determine the surface at a point.
#[derive(Clone, Debug)]
pub struct PointStencil {
    /// Column and row of each cell to read: the cell that contains the point, then the four cells
    /// for bilinear interpolation, then the neighbours for the normal.
    cells: Vec<(usize, usize)>,
    faces: [(usize, usize); 4],
    /// Weights of the bilinear interpolation along x and along y, from 0 to 1. A weight is 0 if the
    /// point lies at the first of the four cells, and 1 if it lies at the last.
    bilinear_weights: [f32; 2],
    neighbours: [Neighbour; 4],
    rule: WaveCoefficients,
    step: f64,
    two_cells: f32,
}

#[derive(Clone, Copy, Debug)]
enum Neighbour {
    /// Index of the neighbour in the list `cells`.
    Cell(usize),
    /// The neighbour is a wall or land, and is replaced by the cell itself.
    Center,
    /// The neighbour lies beyond an edge of fixed height, and has height 0.
    FixedHeight,
}

/// Height, vertical velocity and normal of the surface at a point.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct SurfaceSample {
    /// Height of the surface (m), equal to the result of
    /// [`Waves::surface_at`](crate::waves::Waves::surface_at).
    pub height: f32,
    /// Vertical velocity of the surface in the cell that contains the point (m/s, positive upward),
    /// equal to the result of [`Waves::velocity`](crate::waves::Waves::velocity).
    pub velocity: f32,
    /// Normal of the surface at the centre of the cell that contains the point, equal to the result
    /// of [`Waves::normal`](crate::waves::Waves::normal). The vector is not normalised.
    pub normal: [f32; 3],
}

/// Number of cells that the bilinear interpolation reads.
const INTERPOLATION_CELLS: usize = 4;

impl DeviceView<'_> {
    /// Returns the cells and faces whose values are needed to sample the surface at a point (m).
    /// Returns `None` on land and off the grid.
    pub fn stencil_at(&self, point: Point) -> Option<PointStencil> {
        let waves = self.waves;
        let (x, y) = waves.lattice.cell_at(point).filter(|&(x, y)| !waves.is_land(x, y))?;
        let (nx, ny) = (waves.lattice.nx(), waves.lattice.ny());
        let [right, down] = waves.lattice.to_cell_coordinates(point);
        let ((x0, tx), (y0, ty)) = (split_fraction(right, nx), split_fraction(down, ny));
        let (x1, y1) = ((x0 + 1).min(nx - 1), (y0 + 1).min(ny - 1));
        let mut cells = vec![(x, y), (x0, y0), (x1, y0), (x0, y1), (x1, y1)];
        let neighbours = waves.neighbour_cells(x, y).map(|neighbour| match neighbour {
            Ok(cell) if cell == (x, y) => Neighbour::Center,
            Ok(cell) => {
                cells.push(cell);
                Neighbour::Cell(cells.len() - 1)
            }
            Err(()) => Neighbour::FixedHeight,
        });
        Some(PointStencil {
            cells,
            faces: [(x, y), (x + 1, y), (x, y), (x, y + 1)],
            bilinear_weights: [tx, ty],
            neighbours,
            rule: waves.rule,
            step: waves.params.step,
            two_cells: waves.double_cell_size(),
        })
    }
}

impl PointStencil {
    /// Returns the column and row of each cell whose height is needed. A cell can occur more than
    /// once.
    pub fn cells(&self) -> &[(usize, usize)] {
        &self.cells
    }

    /// Returns the column and row of the faces whose fluxes are needed: the western and eastern
    /// x-face and the northern and southern y-face of the cell that contains the point.
    pub fn faces(&self) -> [(usize, usize); 4] {
        self.faces
    }

    /// Computes the surface at the point. `heights` holds the heights (m) of the
    /// [cells](Self::cells), and `fluxes` holds the fluxes (m) through the [faces](Self::faces), in
    /// the same order. Returns `None` if the length of a slice is wrong.
    pub fn sample(&self, heights: &[f32], fluxes: &[f32]) -> Option<SurfaceSample> {
        if heights.len() != self.cells.len() {
            return None;
        }
        let &[west, east, north, south] = fluxes else { return None };
        let (&own, rest) = heights.split_first()?;
        let &[a, b, c, d] = rest.first_chunk::<INTERPOLATION_CELLS>()?;
        let [tx, ty] = self.bilinear_weights;
        let neighbours = self.neighbours.map(|neighbour| match neighbour {
            Neighbour::Cell(place) => heights[place],
            Neighbour::Center => own,
            Neighbour::FixedHeight => 0.0,
        });
        let rise = self.rule.new_height(0.0, west, east, north, south);
        Some(SurfaceSample {
            height: lerp(lerp(a, b, tx), lerp(c, d, tx), ty),
            velocity: (f64::from(rise) / self.step) as f32,
            normal: [neighbours[0] - neighbours[1], neighbours[2] - neighbours[3], self.two_cells],
        })
    }
}

#[cfg(test)]
mod tests {
    use crate::lattice::Square;
    use crate::waves::{EdgeKind, Edges, Edit, Params, Waves};
    use crate::{Brush, Field, Region};

    /// Checks that samples from a stencil equal queries of the world at all kinds of edges and next
    /// to land.
    #[test]
    fn stencil_samples_equal_queries_of_the_world() {
        use EdgeKind::{Absorbing, Periodic, Pinned, Reflecting};
        let mixed = Edges { west: Reflecting, east: Pinned, north: Periodic, south: Periodic };
        for edges in [mixed, Edges::uniform(Absorbing), Edges::uniform(Periodic)] {
            let lattice = Square::new(13, 9, 0.5, 0.5).unwrap();
            let params =
                Params { speed: 2.0, step: 0.05, absorbing_cells: 4, edges, ..Params::default() };
            let mut waves = Waves::new(lattice, params).unwrap();
            let height = |x: usize, y: usize| 0.01 * ((x * 7 + y * 5) % 11) as f32;
            waves.set_surface(&Field::from_fn(13, 9, height)).unwrap();
            waves
                .edit(&Brush::with_flat_falloff(Region::disc([3.0, 2.0], 0.8)), Edit::Land)
                .unwrap();
            waves.step_many(7);
            let mut seen = 0;
            for point in
                (0..700).map(|i| [-0.1 + 0.19 * f64::from(i % 36), 0.13 * f64::from(i / 18)])
            {
                let stencil = waves.device_view().stencil_at(point);
                assert_eq!(stencil.is_some(), waves.surface_at(point).is_some(), "{point:?}");
                let Some(stencil) = stencil else { continue };
                let (x, y) = waves.lattice().cell_at(point).unwrap();
                let state = waves.state();
                let heights: Vec<f32> =
                    stencil.cells().iter().map(|&at| state.height[at]).collect();
                let [west, east, north, south] = stencil.faces();
                let fluxes = [
                    state.flux_x[west],
                    state.flux_x[east],
                    state.flux_y[north],
                    state.flux_y[south],
                ];
                let sample = stencil.sample(&heights, &fluxes).unwrap();
                assert_eq!(Some(sample.height), waves.surface_at(point), "{point:?}");
                assert_eq!(sample.velocity, waves.velocity(x, y), "{point:?}");
                assert_eq!(sample.normal, waves.normal(x, y), "{point:?}");
                assert!(stencil.sample(&heights[1..], &fluxes).is_none());
                seen += usize::from(sample.velocity != 0.0);
            }
            assert!(seen > 300, "a world that stands still would pass: {seen}");
        }
    }
}
