//! Scalar rule for the movement of ground from a cell to a lower neighbour.

use crate::hydrology::ground::banks::RiverBed;
use crate::hydrology::state::grid::{DIRECTIONS, Grid};

/// Divisor of the slide rate. In one round, a cell loses to each lower neighbour the excess of the
/// height difference over the stable difference, divided by this number. With eight lower
/// neighbours, half of the excess slides.
pub(super) const SLIDE_DIVISOR: i64 = 16;
/// Divisor of the creep limit. In one round, a cell loses to each neighbour at most its soil
/// thickness divided by this number.
pub(super) const SOIL_DIVISOR: i64 = 8;

/// Multiplies the stable height difference to an edge neighbour by approximately √2, which gives
/// the stable difference to a corner neighbour.
#[inline(always)]
pub(super) fn diagonal_difference(side: i32) -> i32 {
    (side >> 7) * 181
}

#[derive(Clone, Copy)]
pub(in crate::hydrology) struct CreepRule<'a> {
    pub(in crate::hydrology) grid: Grid,
    /// Fraction of the height difference that creeps as soil to a lower neighbour in one round, in
    /// units of 1/65536.
    pub(in crate::hydrology) rate: i64,
    /// Largest stable height difference of soil to an edge neighbour and to a corner neighbour
    /// (quanta of 2⁻²⁰ m).
    pub(in crate::hydrology) repose: [i64; 2],
    /// Largest stable height difference of uniform rock to an edge neighbour and to a corner
    /// neighbour (quanta of 2⁻²⁰ m).
    pub(in crate::hydrology) rock_repose: [i64; 2],
    /// Largest stable height difference of each cell's rock to an edge neighbour (quanta of 2⁻²⁰ m,
    /// from 0 to 2³⁰). Empty if the rock is uniform.
    pub(in crate::hydrology) rock_limits: &'a [i32],
    /// River bed that each cell belongs to. Empty if no river is wider than a cell.
    pub(in crate::hydrology) river_beds: &'a [RiverBed],
}

#[derive(Clone, Copy)]
pub(super) struct BedAndSoil<'a> {
    pub(super) bed: &'a [i64],
    pub(super) soil: &'a [i64],
}

impl CreepRule<'_> {
    /// Returns the thickness of ground that moves from a cell to a lower neighbour in one round
    /// (quanta of 2⁻²⁰ m). `corner` is 0 for a neighbour that shares an edge, and 1 for one that
    /// shares only a corner. The result is the largest of three amounts: soil that creeps and
    /// slides (at most an eighth of the soil), rock that collapses, and bank material that
    /// collapses into a river bed.
    fn flux(&self, ground: BedAndSoil, cell: usize, neighbour: usize, corner: usize) -> i64 {
        let BedAndSoil { bed: z, soil } = ground;
        let drop = z[cell] - z[neighbour];
        let creeping = (drop * self.rate) >> (16 + corner);
        let sliding = (drop - self.repose[corner]).max(0) / SLIDE_DIVISOR;
        let limit = match self.rock_limits.get(cell) {
            None => self.rock_repose[corner],
            Some(&side) if corner == 0 => side.into(),
            Some(&side) => diagonal_difference(side).into(),
        };
        let falling = (drop - limit).max(0) / SLIDE_DIVISOR;
        let flux = (creeping + sliding)
            .min(drop / SLIDE_DIVISOR)
            .min(soil[cell] / SOIL_DIVISOR)
            .max(falling);
        // Ground above the river's centre line collapses into the bed.
        let Some(bed) = self.river_beds.get(cell) else { return flux };
        flux.max(
            z[cell].saturating_sub(bed.collapse_height(z).max(z[neighbour])).max(0) / SLIDE_DIVISOR,
        )
    }

    pub(super) fn height_change(&self, ground: BedAndSoil, (x, y): (usize, usize)) -> i64 {
        let (grid, z) = (self.grid, ground.bed);
        let cell = y * grid.nx + x;
        let mut change = 0;
        for (k, &offset) in DIRECTIONS.iter().enumerate() {
            let Some(neighbour) = grid.neighbour((x, y), offset) else { continue };
            change += if z[cell] > z[neighbour] {
                -self.flux(ground, cell, neighbour, k % 2)
            } else {
                self.flux(ground, neighbour, cell, k % 2)
            };
        }
        change
    }
}
