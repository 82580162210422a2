//! [`SurfaceMesh`], a surface mesh with fixed triangles for renderers.

use super::surface::{SurfaceNormals, VertexKind, height_and_kind};
use super::{texture_coordinates, triangle_corners, vertex_position};
use crate::changes::Tile;
use crate::error::InputError;
use crate::field::Field;
use crate::lattice::Lattice;

/// Depth below the ground at which the water surface is placed in dry cells, so that it is hidden
/// (in cell sizes).
const HIDDEN_DEPTH: f64 = 0.05;

/// The ground or water surface of a world as one connected triangle mesh. It has a vertex at every
/// cell centre and uses the coordinate system of [`Mesh`](super::Mesh). Vertices are updated in
/// place, tile by tile and without allocation. The triangles never change, so a renderer uploads
/// them only once.
///
/// ```
/// use headwater::changes::Changes;
/// use headwater::flow::{Flow, Params};
/// use headwater::mesh::SurfaceMesh;
/// use headwater::{Field, Model, Square};
/// let lattice = Square::new(128, 96, 1.0, 1.0)?;
/// let bed = Field::from_fn(128, 96, |x, _| 0.02 * x as f32);
/// let mut flow = Flow::new(lattice, Params::default(), bed.clone(), bed.map(|z| (1.0 - z).max(0.0)))?;
/// let (mut water, mut changes) = (SurfaceMesh::new(lattice), Changes::default());
/// for _ in 0..3 {
///     flow.advance(1.0 / 60.0)?;
///     flow.update_changes(&mut changes);
///     flow.update_surface_mesh(&mut water, &changes.tiles)?;
///     for tile in water.affected_tiles(&changes.tiles) {
///         for row in tile.y..tile.y + tile.ny {
///             let corners = row * 128 + tile.x..row * 128 + tile.x + tile.nx;
///             let _upload = (&water.positions()[corners.clone()], &water.normals()[corners]);
///         }
///     }
/// }
/// # Ok::<(), headwater::InputError>(())
/// ```
#[derive(Clone, Debug)]
pub struct SurfaceMesh {
    lattice: Lattice,
    positions: Vec<[f32; 3]>,
    normals: Vec<[f32; 3]>,
    depths: Vec<f32>,
    texture: Vec<[f32; 2]>,
    triangles: Vec<[u32; 3]>,
    heights: Field<f32>,
    kinds: Field<VertexKind>,
}

impl SurfaceMesh {
    /// Creates a flat mesh at height 0 with one vertex per cell. If the grid is one cell wide, the
    /// mesh has no triangles.
    pub fn new(lattice: impl Into<Lattice>) -> Self {
        let lattice = lattice.into();
        let (nx, ny) = (lattice.nx(), lattice.ny());
        let cells = || Tile::all([nx, ny]).cells();
        let between = Tile::all([nx.saturating_sub(1), ny.saturating_sub(1)]).cells();
        let triangles = between.flat_map(|(x, y)| {
            let number = |corner: usize| ((y + corner / 2) * nx + x + corner % 2) as u32;
            triangle_corners(&lattice, y).map(|triangle| triangle.map(number))
        });
        Self {
            positions: cells().map(|at| vertex_position(&lattice, 0.0, at)).collect(),
            normals: vec![[0.0, 1.0, 0.0]; nx * ny],
            depths: vec![0.0; nx * ny],
            texture: cells().map(|at| texture_coordinates(&lattice, at)).collect(),
            triangles: triangles.collect(),
            heights: Field::new(nx, ny, 0.0),
            kinds: Field::new(nx, ny, VertexKind::None),
            lattice,
        }
    }

    /// Returns the position of each vertex (m). There is one vertex per cell, row by row from the
    /// north.
    pub fn positions(&self) -> &[[f32; 3]] {
        &self.positions
    }

    /// Returns the unit normal of each vertex.
    pub fn normals(&self) -> &[[f32; 3]] {
        &self.normals
    }

    /// Returns the depth of the water at each vertex (m). It is 0 at dry vertices and in meshes of
    /// the ground.
    pub fn depths(&self) -> &[f32] {
        &self.depths
    }

    /// Returns the texture coordinates of each vertex, from 0 to 1. They do not change during
    /// updates.
    pub fn texture_coordinates(&self) -> &[[f32; 2]] {
        &self.texture
    }

    /// Returns the triangles, each as three vertex indices in counter-clockwise order when seen
    /// from above. They do not change during updates.
    pub fn triangles(&self) -> &[[u32; 3]] {
        &self.triangles
    }

    /// Returns the tiles in which vertices change when the cells in `tiles` change. These are
    /// larger than the given tiles, because shores and normals also depend on neighbouring cells.
    pub fn affected_tiles<'a>(&self, tiles: &'a [Tile]) -> impl Iterator<Item = Tile> + use<'a> {
        let grid = [self.lattice.nx(), self.lattice.ny()];
        tiles.iter().map(move |tile| tile.expanded(2, grid))
    }

    /// Updates the vertices in the changed `tiles` to the surface of water with the depth `depth`
    /// (m) over a bed with the height `bed` (m). Cells with a depth of at most `dry` (m) are dry.
    ///
    /// # Errors
    /// Returns [`InputError`] if the shape of a field differs from that of the grid.
    pub fn set_water(
        &mut self,
        bed: &Field<f32>,
        depth: &Field<f32>,
        dry: f32,
        tiles: &[Tile],
    ) -> Result<(), InputError> {
        let grid = [self.lattice.nx(), self.lattice.ny()];
        for field in [bed, depth] {
            InputError::check_shape("a surface mesh's field", [field.nx(), field.ny()], grid)?;
        }
        let water = |x, y| [bed[(x, y)], depth[(x, y)]];
        let hidden_depth = (HIDDEN_DEPTH * self.lattice.dx()) as f32;
        for tile in tiles.iter().map(|tile| tile.expanded(1, grid)) {
            for (x, y) in tile.cells() {
                let (height, kind) = height_and_kind(&self.lattice, &water, dry, (x, y));
                (self.heights[(x, y)], self.kinds[(x, y)]) = (height, kind);
                let vertex = y * grid[0] + x;
                self.positions[vertex][1] = match kind {
                    VertexKind::None => bed[(x, y)] - hidden_depth,
                    VertexKind::Shore | VertexKind::Wet => height,
                };
                self.depths[vertex] = if kind == VertexKind::Wet { depth[(x, y)] } else { 0.0 };
            }
        }
        self.update_normals(tiles, grid);
        Ok(())
    }

    fn update_normals(&mut self, tiles: &[Tile], grid: [usize; 2]) {
        let normals = SurfaceNormals::new(&self.lattice, &self.heights, &self.kinds);
        for (x, y) in tiles.iter().flat_map(|tile| tile.expanded(2, grid).cells()) {
            self.normals[y * grid[0] + x] = if self.kinds[(x, y)] == VertexKind::None {
                [0.0, 1.0, 0.0]
            } else {
                normals.normal(x, y)
            };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lattice::{Hex, Square};
    use crate::mesh::Mesh;
    use std::collections::BTreeSet;

    fn bed_and_depth(nx: usize, ny: usize) -> [Field<f32>; 2] {
        let bed = Field::from_fn(nx, ny, |x, y| {
            (0.31 * x as f32).sin() + (0.23 * y as f32).cos() + 0.01 * x as f32
        });
        let depth = bed.map(|&z| (0.4 - z).max(0.0));
        [bed, depth]
    }

    fn lattices() -> [Lattice; 2] {
        [Square::new(150, 90, 2.0, 3.0).unwrap().into(), Hex::new(150, 90, 2.0).unwrap().into()]
    }

    #[test]
    fn tiled_updates_match_a_full_update() {
        for lattice in lattices() {
            let [bed, mut depth] = bed_and_depth(150, 90);
            let all = [Tile::all([150, 90])];
            let mut kept = SurfaceMesh::new(lattice);
            kept.set_water(&bed, &depth, 1e-3, &all).unwrap();
            for at in [(63, 64), (64, 10), (0, 0), (149, 89)] {
                depth[at] = if depth[at] > 0.0 { 0.0 } else { 2.0 };
                let tile = Tile { x: at.0 / 64 * 64, y: at.1 / 64 * 64, nx: 64, ny: 64 };
                kept.set_water(&bed, &depth, 1e-3, &[tile.expanded(0, [150, 90])]).unwrap();
                let mut fresh = SurfaceMesh::new(lattice);
                fresh.set_water(&bed, &depth, 1e-3, &all).unwrap();
                assert_eq!(kept.positions(), fresh.positions(), "{lattice:?} {at:?}");
                assert_eq!(kept.normals(), fresh.normals(), "{lattice:?} {at:?}");
                assert_eq!(kept.depths(), fresh.depths(), "{lattice:?} {at:?}");
            }
        }
    }

    #[test]
    fn wet_triangles_match_the_mesh() {
        type Corner = [[u32; 3]; 2];
        let bits = |values: [f32; 3]| values.map(f32::to_bits);
        for lattice in lattices() {
            let [bed, depth] = bed_and_depth(150, 90);
            let mesh = Mesh::from_water(lattice, &bed, &depth, 1e-3);
            let corner = |i: u32| -> Corner {
                [bits(mesh.positions[i as usize]), bits(mesh.normals[i as usize])]
            };
            let of_mesh: BTreeSet<[Corner; 3]> =
                mesh.triangles.iter().map(|triangle| triangle.map(corner)).collect();
            let mut surface = SurfaceMesh::new(lattice);
            surface.set_water(&bed, &depth, 1e-3, &[Tile::all([150, 90])]).unwrap();
            let wet = |i: &u32| surface.depths()[*i as usize] > 0.0;
            let corner = |i: u32| -> Corner {
                [bits(surface.positions()[i as usize]), bits(surface.normals()[i as usize])]
            };
            // On squares, the two triangles of a pair are used if either of them is wet.
            let pairs = surface.triangles().chunks(if lattice.is_hex() { 1 } else { 2 });
            let taken = pairs.filter(|pair| pair.iter().flatten().any(wet)).flatten();
            let of_surface: BTreeSet<[Corner; 3]> =
                taken.map(|triangle| triangle.map(corner)).collect();
            assert_eq!(of_mesh, of_surface, "{lattice:?}");
            assert_eq!(mesh.triangles.len(), of_mesh.len(), "{lattice:?}");
            // Every vertex of the mesh is used.
            let used: BTreeSet<u32> = mesh.triangles.iter().flatten().copied().collect();
            assert_eq!(used.len(), mesh.positions.len(), "{lattice:?}");
        }
    }

    #[test]
    fn dry_water_lies_below_the_ground() {
        let lattice = Square::new(20, 20, 2.0, 2.0).unwrap();
        let bed = Field::from_fn(20, 20, |x, _| x as f32);
        let mut surface = SurfaceMesh::new(lattice);
        surface.set_water(&bed, &Field::new(20, 20, 0.0), 1e-3, &[Tile::all([20, 20])]).unwrap();
        assert!(surface.positions().iter().zip(bed.as_slice()).all(|(p, z)| p[1] < *z));
        let small = Field::new(3, 3, 0.0);
        let error = surface.set_water(&small, &small, 1e-3, &[]).unwrap_err().to_string();
        assert_eq!(
            error,
            "a surface mesh's field: found 3 × 3, allowed is 20 × 20, the size of the grid"
        );
    }
}
