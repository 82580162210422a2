//! [`Around`]: the cells and faces that determine the surface at a point, for worlds whose fields
//! are on a device.

use super::device::DeviceView;
use super::rule::Rule;
use crate::field::{lerp, split_fraction};
use crate::region::Point;

/// Cells and faces that determine the surface at a point.
#[derive(Clone, Debug)]
pub struct Around {
    /// The point's own cell, the four cells for bilinear interpolation, then the neighbours for the
    /// normal.
    cells: Vec<(usize, usize)>,
    faces: [(usize, usize); 4],
    /// Bilinear weights: relative position between the first and the last of the four cells.
    between: [f32; 2],
    beside: [Beside; 4],
    rule: Rule,
    step: f64,
    reach: f32,
}

#[derive(Clone, Copy, Debug)]
enum Beside {
    /// Index in the list of cells.
    Cell(usize),
    /// Wall or shore: the height of the cell itself.
    Own,
    /// Surface fixed at 0.
    Level,
}

/// State of the surface at a point.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Reading {
    /// Height (m), as [`Waves::surface_at`](super::Waves::surface_at).
    pub height: f32,
    /// Vertical velocity (m/s), as [`Waves::velocity`](super::Waves::velocity) of the point's cell.
    pub velocity: f32,
    /// Normal, as [`Waves::normal`](super::Waves::normal) of the point's cell.
    pub normal: [f32; 3],
}

/// Number of cells in the bilinear interpolation.
const FOUR: usize = 4;

impl DeviceView<'_> {
    /// Returns the cells and faces needed to sample the surface at a point; `None` on land and off
    /// the grid.
    pub fn around(&self, point: Point) -> Option<Around> {
        let waves = self.waves;
        let (x, y) = waves.lattice.cell_at(point).filter(|&(x, y)| !waves.is_land(x, y))?;
        let (nx, ny) = (waves.lattice.nx(), waves.lattice.ny());
        let [right, down] = waves.lattice.to_cells(point);
        let ((x0, tx), (y0, ty)) = (split_fraction(right, nx), split_fraction(down, ny));
        let (x1, y1) = ((x0 + 1).min(nx - 1), (y0 + 1).min(ny - 1));
        let mut cells = vec![(x, y), (x0, y0), (x1, y0), (x0, y1), (x1, y1)];
        let beside = waves.beside(x, y).map(|beside| match beside {
            Ok(cell) if cell == (x, y) => Beside::Own,
            Ok(cell) => {
                cells.push(cell);
                Beside::Cell(cells.len() - 1)
            }
            Err(()) => Beside::Level,
        });
        Some(Around {
            cells,
            faces: [(x, y), (x + 1, y), (x, y), (x, y + 1)],
            between: [tx, ty],
            beside,
            rule: waves.rule,
            step: waves.params.step,
            reach: waves.reach(),
        })
    }
}

impl Around {
    /// Returns the cells whose heights are needed, some more than once.
    pub fn cells(&self) -> &[(usize, usize)] {
        &self.cells
    }

    /// Returns the faces whose fluxes are needed: x-faces in the west and east, y-faces in the
    /// north and south.
    pub fn faces(&self) -> [(usize, usize); 4] {
        self.faces
    }

    /// Computes the state of the surface from the heights (m) of the [cells](Self::cells) and the
    /// fluxes (m) of the [faces](Self::faces); `None` if their numbers differ.
    pub fn reading(&self, heights: &[f32], fluxes: &[f32]) -> Option<Reading> {
        if heights.len() != self.cells.len() {
            return None;
        }
        let &[west, east, north, south] = fluxes else { return None };
        let (&own, rest) = heights.split_first()?;
        let &[a, b, c, d] = rest.first_chunk::<FOUR>()?;
        let [tx, ty] = self.between;
        let beside = self.beside.map(|beside| match beside {
            Beside::Cell(place) => heights[place],
            Beside::Own => own,
            Beside::Level => 0.0,
        });
        let rise = self.rule.new_height(0.0, west, east, north, south);
        Some(Reading {
            height: lerp(lerp(a, b, tx), lerp(c, d, tx), ty),
            velocity: (f64::from(rise) / self.step) as f32,
            normal: [beside[0] - beside[1], beside[2] - beside[3], self.reach],
        })
    }
}

#[cfg(test)]
mod tests {
    use crate::lattice::Square;
    use crate::waves::{EdgeKind, Edges, Edit, Params, Waves};
    use crate::{Brush, Field, Region};

    /// Compares the samples with the world itself, at all kinds of edges and next to land.
    #[test]
    fn a_few_numbers_say_what_the_world_says() {
        use EdgeKind::{Absorbing, Periodic, Pinned, Reflecting};
        let mixed = Edges { west: Reflecting, east: Pinned, north: Periodic, south: Periodic };
        for edges in [mixed, Edges::all(Absorbing), Edges::all(Periodic)] {
            let lattice = Square::new(13, 9, 0.5, 0.5).unwrap();
            let params =
                Params { speed: 2.0, step: 0.05, absorbing_cells: 4, edges, ..Params::default() };
            let mut waves = Waves::new(lattice, params).unwrap();
            let height = |x: usize, y: usize| 0.01 * ((x * 7 + y * 5) % 11) as f32;
            waves.set_surface(&Field::from_fn(13, 9, height)).unwrap();
            waves.edit(&Brush::flat(Region::disc([3.0, 2.0], 0.8)), Edit::Land).unwrap();
            waves.step_many(7);
            let mut seen = 0;
            for point in
                (0..700).map(|i| [-0.1 + 0.19 * f64::from(i % 36), 0.13 * f64::from(i / 18)])
            {
                let around = waves.device_view().around(point);
                assert_eq!(around.is_some(), waves.surface_at(point).is_some(), "{point:?}");
                let Some(around) = around else { continue };
                let (x, y) = waves.lattice().cell_at(point).unwrap();
                let state = waves.state();
                let heights: Vec<f32> = around.cells().iter().map(|&at| state.height[at]).collect();
                let [west, east, north, south] = around.faces();
                let fluxes = [
                    state.flux_x[west],
                    state.flux_x[east],
                    state.flux_y[north],
                    state.flux_y[south],
                ];
                let reading = around.reading(&heights, &fluxes).unwrap();
                assert_eq!(Some(reading.height), waves.surface_at(point), "{point:?}");
                assert_eq!(reading.velocity, waves.velocity(x, y), "{point:?}");
                assert_eq!(reading.normal, waves.normal(x, y), "{point:?}");
                assert!(around.reading(&heights[1..], &fluxes).is_none());
                seen += usize::from(reading.velocity != 0.0);
            }
            assert!(seen > 300, "a world that stands still would pass: {seen}");
        }
    }
}
