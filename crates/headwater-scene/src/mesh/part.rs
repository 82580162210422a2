//! [`Part`]: a mesh with its name and colour.

use headwater::Mesh;

/// A mesh in a file: its name and what it is made of.
#[derive(Clone, Copy, Debug)]
pub struct Part<'a> {
    /// Its name, without spaces.
    pub name: &'a str,
    /// Red, green, blue and opacity, linear, 0 to 1.
    pub color: [f32; 4],
    /// From 0 (a mirror) to 1 (chalk).
    pub roughness: f32,
    /// Its triangles. Parts without any are left out.
    pub mesh: &'a Mesh,
    /// Colour of each corner (red, green and blue, linear, 0 to 1), which `color` is multiplied with; empty for
    /// none. OBJ has no colours.
    pub colors: &'a [[f32; 3]],
}
