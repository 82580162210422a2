//! What models tell of their cells for pictures.

use headwater::changes::Tile;
use headwater::{Field, Lattice};

/// What a model writes for its cells, tile after tile.
pub struct Written<'a> {
    /// Four numbers of each cell.
    pub state: &'a mut [[f32; 4]],
    /// Four bytes of each cell. Empty where they are zeros and were so before.
    pub looks: &'a mut [[u8; 4]],
}

/// What does not change from cell to cell.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Plan {
    /// Where the cells are, of a world that is seen from above.
    pub lattice: Option<Lattice>,
    /// Depth (m) up to which a cell counts as dry.
    pub dry_depth: f32,
    /// Height (m) of the lowest ground.
    pub lowest: f32,
    /// Whether foam follows from how the water moves.
    pub foams: bool,
}

/// Buffers reused from frame to frame for derived layers.
#[derive(Debug, Default)]
pub struct Scratch {
    fields: Vec<Field<f32>>,
}

impl Scratch {
    /// So many fields of a grid.
    pub fn fields(&mut self, [nx, ny]: [usize; 2], count: usize) -> &mut [Field<f32>] {
        let fits = |field: &Field<f32>| [field.nx(), field.ny()] == [nx, ny];
        self.fields.retain(fits);
        self.fields.resize_with(count, || Field::new(nx, ny, 0.0));
        &mut self.fields
    }
}

impl Written<'_> {
    /// Writes the texels of tiles, cell by cell.
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

/// A part, 0 to 1, as a byte.
pub(crate) fn byte(part: f32) -> u8 {
    (part.clamp(0.0, 1.0) * 255.0).round() as u8
}

/// The lowest of a world's ground (m).
pub(crate) fn lowest(bed: &Field<f32>) -> f32 {
    bed.min_max().map_or(0.0, |(low, _)| low)
}
