//! Obstacles as buildings: which cells are one, and what its roof looks like. They say where water cannot go, and
//! nothing of what really stands there.

use crate::components::connected_components;
use crate::picture::color::random;

/// Roofs of houses, and the stone of what is too large to be one.
const ROOFS: [u32; 5] = [0xC4694A, 0xB45A42, 0xCB7F5A, 0xA9533F, 0xB97B62];
const STONE: u32 = 0xB9B2A6;
/// More cells than this are a wall, a dam or a town block (cells).
const LARGEST: usize = 48;

/// A building.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Building {
    /// Its cells, row by row over the grid.
    pub cells: Vec<usize>,
    /// Colour (`0xRRGGBB`, sRGB) of its roof, or of its stone.
    pub color: u32,
    /// Whether it is small enough for a house: else it is a wall, a dam or a block of a town.
    pub is_house: bool,
}

/// The buildings of a grid of `nx` × `ny` cells: closed cells that hang together by their sides. Each cell of the
/// world is `fineness` of these.
pub fn buildings(
    [nx, ny]: [usize; 2],
    fineness: usize,
    closed: impl Fn(usize) -> bool,
) -> Vec<Building> {
    let building = |cells: Vec<usize>| {
        let is_house = cells.len() <= LARGEST * fineness;
        let pick = random(cells[0] as u32) * ROOFS.len() as f32;
        let color = if is_house { ROOFS[pick as usize % ROOFS.len()] } else { STONE };
        Building { cells, color, is_house }
    };
    connected_components([nx, ny], false, closed).into_iter().map(building).collect()
}
