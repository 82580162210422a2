//! [`MeshPart`]: a mesh with a name and a material.

use headwater::{Lattice, Mesh};

/// Mesh with a name and a material, exported as one object of a glTF file.
#[derive(Clone, Debug)]
pub struct MeshPart {
    /// Name of the object, without spaces.
    pub name: &'static str,
    /// Colour of the object as red, green, blue and opacity (linear, 0 to 1).
    pub color: [f32; 4],
    /// Roughness of the surface, from 0 (mirror-like) to 1 (matt).
    pub roughness: f32,
    /// Triangles of the object. A part without triangles is not written to the file.
    pub mesh: Mesh,
    /// Colours of the vertices as red, green and blue (linear, 0 to 1). Each of them is multiplied
    /// by `color`. Empty if the object has a uniform colour.
    pub colors: Vec<[f32; 3]>,
}

impl MeshPart {
    /// Creates a part with the material of water and the given roughness (0 to 1).
    pub fn new_water(mesh: Mesh, roughness: f32) -> Self {
        let color = [0.03, 0.17, 0.30, 0.8];
        Self { name: "water", color, roughness, mesh, colors: Vec::new() }
    }

    /// Removes the vertices of all cells for which `keep` returns false, and all triangles that
    /// contain such a vertex.
    pub fn keep_cells(&mut self, lattice: &Lattice, keep: impl Fn((usize, usize)) -> bool) {
        let Mesh { positions, normals, texture, triangles } = &mut self.mesh;
        let mut kept = Vec::with_capacity(positions.len());
        let mut count = 0;
        for &[x, _, z] in positions.iter() {
            let cell = lattice.cell_at([f64::from(x), f64::from(z)]);
            let number = cell.is_some_and(&keep).then_some(count);
            count += u32::from(number.is_some());
            kept.push(number);
        }
        let number = |corner: u32| kept[corner as usize];
        triangles.retain_mut(|corners| {
            let numbers = corners.map(number);
            let [Some(a), Some(b), Some(c)] = numbers else { return false };
            *corners = [a, b, c];
            true
        });
        retain_kept_vertices(positions, &kept);
        retain_kept_vertices(normals, &kept);
        retain_kept_vertices(texture, &kept);
        retain_kept_vertices(&mut self.colors, &kept);
    }
}

/// Removes the values of vertices that are not kept. `kept` contains the new index of each old
/// vertex, or `None` if the vertex is removed. An empty vector stays empty.
fn retain_kept_vertices<T>(values: &mut Vec<T>, kept: &[Option<u32>]) {
    let mut kept = kept.iter();
    values.retain(|_| kept.next().is_none_or(Option::is_some));
}

#[cfg(test)]
mod tests {
    use super::*;
    use headwater::{Field, Hex, Square};

    #[test]
    fn removed_cells_have_no_triangles() {
        let heights = Field::from_fn(5, 4, |x, y| (3 * x + y) as f32);
        let lattices: [Lattice; 2] =
            [Square::new(5, 4, 2.0, 2.0).unwrap().into(), Hex::new(5, 4, 3.0).unwrap().into()];
        for lattice in lattices {
            let whole = Mesh::from_heights(lattice, &heights);
            let mut part = MeshPart::new_water(whole.clone(), 0.1);
            part.colors = vec![[0.5; 3]; whole.positions.len()];
            part.keep_cells(&lattice, |_| true);
            assert_eq!(part.mesh, whole);
            part.keep_cells(&lattice, |cell| cell != (2, 1));
            let mesh = &part.mesh;
            assert_eq!(mesh.positions.len(), 19);
            assert_eq!([mesh.normals.len(), mesh.texture.len(), part.colors.len()], [19; 3]);
            // An inner vertex belongs to six triangles.
            let of_corner = |corner: &usize| {
                whole.triangles.iter().filter(|corners| corners.contains(&(*corner as u32))).count()
            };
            let gone = (0..20).find(|&i| whole.positions[i][1] == heights[(2, 1)]).unwrap();
            assert_eq!(mesh.triangles.len(), whole.triangles.len() - of_corner(&gone));
            // Remaining triangles are unchanged.
            let tops = |mesh: &Mesh| -> Vec<[f32; 3]> {
                let height = |corner: u32| mesh.positions[corner as usize][1];
                mesh.triangles.iter().map(|corners| corners.map(height)).collect()
            };
            let without: Vec<[f32; 3]> =
                tops(&whole).into_iter().filter(|t| !t.contains(&heights[(2, 1)])).collect();
            assert_eq!(tops(mesh), without);
        }
    }
}
