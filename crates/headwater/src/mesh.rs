//! [`Mesh`]: the ground and the water's surface as triangles, for renderers and modelling tools. It is a
//! picture of a moment; nothing here moves, and file formats are written elsewhere.

use crate::field::Field;
use crate::lattice::Square;

/// Triangles with a normal and a texture coordinate at each corner.
///
/// Right-handed with y up, as glTF has it: x grows to the east, y upward, z to the south, all in metres;
/// the origin is the grid's top-left corner at height 0. Triangles run counter-clockwise seen from
/// above. Texture coordinates run from 0 to 1 over the whole grid, `u` to the east, `v` to the south, so
/// that any layer drawn as an image fits.
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
    /// The surface of `heights` (m): a corner in the middle of every cell, two triangles between four
    /// neighbours. A grid one cell wide has no triangles.
    pub fn of_heights(lattice: &Square, heights: &Field<f32>) -> Self {
        Self::of_part(lattice, heights, |_, _| true)
    }

    /// The surface of water of `depth` over `bed` (both m): the squares between cells of which at least
    /// one is deeper than `dry` (m).
    ///
    /// A dry corner beside water takes the mean surface of its wet neighbours, if its ground is not below
    /// that, so that the water runs into the shore level instead of climbing it.
    pub fn of_water(lattice: &Square, bed: &Field<f32>, depth: &Field<f32>, dry: f32) -> Self {
        let wet = |x: usize, y: usize| depth[(x, y)] > dry;
        let surface = Field::from_fn(bed.nx(), bed.ny(), |x, y| {
            let own = bed[(x, y)] + depth[(x, y)];
            if wet(x, y) {
                return own;
            }
            let around = neighbours(bed, x, y).filter(|&(x, y)| wet(x, y));
            let (sum, count) = around.fold((0.0_f64, 0_u32), |(sum, count), at| {
                (sum + f64::from(bed[at]) + f64::from(depth[at]), count + 1)
            });
            if count == 0 { own } else { own.min((sum / f64::from(count)) as f32) }
        });
        let any_wet = |x, y| wet(x, y) || wet(x + 1, y) || wet(x, y + 1) || wet(x + 1, y + 1);
        Self::of_part(lattice, &surface, any_wet)
    }

    /// The squares with north-west corner `(x, y)` for which `take(x, y)` holds, and their corners.
    fn of_part(
        lattice: &Square,
        heights: &Field<f32>,
        take: impl Fn(usize, usize) -> bool,
    ) -> Self {
        let (nx, ny) = (heights.nx(), heights.ny());
        let mut mesh = Self::default();
        let mut numbers: Field<Option<u32>> = Field::new(nx, ny, None);
        for y in 0..ny.saturating_sub(1) {
            for x in 0..nx.saturating_sub(1) {
                if !take(x, y) {
                    continue;
                }
                let mut corner = |x, y| match numbers[(x, y)] {
                    Some(number) => number,
                    None => {
                        let number = mesh.add_corner(lattice, heights, x, y);
                        numbers[(x, y)] = Some(number);
                        number
                    }
                };
                let (nw, ne) = (corner(x, y), corner(x + 1, y));
                let (sw, se) = (corner(x, y + 1), corner(x + 1, y + 1));
                mesh.triangles.extend([[nw, sw, ne], [ne, sw, se]]);
            }
        }
        mesh
    }

    fn add_corner(&mut self, lattice: &Square, heights: &Field<f32>, x: usize, y: usize) -> u32 {
        let [east, south] = lattice.center(x, y);
        self.positions.push([east as f32, heights[(x, y)], south as f32]);
        self.normals.push(normal(lattice, heights, x, y));
        let part = |along: f64, size: f64| (along / size) as f32;
        self.texture.push([part(east, lattice.width()), part(south, lattice.height())]);
        (self.positions.len() - 1) as u32
    }
}

/// The cells beside and diagonal to a cell.
fn neighbours(
    field: &Field<f32>,
    x: usize,
    y: usize,
) -> impl Iterator<Item = (usize, usize)> + use<> {
    let columns = x.saturating_sub(1)..=(x + 1).min(field.nx() - 1);
    let rows = y.saturating_sub(1)..=(y + 1).min(field.ny() - 1);
    rows.flat_map(move |y| columns.clone().map(move |x| (x, y)))
}

/// The unit normal of a surface in the middle of a cell, by central differences.
fn normal(lattice: &Square, heights: &Field<f32>, x: usize, y: usize) -> [f32; 3] {
    let slope = |before: f32, after: f32, cells: usize, size: f64| {
        if cells == 0 { 0.0 } else { f64::from(after - before) / (cells as f64 * size) }
    };
    let (west, east) = (x.saturating_sub(1), (x + 1).min(heights.nx() - 1));
    let (north, south) = (y.saturating_sub(1), (y + 1).min(heights.ny() - 1));
    let to_east = slope(heights[(west, y)], heights[(east, y)], east - west, lattice.dx());
    let to_south = slope(heights[(x, north)], heights[(x, south)], south - north, lattice.dy());
    let length = (to_east * to_east + to_south * to_south + 1.0).sqrt();
    [-to_east, 1.0, -to_south].map(|part| (part / length) as f32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plane_is_a_sheet_of_triangles_that_face_up() {
        let lattice = Square::new(5, 4, 2.0, 3.0).unwrap();
        let plane = Field::from_fn(5, 4, |x, y| 0.5 * x as f32 - 0.25 * y as f32);
        let mesh = Mesh::of_heights(&lattice, &plane);
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
        let lattice = Square::new(8, 3, 1.0, 1.0).unwrap();
        let bed = Field::from_fn(8, 3, |x, _| x as f32);
        let depth = bed.map(|&z| (2.5 - z).max(0.0));
        let mesh = Mesh::of_water(&lattice, &bed, &depth, 1e-3);
        assert!(mesh.positions.iter().all(|p| p[1] == 2.5), "{:?}", mesh.positions);
        let east = mesh.positions.iter().map(|p| p[0]).fold(0.0, f32::max);
        assert_eq!(east, 3.5, "one cell into the shore");
        let dry = Mesh::of_water(&lattice, &bed, &Field::new(8, 3, 0.0), 1e-3);
        assert_eq!(dry, Mesh::default());
    }
}
