//! [`Part`]: a mesh with its name and colour.

use headwater::Mesh;

/// A mesh in a file: its name and what it is made of.
#[derive(Clone, Debug)]
pub struct Part {
    /// Its name, without spaces.
    pub name: &'static str,
    /// Red, green, blue and opacity, linear, 0 to 1.
    pub color: [f32; 4],
    /// From 0 (a mirror) to 1 (chalk).
    pub roughness: f32,
    /// Its triangles. Parts without any are left out.
    pub mesh: Mesh,
    /// Colour of each corner (red, green and blue, linear, 0 to 1), which `color` is multiplied with; empty for
    /// none. OBJ has no colours.
    pub colors: Vec<[f32; 3]>,
}

impl Part {
    /// Water, as transparent as it is on maps.
    pub(crate) fn water(mesh: Mesh, roughness: f32) -> Self {
        let color = [0.03, 0.17, 0.30, 0.8];
        Self { name: "water", color, roughness, mesh, colors: Vec::new() }
    }
}
