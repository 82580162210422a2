//! Movement of ground from a cell to a lower neighbour: the plain rule.

use crate::hydrology::banks::RiverBed;
use crate::hydrology::grid::{DIRECTIONS, Grid};

/// Divisor of the excess that slides to one neighbour in a round. With eight lower neighbours, half
/// of the excess slides.
pub(super) const SLIDE_DIVISOR: i64 = 16;
/// Divisor of the soil that a cell can lose to one neighbour.
pub(super) const SOIL_DIVISOR: i64 = 8;

/// Converts a stable height difference to an edge neighbour into that to a corner neighbour: √2
/// times, approximately.
#[inline(always)]
pub(super) fn edge_to_corner(side: i32) -> i32 {
    (side >> 7) * 181
}

#[derive(Clone, Copy)]
pub(in super::super) struct CreepRule<'a> {
    pub(in super::super) grid: Grid,
    /// Fraction of a height difference that creeps to a neighbour (65536ths).
    pub(in super::super) rate: i64,
    /// Stable height differences of soil to edge and corner neighbours (quanta).
    pub(in super::super) repose: [i64; 2],
    /// Stable height differences of uniform rock.
    pub(in super::super) rock_repose: [i64; 2],
    /// Stable height difference of each cell's rock to an edge neighbour, 0 to 2³⁰; empty if rock
    /// is uniform.
    pub(in super::super) rock_limits: &'a [i32],
    /// Beds of rivers wider than a cell; empty if there are none.
    pub(in super::super) river_beds: &'a [RiverBed],
}

#[derive(Clone, Copy)]
pub(super) struct Ground<'a> {
    pub(super) bed: &'a [i64],
    pub(super) soil: &'a [i64],
}

impl CreepRule<'_> {
    /// Returns the flux from a cell to a lower one (quanta): of soil at most an eighth, of rock the
    /// unstable excess.
    fn flux(&self, ground: Ground, cell: usize, neighbour: usize, corner: usize) -> i64 {
        let Ground { bed: z, soil } = ground;
        let drop = z[cell] - z[neighbour];
        let creeping = (drop * self.rate) >> (16 + corner);
        let sliding = (drop - self.repose[corner]).max(0) / SLIDE_DIVISOR;
        let limit = match self.rock_limits.get(cell) {
            None => self.rock_repose[corner],
            Some(&side) if corner == 0 => side.into(),
            Some(&side) => edge_to_corner(side).into(),
        };
        let falling = (drop - limit).max(0) / SLIDE_DIVISOR;
        let flux = (creeping + sliding)
            .min(drop / SLIDE_DIVISOR)
            .min(soil[cell] / SOIL_DIVISOR)
            .max(falling);
        // There are no banks in a river's bed.
        let Some(bed) = self.river_beds.get(cell) else { return flux };
        flux.max(z[cell].saturating_sub(bed.level(z).max(z[neighbour])).max(0) / SLIDE_DIVISOR)
    }

    pub(super) fn change(&self, ground: Ground, (x, y): (usize, usize)) -> i64 {
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
