//! Cell data that models provide for rendering, and buffers for computing it.

use headwater::changes::Tile;
use headwater::{Field, Lattice};

/// Buffers that a model fills with the rendering data of cells, one tile after the other.
pub struct TexelBuffers<'a> {
    /// State of each cell as four numbers. Their meaning depends on the orientation of the model.
    pub state: &'a mut [[f32; 4]],
    /// Looks (appearance) of each cell as four bytes. From above: foam, streams, plants, and a flag
    /// for closed cells. From the side: wall flag, kind of liquid, ice fraction and tag. The slice
    /// is empty if all bytes are zero now and were zero at the last upload.
    pub looks: &'a mut [[u8; 4]],
}

/// Data that rendering needs besides cell data: lattice, dry depth, lowest ground elevation, and
/// whether the shader adds foam.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SurfaceInfo {
    /// Lattice of a world seen from above; `None` for side views.
    pub lattice: Option<Lattice>,
    /// Depth (m) up to which a cell counts as dry.
    pub dry_depth: f32,
    /// Elevation of the lowest ground (m).
    pub lowest_ground: f32,
    /// Whether the shader derives foam from the water velocity.
    pub has_velocity_foam: bool,
}

/// Temporary fields (one value per cell) in which a model prepares its rendering data. They are
/// reused from frame to frame.
#[derive(Debug, Default)]
pub struct Scratch {
    fields: Vec<Field<f32>>,
}

impl Scratch {
    /// Returns `count` fields with `nx × ny` cells each. The fields are not cleared: they contain
    /// values from earlier use.
    pub fn fields(&mut self, [nx, ny]: [usize; 2], count: usize) -> &mut [Field<f32>] {
        let fits = |field: &Field<f32>| [field.nx(), field.ny()] == [nx, ny];
        self.fields.retain(fits);
        self.fields.resize_with(count, || Field::new(nx, ny, 0.0));
        &mut self.fields
    }
}

impl TexelBuffers<'_> {
    /// Writes the texels (rendering data) of the cells in `tiles`. `texel(x, y)` returns the four
    /// state values and the four looks bytes of a cell.
    pub fn fill(&mut self, tiles: &[Tile], texel: impl Fn(usize, usize) -> ([f32; 4], [u8; 4])) {
        let cells = tiles.iter().flat_map(|tile| tile.cells());
        let mut looks = self.looks.iter_mut();
        for ((x, y), state) in cells.zip(&mut *self.state) {
            let (found, look) = texel(x, y);
            *state = found;
            if let Some(looks) = looks.next() {
                *looks = look;
            }
        }
    }
}

/// Converts a fraction from 0 to 1 to a byte from 0 to 255.
pub(crate) fn fraction_to_byte(part: f32) -> u8 {
    (part.clamp(0.0, 1.0) * 255.0).round() as u8
}

/// Returns the lowest elevation of the ground (m).
pub(crate) fn lowest_elevation(bed: &Field<f32>) -> f32 {
    bed.min_max().map_or(0.0, |(low, _)| low)
}
