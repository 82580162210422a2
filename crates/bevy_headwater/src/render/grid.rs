//! Static meshes for water entities seen from above: a flat grid over the cells, which shaders
//! displace, and vertical sides.

use bevy::asset::RenderAssetUsages;
use bevy::mesh::{Indices, Mesh, PrimitiveTopology};
use headwater::Lattice;

/// Vertices along one axis of a grid mesh. Stores for each vertex the index of the cell that it
/// samples and its position (m). The first and last vertex lie on the edges of the world.
struct Axis {
    cells: Vec<usize>,
    places: Vec<f32>,
}

impl Axis {
    fn new(count: usize, stride: usize, size: f64) -> Self {
        let mut cells: Vec<usize> = (0..count).step_by(stride).collect();
        if cells.last() != Some(&(count - 1)) {
            cells.push(count - 1);
        }
        // A world that is one cell wide needs two vertices.
        if cells.len() == 1 {
            cells.push(0);
        }
        let last = cells.len() - 1;
        let place = |i: usize, cell: usize| match i {
            0 => 0.0,
            _ if i == last => count as f64 * size,
            _ => (cell as f64 + 0.5) * size,
        };
        let places = cells.iter().enumerate().map(|(i, &cell)| place(i, cell) as f32).collect();
        Self { cells, places }
    }
}

/// Returns the number of cells per mesh vertex along each axis. It is the smallest number for which
/// neither axis has more than `max_vertices` vertices.
pub(crate) fn stride(grid: [usize; 2], max_vertices: usize) -> usize {
    let longest = grid[0].max(grid[1]);
    longest.div_ceil(max_vertices.max(2))
}

/// Creates a grid mesh for a world, with one vertex per `stride` cells along each axis. The `uv`
/// coordinates of a vertex are the column and row of the cell that it samples. The `y` coordinate
/// is −1 for vertices at the bottom of the vertical sides and 0 for all others. `has_sides` states
/// whether the mesh has vertical sides.
pub(crate) fn create_grid_mesh(lattice: &Lattice, stride: usize, has_sides: bool) -> Mesh {
    let columns = Axis::new(lattice.nx(), stride, lattice.dx());
    let rows = Axis::new(lattice.ny(), stride, lattice.dy());
    let (nx, ny) = (columns.cells.len(), rows.cells.len());
    let mut built = MeshVertices::default();
    let shift = |row: usize, column: usize| {
        // Every other row of hexagons is shifted east by half a cell, but the edges stay straight.
        let inside = column > 0 && column + 1 < nx;
        if lattice.is_hex() && rows.cells[row] % 2 == 1 && inside {
            0.5 * lattice.dx() as f32
        } else {
            0.0
        }
    };
    for y in 0..ny {
        for x in 0..nx {
            let place = [columns.places[x] + shift(y, x), 0.0, rows.places[y]];
            built.add_vertex(place, [0.0, 1.0, 0.0], [columns.cells[x], rows.cells[y]]);
        }
    }
    for y in 0..ny as u32 - 1 {
        for x in 0..nx as u32 - 1 {
            let at = y * nx as u32 + x;
            let below = at + nx as u32;
            // Diagonals of the triangles alternate, so that slopes have no preferred direction.
            if (x + y) % 2 == 0 {
                built.indices.extend([at, below, at + 1, at + 1, below, below + 1]);
            } else {
                built.indices.extend([at, below, below + 1, at, below + 1, at + 1]);
            }
        }
    }
    if has_sides {
        let along_x = |y: usize, normal: f32| {
            let at = (0..nx).map(move |x| (x, y));
            (at.collect::<Vec<_>>(), [0.0, 0.0, normal])
        };
        let along_y = |x: usize, normal: f32| {
            let at = (0..ny).map(move |y| (x, y));
            (at.collect::<Vec<_>>(), [normal, 0.0, 0.0])
        };
        for (mut line, normal) in
            [along_x(0, -1.0), along_x(ny - 1, 1.0), along_y(0, -1.0), along_y(nx - 1, 1.0)]
        {
            // Vertices of sides are ordered to the right as seen from outside.
            if normal[2] < 0.0 || normal[0] > 0.0 {
                line.reverse();
            }
            built.add_side(&line, normal, &columns, &rows);
        }
    }
    built.mesh()
}

#[derive(Default)]
struct MeshVertices {
    positions: Vec<[f32; 3]>,
    normals: Vec<[f32; 3]>,
    cells: Vec<[f32; 2]>,
    indices: Vec<u32>,
}

impl MeshVertices {
    fn add_vertex(&mut self, position: [f32; 3], normal: [f32; 3], cell: [usize; 2]) -> u32 {
        self.positions.push(position);
        self.normals.push(normal);
        self.cells.push(cell.map(|at| at as f32));
        self.positions.len() as u32 - 1
    }

    fn add_side(&mut self, line: &[(usize, usize)], normal: [f32; 3], columns: &Axis, rows: &Axis) {
        let mut before = None;
        for &(x, y) in line {
            let cell = [columns.cells[x], rows.cells[y]];
            let [top, foot] = [0.0, -1.0].map(|height| {
                self.add_vertex([columns.places[x], height, rows.places[y]], normal, cell)
            });
            if let Some((last_top, last_foot)) = before {
                self.indices.extend([last_top, last_foot, top, top, last_foot, foot]);
            }
            before = Some((top, foot));
        }
    }

    fn mesh(self) -> Mesh {
        let none = vec![[0.0_f32; 2]; self.positions.len()];
        Mesh::new(PrimitiveTopology::TriangleList, RenderAssetUsages::RENDER_WORLD)
            .with_inserted_attribute(Mesh::ATTRIBUTE_POSITION, self.positions)
            .with_inserted_attribute(Mesh::ATTRIBUTE_NORMAL, self.normals)
            .with_inserted_attribute(Mesh::ATTRIBUTE_UV_0, self.cells)
            .with_inserted_attribute(Mesh::ATTRIBUTE_UV_1, none)
            .with_inserted_indices(Indices::U32(self.indices))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use headwater::Square;

    #[test]
    fn vertices_lie_on_cells_and_on_the_edges_of_the_world() {
        let axis = Axis::new(10, 3, 2.0);
        assert_eq!(axis.cells, [0, 3, 6, 9]);
        assert_eq!(axis.places, [0.0, 7.0, 13.0, 20.0]);
        assert_eq!(Axis::new(9, 4, 1.0).cells, [0, 4, 8]);
        assert_eq!(Axis::new(1, 1, 1.0).places, [0.0, 1.0]);
        assert_eq!(
            [stride([512, 20], 512), stride([2048, 513], 512), stride([3, 3], 0)],
            [1, 4, 2]
        );
    }

    #[test]
    fn triangles_face_up_and_out() {
        let lattice = Lattice::from(Square::new(5, 4, 1.0, 1.0).unwrap());
        let mesh = create_grid_mesh(&lattice, 1, true);
        let positions = mesh.attribute(Mesh::ATTRIBUTE_POSITION).unwrap().as_float3().unwrap();
        let normals = mesh.attribute(Mesh::ATTRIBUTE_NORMAL).unwrap().as_float3().unwrap();
        let Some(Indices::U32(indices)) = mesh.indices() else { panic!("no indices") };
        assert_eq!(indices.len(), 6 * (4 * 3 + 2 * (4 + 3)));
        for triangle in indices.chunks(3) {
            let [a, b, c] =
                [0, 1, 2].map(|i| bevy::math::Vec3::from(positions[triangle[i] as usize]));
            let normal = bevy::math::Vec3::from(normals[triangle[0] as usize]);
            assert!((b - a).cross(c - a).dot(normal) > 0.0, "{a} {b} {c} {normal}");
        }
    }
}
