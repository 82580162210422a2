//! Buildings, found as connected groups of closed cells, with roof colours. The buildings are
//! symbols and do not represent real structures.

use super::components::connected_components;
use crate::color::hash_to_unit_interval;

/// Roof colours of houses (`0xRRGGBB`, sRGB).
const ROOF_COLORS: [u32; 5] = [0xC4694A, 0xB45A42, 0xCB7F5A, 0xA9533F, 0xB97B62];
/// Colour (`0xRRGGBB`, sRGB) of connected groups of closed cells that are too large to be houses.
const STONE_COLOR: u32 = 0xB9B2A6;
/// Maximum size of a house (cells). Larger groups of closed cells are drawn as walls, dams or town
/// blocks.
const MAX_HOUSE_CELLS: usize = 48;

/// Connected group of closed cells, drawn as a building.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Building {
    /// Row-major indices of the cells that form the building.
    pub cells: Vec<usize>,
    /// Colour (`0xRRGGBB`, sRGB) of the roof or, if the building is not a house, of its stone.
    pub color: u32,
    /// Whether the building is a house rather than a wall, a dam or a town block.
    pub is_house: bool,
}

/// Finds the buildings in a grid of `nx × ny` cells. A building is a group of closed cells that are
/// connected by their sides. `fineness` is the number of grid cells per cell of the world: above 1
/// if the grid was resampled. The size limit of houses is multiplied by it.
pub fn find_buildings(
    [nx, ny]: [usize; 2],
    fineness: usize,
    closed: impl Fn(usize) -> bool,
) -> Vec<Building> {
    let building = |cells: Vec<usize>| {
        let is_house = cells.len() <= MAX_HOUSE_CELLS * fineness;
        let pick = hash_to_unit_interval(cells[0] as u32) * ROOF_COLORS.len() as f32;
        let color =
            if is_house { ROOF_COLORS[pick as usize % ROOF_COLORS.len()] } else { STONE_COLOR };
        Building { cells, color, is_house }
    };
    connected_components([nx, ny], false, closed).into_iter().map(building).collect()
}
