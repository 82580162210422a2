//! [`Mesh`]: the ground and the water's surface as triangles, for renderers and modelling tools. It is a
//! picture of a moment; nothing here moves, and file formats are written elsewhere.

use crate::field::Field;
use crate::lattice::{Hex, Lattice};

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
    /// The surface of `heights` (m): a corner in the middle of every cell, triangles between neighbours;
    /// between hexagons they are equilateral on the map. A grid one cell wide has no triangles.
    pub fn of_heights(lattice: impl Into<Lattice>, heights: &Field<f32>) -> Self {
        Self::of_part(&lattice.into(), heights, |_| true, |_| true)
    }

    /// The surface of water of `depth` over `bed` (both m): the squares between cells, of hexagons the
    /// triangles, of which at least one is deeper than `dry` (m).
    ///
    /// A dry corner beside water takes the mean surface of its wet neighbours, if its ground is not below
    /// that, so that the water runs into the shore level instead of climbing it.
    pub fn of_water(
        lattice: impl Into<Lattice>,
        bed: &Field<f32>,
        depth: &Field<f32>,
        dry: f32,
    ) -> Self {
        let lattice = &lattice.into();
        let wet = |x: usize, y: usize| depth[(x, y)] > dry;
        let surface = Field::from_fn(bed.nx(), bed.ny(), |x, y| {
            let own = bed[(x, y)] + depth[(x, y)];
            if wet(x, y) {
                return own;
            }
            let around = corners_around(lattice, x, y).filter(|&(x, y)| wet(x, y));
            let (sum, count) = around.fold((0.0_f64, 0_u32), |(sum, count), at| {
                (sum + f64::from(bed[at]) + f64::from(depth[at]), count + 1)
            });
            if count == 0 { own } else { own.min((sum / f64::from(count)) as f32) }
        });
        let any_wet = |corners: &[(usize, usize)]| corners.iter().any(|&(x, y)| wet(x, y));
        // Ground beyond the shore is no part of the surface, and none of its slope.
        let shore = Field::from_fn(bed.nx(), bed.ny(), |x, y| {
            wet(x, y) || corners_around(lattice, x, y).any(|(x, y)| wet(x, y))
        });
        Self::of_part(lattice, &surface, any_wet, |at| shore[at])
    }

    /// The squares, or of hexagons the triangles, of whose corners `take` holds; normals follow from the
    /// heights of the cells that `belong` to the surface.
    fn of_part(
        lattice: &Lattice,
        heights: &Field<f32>,
        take: impl Fn(&[(usize, usize)]) -> bool,
        belong: impl Fn((usize, usize)) -> bool,
    ) -> Self {
        let (nx, ny) = (heights.nx(), heights.ny());
        let mut mesh = Self::default();
        let mut numbers: Field<Option<u32>> = Field::new(nx, ny, None);
        for y in 0..ny.saturating_sub(1) {
            for x in 0..nx.saturating_sub(1) {
                let corners = [(x, y), (x + 1, y), (x, y + 1), (x + 1, y + 1)];
                let [nw, ne, sw, se] = corners;
                // Of two rows of hexagons, the odd one lies farther east.
                let triangles = if lattice.is_hex() && Hex::z_offset(y) == 1 {
                    [[nw, sw, se], [nw, se, ne]]
                } else {
                    [[nw, sw, ne], [ne, sw, se]]
                };
                let taken = if lattice.is_hex() {
                    triangles.map(|triangle| take(&triangle))
                } else {
                    [take(&corners); 2]
                };
                let mut number = |(x, y)| match numbers[(x, y)] {
                    Some(number) => number,
                    None => {
                        let number = mesh.add_corner(lattice, heights, (x, y), &belong);
                        numbers[(x, y)] = Some(number);
                        number
                    }
                };
                if taken == [true; 2] {
                    // Row by row, as they lie in memory.
                    for corner in corners {
                        number(corner);
                    }
                }
                let part = triangles.into_iter().zip(taken).filter(|&(_, taken)| taken);
                let part: Vec<[u32; 3]> =
                    part.map(|(triangle, _)| triangle.map(&mut number)).collect();
                mesh.triangles.extend(part);
            }
        }
        mesh
    }

    fn add_corner(
        &mut self,
        lattice: &Lattice,
        heights: &Field<f32>,
        (x, y): (usize, usize),
        belong: impl Fn((usize, usize)) -> bool,
    ) -> u32 {
        let [east, south] = lattice.center(x, y);
        self.positions.push([east as f32, heights[(x, y)], south as f32]);
        let height = |at| belong(at).then(|| f64::from(heights[at]));
        self.normals.push(normal(lattice, (x, y), height));
        let part = |along: f64, size: f64| (along / size) as f32;
        self.texture.push([part(east, lattice.width()), part(south, lattice.height())]);
        (self.positions.len() - 1) as u32
    }
}

/// The cells that share a triangle, or on squares a corner, with a cell.
fn corners_around(
    lattice: &Lattice,
    x: usize,
    y: usize,
) -> Box<dyn Iterator<Item = (usize, usize)>> {
    if lattice.is_hex() {
        return Box::new(lattice.neighbours(x, y));
    }
    let columns = x.saturating_sub(1)..=(x + 1).min(lattice.nx() - 1);
    let rows = y.saturating_sub(1)..=(y + 1).min(lattice.ny() - 1);
    Box::new(rows.flat_map(move |y| columns.clone().map(move |x| (x, y))))
}

/// The unit normal of a surface in the middle of a cell.
fn normal(
    lattice: &Lattice,
    at: (usize, usize),
    height: impl Fn((usize, usize)) -> Option<f64>,
) -> [f32; 3] {
    let [to_east, to_south] = lattice.gradient(at, height);
    let length = (to_east * to_east + to_south * to_south + 1.0).sqrt();
    [-to_east, 1.0, -to_south].map(|part| (part / length) as f32)
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
