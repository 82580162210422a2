//! [`Mesh`]: ground and water as triangles, for files and tools; [`Sheet`]: the same for renderers,
//! updated in place.

mod sheet;
mod surface;

pub use sheet::Sheet;

use crate::field::Field;
use crate::lattice::{Hex, Lattice};
use crate::parallel::for_each_row_pair;
use crate::scratch::ScratchPool;
use surface::{Facing, Part};

/// Triangles with a normal and a texture coordinate at each corner.
///
/// Right-handed with y up, as in glTF: x to the east, z to the south, in metres from the grid's
/// top-left corner at height 0. Triangles run counter-clockwise from above. Texture coordinates run
/// from 0 to 1 over the grid, `u` to the east, `v` to the south.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Mesh {
    /// Corners (m).
    pub positions: Vec<[f32; 3]>,
    /// Unit normals, one for each corner.
    pub normals: Vec<[f32; 3]>,
    /// Texture coordinates, one for each corner.
    pub texture: Vec<[f32; 2]>,
    /// Triangles as numbers of corners.
    pub triangles: Vec<[u32; 3]>,
}

impl Mesh {
    /// The surface of `heights` (m): a corner in the middle of every cell, triangles between neighbours;
    /// between hexagons they are equilateral on the map. A grid one cell wide has no triangles.
    ///
    /// # Panics
    /// If the field has another shape than the grid.
    pub fn of_heights(lattice: impl Into<Lattice>, heights: &Field<f32>) -> Self {
        let lattice = lattice.into();
        check(&lattice, heights);
        let parts = Field::new(heights.nx(), heights.ny(), Part::Wet);
        let mut mesh = Self::default();
        mesh.set_parts(&ScratchPool::default(), &lattice, heights, &parts);
        mesh
    }

    /// The surface of water of `depth` over `bed` (both m): the squares between cells, of hexagons the
    /// triangles, of which at least one is deeper than `dry` (m).
    ///
    /// A dry corner beside water takes the mean surface of its wet neighbours, if its ground is not below
    /// that, so that the water runs into the shore level instead of climbing it.
    ///
    /// # Panics
    /// If a field has another shape than the grid.
    pub fn of_water(
        lattice: impl Into<Lattice>,
        bed: &Field<f32>,
        depth: &Field<f32>,
        dry: f32,
    ) -> Self {
        let mut mesh = Self::default();
        mesh.set_water_in(&ScratchPool::default(), lattice, bed, depth, dry);
        mesh
    }

    /// Becomes the surface of water, as [`of_water`](Self::of_water) makes it, reusing memory.
    pub(crate) fn set_water_in(
        &mut self,
        scratch: &ScratchPool,
        lattice: impl Into<Lattice>,
        bed: &Field<f32>,
        depth: &Field<f32>,
        dry: f32,
    ) {
        let (lattice, nx) = (&lattice.into(), bed.nx());
        [bed, depth].into_iter().for_each(|field| check(lattice, field));
        let mut heights = scratch.take::<Field<f32>>();
        heights.reset(nx, bed.ny(), 0.0);
        let mut parts = scratch.take::<Field<Part>>();
        parts.reset(nx, bed.ny(), Part::None);
        let water = |x: usize, y: usize| [bed[(x, y)], depth[(x, y)]];
        let (rows, of_rows) = (heights.as_mut_slice(), parts.as_mut_slice());
        for_each_row_pair(rows, nx, of_rows, nx, |y, heights, parts| {
            for (x, (height, part)) in heights.iter_mut().zip(parts).enumerate() {
                (*height, *part) = surface::at(lattice, &water, dry, (x, y));
            }
        });
        self.set_parts(scratch, lattice, &heights, &parts);
    }

    fn set_parts(
        &mut self,
        scratch: &ScratchPool,
        lattice: &Lattice,
        heights: &Field<f32>,
        parts: &Field<Part>,
    ) {
        let Self { positions, normals, texture: coordinates, triangles } = self;
        positions.clear();
        normals.clear();
        coordinates.clear();
        triangles.clear();
        let (nx, ny) = (heights.nx(), heights.ny());
        if nx < 2 || ny < 2 {
            return;
        }
        // Wet corners and those beside them are the corners of what is taken, row by row as they lie in memory.
        let facing = Facing::new(lattice, heights, parts);
        // Where columns are and where on a texture: of hexagons, every second row is like the first.
        let columns = [0, 1].map(|y| {
            let of_column = |x| [corner(lattice, 0.0, (x, y))[0], texture(lattice, (x, y))[0]];
            scratch.collect((0..nx).map(of_column))
        });
        let count = parts.as_slice().iter().filter(|part| **part != Part::None).count();
        positions.reserve(count);
        normals.reserve(count);
        coordinates.reserve(count);
        // As many as where all is water, and seldom more.
        triangles.reserve(2 * count);
        let mut first_above = 0;
        for y in 0..ny {
            let first = positions.len() as u32;
            let (south, v) = (corner(lattice, 0.0, (0, y))[2], texture(lattice, (0, y))[1]);
            let row = parts.row(y).iter().zip(heights.row(y)).zip(&*columns[y % 2]);
            for (x, ((&part, &height), &[east, u])) in row.enumerate() {
                if part != Part::None {
                    positions.push([east, height, south]);
                    coordinates.push([u, v]);
                    normals.push(facing.normal(x, y));
                }
            }
            if y > 0 {
                let rows = [parts.row(y - 1), parts.row(y)];
                join(triangles, lattice, y - 1, rows, [first_above, first]);
            }
            first_above = first;
        }
    }
}

fn check(lattice: &Lattice, field: &Field<f32>) {
    let (found, grid) = ((field.nx(), field.ny()), (lattice.nx(), lattice.ny()));
    assert!(found == grid, "a field of {found:?} cells on a grid of {grid:?}");
}

fn join(
    triangles: &mut Vec<[u32; 3]>,
    lattice: &Lattice,
    y: usize,
    [above, below]: [&[Part]; 2],
    [mut a, mut b]: [u32; 2],
) {
    let shapes = shapes(lattice, y);
    for (above, below) in above.windows(2).zip(below.windows(2)) {
        let next = [a + u32::from(above[0] != Part::None), b + u32::from(below[0] != Part::None)];
        let is_wet = [above[0], above[1], below[0], below[1]].map(|part| part == Part::Wet);
        if is_wet != [false; 4] {
            let corners = [a, next[0], b, next[1]];
            for shape in shapes {
                if !lattice.is_hex() || shape.iter().any(|&corner| is_wet[corner]) {
                    triangles.push(shape.map(|corner| corners[corner]));
                }
            }
        }
        [a, b] = next;
    }
}

/// Corners of the two triangles between four cells (north-west, north-east, south-west,
/// south-east), the upper ones in row `y`.
fn shapes(lattice: &Lattice, y: usize) -> [[usize; 3]; 2] {
    // Of two rows of hexagons, the odd one lies farther east.
    if lattice.is_hex() && Hex::z_offset(y) == 1 {
        [[0, 2, 3], [0, 3, 1]]
    } else {
        [[0, 2, 1], [1, 2, 3]]
    }
}

fn corner(lattice: &Lattice, height: f32, (x, y): (usize, usize)) -> [f32; 3] {
    let [east, south] = lattice.center(x, y);
    [east as f32, height, south as f32]
}

fn texture(lattice: &Lattice, (x, y): (usize, usize)) -> [f32; 2] {
    let [east, south] = lattice.center(x, y);
    [(east / lattice.width()) as f32, (south / lattice.height()) as f32]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plane_is_a_sheet_of_triangles_that_face_up() {
        let lattice = crate::Square::new(5, 4, 2.0, 3.0).unwrap();
        let plane = Field::from_fn(5, 4, |x, y| 0.5 * x as f32 - 0.25 * y as f32);
        let mesh = Mesh::of_heights(lattice, &plane);
        assert_eq!((mesh.positions.len(), mesh.triangles.len()), (20, 24));
        assert_eq!(mesh.positions[0], [1.0, 0.0, 1.5]);
        assert_eq!(mesh.texture[0], [0.1, 0.125]);
        for triangle in &mesh.triangles {
            let [a, b, c] = triangle.map(|i| mesh.positions[i as usize]);
            let sub = |a: [f32; 3], b: [f32; 3]| [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
            let (u, v) = (sub(b, a), sub(c, a));
            let cross =
                [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
            let length = cross.iter().map(|p| p * p).sum::<f32>().sqrt();
            for i in 0..3 {
                let own = mesh.normals[triangle[0] as usize][i];
                assert!((cross[i] / length - own).abs() < 1e-6, "{cross:?}");
            }
        }
    }

    #[test]
    fn water_meets_the_shore_level_and_leaves_dry_land_out() {
        let lattice = crate::Square::new(8, 3, 1.0, 1.0).unwrap();
        let bed = Field::from_fn(8, 3, |x, _| x as f32);
        let depth = bed.map(|&z| (2.5 - z).max(0.0));
        let mesh = Mesh::of_water(lattice, &bed, &depth, 1e-3);
        assert!(mesh.positions.iter().all(|p| p[1] == 2.5), "{:?}", mesh.positions);
        let east = mesh.positions.iter().map(|p| p[0]).fold(0.0, f32::max);
        assert_eq!(east, 3.5, "one cell into the shore");
        assert!(mesh.normals.iter().all(|n| n[1] == 1.0), "level: {:?}", mesh.normals);
        let dry = Mesh::of_water(lattice, &bed, &Field::new(8, 3, 0.0), 1e-3);
        assert_eq!(dry, Mesh::default());
    }

    #[test]
    fn water_between_hexagons_does_not_climb_the_shore() {
        let lattice = Lattice::from(Hex::new(9, 8, 1.0).unwrap());
        let bed = Field::from_fn(9, 8, |x, y| {
            let [east, south] = lattice.center(x, y);
            (east + 0.6 * south) as f32
        });
        let depth = bed.map(|&z| (5.0 - z).max(0.0));
        let mesh = Mesh::of_water(lattice, &bed, &depth, 1e-3);
        assert!(mesh.triangles.len() > 20);
        for triangle in &mesh.triangles {
            for corner in triangle.map(|i| mesh.positions[i as usize]) {
                assert!((corner[1] - 5.0).abs() < 1e-5, "{corner:?}");
            }
        }
    }
}
