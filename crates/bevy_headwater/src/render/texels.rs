//! What is written to the textures of a water.

use headwater::changes::Tile;
use headwater::{Field, Lattice};

/// Texels of tiles, one tile after the other, row by row.
///
/// Seen from above, `state` is height of the ground, depth of the water (m) and velocity to the east and to the south (m/s), `looks` is
/// foam, streams, plants and closed cells (0 to 255 each). In side view, `state` is the part of the cell that is filled, velocity
/// (m/s), temperature (°C) and 0, `looks` is wall (255), the liquid (1 oil, 2 water, 3 lava), the part that is ice and the caller's tag.
#[derive(Debug, Default)]
pub struct Texels {
    /// Four numbers of each cell.
    pub state: Vec<[f32; 4]>,
    /// Four bytes of each cell.
    pub looks: Vec<[u8; 4]>,
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

/// Fields that are kept from frame to frame, for layers that are not read from the model as they are.
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

impl Texels {
    pub(crate) fn clear(&mut self) {
        self.state.clear();
        self.looks.clear();
    }

    /// Adds the texels of tiles, cell by cell.
    pub fn extend(&mut self, tiles: &[Tile], texel: impl Fn(usize, usize) -> ([f32; 4], [u8; 4])) {
        for tile in tiles {
            for (x, y) in tile.cells() {
                let (state, looks) = texel(x, y);
                self.state.push(state);
                self.looks.push(looks);
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
