//! Triangle meshes of ground and water surfaces. [`Mesh`] is for export. [`SurfaceMesh`] is for
//! renderers and is updated in place.

mod surface;
mod surface_mesh;

pub use surface_mesh::SurfaceMesh;

use crate::field::Field;
use crate::lattice::{Hex, Lattice};
use crate::parallel::for_each_row_pair;
use crate::scratch::ScratchPool;
use surface::{SurfaceNormals, VertexKind, height_and_kind};

/// Triangle mesh with a normal and texture coordinates for each vertex.
///
/// The coordinate system is right-handed with y up, as in glTF. The x axis points east and the z
/// axis points south, in metres from the top-left corner of the grid at height 0. Triangles are
/// counter-clockwise when seen from above. Texture coordinates run from 0 to 1 over the grid, with
/// `u` to the east and `v` to the south.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Mesh {
    /// Position of each vertex (m).
    pub positions: Vec<[f32; 3]>,
    /// Unit normal of each vertex.
    pub normals: Vec<[f32; 3]>,
    /// Texture coordinates `[u, v]` of each vertex, from 0 to 1.
    pub texture: Vec<[f32; 2]>,
    /// Triangles, each as three vertex indices in counter-clockwise order when seen from above.
    pub triangles: Vec<[u32; 3]>,
}

impl Mesh {
    /// Creates a mesh of the surface with the given heights (m). It has a vertex at every cell
    /// centre and triangles between neighbouring vertices. On hexagons, the triangles are
    /// equilateral when seen from above. If the grid is one cell wide, the mesh has no triangles.
    ///
    /// # Panics
    /// Panics if the shape of the field differs from that of the grid.
    pub fn from_heights(lattice: impl Into<Lattice>, heights: &Field<f32>) -> Self {
        let lattice = lattice.into();
        assert_shape(&lattice, heights);
        let kinds = Field::new(heights.nx(), heights.ny(), VertexKind::Wet);
        let mut mesh = Self::default();
        mesh.build_from_vertices(&ScratchPool::default(), &lattice, heights, &kinds);
        mesh
    }

    /// Creates a mesh of the surface of water with the depth `depth` (m) over a bed with the height
    /// `bed` (m). Cells are wet if their depth is greater than `dry` (m). On squares, the mesh
    /// consists of the squares between four cell centres of which at least one is wet. On hexagons,
    /// it consists of the triangles between three cell centres of which at least one is wet.
    ///
    /// A dry vertex next to water is placed at the mean height of the water in adjacent cells,
    /// unless the ground there is lower. The water surface therefore continues horizontally into
    /// the shore instead of climbing it.
    ///
    /// # Panics
    /// Panics if the shape of a field differs from that of the grid.
    pub fn from_water(
        lattice: impl Into<Lattice>,
        bed: &Field<f32>,
        depth: &Field<f32>,
        dry: f32,
    ) -> Self {
        let mut mesh = Self::default();
        mesh.set_water(&ScratchPool::default(), lattice, bed, depth, dry);
        mesh
    }

    /// Replaces the contents of the mesh with a water surface like that of
    /// [`from_water`](Self::from_water). Reuses the allocations of the mesh.
    pub(crate) fn set_water(
        &mut self,
        scratch: &ScratchPool,
        lattice: impl Into<Lattice>,
        bed: &Field<f32>,
        depth: &Field<f32>,
        dry: f32,
    ) {
        let (lattice, nx) = (&lattice.into(), bed.nx());
        [bed, depth].into_iter().for_each(|field| assert_shape(lattice, field));
        let mut heights = scratch.take::<Field<f32>>();
        heights.reset(nx, bed.ny(), 0.0);
        let mut kinds = scratch.take::<Field<VertexKind>>();
        kinds.reset(nx, bed.ny(), VertexKind::None);
        let water = |x: usize, y: usize| [bed[(x, y)], depth[(x, y)]];
        let (rows, kind_rows) = (heights.as_mut_slice(), kinds.as_mut_slice());
        for_each_row_pair(rows, nx, kind_rows, nx, |y, heights, kinds| {
            for (x, (height, kind)) in heights.iter_mut().zip(kinds).enumerate() {
                (*height, *kind) = height_and_kind(lattice, &water, dry, (x, y));
            }
        });
        self.build_from_vertices(scratch, lattice, &heights, &kinds);
    }

    fn build_from_vertices(
        &mut self,
        scratch: &ScratchPool,
        lattice: &Lattice,
        heights: &Field<f32>,
        kinds: &Field<VertexKind>,
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
        // The vertices are the wet cells and the cells next to them, row by row.
        let surface_normals = SurfaceNormals::new(lattice, heights, kinds);
        // Coordinates of each column. On hexagons, the pattern of rows repeats every two rows.
        let columns = [0, 1].map(|y| {
            let in_column = |x| {
                [vertex_position(lattice, 0.0, (x, y))[0], texture_coordinates(lattice, (x, y))[0]]
            };
            scratch.take_collected((0..nx).map(in_column))
        });
        let count = kinds.as_slice().iter().filter(|kind| **kind != VertexKind::None).count();
        positions.reserve(count);
        normals.reserve(count);
        coordinates.reserve(count);
        // This count is exact if all cells are wet, and it is rarely exceeded.
        triangles.reserve(2 * count);
        let mut first_above = 0;
        for y in 0..ny {
            let first = positions.len() as u32;
            let (south, v) =
                (vertex_position(lattice, 0.0, (0, y))[2], texture_coordinates(lattice, (0, y))[1]);
            let row = kinds.row(y).iter().zip(heights.row(y)).zip(&*columns[y % 2]);
            for (x, ((&kind, &height), &[east, u])) in row.enumerate() {
                if kind != VertexKind::None {
                    positions.push([east, height, south]);
                    coordinates.push([u, v]);
                    normals.push(surface_normals.normal(x, y));
                }
            }
            if y > 0 {
                let rows = [kinds.row(y - 1), kinds.row(y)];
                push_triangles(triangles, lattice, y - 1, rows, [first_above, first]);
            }
            first_above = first;
        }
    }
}

fn assert_shape(lattice: &Lattice, field: &Field<f32>) {
    let (found, grid) = ((field.nx(), field.ny()), (lattice.nx(), lattice.ny()));
    assert!(found == grid, "a field of {found:?} cells on a grid of {grid:?}");
}

fn push_triangles(
    triangles: &mut Vec<[u32; 3]>,
    lattice: &Lattice,
    y: usize,
    [above, below]: [&[VertexKind]; 2],
    [mut a, mut b]: [u32; 2],
) {
    let both = triangle_corners(lattice, y);
    for (above, below) in above.windows(2).zip(below.windows(2)) {
        let next = [
            a + u32::from(above[0] != VertexKind::None),
            b + u32::from(below[0] != VertexKind::None),
        ];
        let is_wet = [above[0], above[1], below[0], below[1]].map(|kind| kind == VertexKind::Wet);
        if is_wet != [false; 4] {
            let corners = [a, next[0], b, next[1]];
            for triangle in both {
                if !lattice.is_hex() || triangle.iter().any(|&corner| is_wet[corner]) {
                    triangles.push(triangle.map(|corner| corners[corner]));
                }
            }
        }
        [a, b] = next;
    }
}

/// Returns the two triangles into which the quadrilateral between four cell centres is divided.
/// Their corners are numbered 0 for north-west, 1 for north-east, 2 for south-west and 3 for
/// south-east. The two northern cells are in row `y`.
fn triangle_corners(lattice: &Lattice, y: usize) -> [[usize; 3]; 2] {
    // Odd rows of hexagons are shifted to the east.
    if lattice.is_hex() && Hex::z_face_column(y) == 1 {
        [[0, 2, 3], [0, 3, 1]]
    } else {
        [[0, 2, 1], [1, 2, 3]]
    }
}

fn vertex_position(lattice: &Lattice, height: f32, (x, y): (usize, usize)) -> [f32; 3] {
    let [east, south] = lattice.center(x, y);
    [east as f32, height, south as f32]
}

fn texture_coordinates(lattice: &Lattice, (x, y): (usize, usize)) -> [f32; 2] {
    let [east, south] = lattice.center(x, y);
    [(east / lattice.width()) as f32, (south / lattice.height()) as f32]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plane_gives_upward_facing_triangles() {
        let lattice = crate::Square::new(5, 4, 2.0, 3.0).unwrap();
        let plane = Field::from_fn(5, 4, |x, y| 0.5 * x as f32 - 0.25 * y as f32);
        let mesh = Mesh::from_heights(lattice, &plane);
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
    fn water_stays_level_at_the_shore_and_excludes_dry_land() {
        let lattice = crate::Square::new(8, 3, 1.0, 1.0).unwrap();
        let bed = Field::from_fn(8, 3, |x, _| x as f32);
        let depth = bed.map(|&z| (2.5 - z).max(0.0));
        let mesh = Mesh::from_water(lattice, &bed, &depth, 1e-3);
        assert!(mesh.positions.iter().all(|p| p[1] == 2.5), "{:?}", mesh.positions);
        let east = mesh.positions.iter().map(|p| p[0]).fold(0.0, f32::max);
        assert_eq!(east, 3.5, "one cell into the shore");
        assert!(mesh.normals.iter().all(|n| n[1] == 1.0), "level: {:?}", mesh.normals);
        let dry = Mesh::from_water(lattice, &bed, &Field::new(8, 3, 0.0), 1e-3);
        assert_eq!(dry, Mesh::default());
    }

    #[test]
    fn hexagonal_water_stays_level_at_the_shore() {
        let lattice = Lattice::from(Hex::new(9, 8, 1.0).unwrap());
        let bed = Field::from_fn(9, 8, |x, y| {
            let [east, south] = lattice.center(x, y);
            (east + 0.6 * south) as f32
        });
        let depth = bed.map(|&z| (5.0 - z).max(0.0));
        let mesh = Mesh::from_water(lattice, &bed, &depth, 1e-3);
        assert!(mesh.triangles.len() > 20);
        for triangle in &mesh.triangles {
            for corner in triangle.map(|i| mesh.positions[i as usize]) {
                assert!((corner[1] - 5.0).abs() < 1e-5, "{corner:?}");
            }
        }
    }
}
