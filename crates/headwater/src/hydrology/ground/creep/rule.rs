//! Plain rule for the movement of ground from a cell to a lower neighbour.

use crate::hydrology::ground::banks::RiverBed;
use crate::hydrology::state::grid::{DIRECTIONS, Grid};

/// Divisor for slides. In one round, the part of a height difference above the stable difference,
/// divided by this number, slides to one neighbour. With eight lower neighbours, half of it slides.
pub(super) const SLIDE_DIVISOR: i64 = 16;
/// Divisor that limits creep. In one round, a cell loses to one neighbour at most its soil
/// thickness divided by this number.
pub(super) const SOIL_DIVISOR: i64 = 8;

/// Converts a stable height difference to an edge neighbour into that to a corner neighbour:
/// multiplies by approximately √2.
#[inline(always)]
pub(super) fn edge_to_corner(side: i32) -> i32 {
    (side >> 7) * 181
}

#[derive(Clone, Copy)]
pub(in crate::hydrology) struct CreepRule<'a> {
    pub(in crate::hydrology) grid: Grid,
    /// Fraction of a height difference that creeps to a neighbour in a round (65536ths).
    pub(in crate::hydrology) rate: i64,
    /// Largest stable height difference of soil to an edge and to a corner neighbour (quanta).
    pub(in crate::hydrology) repose: [i64; 2],
    /// Largest stable height difference of uniform rock to an edge and to a corner neighbour
    /// (quanta).
    pub(in crate::hydrology) rock_repose: [i64; 2],
    /// Largest stable height difference of each cell's rock to an edge neighbour (quanta, 0 to
    /// 2³⁰). Empty if rock is uniform.
    pub(in crate::hydrology) rock_limits: &'a [i32],
    /// River bed of each cell, for rivers wider than a cell. Empty if there are none.
    pub(in crate::hydrology) river_beds: &'a [RiverBed],
}

#[derive(Clone, Copy)]
pub(super) struct Ground<'a> {
    pub(super) bed: &'a [i64],
    pub(super) soil: &'a [i64],
}

impl CreepRule<'_> {
    /// Returns the flux of ground from a cell to a lower neighbour (quanta). It consists of at most
    /// an eighth of the soil, and of the unstable excess of rock.
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
